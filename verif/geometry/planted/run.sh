#!/bin/sh
# Plants errors of 1e-9 into every pair function that src/collide/pair_table.c names, one at a time, in a copy of the
# sources, and expects the test of the matrix to fail in the cells of that function: each function is wrapped in one that
# spoils what it found. Prints the table; ends with 1 when an error is not noticed. usage: run.sh [PATTERN]
# With FENDER_PLANTED=sixth (continuous integration) a sixth of the errors, another one with each commit.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
pattern=${1:-.}
cc=${CC:-cc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT HUP INT TERM
build=${FENDER_BUILD_DIR:-}
if [ -z "$build" ]; then # by hand
    build=$root/build
    cmake --build "$build" --target test_collide_matrix test_collide_matrix_surfaces test_collide_probe >"$work/log" 2>&1 ||
        { cat "$work/log"; echo "$build is not built: scripts/build release -DFENDER_TESTS=ON"; exit 2; }
fi
cp -R "$root/src" "$root/include" "$work"
cd "$work"

# What is planted is linked to the tests and the library of the optimised build.
flags="-std=c17 -O1 -w -ffp-contract=off -Iinclude -Isrc"
support=$build/CMakeFiles/fender_test_support_objects.dir/tests/support
linker=""
if command -v mold >/dev/null 2>&1; then linker=-fuse-ld=mold; fi
plant() { $cc $flags -fPIC -c src/collide/pair_table.c -o pair_table.o; }
link() { # name, test: matrix for cells of solids, matrix_surfaces for those of grids and meshes, probe for lines of sight
    $cc -pie $linker pair_table.o "$build/CMakeFiles/test_collide_$2.dir/tests/collide/test_$2.c.o" "$support"/oracle*.o \
        "$support"/matrix*.o "$support/random_numbers.c.o" "$build/lib/libfender.a" $(pkg-config --libs cmocka) -lm -o "$1_$2"
}
cp src/collide/pair_table.c kept.c

# Cells of the table: class of a, class of b, function.
sed -n 's/^ *\[FND_CLASS_\([A-Z]*\)\]\[FND_CLASS_\([A-Z]*\)\] = \(fnd_[a-z_]*\),.*/\1 \2 \3/p' kept.c >cells
[ -s cells ] || { echo "no cell was found in pair_table.c" >&2; exit 2; }

# Types of the test that stand for a class.
types_of() {
    case $1 in
    CONVEX) echo "box cylinder cone ellipsoid hull" ;; # user functions fall short without any error, see README.md
    *) echo "$1" | tr 'A-Z' 'a-z' ;;
    esac
}
# Does the test of the cell $1, $2 fail in the build $3?
cell_fails() {
    case "$1 $2" in
    grid* | mesh*) a_type=$1 b_type=$2 test=matrix_surfaces ;;
    *grid | *mesh) a_type=$2 b_type=$1 test=matrix_surfaces ;;
    *) a_type=$1 b_type=$2 test=matrix ;;
    esac
    [ -x "$3_$test" ] || link "$3" $test || exit 2
    if MATRIX_A=$a_type MATRIX_B=$b_type MATRIX_POSES=$poses "./$3_$test" >log 2>&1; then return 1; fi
}
poses=10 # of each class: an error of 1e-9 shows in nearly every one
# Runs the cells of function $1, those of two convex classes type by type; the counts go to $cells_run and $cells_failed.
run_cells() {
    cells_run=0 cells_failed=0
    if [ "$1" = fnd_probe_solid ]; then # all its cells in one test
        cells_run=1
        [ -x "$3_probe" ] || link "$3" probe || exit 2
        "./$3_probe" >log 2>&1 || cells_failed=1
        return
    fi
    while read -r a b name; do
        [ "$name" = "$1" ] || continue
        [ "$2 $a $b" = "depth POINT POINT" ] && continue # two points never overlap
        [ "$2 $1" = "depth fnd_surface_mesh" ] && continue # the energy of tests/collide/test_one_potential.c has it
        for type_a in $(types_of "$a"); do
            for type_b in $(types_of "$b"); do
                cells_run=$((cells_run + 1))
                if cell_fails "$type_a" "$type_b" "$3"; then cells_failed=$((cells_failed + 1)); fi
            done
        done
    done <cells
}

# What is planted, by name: `s` is one separation, `size` the larger radius of the two geometries.
error_of() {
    case $1 in
    distance) echo "s->distance += $amount * size;" ;;
    depth) echo "if (s->distance < 0) s->distance *= 1 + $amount;" ;;
    "radius of b") echo "s->distance -= $amount * size; s->point_b = fender_vec3_add_scaled(s->point_b, -$amount * size, s->normal);" ;;
    "both points") echo "s->point_a = fender_vec3_add_scaled(s->point_a, $amount * size, s->normal); s->point_b = fender_vec3_add_scaled(s->point_b, $amount * size, s->normal);" ;;
    normal) echo "s->normal.x += $amount; s->normal.y -= $amount;" ;;
    esac
}

plant
for function in $(cut -d' ' -f3 cells | sort -u | grep -e "$pattern"); do
    run_cells "$function" nothing sound
    [ "$cells_failed" -eq 0 ] || { echo "$function: $cells_failed cells fail without any planted error" >&2; exit 2; }
done
every=1 turn=0
if [ "${FENDER_PLANTED:-}" = sixth ]; then every=6 turn=$(sh "$root/verif/mutation/turn.sh"); fi
number=0 total=0 missed=0
printf '%-28s %-14s %s\n' 'function' 'planted' 'noticed'
for function in $(cut -d' ' -f3 cells | sort -u | grep -e "$pattern"); do
    amount=1e-9
    case $function in *field*) amount=1e-2 ;; esac # searched by values alone, in overlap to 1e-2
    for what in distance depth "radius of b" "both points" normal; do
        number=$((number + 1))
        [ $(((number + turn) % every)) -eq 0 ] || continue
        total=$((total + 1))
        {
            sed '/fnd_pair_function \*const table/,$d' kept.c
            cat <<END
static void planted(const fnd_posed *a, const fnd_posed *b, const fnd_query *query, fnd_manifold *out)
{
    int first = out->count;
    double size = a->geometry->bounding_radius, other = b->geometry->bounding_radius;
    if (!isfinite(size) || (isfinite(other) && other > size)) size = other;
    if (!(size > 0)) size = 1; /* a point on a plane */
    $function(a, b, query, out);
    for (int i = first; i < out->count; i++) {
        fender_separation *s = &out->items[i];
        $(error_of "$what")
    }
}
END
            sed -n '/fnd_pair_function \*const table/,$p' kept.c | sed "s/= $function,/= planted,/"
        } >src/collide/pair_table.c
        plant
        rm -f planted_*
        run_cells "$function" "$what" planted
        verdict="in $cells_failed of $cells_run cells"
        if [ "$cells_failed" -lt "$cells_run" ]; then
            verdict="$verdict: NOT IN ALL" missed=$((missed + 1))
        fi
        printf '%-28s %-14s %s\n' "$function" "$what" "$verdict"
    done
done
echo "$total errors of 1e-9 planted, $missed not noticed"
[ "$missed" -eq 0 ]
