# Target header_check: every header compiles alone.
#
# One source per header, which includes it twice: the first proves that it
# brings what it needs, the second that its guard works.

add_custom_target(header_check)

# Adds the headers under `folder`; the arguments that follow are the libraries
# whose include paths and definitions they are compiled with.
function(tamis_check_headers folder)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS
    RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/${folder}/*.h)
  if(NOT folder STREQUAL tools/store)  # nobody else includes RocksDB
    list(FILTER headers EXCLUDE REGEX "^tools/store/")
  endif()
  if(NOT headers)
    return()
  endif()
  set(sources "")
  foreach(header IN LISTS headers)
    set(source ${PROJECT_BINARY_DIR}/header_check/${header}.cc)
    file(CONFIGURE OUTPUT ${source} CONTENT
      "#include \"${PROJECT_SOURCE_DIR}/${header}\"\n\
#include \"${PROJECT_SOURCE_DIR}/${header}\"  // the guard\n")
    list(APPEND sources ${source})
  endforeach()
  string(REPLACE "/" "_" target header_check_${folder})
  add_library(${target} OBJECT EXCLUDE_FROM_ALL ${sources})
  target_link_libraries(${target} PRIVATE ${ARGN})
  target_compile_options(${target} PRIVATE -O0)
  tamis_own_target(${target})
  add_dependencies(header_check ${target})
endfunction()

tamis_check_headers(include tamis::tamis)
tamis_check_headers(src tamis::tamis)
tamis_check_headers(workloads tamis_workloads)
tamis_check_headers(tools tamis_tool_needs)
if(TAMIS_STORE)
  tamis_check_headers(tools/store tamis_tool_needs tamis_store)
  tamis_check_headers(store tamis_store tamis_test_needs tamis_tool_needs)
endif()
tamis_check_headers(lab tamis_tool_needs)
tamis_check_headers(tests tamis_test_needs tamis_tool_needs tamis_tool_path)
if(TARGET header_check_src)
  target_include_directories(header_check_src
    PRIVATE ${PROJECT_SOURCE_DIR}/src)
endif()
