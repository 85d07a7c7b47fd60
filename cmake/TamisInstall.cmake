# Installed files: headers, library, CMake package, pkg-config file.
# tools/dev/check_install builds a program against each of them.  They are the
# component `library`, for who installs no more than that.

include(CMakePackageConfigHelpers)

set(tamis_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tamis)
set(tamis_pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(TARGETS tamis EXPORT tamisTargets COMPONENT library)
install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  COMPONENT library FILES_MATCHING PATTERN "*.h")
install(EXPORT tamisTargets NAMESPACE tamis:: DESTINATION ${tamis_package_dir}
  COMPONENT library)

configure_package_config_file(cmake/tamisConfig.cmake.in
  ${PROJECT_BINARY_DIR}/tamisConfig.cmake
  INSTALL_DESTINATION ${tamis_package_dir})
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tamisConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/tamisConfig.cmake
  ${PROJECT_BINARY_DIR}/tamisConfigVersion.cmake
  DESTINATION ${tamis_package_dir} COMPONENT library)

# The prefix is found from the place of the .pc file, so that
# `cmake --install --prefix` and moved trees stay right.
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  set(tamis_pc_prefix "${CMAKE_INSTALL_PREFIX}")
else()
  file(RELATIVE_PATH tamis_pc_up "/${tamis_pkgconfig_dir}" "/")
  string(REGEX REPLACE "/$" "" tamis_pc_up "${tamis_pc_up}")
  set(tamis_pc_prefix "\${pcfiledir}/${tamis_pc_up}")
endif()
set(tamis_pc_includedir ${CMAKE_INSTALL_FULL_INCLUDEDIR})
set(tamis_pc_libdir ${CMAKE_INSTALL_FULL_LIBDIR})
if(NOT IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
  set(tamis_pc_includedir "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
if(NOT IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  set(tamis_pc_libdir "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
endif()
set(tamis_pc_cflags ${TAMIS_ARCH_FLAGS})
foreach(definition IN LISTS TAMIS_ARCH_DEFINITIONS)
  list(APPEND tamis_pc_cflags -D${definition})
endforeach()
list(JOIN tamis_pc_cflags " " tamis_pc_cflags)
# A static library hands on what it needs; a shared one knows it.
set(tamis_pc_requires Requires)
if(BUILD_SHARED_LIBS)
  set(tamis_pc_requires Requires.private)
endif()
configure_file(cmake/tamis.pc.in ${PROJECT_BINARY_DIR}/tamis.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tamis.pc
  DESTINATION ${tamis_pkgconfig_dir} COMPONENT library)
