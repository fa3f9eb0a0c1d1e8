# Tests: every tests/**/test_*.c and verif/**/test_*.c is a cmocka program, every test_*.sh there a script, every samples/c/*.c
# a program that must run. Labels: `quick`; `slow` for what lies in a folder slow/; `house` for checks of the tree itself; `long` for
# those that `make test` leaves to `make test-all`; `threads` for those that use threads. The targets `long_tests` and
# `threads_tests` build what the tests of a label need. A test that cannot run here ends with 77 and is reported as skipped.
find_package(PkgConfig REQUIRED)
pkg_check_modules(cmocka QUIET IMPORTED_TARGET cmocka)
find_path(UDUNITS_INCLUDE_DIR udunits2.h PATH_SUFFIXES udunits2)
find_library(UDUNITS_LIBRARY udunits2)
mark_as_advanced(UDUNITS_INCLUDE_DIR UDUNITS_LIBRARY)
if(NOT cmocka_FOUND OR NOT UDUNITS_INCLUDE_DIR OR NOT UDUNITS_LIBRARY)
    message(FATAL_ERROR "The tests need cmocka and udunits2. Run scripts/install_dependencies, or: "
                        "apt-get install libcmocka-dev libudunits2-dev; or build without tests: -DFENDER_TESTS=OFF")
endif()

set(test_environment
    "ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1:detect_stack_use_after_return=1:allocator_may_return_null=1"
    "UBSAN_OPTIONS=print_stacktrace=1"
    "TSAN_OPTIONS=halt_on_error=1"
    "FENDER=${PROJECT_BINARY_DIR}/bin/fender"
    "FENDER_SOURCE_DIR=${PROJECT_SOURCE_DIR}"
    "FENDER_BUILD_DIR=${PROJECT_BINARY_DIR}"
    "FENDER_SANITIZE=${FENDER_SANITIZE}"
    "CC=${CMAKE_C_COMPILER}")

# More than 20 s each under the sanitizers, or 5 s optimised, on a core that is shared. The others take less than two minutes.
set(long_tests
    cli/golden collide/deepest_point collide/matrix collide/one_potential collide/patch_overhang collide/patch_plane
    collide/points_planes_fields collide/surface_patches contact/batch contact/properties house/doc_blocks report/gltf run/resume
    study/bad_studies study/rules study/study world/not_finite world/snapshot_bytes world/solids_on_terrain world/watch
    allocation/core_failure allocation/no_allocation allocation/run_failure allocation/scenario_failure allocation/study_failure
    cli/memory collide/capsule_oracle
    geometry/ray_convex scenario/bad_input scenario/fuzz scenario/geometries
    world/memory verif/analytic/bounce verif/analytic/episode_errors verif/analytic/head_on verif/borders/borders verif/chung_ooi/spin verif/classics/rattleback
    verif/energy/sample_scenarios verif/events/events verif/friction/claw verif/friction/passivity verif/friction/rolling
    verif/friction/sliding verif/meshes/gears verif/morpheus/drop verif/morpheus/friction verif/morpheus/slope verif/planet/frames
    verif/resting/rest verif/resting/rocking verif/resting/round verif/simscape/signals
    study/pages verif/classics/rolling_disk)

# With more than one thread, in the test or in the program that it runs.
set(threads_tests base/pool determinism/random_worlds determinism/threads determinism/threads_of_run determinism/threads_of_world fmi/fmu geometry/geometry
    study/rules study/study study/submit)
# With what scripts/run_tests fetches for the slow tests; skipped before.
set(fetched_tests report/vtk)
foreach(label long threads)
    add_custom_target(${label}_tests)
    if(TARGET fender_cli)
        add_dependencies(${label}_tests fender_cli)
    endif()
endforeach()

# Registers a command as a test of that name: its own empty-at-first working folder, label and time limit by its path.
function(fender_add_test name)
    set(folder ${PROJECT_BINARY_DIR}/tests/work/${name})
    file(MAKE_DIRECTORY ${folder})
    add_test(NAME ${name} COMMAND ${ARGN} WORKING_DIRECTORY ${folder})
    if(name MATCHES "(^|/)slow/")
        set_tests_properties(${name} PROPERTIES LABELS slow TIMEOUT 1200)
    else()
        set_tests_properties(${name} PROPERTIES LABELS quick TIMEOUT 300)
    endif()
    set_tests_properties(${name} PROPERTIES ENVIRONMENT "${test_environment}" SKIP_RETURN_CODE 77)
    list(GET ARGN 0 program)
    set(labels quick)
    foreach(label long threads fetched)
        if(name IN_LIST ${label}_tests)
            list(APPEND labels ${label})
            set_tests_properties(${name} PROPERTIES LABELS "${labels}")
            if(TARGET ${program} AND TARGET ${label}_tests)
                add_dependencies(${label}_tests ${program})
            endif()
        endif()
    endforeach()
endfunction()

# "tests/contact/slow/test_hash.c" is the test contact/slow/hash, "verif/analytic/test_motion.c" is verif/analytic/motion.
function(fender_test_name result path)
    file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${path})
    string(REGEX REPLACE "^tests/" "" name ${name})
    string(REGEX REPLACE "(^|/)test_([^/]*)\\.[a-z]+$" "\\1\\2" name ${name})
    set(${result} ${name} PARENT_SCOPE)
endfunction()

file(GLOB support_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/support/*.c)
list(FILTER support_sources EXCLUDE REGEX "/test_[^/]*$") # those of src/support
add_library(fender_test_support INTERFACE)
target_include_directories(fender_test_support INTERFACE ${PROJECT_SOURCE_DIR}/tests/support ${PROJECT_SOURCE_DIR}/tests
                                                         ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(fender_test_support INTERFACE fender_flags)
target_compile_definitions(fender_test_support INTERFACE ${FENDER_WIDE_DEFINITIONS} _POSIX_C_SOURCE=200809L FENDER_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                                                         FENDER_BUILD_DIR="${PROJECT_BINARY_DIR}")
if(support_sources)
    add_library(fender_test_support_objects OBJECT ${support_sources})
    target_link_libraries(fender_test_support_objects PRIVATE fender_test_support fender_io PkgConfig::cmocka)
endif()
set(test_libraries fender_test_support)
if(TARGET fender_program)
    list(APPEND test_libraries fender_program)
endif()
list(APPEND test_libraries fender_io PkgConfig::cmocka ${UDUNITS_LIBRARY})

# Each of some hundred tests is linked to the whole library, which mold does in an eighth of the time.
include(CheckLinkerFlag)
set(fender_linker mold)
check_linker_flag(C -fuse-ld=${fender_linker} fender_has_linker)

file(GLOB_RECURSE test_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/test_*.c ${PROJECT_SOURCE_DIR}/verif/test_*.c)
list(SORT test_sources)
if(NOT FENDER_SLOW_TESTS)
    list(FILTER test_sources EXCLUDE REGEX "/slow/")
endif()
foreach(source ${test_sources})
    fender_test_name(name ${source})
    string(REPLACE "/" "_" target "test_${name}")
    add_executable(${target} ${source})
    if(support_sources)
        target_sources(${target} PRIVATE $<TARGET_OBJECTS:fender_test_support_objects>)
    endif()
    target_include_directories(${target} SYSTEM PRIVATE ${UDUNITS_INCLUDE_DIR} ${YAML_INCLUDE_DIR})
    target_link_libraries(${target} PRIVATE ${test_libraries})
    if(source MATCHES "/slow/")
        target_compile_definitions(${target} PRIVATE FENDER_SLOW)
    endif()
    target_link_options(${target} PRIVATE -Wl,--as-needed) # udunits2 is for the tests that call it
    if(fender_has_linker)
        target_link_options(${target} PRIVATE -fuse-ld=${fender_linker})
    endif()
    set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests/bin)
    fender_add_test(${name} ${target})
    # What one test needs beyond that (a linker flag, say) stands beside it in test_NAME.cmake, with ${target} set.
    string(REGEX REPLACE "\\.c$" ".cmake" extra ${source})
    include(${extra} OPTIONAL)
endforeach()

file(GLOB_RECURSE test_scripts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/test_*.sh ${PROJECT_SOURCE_DIR}/verif/test_*.sh)
list(SORT test_scripts)
foreach(script ${test_scripts})
    fender_test_name(name ${script})
    fender_add_test(${name} sh ${script})
endforeach()

# CVODE as an oracle and as an integrator: built only where it is asked for.
if(FENDER_WITH_SUNDIALS)
    foreach(name oracle integrator)
        set(target test_verif_sundials_slow_cvode_${name})
        add_executable(${target} ${PROJECT_SOURCE_DIR}/verif/sundials/slow/cvode_${name}.c
                                 $<TARGET_OBJECTS:fender_test_support_objects>)
        target_link_libraries(${target} PRIVATE ${test_libraries} fender_sundials)
        set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests/bin)
        fender_add_test(verif/sundials/slow/cvode_${name} ${target})
    endforeach()
endif()

# Planted errors must be noticed. The first script links what it plants to the tests and libraries of this build.
if(NOT FENDER_SANITIZE)
    foreach(half 0 1)
        fender_add_test(verif/mutation/slow/planted_errors_${half} sh ${PROJECT_SOURCE_DIR}/verif/mutation/run.sh --half ${half})
    endforeach()
    fender_add_test(verif/geometry/slow/planted_errors sh ${PROJECT_SOURCE_DIR}/verif/geometry/planted/run.sh)
endif()

# The page of what was verified must be what the tests print.
if(NOT FENDER_SANITIZE)
    find_program(PYTHON_PROGRAM python3)
    fender_add_test(verif/slow/table ${PYTHON_PROGRAM} ${PROJECT_SOURCE_DIR}/scripts/verification_table ${PROJECT_BINARY_DIR} --check)
endif()

# Samples see what a user sees: the public headers and the shared libraries.
file(GLOB sample_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/samples/c/*.c)
list(SORT sample_sources)
foreach(source ${sample_sources})
    get_filename_component(name ${source} NAME_WE)
    add_executable(sample_${name} ${source})
    target_link_libraries(sample_${name} PRIVATE fender_io_shared fender_flags)
    set_target_properties(sample_${name} PROPERTIES OUTPUT_NAME ${name}
                          RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/samples)
    fender_add_test(samples/${name} sample_${name})
endforeach()

# A sample plug-in must do what its scenario expects.
foreach(scenario ${plugin_scenarios})
    get_filename_component(name ${scenario} NAME_WE)
    fender_add_test(samples/${name} $<TARGET_FILE:fender_cli> run ${PROJECT_BINARY_DIR}/${scenario} --quiet --out ${name}.run)
endforeach()

# Every public header compiles by itself.
file(GLOB public_headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/include/fender/*.h)
foreach(header ${public_headers})
    get_filename_component(name ${header} NAME_WE)
    set(source ${PROJECT_BINARY_DIR}/generated/header_${name}.c)
    file(CONFIGURE OUTPUT ${source} CONTENT "#include <${header}>\n#include <${header}>\ntypedef int header_is_complete;\n")
    list(APPEND header_sources ${source})
endforeach()
add_library(fender_public_headers OBJECT ${header_sources})
target_include_directories(fender_public_headers PRIVATE ${PROJECT_SOURCE_DIR}/include)
target_link_libraries(fender_public_headers PRIVATE fender_flags)

# The house: who includes whom, how the code is written, whether the manual tells the truth.
find_program(PYTHON_PROGRAM python3)
mark_as_advanced(PYTHON_PROGRAM)
if(NOT PYTHON_PROGRAM)
    message(FATAL_ERROR "The tests need python3. Run scripts/install_dependencies, or: apt-get install python3; or build "
                        "without tests: -DFENDER_TESTS=OFF")
endif()
fender_add_test(house/layers ${PYTHON_PROGRAM} ${PROJECT_SOURCE_DIR}/scripts/check_layers)
fender_add_test(house/layers_self_test ${PYTHON_PROGRAM} ${PROJECT_SOURCE_DIR}/scripts/check_layers --self-test)
fender_add_test(house/root sh ${PROJECT_SOURCE_DIR}/scripts/check_root)
fender_add_test(house/format sh ${PROJECT_SOURCE_DIR}/scripts/check_format)
fender_add_test(house/doc_blocks_self_test ${PYTHON_PROGRAM} ${PROJECT_SOURCE_DIR}/scripts/check_doc_blocks --self-test)
fender_add_test(house/pages ${PYTHON_PROGRAM} ${PROJECT_SOURCE_DIR}/scripts/check_pages)
fender_add_test(house/pages_self_test ${PYTHON_PROGRAM} ${PROJECT_SOURCE_DIR}/scripts/check_pages --self-test)
fender_add_test(house/traceability ${PYTHON_PROGRAM} ${PROJECT_SOURCE_DIR}/scripts/traceability)
fender_add_test(house/traceability_self_test ${PYTHON_PROGRAM} ${PROJECT_SOURCE_DIR}/scripts/traceability --self-test)
fender_add_test(house/planted_errors sh ${PROJECT_SOURCE_DIR}/verif/mutation/check_lines.sh)
set(house_tests house/layers house/layers_self_test house/root house/format house/doc_blocks_self_test house/pages house/pages_self_test
    house/traceability house/traceability_self_test house/planted_errors)
if(NOT FENDER_SANITIZE)
    fender_add_test(house/symbols sh ${PROJECT_SOURCE_DIR}/scripts/check_symbols $<TARGET_FILE:fender> $<TARGET_FILE:fender_io>
                    $<TARGET_FILE:fender_program>)
    fender_add_test(house/doc_blocks ${PYTHON_PROGRAM} ${PROJECT_SOURCE_DIR}/scripts/check_doc_blocks ${PROJECT_BINARY_DIR})
    fender_add_test(house/model_tables ${PYTHON_PROGRAM} ${PROJECT_SOURCE_DIR}/scripts/model_tables ${PROJECT_BINARY_DIR})
    list(APPEND house_tests house/symbols house/doc_blocks house/model_tables)
endif()
set_tests_properties(${house_tests} PROPERTIES LABELS "quick;house")
if(TEST house/doc_blocks)
    set_tests_properties(house/doc_blocks PROPERTIES LABELS "quick;house;long")
endif()

# Begun first, the longest before the others, so that no core is idle at the end; what waits for a browser or for processes
# (web/slow/page, study/slow/kills) beside what computes. Seconds, about.
set(long_first verif/mutation/slow/planted_errors_0 400 verif/mutation/slow/planted_errors_1 400 web/slow/page 450
    determinism/slow/same_bits 350 fuzz/slow/fuzz 300 verif/resting/slow/rest 230 verif/friction/slow/hour 190 install/slow/packages 180
    verif/geometry/slow/planted_errors 150 collide/slow/one_potential 100 install/slow/embedding 100
    allocation/slow/every_sample_failure 100 collide/slow/matrix 80 cli/golden 75 cli/slow/resume_samples 70 collide/slow/plant_errors 70
    study/slow/kills 60 verif/resting/slow/rocking 60 study/rules 40 study/slow/slurm 35 study/study 30 study/bad_studies 25
    house/doc_blocks 25 contact/batch 25 run/resume 20)
while(long_first)
    list(POP_FRONT long_first name seconds)
    if(TEST ${name})
        set_tests_properties(${name} PROPERTIES COST ${seconds})
    endif()
endwhile()
