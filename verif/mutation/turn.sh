#!/bin/sh
# Prints a number whose remainder chooses what of the slow tests continuous integration takes: that of the commits; where git cannot
# count them, in a shallow clone or without git, a checksum of the sources.
set -eu
cd "$(dirname "$0")/../.."
if [ "$(git rev-parse --is-shallow-repository 2>/dev/null)" = false ]; then
    git rev-list --count HEAD
else
    cat src/*/*.[ch] | cksum | cut -d' ' -f1
fi
