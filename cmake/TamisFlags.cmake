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
    if(TAMIS_PCH)  # what ccache must overlook to keep sources that use one
      list(PREPEND CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
        CCACHE_SLOPPINESS=pch_defines,time_macros)
    endif()
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
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 sees overlaps inside std::string concatenation that are not there.
  list(APPEND tamis_warnings -Wno-restrict)
  if(TAMIS_PCH)
    # Precompiled, the standard library is no longer taken for a system header,
    # and g++ 12 warns of sizes in it that can't be.
    list(APPEND tamis_warnings -Wno-stringop-overflow
      -Wno-error=array-bounds -Wno-error=maybe-uninitialized
      -Wno-error=dangling-pointer -Wno-error=free-nonheap-object
      -Wno-error=stringop-overread)
  endif()
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

# Precompiles headers for a target, if TAMIS_PCH is on.  Sources include what
# they use all the same: header_check and the preset dev compile without.
function(tamis_precompile target)
  if(TAMIS_PCH)
    target_precompile_headers(${target} ${ARGN})
  endif()
endfunction()

# Links the library, and the workloads where they exist, into a program.
function(tamis_link target)
  target_link_libraries(${target} PRIVATE tamis::tamis ${ARGN})
  if(TARGET tamis_workloads)
    target_link_libraries(${target} PRIVATE tamis_workloads)
  endif()
endfunction()
