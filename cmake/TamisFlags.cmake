# Compiler flags, and the one function that applies them to our own targets.

# ---- Instruction set: part of the interface of the library --------------

set(TAMIS_ARCH_FLAGS "")
set(TAMIS_ARCH_DEFINITIONS "")
set(TAMIS_V3_FLAGS -march=x86-64-v3)  # AVX2, BMI2 (pdep), popcnt
set(TAMIS_TWINS OFF)  # shared libraries are built for both
if(TAMIS_PORTABLE)
  set(TAMIS_ARCH_DEFINITIONS TAMIS_PORTABLE=1)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64|AMD64)$")
  if(BUILD_SHARED_LIBS)
    set(TAMIS_TWINS ON)
  else()
    set(TAMIS_ARCH_FLAGS ${TAMIS_V3_FLAGS})
  endif()
endif()

# ---- Programs and caches ------------------------------------------------

if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Kind of build" FORCE)
  endif()
  find_program(TAMIS_CCACHE ccache)
  if(TAMIS_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${TAMIS_CCACHE})
  endif()
endif()

# ---- Instrumentation: applies to every target of the build --------------

set(tamis_sanitizers ${TAMIS_SANITIZE})
if(TAMIS_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "TAMIS_FUZZ needs clang: use the preset fuzz")
  endif()
  set(tamis_sanitizers address,undefined)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
if(tamis_sanitizers)
  add_compile_options(-fsanitize=${tamis_sanitizers} -fno-omit-frame-pointer
    -fno-sanitize-recover=all)
  if(tamis_sanitizers MATCHES "undefined")
    # A check at every access, of what the other sanitizer sees as well.
    add_compile_options(-fno-sanitize=null,object-size,vptr)
  endif()
  add_link_options(-fsanitize=${tamis_sanitizers})
  add_compile_definitions(_GLIBCXX_ASSERTIONS)
endif()
if(TAMIS_COVERAGE)
  add_compile_options(--coverage -fprofile-update=atomic)
  add_link_options(--coverage)
endif()

# ---- Warnings -----------------------------------------------------------

set(tamis_warnings -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)
if(TAMIS_UNITS)
  list(APPEND tamis_warnings -Wno-shadow)  # of a name of another source
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 sees overlaps inside std::string concatenation that are not there.
  list(APPEND tamis_warnings -Wno-restrict)
  if(tamis_sanitizers)
    # The branches that sanitizers add confuse this analysis.
    list(APPEND tamis_warnings -Wno-maybe-uninitialized)
  endif()
endif()

# Marks a target as ours: strict warnings, no compiler extensions.
function(tamis_own_target target)
  if(TAMIS_DEVELOPER OR TAMIS_FUZZ)
    target_compile_options(${target} PRIVATE ${tamis_warnings})
  endif()
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
endfunction()

# Compiles the sources of a target by folders, if TAMIS_UNITS is on: each folder
# is one unit, its headers are read once and templates made once.  Names in
# unnamed namespaces are then those of a folder.  Sources include what they use
# all the same: header_check and the preset dev compile each alone.
#
# tamis_in_units(TARGET [TOGETHER REGEX]): sources that match share one unit,
# whatever their folders.
function(tamis_in_units target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TOGETHER" "")
  if(NOT TAMIS_UNITS)
    return()
  endif()
  set_target_properties(${target} PROPERTIES
    UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    get_filename_component(path ${source} ABSOLUTE)
    get_filename_component(folder ${path} DIRECTORY)
    file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${folder})
    string(MAKE_C_IDENTIFIER "${folder}" group)
    if(arg_TOGETHER)
      file(STRINGS ${path} found REGEX "${arg_TOGETHER}")
      if(found)
        set(group together)
      endif()
    endif()
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
  endforeach()
endfunction()

# Links the library, and the workloads where they exist, into a program.
function(tamis_link target)
  target_link_libraries(${target} PRIVATE tamis::tamis ${ARGN})
  if(TARGET tamis_workloads)
    target_link_libraries(${target} PRIVATE tamis_workloads)
  endif()
endfunction()
