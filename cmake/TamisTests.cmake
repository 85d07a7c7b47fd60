# tamis_add_gtests(TARGET NAME FILES): runs a program of tests, in shards.
#
# A process for each test would mostly be starting, under sanitizers above all.
# Here each runs every n-th test of its program, so that none can be forgotten
# and all processors have something to do; n grows with the number of FILES.
# One test alone: build/<preset>/bin/TARGET --gtest_filter=SUITE.TEST
#
# The limit of time, 600 s, is in the test presets: `./run test-long` must be
# able to raise it, and a TIMEOUT property could not be overridden.

function(tamis_add_gtests target name)
  list(LENGTH ARGN files)
  math(EXPR shards "(${files} + 2) / 3")
  foreach(shard RANGE 1 ${shards})
    math(EXPR index "${shard} - 1")
    set(test ${name}.${shard}of${shards})
    add_test(NAME ${test} COMMAND ${target} --gtest_brief=1)
    set_tests_properties(${test} PROPERTIES
      LABELS gtest
      ENVIRONMENT "GTEST_TOTAL_SHARDS=${shards};GTEST_SHARD_INDEX=${index}")
  endforeach()
endfunction()
