#!/bin/sh
# Installed into a folder that the system knows nothing of, the libraries find each other, and pkg-config names them.
set -eu
prefix=$PWD/prefix
rm -rf "$prefix"
cmake --install "$FENDER_BUILD_DIR" --prefix "$prefix" >install.txt
library=$(find "$prefix" -name libfender_io.so)
[ -n "$library" ]
env -u LD_LIBRARY_PATH ldd "$library" >needs.txt
found=$(sed -n 's/^[[:space:]]*libfender\.so[^ ]* => \([^ ]*\).*/\1/p' needs.txt)
[ "$(cd "$(dirname "$found")" && pwd)" = "$(cd "$(dirname "$library")" && pwd)" ] || { cat needs.txt && exit 1; }
PKG_CONFIG_PATH=$(dirname "$library")/pkgconfig
export PKG_CONFIG_PATH
pkg-config --libs fender_io | grep -q -- "-L.* -lfender_io -lfender"
[ -e "$(pkg-config --variable=includedir fender_io)/fender/io.h" ]
# What the archives need besides each other is named for static linking
pkg-config --libs --static fender_io >static.txt
needs() { grep -q -- "$1" static.txt || { echo "a static user lacks $1:" && cat static.txt && exit 1; }; }
needs -lz
needs -lm
built_in() { [ "$(pkg-config --variable="$1" "$2")" = ON ]; }
if built_in sundials fender; then needs "-lsundials_cvode .*-lsundials_nvecserial"; fi
if built_in hdf5 fender_io; then needs -lhdf5; fi
if built_in sqlite fender_io; then needs -lsqlite3; fi
if built_in expat fender_io; then needs -lexpat; fi
