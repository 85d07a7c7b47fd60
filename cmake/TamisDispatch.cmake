# Shared libraries that run on every x86-64, and fast on those with AVX2.
#
#   lib/libtamis.so.0.1                           any x86-64
#   lib/glibc-hwcaps/x86-64-v3/libtamis.so.0.1    AVX2, BMI2
#
# Both are made of the same sources.  The loader of glibc (2.33 and newer) looks
# into the second folder first if the processor can run what is there; any other
# takes the first.  No code of ours chooses.
#
# A program has copies of inline functions that are also in the library, made
# for the processor that the *program* was compiled for.  The library must call
# its own: inline functions are hidden, and calls inside of a library are bound
# when it is linked.

# Gives a shared library that is installed in `folder` its twin for x86-64-v3;
# call it when the target has its sources and libraries.
function(tamis_add_twin target folder)
  get_target_property(type ${target} TYPE)
  if(NOT type STREQUAL SHARED_LIBRARY)
    return()
  endif()
  tamis_bind_inside(${target})
  if(NOT TAMIS_TWINS)
    return()
  endif()
  set(twin ${target}_v3)
  get_target_property(sources ${target} SOURCES)
  add_library(${twin} SHARED ${sources})
  target_compile_options(${twin} PRIVATE ${TAMIS_V3_FLAGS})
  foreach(property COMPILE_FEATURES INCLUDE_DIRECTORIES LINK_LIBRARIES
      COMPILE_DEFINITIONS VERSION SOVERSION OUTPUT_NAME UNITY_BUILD
      UNITY_BUILD_MODE)
    get_target_property(value ${target} ${property})
    if(NOT value MATCHES "-NOTFOUND$")  # 0 is a version, too
      set_target_properties(${twin} PROPERTIES ${property} "${value}")
    endif()
  endforeach()
  get_target_property(name ${twin} OUTPUT_NAME)
  if(NOT name)
    set_target_properties(${twin} PROPERTIES OUTPUT_NAME ${target})
  endif()
  # It lies two folders below: so much longer is its way to other libraries.
  get_target_property(way ${target} INSTALL_RPATH)
  if(way)
    string(REPLACE "$ORIGIN" "$ORIGIN/../.." way "${way}")
    set_target_properties(${twin} PROPERTIES INSTALL_RPATH "${way}")
  endif()
  # Beside the target, so that programs find it before they are installed too.
  get_target_property(built_in ${target} BINARY_DIR)
  set_target_properties(${twin} PROPERTIES
    LIBRARY_OUTPUT_DIRECTORY ${built_in}/glibc-hwcaps/x86-64-v3)
  tamis_own_target(${twin})
  tamis_bind_inside(${twin})
  add_dependencies(${target} ${twin})
  install(TARGETS ${twin} LIBRARY NAMELINK_SKIP
    DESTINATION ${folder}/glibc-hwcaps/x86-64-v3)
endfunction()

# Calls inside of the library stay inside of it.
function(tamis_bind_inside target)
  set_target_properties(${target} PROPERTIES VISIBILITY_INLINES_HIDDEN ON)
  target_compile_options(${target} PRIVATE -fno-semantic-interposition)
  target_link_options(${target} PRIVATE LINKER:-Bsymbolic-functions)
endfunction()
