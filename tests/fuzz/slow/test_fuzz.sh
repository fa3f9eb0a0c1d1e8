#!/bin/sh
# Every fuzzer of tests/fuzz for some thousand inputs from one seed, so that a run says of the source alone. Builds for itself,
# into fuzz/ of the build folder. Skipped without clang's fuzzer.
set -eu
source=${FENDER_SOURCE_DIR:?}
build=${FENDER_BUILD_DIR:?}/fuzz
printf 'int LLVMFuzzerTestOneInput(const unsigned char *d, unsigned long n) { return d && n > 1u << 30; }\n' >probe.c
if ! clang -fsanitize=fuzzer,address probe.c -o probe 2>/dev/null; then
    echo "skipped: clang has no fuzzer here"
    exit 77
fi
{
    cmake -S "$source" -B "$build" -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_C_FLAGS_DEBUG=-O1 -g1" -DFENDER_FUZZ=ON &&
        cmake --build "$build" --parallel "${JOBS:-$(getconf _NPROCESSORS_ONLN)}" --target fuzz fender_cli
} >build.log 2>&1 || { tail -40 build.log && exit 1; }
exec "$source/tests/fuzz/run" "$build"
