# bench/surfaces.c with the inputs of bench/surfaces/ and the engines of bench/peers/surfaces_NAME.cpp that this machine
# has. The program says how many are missing, and fails. (What the engines need is found in bench_hulls.cmake.)
target_sources(fender_bench_surfaces PRIVATE ${PROJECT_SOURCE_DIR}/bench/surfaces/make.c
                                             ${PROJECT_SOURCE_DIR}/bench/terrain/make.c
                                             ${PROJECT_SOURCE_DIR}/bench/hulls/make.c)
if(CMAKE_CXX_COMPILER)
    set_target_properties(fender_bench_surfaces PROPERTIES LINKER_LANGUAGE CXX)
endif()

# NAME, then its include folders, then LIBRARIES and its libraries.
function(fender_surfaces_peer name)
    cmake_parse_arguments(peer "" "" "INCLUDES;LIBRARIES;DEFINITIONS" ${ARGN})
    if("${peer_INCLUDES};${peer_LIBRARIES}" MATCHES "NOTFOUND" OR NOT CMAKE_CXX_COMPILER)
        return()
    endif()
    string(TOUPPER ${name} upper)
    add_library(fender_bench_surfaces_${name} OBJECT EXCLUDE_FROM_ALL
                ${PROJECT_SOURCE_DIR}/bench/peers/surfaces_${name}.cpp)
    target_include_directories(fender_bench_surfaces_${name} SYSTEM PRIVATE ${peer_INCLUDES})
    target_compile_definitions(fender_bench_surfaces_${name} PRIVATE NDEBUG ${peer_DEFINITIONS})
    target_compile_options(fender_bench_surfaces_${name} PRIVATE -O3 -Wno-conversion -Wno-shadow -Wno-pedantic)
    target_compile_definitions(fender_bench_surfaces PRIVATE FENDER_BENCH_SURFACES_${upper})
    target_link_libraries(fender_bench_surfaces PRIVATE $<TARGET_OBJECTS:fender_bench_surfaces_${name}>
                                                        ${peer_LIBRARIES})
endfunction()
fender_surfaces_peer(bullet INCLUDES ${BULLET_INCLUDE_DIR} LIBRARIES ${BULLET_COLLISION_LIBRARY} ${BULLET_MATH_LIBRARY}
                     DEFINITIONS BT_USE_DOUBLE_PRECISION)
fender_surfaces_peer(ode INCLUDES ${ODE_INCLUDE_DIR} LIBRARIES ${ODE_LIBRARY})
fender_surfaces_peer(fcl INCLUDES ${FCL_INCLUDE_DIR} ${EIGEN_INCLUDE_DIR} LIBRARIES ${FCL_LIBRARY} ${CCD_LIBRARY})
