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
