# The libraries fender (core) and fender_io (files, units, runs), each compiled once, archived statically and shared.
# Targets: fender, fender_io (static), fender_shared, fender_io_shared. A new file in a layer's folder is found by itself;
# a new layer is one word below and one line in scripts/check_layers.
set(fender_core_layers base math geometry planet collide law body contact dynamics integrate world)
set(fender_io_layers support units import plugin scenario model_import tables record command control plot run report analysis study fmi)

# Sources of the layers, sorted, so that every machine links them in the same order.
function(fender_layer_sources result)
    set(patterns ${ARGN})
    list(TRANSFORM patterns PREPEND ${PROJECT_SOURCE_DIR}/src/)
    list(TRANSFORM patterns APPEND /*.c)
    file(GLOB sources CONFIGURE_DEPENDS ${patterns})
    list(SORT sources)
    set(${result} ${sources} PARENT_SCOPE)
endfunction()

include(CheckLinkerFlag)
check_linker_flag(C -Wl,-z,defs fender_has_z_defs)

# One object library, and from it NAME (static) and NAME_shared.
function(fender_library name)
    add_library(${name}_objects OBJECT ${ARGN})
    target_include_directories(${name}_objects PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(${name}_objects PRIVATE fender_flags)
    add_library(${name} STATIC $<TARGET_OBJECTS:${name}_objects>)
    add_library(${name}_shared SHARED $<TARGET_OBJECTS:${name}_objects>)
    set_target_properties(${name}_shared PROPERTIES OUTPUT_NAME ${name} VERSION ${PROJECT_VERSION}
                          SOVERSION ${PROJECT_VERSION_MAJOR})
    foreach(library ${name} ${name}_shared)
        target_include_directories(${library} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                                     $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    endforeach()
    target_link_libraries(${name}_shared PRIVATE $<BUILD_INTERFACE:fender_flags>)
    add_library(fender::${name} ALIAS ${name}) # as find_package calls them
    add_library(fender::${name}_shared ALIAS ${name}_shared)
    if(NOT FENDER_SANITIZE AND fender_has_z_defs)
        # Undefined symbols end the link: it proves that fender_io needs the exported symbols of the core alone.
        target_link_options(${name}_shared PRIVATE -Wl,-z,defs)
    endif()
endfunction()

# Hot loops, compiled once for each width of registers (src/base/width.h); the program asks the processor at run time.
# Results have the same bits.
set(wide_searches src/collide/convex_search.c src/collide/mesh_scan_lanes.c src/geometry/ray_lanes.c
    src/geometry/tree_search.c src/geometry/triangle_lanes.c)
set(wide_batches src/contact/batch_lanes.c)
list(TRANSFORM wide_searches PREPEND ${PROJECT_SOURCE_DIR}/)
list(TRANSFORM wide_batches PREPEND ${PROJECT_SOURCE_DIR}/)
set_source_files_properties(${wide_searches} PROPERTIES COMPILE_OPTIONS "$<$<CONFIG:Release>:-O3>")
# Neither option changes a result: no error number is asked for, and no trap is set.
set_source_files_properties(${wide_batches} PROPERTIES COMPILE_OPTIONS "$<$<CONFIG:Release>:-O3>;-fno-math-errno;-fno-trapping-math")
# The eight sums of its loop over stages stay in registers.
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/integrate/explicit_pair.c
                            PROPERTIES COMPILE_OPTIONS "$<$<CONFIG:Release>:-funroll-loops>")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set(FENDER_WIDE_DEFINITIONS FND_WIDE) # of the core and of the tests that ask for a width by its name
endif()

# Adds the objects of SOURCES, compiled for a width with the flags, to both libraries of the core.
function(fender_add_width width name flags)
    if(NOT FENDER_WIDE_DEFINITIONS)
        return()
    endif()
    add_library(fender_${name}_${width} OBJECT ${ARGN})
    target_include_directories(fender_${name}_${width} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(fender_${name}_${width} PRIVATE fender_flags)
    target_compile_options(fender_${name}_${width} PRIVATE ${flags})
    target_compile_definitions(fender_${name}_${width} PRIVATE FND_WIDE FND_WIDTH=${width})
    target_sources(fender PRIVATE $<TARGET_OBJECTS:fender_${name}_${width}>)
    target_sources(fender_shared PRIVATE $<TARGET_OBJECTS:fender_${name}_${width}>)
endfunction()

if(COMMAND fender_spare_core)
    fender_spare_core(math geometry collide law body contact dynamics integrate)
endif()

fender_layer_sources(core_sources ${fender_core_layers})
fender_library(fender ${core_sources})
find_package(Threads REQUIRED)
target_link_libraries(fender PUBLIC ${CMAKE_THREAD_LIBS_INIT})
target_link_libraries(fender_shared PRIVATE ${CMAKE_THREAD_LIBS_INIT})
target_compile_definitions(fender_objects PRIVATE ${FENDER_WIDE_DEFINITIONS})
set(avx512 -mavx512f -mavx512dq -mavx512vl)
fender_add_width(avx2 searches "-mavx2" ${wide_searches})
fender_add_width(avx512 searches "${avx512}" ${wide_searches})
fender_add_width(avx2 batches "-mavx2;-mtune=skylake" ${wide_batches})
fender_add_width(avx512 batches "${avx512};-mprefer-vector-width=512;-mtune=icelake-server" ${wide_batches})
target_link_libraries(fender PUBLIC -lm)
target_link_libraries(fender_shared PUBLIC -lm)
if(FENDER_WITH_SUNDIALS)
    target_compile_definitions(fender_objects PRIVATE FENDER_WITH_SUNDIALS)
    target_include_directories(fender_objects SYSTEM PRIVATE ${SUNDIALS_INCLUDE_DIR})
    target_link_libraries(fender PUBLIC ${sundials_libraries} -lm)
    target_link_libraries(fender_shared PRIVATE ${sundials_libraries})
    target_link_options(fender_shared PRIVATE -Wl,--exclude-libs,ALL) # its functions are none of ours
endif()

if(NOT FENDER_IO)
    return()
endif()

find_package(PkgConfig QUIET)
if(PKG_CONFIG_FOUND)
    pkg_check_modules(yaml_hint QUIET yaml-0.1)
endif()
find_path(YAML_INCLUDE_DIR yaml.h HINTS ${yaml_hint_INCLUDE_DIRS})
find_library(YAML_LIBRARY yaml HINTS ${yaml_hint_LIBRARY_DIRS})
mark_as_advanced(YAML_INCLUDE_DIR YAML_LIBRARY)
if(NOT YAML_INCLUDE_DIR OR NOT YAML_LIBRARY)
    message(FATAL_ERROR "libyaml is missing. Run scripts/install_dependencies, or: apt-get install libyaml-dev")
endif()

# Archives of FMUs, and data sets of HDF5
find_library(ZLIB_LIBRARY z)
find_path(ZLIB_INCLUDE_DIR zlib.h)
mark_as_advanced(ZLIB_INCLUDE_DIR ZLIB_LIBRARY)
if(NOT ZLIB_INCLUDE_DIR OR NOT ZLIB_LIBRARY)
    message(FATAL_ERROR "zlib is missing. Run scripts/install_dependencies, or: apt-get install zlib1g-dev")
endif()

if(FENDER_WITH_GDAL)
    find_package(GDAL QUIET)
    if(NOT GDAL_FOUND)
        message(FATAL_ERROR "GDAL is missing. Run: apt-get install libgdal-dev; or build without: -DFENDER_WITH_GDAL=OFF")
    endif()
endif()

if(FENDER_WITH_HDF5)
    find_path(HDF5_INCLUDE_DIR hdf5.h PATH_SUFFIXES hdf5/serial)
    find_library(HDF5_LIBRARY NAMES hdf5_serial hdf5)
    mark_as_advanced(HDF5_INCLUDE_DIR HDF5_LIBRARY)
    if(NOT HDF5_INCLUDE_DIR OR NOT HDF5_LIBRARY)
        message(FATAL_ERROR "HDF5 is missing. Run scripts/install_dependencies, or: apt-get install libhdf5-dev; or build "
                            "without recordings in .h5 files: -DFENDER_WITH_HDF5=OFF")
    endif()
endif()

if(FENDER_WITH_SQLITE)
    find_path(SQLITE_INCLUDE_DIR sqlite3.h)
    find_library(SQLITE_LIBRARY sqlite3)
    mark_as_advanced(SQLITE_INCLUDE_DIR SQLITE_LIBRARY)
    if(NOT SQLITE_INCLUDE_DIR OR NOT SQLITE_LIBRARY)
        message(FATAL_ERROR "SQLite is missing. Run scripts/install_dependencies, or: apt-get install libsqlite3-dev; or build "
                            "without stores of studies: -DFENDER_WITH_SQLITE=OFF")
    endif()
endif()
if(FENDER_WITH_EXPAT)
    find_path(EXPAT_INCLUDE_DIR expat.h)
    find_library(EXPAT_LIBRARY expat)
    mark_as_advanced(EXPAT_INCLUDE_DIR EXPAT_LIBRARY)
    if(NOT EXPAT_INCLUDE_DIR OR NOT EXPAT_LIBRARY)
        message(FATAL_ERROR "expat is missing. Run scripts/install_dependencies, or: apt-get install libexpat1-dev; or build "
                            "without reading of URDF and MJCF: -DFENDER_WITH_EXPAT=OFF")
    endif()
endif()
fender_layer_sources(io_sources ${fender_io_layers})
fender_library(fender_io ${io_sources})
target_include_directories(fender_io_objects SYSTEM PRIVATE ${YAML_INCLUDE_DIR})
target_compile_definitions(fender_io_objects PRIVATE _POSIX_C_SOURCE=200809L)
target_link_libraries(fender_io PUBLIC fender PRIVATE ${YAML_LIBRARY} ${CMAKE_DL_LIBS})
target_link_libraries(fender_io_shared PUBLIC fender_shared PRIVATE ${YAML_LIBRARY} ${CMAKE_DL_LIBS})
set_target_properties(fender_io_shared PROPERTIES INSTALL_RPATH "\$ORIGIN") # the core lies beside it, in any prefix
if(FENDER_WITH_GDAL)
    target_compile_definitions(fender_io_objects PRIVATE FENDER_WITH_GDAL)
    target_include_directories(fender_io_objects SYSTEM PRIVATE ${GDAL_INCLUDE_DIRS})
    target_link_libraries(fender_io PRIVATE ${GDAL_LIBRARIES})
    target_link_libraries(fender_io_shared PRIVATE ${GDAL_LIBRARIES})
endif()
target_link_libraries(fender_io PRIVATE ${CMAKE_THREAD_LIBS_INIT}) # nothing where the C library has threads
target_link_libraries(fender_io_shared PRIVATE ${CMAKE_THREAD_LIBS_INIT})
if(FENDER_WITH_SQLITE)
    foreach(part store_base store merge results store_missing)
        set_source_files_properties(${PROJECT_SOURCE_DIR}/src/study/${part}.c PROPERTIES COMPILE_DEFINITIONS FENDER_WITH_SQLITE
                                    COMPILE_OPTIONS "-isystem;${SQLITE_INCLUDE_DIR}")
    endforeach()
    target_link_libraries(fender_io PRIVATE ${SQLITE_LIBRARY})
    target_link_libraries(fender_io_shared PRIVATE ${SQLITE_LIBRARY})
endif()
if(FENDER_WITH_EXPAT)
    set_source_files_properties(${PROJECT_SOURCE_DIR}/src/model_import/xml.c ${PROJECT_SOURCE_DIR}/src/model_import/model_file.c
                                PROPERTIES COMPILE_DEFINITIONS FENDER_WITH_EXPAT COMPILE_OPTIONS "-isystem;${EXPAT_INCLUDE_DIR}")
    target_link_libraries(fender_io PRIVATE ${EXPAT_LIBRARY})
    target_link_libraries(fender_io_shared PRIVATE ${EXPAT_LIBRARY})
endif()
if(FENDER_WITH_HDF5)
    set_source_files_properties(${PROJECT_SOURCE_DIR}/src/tables/hdf5.c
                                PROPERTIES COMPILE_DEFINITIONS FENDER_WITH_HDF5 COMPILE_OPTIONS "-isystem;${HDF5_INCLUDE_DIR}")
    target_link_libraries(fender_io PRIVATE ${HDF5_LIBRARY})
    target_link_libraries(fender_io_shared PRIVATE ${HDF5_LIBRARY})
endif()
target_include_directories(fender_io_objects SYSTEM PRIVATE ${ZLIB_INCLUDE_DIR})
target_link_libraries(fender_io PRIVATE ${ZLIB_LIBRARY})
target_link_libraries(fender_io_shared PRIVATE ${ZLIB_LIBRARY})
