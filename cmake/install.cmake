# What `cmake --install` puts where, for pkg-config and for find_package(fender).
include(CMakePackageConfigHelpers)

install(TARGETS fender fender_shared EXPORT fender-targets)
if(FENDER_IO)
    install(TARGETS fender_io fender_io_shared EXPORT fender-targets)
endif()
if(TARGET fender_fmu)
    install(TARGETS fender_fmu DESTINATION ${CMAKE_INSTALL_LIBDIR}/fender) # the binary of exported FMUs
endif()
if(TARGET fender_cli)
    install(TARGETS fender_cli)
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/fender TYPE INCLUDE FILES_MATCHING PATTERN "*.h")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/samples ${PROJECT_SOURCE_DIR}/integrations DESTINATION ${CMAKE_INSTALL_DATADIR}/fender OPTIONAL)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/ TYPE DOC FILES_MATCHING PATTERN "*.md")
if(TARGET fender_pages)
    install(DIRECTORY ${PROJECT_BINARY_DIR}/generated/pages/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    install(FILES ${PROJECT_BINARY_DIR}/generated/pages/completion/fender
            DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
    install(FILES ${PROJECT_BINARY_DIR}/generated/pages/completion/_fender
            DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
endif()
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md ${PROJECT_SOURCE_DIR}/LICENSE TYPE DOC)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/fender)
install(EXPORT fender-targets NAMESPACE fender:: DESTINATION ${package_folder})
# What was built in: fender_IO, fender_HDF5, fender_GDAL, fender_SQLITE, fender_EXPAT, fender_SUNDIALS, each ON or OFF.
foreach(part IO WITH_HDF5 WITH_GDAL WITH_SQLITE WITH_EXPAT WITH_SUNDIALS)
    string(REPLACE "WITH_" "" word ${part})
    set(FENDER_HAS_${word} OFF)
    if(FENDER_${part} AND (FENDER_IO OR word STREQUAL "SUNDIALS"))
        set(FENDER_HAS_${word} ON)
    endif()
endforeach()
configure_file(${PROJECT_SOURCE_DIR}/cmake/fender-config.cmake.in ${PROJECT_BINARY_DIR}/generated/fender-config.cmake @ONLY)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/generated/fender-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/generated/fender-config.cmake ${PROJECT_BINARY_DIR}/generated/fender-config-version.cmake
        DESTINATION ${package_folder})

string(REGEX REPLACE "[^/]+" ".." FENDER_PC_UP ${CMAKE_INSTALL_LIBDIR}) # from the folder of libraries to the prefix
set(modules fender)
if(FENDER_IO)
    list(APPEND modules fender_io)
endif()
foreach(module ${modules})
    configure_file(${PROJECT_SOURCE_DIR}/cmake/${module}.pc.in ${PROJECT_BINARY_DIR}/generated/${module}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/generated/${module}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
