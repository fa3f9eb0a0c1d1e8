#!/bin/sh
# The same bits from every compiler and optimisation: compares the hash of 100,000 steps of the core in this optimised build,
# with the width of registers that it chooses here, and built anew by each other compiler and optimisation. Programs that are
# not optimised take 20,000 steps: 601 of the 624 events lie in the first 10,000. The compiler of this build without
# optimisation is that of install/slow/embedding, which compares its hash.
set -eu
root=$FENDER_SOURCE_DIR
hash_of() { sed -n "s/^\([^ ]*\) $1 steps.*/\1/p" "$root/tests/determinism/expected_hash.txt"; } # steps
sources=$(for layer in base math geometry planet collide law body contact dynamics integrate world; do echo "$root"/src/$layer/*.c; done)
# gcc's vectoriser of straight-line code forms vfmaddsub even with -ffp-contract=off (gcc 12): it has to be switched off as well.
common="-std=c17 -ffp-contract=off -I$root/include -I$root/src"
failed=0 passed=0 framed=

check() { # compiler, flags, steps
    if ! command -v "$1" >/dev/null; then
        echo "skipped  $1 $2: no such compiler"
        return
    fi
    own=
    [ "$1" = gcc ] && own=-fno-tree-slp-vectorize
    # shellcheck disable=SC2086
    "$1" $2 $own $common "$root/tests/determinism/same_bits.c" $sources -lm -o same_bits
    compare "$1 $2" "$3"
}
compare() { # name, steps
    name=$1
    expected=$(hash_of "$2")
    if objdump -d same_bits | grep -q 'vfn*m[as]'; then
        failed=$((failed + 1)) && echo "FUSED    $name: the program holds fused multiply-add instructions"
    fi
    line=$(./same_bits "$2")
    if [ "${line%% *}" = "$expected" ]; then
        passed=$((passed + 1)) && echo "same     $name: $line"
    else
        failed=$((failed + 1)) && echo "DIFFERS  $name: $line, expected $expected"
    fi
    line=$(./same_bits 10000 -1 planet) # in a turning frame, with what is read of it: the same as the first compiler's
    [ -n "$framed" ] || framed=$line
    if [ "$line" = "$framed" ] && [ "${line%% *}" != "$expected" ]; then
        passed=$((passed + 1)) && echo "same     $name, on a planet: $line"
    else
        failed=$((failed + 1)) && echo "DIFFERS  $name, on a planet: $line, first was $framed"
    fi
}

sundials=$(sed -n 's/^SUNDIALS_.*_LIBRARY:FILEPATH=\(\/.*\)/\1/p' "$FENDER_BUILD_DIR/CMakeCache.txt") # if the build has them
# shellcheck disable=SC2086
"$CC" -O2 $common "$root/tests/determinism/same_bits.c" "$FENDER_BUILD_DIR/lib/libfender.a" -Wl,--start-group $sundials -Wl,--end-group \
    -lm -o same_bits
compare "this build" 100000
built=gcc # -O2 is that of this build
if "$CC" -dM -E -x c /dev/null | grep -q __clang__; then built=clang; fi
for compiler in gcc clang; do
    [ $compiler = $built ] && continue
    check $compiler -O0 20000
    check $compiler -O2 100000
done
if grep -q avx2 /proc/cpuinfo && grep -q fma /proc/cpuinfo; then
    check gcc "-O3 -march=x86-64-v3" 100000
else
    echo "skipped  -O3 -march=x86-64-v3: this processor lacks AVX2 or FMA"
fi

# A hash that sees nothing would agree with itself: one unit in the last place of one coordinate must change it.
line=$(./same_bits 20000 3)
if [ "${line%% *}" = "$(hash_of 20000)" ]; then
    failed=$((failed + 1)) && echo "DIFFERS  one ulp more in one coordinate gave the same hash"
else
    passed=$((passed + 1)) && echo "changed  one ulp more in one coordinate: $line"
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 1 ]
