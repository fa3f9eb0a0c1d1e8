#!/bin/sh
# Counts the instructions of updates of the broad phase with 1,000 to 100,000 volumes: what one that moves costs grows
# with the logarithm of their number, not with the number.
set -eu
source=${FENDER_SOURCE_DIR:-$(cd "$(dirname "$0")/../../.." && pwd)}
if ! command -v valgrind >/dev/null 2>&1; then echo "skipped: no valgrind"; exit 77; fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/updates.c" <<'END'
#include "collide/broad_phase.h"
#include <stdio.h>
#include <stdlib.h>

static uint64_t state = 88172645463325252u;
static double between(double low, double high)
{
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return low + (high - low) * (double)(state >> 11) * 0x1p-53;
}
static bool eligible(const void *ctx, int low, int high) { return (void)ctx, low != high; }
/* `count` balls at constant density; `updates` times one in a hundred goes elsewhere. */
int main(int argc, char **argv)
{
    int count = argc > 2 ? atoi(argv[1]) : 0, updates = argc > 2 ? atoi(argv[2]) : 0;
    double side = cbrt(count), size = 0.45;
    fender_env env = fender_env_default();
    fnd_broad_phase broad;
    if (!fnd_broad_phase_create(&env, &broad, count, 4 * count)) return 1;
    for (int u = 0; u <= updates; u++) {
        for (int i = u; i < count; i += u == 0 ? 1 : 100) {
            double x = between(0, side), y = between(0, side), z = between(0, side);
            broad.volumes[i] = (fnd_volume){.box = {{x - size, y - size, z - size}, {x + size, y + size, z + size}},
                                            .center = {x, y, z}, .radius = size, .present = true};
            if (u > 0) fnd_broad_phase_change(&broad, i, FND_VOLUME_MOVED);
        }
        if (!fnd_broad_phase_update(&env, &broad, eligible, NULL)) return 1;
    }
    printf("%d\n", broad.pair_count);
    fnd_broad_phase_destroy(&env, &broad);
}
END
${CC:-cc} -std=c17 -O2 -ffp-contract=off -I"$source/include" -I"$source/src" "$work/updates.c" \
    "$source/src/collide/broad_phase.c" "$source/src/base/memory.c" \
    -lm -o "$work/updates"
# instructions COUNT UPDATES
instructions() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$work/updates" "$1" "$2" 2>&1 |
        sed -n 's/.*Collected *: *\([0-9]*\).*/\1/p'
}
before=0
for count in 1000 10000 100000; do
    few=$(instructions "$count" 0)
    more=$(instructions "$count" 4)
    each=$(((more - few) / (4 * count / 100)))
    echo "$count volumes: found anew, $((few / count)) instructions a volume; one that goes elsewhere, $each"
    if [ "$before" -gt 0 ]; then
        echo "  growth exponent of an update: $(echo "$each $before" | awk '{ printf "%.2f", 1 + log($1 / $2) / log(10) }')"
        # the list of pairs is gone through once in an update: that part of `each` is 100 pairs' worth, whatever the count
        [ "$each" -lt $((before * 2)) ] || { echo "it grows faster than a logarithm"; exit 1; }
    fi
    before=$each
done
