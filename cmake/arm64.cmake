# Cross-builds for arm64 on Debian: `./run arm64-test` fills the folder of
# libraries, and qemu runs what is built.

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)

set(arm64_root ${CMAKE_CURRENT_LIST_DIR}/../build/arm64-root)
set(arm64_libs ${arm64_root}/usr/lib/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH ${arm64_root})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_LIBDIR} ${arm64_libs}/pkgconfig)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${arm64_root})

set(CMAKE_CROSSCOMPILING_EMULATOR
  qemu-aarch64;-L;/usr/aarch64-linux-gnu;-E;LD_LIBRARY_PATH=${arm64_libs})
