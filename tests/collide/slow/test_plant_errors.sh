#!/bin/sh
# Plants an error into each pair function of a copy, one at a time, and shows that the oracle test notices each.
set -eu
source=${FENDER_SOURCE_DIR:-$(cd "$(dirname "$0")/../../.." && pwd)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$source/src/collide/sphere_capsule.c" "$work/original.c"

# Builds and runs the oracle test on the file $1 in place of sphere_capsule.c.
oracle() {
    ${CC:-cc} -std=c17 -O2 -ffp-contract=off -DPOSES=3000 -I"$source/include" -I"$source/src" "$1" \
        "$source/src/collide/pair_table.c" "$source/src/collide/separation.c" "$source"/src/geometry/*.c \
        "$source/src/base/error.c" "$source/src/base/memory.c" "$source/tests/collide/test_capsule_oracle.c" \
        -lcmocka -lm -o "$work/oracle"
    "$work/oracle" >"$work/log" 2>&1
}
# plant NAME SED-SCRIPT: the copy must differ, and the test must fail on it.
plant() {
    sed "$2" "$work/original.c" >"$work/planted.c"
    if cmp -s "$work/original.c" "$work/planted.c"; then echo "nothing planted: $1"; exit 1; fi
    if oracle "$work/planted.c"; then echo "NOT NOTICED: $1"; exit 1; fi
    if ! grep -q 'FAILED TEST' "$work/log"; then echo "did not run: $1"; cat "$work/log"; exit 1; fi
    echo "noticed: $1"
}

oracle "$work/original.c" || { cat "$work/log"; exit 1; }
for pair in sphere_sphere capsule_sphere sphere_capsule capsule_capsule; do
    plant "distance of $pair off by 1e-9 m" "/^int fnd_$pair(/,/^}/s/distance, reach, out)/distance + 1e-9, reach, out)/"
done
plant "normal leans by 1e-9" 's/out->normal = normal;/normal.x += 1e-9, out->normal = normal;/'
plant "witness point off by a part in 1e9" 's/\(out->point_a = .*\)radius_a, normal/\1radius_a * (1 + 1e-9), normal/'
plant "end of a never tried" 's/bool beyond_a = fabs(along_a) > limit_a/bool beyond_a = false/'
plant "swapping a and b rounds differently" \
    's/return fender_vec3_add(offset, d);/d.x = offset.x + along_b * axis_b.x - along_a * axis_a.x, d.y += offset.y, d.z += offset.z; return d;/'
plant "a sphere on the axis parts along it" 's/unit_column(capsule, 0)/unit_column(capsule, 2)/'
