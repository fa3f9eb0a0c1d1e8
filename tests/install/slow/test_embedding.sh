#!/bin/sh
# Fender as a part of another project, and as a packager builds it: with flags of theirs, without what tests and reports
# need, linked by lld. Each time a program of the other project runs.
set -eu
work=$PWD
rm -rf guest use
mkdir -p guest use
cat >guest/main.c <<'END'
#include <fender/fender.h>
#include <string.h>
int main(void) { return strncmp(fender_version(), "0.", 2) == 0 && fender_check_arithmetic(NULL) == 0 ? 0 : 1; }
END
cat >guest/CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.21)
project(guest C)
set(FENDER_IO OFF)
add_subdirectory($FENDER_SOURCE_DIR fender EXCLUDE_FROM_ALL)
add_executable(guest main.c)
target_link_libraries(guest PRIVATE fender::fender)
add_executable(same_bits $FENDER_SOURCE_DIR/tests/determinism/same_bits.c)
target_compile_options(same_bits PRIVATE -ffp-contract=off)
target_link_libraries(same_bits PRIVATE fender::fender)
END
# neither pkg-config nor cmocka, python or node is asked for, and no build type is forced on the project
cmake -S guest -B guest/build -DCMAKE_C_COMPILER="$CC" >guest/configure.txt 2>&1 || { cat guest/configure.txt; exit 1; }
! grep -iE "cmocka|udunits|node|yaml|hdf5" guest/configure.txt
grep -q '^CMAKE_BUILD_TYPE:STRING=$' guest/build/CMakeCache.txt
cmake --build guest/build --parallel 2 >guest/build.txt 2>&1 || { cat guest/build.txt; exit 1; }
guest/build/guest
# Without a build type nothing is optimised; the bits are those of optimised builds (determinism/slow/same_bits).
line=$(guest/build/same_bits 20000)
grep -q -x "$line" "$FENDER_SOURCE_DIR/tests/determinism/expected_hash.txt" || { echo "not optimised: $line"; exit 1; }

# FetchContent, from a folder instead of the network; shared this time
cat >guest/CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.21)
project(guest C)
include(FetchContent)
set(FENDER_IO OFF)
FetchContent_Declare(fender SOURCE_DIR $FENDER_SOURCE_DIR BINARY_DIR \${CMAKE_BINARY_DIR}/fender) # where it is built already
FetchContent_MakeAvailable(fender)
add_executable(guest main.c)
target_link_libraries(guest PRIVATE fender::fender_shared)
END
cmake -S guest -B guest/build >guest/configure.txt 2>&1 || { cat guest/configure.txt; exit 1; }
cmake --build guest/build --parallel 2 --target guest >guest/build.txt 2>&1 || { cat guest/build.txt; exit 1; }
guest/build/guest

# a packager: flags in CFLAGS and in those of the build type, all of them kept; lld where there is one; built with the build
# type None, as Debian does, here without optimisation
linker=""
if command -v ld.lld >/dev/null 2>&1; then linker=-fuse-ld=lld; fi
CFLAGS=-DPACKAGER_ONE cmake -S "$FENDER_SOURCE_DIR" -B package -DCMAKE_C_COMPILER="$CC" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_C_FLAGS_RELEASE="-O1 -DPACKAGER_TWO" -DCMAKE_SHARED_LINKER_FLAGS="$linker" -DFENDER_IO=OFF -DFENDER_TESTS=OFF >package.txt 2>&1 ||
    { cat package.txt; exit 1; }
grep -q -- '-DPACKAGER_ONE -O1 -DPACKAGER_TWO' package/compile_commands.json
cmake -DCMAKE_BUILD_TYPE=None package >package.txt 2>&1 || { cat package.txt; exit 1; }
cmake --build package --parallel 2 >package.txt 2>&1 || { cat package.txt; exit 1; }
rm -rf prefix
cmake --install package --prefix "$work/prefix" >install.txt
cat >use/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.21)
project(use C)
find_package(fender REQUIRED)
if(fender_IO OR fender_HDF5 OR TARGET fender::fender_io)
    message(FATAL_ERROR "the package names what was not built")
endif()
foreach(component IN ITEMS IO GDAL nonsense)
    find_package(fender QUIET COMPONENTS ${component})
    if(fender_FOUND)
        message(FATAL_ERROR "the package has ${component}, which was not built")
    endif()
endforeach()
find_package(fender REQUIRED OPTIONAL_COMPONENTS IO)
if(fender_IO_FOUND)
    message(FATAL_ERROR "the package has IO, which was not built")
endif()
add_executable(use ../guest/main.c)
target_link_libraries(use PRIVATE fender::fender)
END
cmake -S use -B use/build -DCMAKE_PREFIX_PATH="$work/prefix" >use.txt 2>&1 || { cat use.txt; exit 1; }
cmake --build use/build >use.txt 2>&1 || { cat use.txt; exit 1; }
use/build/use
module=$(find "$work/prefix" -name fender.pc)
[ "$(PKG_CONFIG_PATH=$(dirname "$module") pkg-config --variable=sundials fender)" = OFF ]
