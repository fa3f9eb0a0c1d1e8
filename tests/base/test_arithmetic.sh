#!/bin/sh
# The self-test of arithmetic passes with our flags at every level of optimisation, and names the cause for each option and
# mode that would change results. The compiler is that of the build; sanitizers are left out.
set -eu
root=${FENDER_SOURCE_DIR:?}
CC=${CC:-cc}
failed=0

build() { # flags...
    # shellcheck disable=SC2086 -- several options
    "$CC" -std=c17 -I"$root/include" -I"$root/src" "$@" "$root/tests/base/arithmetic/check.c" "$root/src/base/arithmetic.c" \
        "$root/src/base/error.c" -lm -o check
}

expect() { # "" or a part of what is said, arguments of the program...
    said=$1
    shift
    code=0
    ./check "$@" >out || code=$?
    [ "$code" != 77 ] || return 0
    if [ -z "$said" ] && [ "$code" = 0 ]; then return 0; fi
    if [ -n "$said" ] && [ "$code" = 1 ] && grep -q -e "$said" out; then return 0; fi
    failed=$((failed + 1))
    echo "with '$flags' and mode '$*': ended with $code, expected '$said', said: $(cat out)"
}

ours="-ffp-contract=off"
if ! "$CC" --version | grep -q clang; then ours="$ours -fno-tree-slp-vectorize"; fi
for level in -O0 -O2 -O3; do
    flags="$ours $level"
    # shellcheck disable=SC2086
    build $flags
    expect ""
    expect "fesetround" up
    expect "fesetround" down
    expect "fesetround" zero
    expect "FTZ and DAZ" FTZ
    expect "FTZ and DAZ" DAZ
done
for flags in "-O2 -ffast-math" "-Ofast" "-O2 -ffinite-math-only" "-O2 -fassociative-math -fno-signed-zeros -fno-trapping-math" "-O2 -freciprocal-math"; do
    # shellcheck disable=SC2086
    build $ours $flags
    expect "-ffast-math, -Ofast"
done
case $(uname -m) in
x86_64)
    if ! "$CC" --version | grep -q clang; then
        flags="-O2 -mfpmath=387"
        # shellcheck disable=SC2086
        build $ours $flags
        expect "-mfpmath=sse"
    fi
    fused="-mfma"
    ;;
*) fused="" ;;
esac
if [ -n "$fused" ] && ! grep -q -w fma /proc/cpuinfo; then
    echo "skipped: fused operations, which this processor lacks"
else
    flags="-O2 -ffp-contract=fast $fused"
    # shellcheck disable=SC2086
    build $flags
    expect "-ffp-contract=off"
    flags="$ours -O2 $fused"
    # shellcheck disable=SC2086
    build $flags
    expect ""
fi
[ "$failed" = 0 ]
