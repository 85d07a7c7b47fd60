# tamis::compare: the command as an installed library, in one archive, for
# programs that compare a filter of their own (tools/include/tamis/compare.h).

add_library(tamis_compare STATIC
  $<TARGET_OBJECTS:tamis_tool_parts> $<TARGET_OBJECTS:tamis_workloads>)
if(TAMIS_STORE)  # whoever compares filters needs no RocksDB
  target_sources(tamis_compare PRIVATE ${PROJECT_SOURCE_DIR}/tools/no_store.cc)
  target_include_directories(tamis_compare PRIVATE ${PROJECT_SOURCE_DIR})
endif()
add_library(tamis::compare ALIAS tamis_compare)
set_target_properties(tamis_compare PROPERTIES
  EXPORT_NAME compare LINKER_LANGUAGE CXX)
target_include_directories(tamis_compare INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/tools/include>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(tamis_compare
  PUBLIC tamis
  PRIVATE fmt::fmt PkgConfig::TAMIS_ZSTD PkgConfig::TAMIS_PCAP)

install(TARGETS tamis_compare EXPORT tamisCompareTargets)
install(FILES ${PROJECT_SOURCE_DIR}/tools/include/tamis/compare.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tamis)
install(EXPORT tamisCompareTargets NAMESPACE tamis::
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tamis)
