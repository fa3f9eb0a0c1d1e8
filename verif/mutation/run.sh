#!/bin/sh
# Plants each error of mutations.txt in a copy of the sources and expects the named test to fail. An error that no test
# notices ends the script with 1. usage: run.sh [--half 0|1] [PATTERN]: only lines that hold PATTERN, of these every other
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
half=""
if [ "${1:-}" = --half ]; then half=$2 && shift 2; fi
pattern=${1:-.}
cc=${CC:-cc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT HUP INT TERM
cp -R "$root/src" "$root/include" "$work"
mkdir -p "$work/objects" "$work/tests" "$work/mutated"

ulimit -c 0
export CMOCKA_TEST_ABORT=1 # the first failure tells
flags="-std=c17 -O1 -w -fPIC -ffp-contract=off -D_POSIX_C_SOURCE=200809L -I$work/include -I$work/src -I$root/tests/support -I$root/tests"
libraries="$(pkg-config --libs cmocka) -lm"
seconds=100 # a test that a planted error sends round in circles has failed

object_of() { echo "$work/objects/$(echo "$1" | tr / _ | sed 's/\.c$/.o/')"; }
compile() { $cc $flags -DFENDER_SOURCE_DIR="\"$root\"" -c "$1" -o "$2"; }

cd "$work"
for layer in base math geometry planet collide law body contact dynamics integrate world support units import tables plot; do
    for file in src/$layer/*.c; do compile "$file" "$(object_of "$file")"; done
done
for file in alias comparison; do # the others need runs
    compile src/analysis/$file.c "$(object_of src/analysis/$file.c)"
done
for file in random_numbers scene csv_table bouncing_ball law_history encounters stable_systems; do compile "$root/tests/support/$file.c" "objects/support_$file.o"; done

# All objects in one shared library: what a program defines itself takes the place of the library's.
$cc -shared objects/*.o $libraries -o whole.so
whole="$work/whole.so -Wl,-rpath,$work $libraries"

sed -e '/^#/d' -e '/^$/d' "$here/mutations.txt" | grep -e "$pattern" >list || { echo "no line holds $pattern"; exit 2; }
if [ -n "$half" ]; then awk -v half="$half" 'NR % 2 == half' list >part && mv part list; fi
cut -d@ -f3 list | tr -d ' ' | sort -u | while read -r test; do
    name=$(echo "$test" | tr / _ | sed 's/\.c$//')
    compile "$root/$test" "tests/$name.o"
    $cc "tests/$name.o" $whole -o "tests/$name"
    timeout $seconds "tests/$name" >"tests/$name.log" 2>&1 || {
        cat "tests/$name.log"
        echo "$test fails without any planted error"
        exit 2
    }
done

total=0 missed=0
printf '%-30s %-36s %s\n' 'file' 'test that fails' 'planted error'
while IFS=@ read -r file expression test what items; do
    file=$(echo "$file" | tr -d ' ') test=$(echo "$test" | tr -d ' ')
    expression=$(echo "$expression" | sed -e 's/^ *//' -e 's/ *$//') what=$(echo "$what" | sed 's/^ *//')
    name=$(echo "$test" | tr / _ | sed 's/\.c$//')
    total=$((total + 1))
    cp "$file" mutated/kept.c
    sed -e "$expression" mutated/kept.c >"$file"
    if cmp -s mutated/kept.c "$file"; then
        echo "the expression changes nothing in $file: $expression" >&2
        exit 2
    fi
    case $file in
    *.h) sources="$(dirname "$file")/*.c" ;; # private to its folder
    *) sources=$file ;;
    esac
    rm -f mutated/*.o
    for source in $sources; do compile "$source" "mutated/$(basename "$source" .c).o"; done
    $cc "tests/$name.o" mutated/*.o $whole -o mutated/test
    verdict=$test
    if timeout $seconds mutated/test >mutated/log 2>&1; then verdict="NOT NOTICED" missed=$((missed + 1)); fi
    printf '%-30s %-36s %s\n' "${file#src/}" "$verdict" "$what"
    cp mutated/kept.c "$file"
done <list
echo "$total errors planted, $missed not noticed"
[ "$missed" -eq 0 ]
