#!/bin/sh
# Plants errors into a copy of the closed forms of balls and capsules, one at a time, and shows that the oracle test notices
# each. (Answers off by 1e-9 are planted in every pair by verif/geometry/planted.)
set -eu
source=${FENDER_SOURCE_DIR:-$(cd "$(dirname "$0")/../../.." && pwd)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$source/src/collide/sphere_capsule.c" "$work/original.c"

flags="-std=c17 -O2 -ffp-contract=off -w -I$source/include -I$source/src -I$source/tests/support"
mkdir "$work/objects"
for file in "$source"/src/base/*.c "$source"/src/math/*.c "$source"/src/geometry/*.c "$source"/src/collide/*.c; do
    name=$(echo "${file#"$source"/src/}" | tr / _)
    if [ "$name" = collide_sphere_capsule.c ]; then continue; fi
    ${CC:-cc} $flags -c "$file" -o "$work/objects/${name%.c}.o"
done
${CC:-cc} $flags -DPOSES=3000 -c "$source/tests/collide/test_capsule_oracle.c" -o "$work/objects/test.o"

# Builds and runs the oracle test on the file $1 in place of sphere_capsule.c.
oracle() {
    ${CC:-cc} $flags "$1" "$work"/objects/*.o -lcmocka -lm -o "$work/oracle"
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
plant "end of a never tried" 's/bool beyond_a = fabs(contact.along_a) > limit_a/bool beyond_a = false/'
plant "swapping a and b rounds differently" \
    's/return fender_vec3_add(offset, d);/d.x = offset.x + along_b * axis_b.x - along_a * axis_a.x, d.y += offset.y, d.z += offset.z; return d;/'
plant "a sphere on the axis parts along it" 's/unit_column(capsule, 0)/unit_column(capsule, 2)/'
