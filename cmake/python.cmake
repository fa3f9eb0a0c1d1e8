# The Python package: the extension _fender of the stable ABI, with both libraries linked into it, and the package beside
# it in build/python/fender. `make python` adds an interpreter that has it, build/python/bin/python.
# Debian's packages, numpy among them, belong to Debian's interpreter, whatever else PATH has.
if(NOT DEFINED Python3_EXECUTABLE AND EXISTS /usr/bin/python3)
    set(Python3_EXECUTABLE /usr/bin/python3)
endif()
find_package(Python3 3.9 COMPONENTS Interpreter Development.Module)
if(NOT Python3_Development.Module_FOUND)
    message(FATAL_ERROR "Python's headers are missing. Run scripts/install_dependencies python, or: apt-get install "
                        "python3-dev; or build without the package: -DFENDER_PYTHON=OFF")
endif()
set(python_folder ${PROJECT_SOURCE_DIR}/python)
set(python_generated ${PROJECT_BINARY_DIR}/generated/python)
file(GLOB python_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/fender/*.h)
add_custom_command(
    OUTPUT ${python_generated}/tables.c ${python_generated}/functions.c ${python_generated}/kinds.h
    COMMAND ${Python3_EXECUTABLE} ${python_folder}/bindings.py ${PROJECT_SOURCE_DIR}/include/fender ${python_generated}
    DEPENDS ${python_folder}/bindings.py ${python_folder}/headers.py ${python_headers}
    COMMENT "Writing bindings for Python"
    VERBATIM)
file(GLOB python_sources CONFIGURE_DEPENDS ${python_folder}/src/*.c)
list(SORT python_sources)
add_library(fender_python MODULE ${python_sources} ${python_generated}/tables.c ${python_generated}/functions.c
                                 ${python_generated}/kinds.h)
target_include_directories(fender_python PRIVATE ${python_folder}/src ${python_generated})
target_include_directories(fender_python SYSTEM PRIVATE ${Python3_INCLUDE_DIRS})
target_compile_definitions(fender_python PRIVATE Py_LIMITED_API=0x03090000 _POSIX_C_SOURCE=200809L)
target_link_libraries(fender_python PRIVATE fender_io fender_flags)
# The functions of the libraries are its own: another libfender in the process is none of its business.
target_link_options(fender_python PRIVATE -Wl,--exclude-libs,ALL)
set_target_properties(fender_python PROPERTIES PREFIX "" OUTPUT_NAME _fender SUFFIX .abi3.so
                      LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/python/fender)
# Slots of types are functions as pointers to objects, by Python's interface.
set_source_files_properties(${python_sources} ${python_generated}/tables.c ${python_generated}/functions.c
                            PROPERTIES COMPILE_OPTIONS -Wno-pedantic)

# The package, and an interpreter that has it: a virtual environment that sees Debian's packages, made without a network.
file(GLOB python_modules CONFIGURE_DEPENDS ${python_folder}/fender/*.py ${python_folder}/fender/*.pyi ${python_folder}/fender/py.typed)
set(python_copies "")
foreach(module ${python_modules})
    get_filename_component(name ${module} NAME)
    set(copy ${PROJECT_BINARY_DIR}/python/fender/${name})
    add_custom_command(OUTPUT ${copy} COMMAND ${CMAKE_COMMAND} -E copy ${module} ${copy} DEPENDS ${module}
                       COMMENT "Copying ${name}" VERBATIM)
    list(APPEND python_copies ${copy})
endforeach()
# bin/python is a link to a program that is older than any of this; pyvenv.cfg is what the making leaves.
set(python_program ${PROJECT_BINARY_DIR}/python/pyvenv.cfg)
add_custom_command(
    OUTPUT ${python_program}
    COMMAND ${Python3_EXECUTABLE} ${python_folder}/make_environment.py ${PROJECT_BINARY_DIR}/python
    DEPENDS ${python_folder}/make_environment.py
    COMMENT "Making build/python/bin/python"
    VERBATIM)
add_custom_command(
    OUTPUT ${PROJECT_BINARY_DIR}/python/fender/__init__.pyi
    COMMAND ${Python3_EXECUTABLE} ${python_folder}/stubs.py ${PROJECT_BINARY_DIR}/python/fender
    DEPENDS ${python_folder}/stubs.py ${python_copies} fender_python
    COMMENT "Writing stubs for type checkers"
    VERBATIM)
add_custom_target(fender_python_files DEPENDS ${PROJECT_BINARY_DIR}/python/fender/__init__.pyi) # what a wheel has
add_custom_target(fender_python_package ALL DEPENDS ${python_program})
add_dependencies(fender_python_package fender_python_files)
