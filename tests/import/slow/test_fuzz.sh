#!/bin/sh
# Fuzzes every reader of terrain and solids with libFuzzer and sanitizers: a crash, a leak, undefined behaviour, memory beyond
# the bound of tests/import/bounded.h or a file that takes 5 s ends it. 60,000 files each from one seed, so that a run says
# of the source alone; to hunt for new faults: FENDER_FUZZ_SECONDS=600 FENDER_FUZZ_SEED=7. Seeds: the
# generated ones, and the models of Debian's assimp-testmodels where they are installed. Skipped without clang's fuzzer.
set -eu
source=${FENDER_SOURCE_DIR:?}
length="-runs=60000"
if [ -n "${FENDER_FUZZ_SECONDS:-}" ]; then length="-max_total_time=$FENDER_FUZZ_SECONDS"; fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf 'int LLVMFuzzerTestOneInput(const unsigned char *d, unsigned long n) { return d && n > 1u << 30; }\n' >"$work/probe.c"
if ! clang -fsanitize=fuzzer,address "$work/probe.c" -o "$work/probe" 2>/dev/null; then
    echo "skipped: clang has no fuzzer here"
    exit 77
fi
flags="-std=c17 -O1 -g -D_POSIX_C_SOURCE=200809L -fno-omit-frame-pointer -ffp-contract=off -fsanitize=address,undefined
    -fno-sanitize-recover=all -I$source/include -I$source/src"
sources="$source/src/import/*.c $source/src/text/*.c $source/src/base/*.c $source/src/math/*.c $source/src/geometry/*.c"
mkdir "$work/objects"
# the readers are watched by the fuzzer; what makes geometries of meshes only by the sanitizers
# shellcheck disable=SC2086 -- words are options and files
(cd "$work/objects" && ls $sources | xargs -P 2 -n 8 clang $flags -fsanitize=fuzzer-no-link -c)
for format in stl obj ply ac3d esri raw; do mkdir -p "$work/seeds/$format"; done
# shellcheck disable=SC2086
clang $flags "$source/tests/import/fuzz/seeds.c" "$work"/objects/*.o -lm -o "$work/seeds.program"
"$work/seeds.program" "$work/seeds"
failed=0
for format in stl obj ply ac3d esri raw; do
    upper=$(echo "$format" | tr '[:lower:]' '[:upper:]')
    # shellcheck disable=SC2086
    clang $flags -fsanitize=fuzzer "-DFORMAT=FENDER_MESH_FORMAT_$upper" "$source/tests/import/fuzz/fuzz_import.c" \
        "$work"/objects/*.o -lm -o "$work/fuzz_$format"
    ending=$format
    if [ "$format" = ac3d ]; then ending=ac; fi
    models=${FENDER_TEST_MODELS:-/usr/share/assimp}
    if [ -d "$models" ]; then
        find "$models" -name "*.$ending" -size -40k | while IFS= read -r model; do
            { printf '\000'; cat "$model"; } >"$work/seeds/$format/$(basename "$model")"
        done
    fi
    if "$work/fuzz_$format" -seed="${FENDER_FUZZ_SEED:-1}" "$length" -max_len=8192 -timeout=5 -rss_limit_mb=1024 \
        -artifact_prefix="$work/" -print_final_stats=1 "$work/seeds/$format" >"$work/log" 2>&1; then
        echo "$format: $(sed -n 's/^stat::number_of_executed_units: */ /p' "$work/log") files, $(sed -n 's/.*cov: \([0-9]*\) ft.*/\1/p' "$work/log" | tail -1) edges reached"
    else
        echo "FAILED: $format"
        tail -40 "$work/log"
        for found in "$work"/crash-* "$work"/timeout-* "$work"/oom-* "$work"/leak-*; do
            if [ -e "$found" ]; then
                echo "$found"
                od -c "$found" | head -40
                cp "$found" .
            fi
        done
        failed=1
    fi
done
exit $failed
