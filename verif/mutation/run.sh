#!/bin/sh
# Plants each error of mutations.txt in a copy of the sources and expects the named test to fail. An error that no test
# notices ends the script with 1. The rest of a test is that of an optimised build: FENDER_BUILD_DIR, whose tests CTest runs
# by themselves; else build/, which is brought up to date, and the tests are shown to pass first.
# usage: run.sh [--half 0|1] [PATTERN]: only lines that hold PATTERN, of these every other
# With FENDER_PLANTED=sixth (continuous integration) a sixth of them, another one with each commit, and those whose source or test
# the last three commits changed.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
half=""
if [ "${1:-}" = --half ]; then half=$2 && shift 2; fi
pattern=${1:-.}
cc=${CC:-cc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT HUP INT TERM

sed -e '/^#/d' -e '/^$/d' "$here/mutations.txt" | grep -e "$pattern" >"$work/list" || { echo "no line holds $pattern"; exit 2; }
# Without the blanks around the separators.
sed -e 's/ *@ */@/g' "$work/list" >"$work/part" && mv "$work/part" "$work/list"
cd "$root"
if [ "${FENDER_PLANTED:-}" = sixth ]; then
    # The lengths of lines tell the sixths: new lines move no other.
    git diff --name-only HEAD~3 -- src tests verif >"$work/changed" 2>/dev/null || true # not in a shallow clone
    LC_ALL=C awk -F@ -v turn="$(sh "$here/turn.sh")" -v changed="$work/changed" '
        BEGIN { while ((getline name <changed) > 0) recent[name] }
        (length($0) + turn) % 6 == 0 || $1 in recent || $3 in recent' "$work/list" >"$work/part" && mv "$work/part" "$work/list"
fi
if [ -n "$half" ]; then awk -v half="$half" 'NR % 2 == half' "$work/list" >"$work/part" && mv "$work/part" "$work/list"; fi

target_of() { echo "$1" | sed -e 's,^tests/,,' -e 's,/test_\([^/]*\)\.c$,/\1,' -e 's,/,_,g' -e 's/^/test_/'; }
build=${FENDER_BUILD_DIR:-}
if [ -z "$build" ]; then
    build=$root/build
    # shellcheck disable=SC2046 # words are targets
    cmake --build "$build" --target $(cut -d@ -f3 "$work/list" | sort -u | while read -r test; do target_of "$test"; done) \
        >"$work/log" 2>&1 || { cat "$work/log"; echo "$build is not built: scripts/build release -DFENDER_TESTS=ON"; exit 2; }
fi

cp -R src include "$work"
cd "$work"
mkdir objects mutated
ulimit -c 0
export CMOCKA_TEST_ABORT=1 # the first failure tells
seconds=100 # a test that a planted error sends round in circles has failed
linker=""
if command -v mold >/dev/null 2>&1; then linker=-fuse-ld=mold; fi
libraries="$build/lib/libfender_io.a $build/lib/libfender.a $(pkg-config --libs cmocka) \
    $(PKG_CONFIG_PATH=$build/generated pkg-config --static --libs fender_io | sed 's/-lfender[_a-z]*//g')"

# The compiler's command for each source, as in the build, but for the copy, not optimised, as results have the same bits and
# most tests end at once, and for one width of registers.
awk '/"command": / { command = $0 } /"file": / && command !~ /FND_WIDTH=/ { print $2, command }' "$build/compile_commands.json" |
    sed -n -e "s,^\"$root/\(src/[^\"]*\)\".*\"command\": \"\(.*\) -o .*,\1 \2 -w -O0," -e "s,$root/\(src\|include\)\( \|\$\),$work/\1\2,g" \
        -e 's/ -DFND_WIDE / /' -e 's/\\"/"/g' -e 's/\\\\/\\/g' -e '/^src/p' >commands
compile() { # source, object
    command=$(sed -n "s,^$1 ,,p" commands)
    [ -n "$command" ] || { echo "$build/compile_commands.json does not name $1"; exit 2; }
    eval "$command -c $1 -o $2"
}
link() { # test, program, objects in place of the library's
    own=$build/CMakeFiles/$(target_of "$1").dir/$1.o program=$2
    shift 2
    $cc -pie $linker "$@" "$own" "$build"/CMakeFiles/fender_test_support_objects.dir/tests/support/*.o $libraries -Wl,--as-needed \
        -o "$program"
}
run() { timeout $seconds "$1" >log 2>&1; }
passes() { # test, objects in place of the library's
    grep -q -x -e "$*" passed 2>/dev/null && return
    link "$1" sound $(shift && echo "$@")
    run ./sound || { cat log; echo "$1 fails without any planted error"; exit 2; }
    echo "$*" >>passed
}

# Errors in sources that are compiled for each width show in the plain ones, where those who choose a width have no other.
wide=$(grep -l FND_OF_WIDTH src/*/*.c)
choosers=$(grep -l -E 'FND_WIDTHS|FND_WIDE|fnd_tree_registers' src/*/*.c)
object_of() { echo "$1" | sed -e 's,/,_,g' -e 's,^,objects/,' -e 's/c$/o/'; }
for source in $choosers; do compile "$source" "$(object_of "$source")"; done

# The sources that include a header that is private to its folder, by way of others there, too.
includers() { # header
    folder=$(dirname "$1") names=$(basename "$1") before=""
    while [ "$names" != "$before" ]; do
        before=$names
        for name in $before; do
            for header in $(grep -l -F "/$name\"" "$folder"/*.h); do
                case " $names " in *" $(basename "$header") "*) ;; *) names="$names $(basename "$header")" ;; esac
            done
        done
    done
    for name in $names; do grep -l -F "/$name\"" "$folder"/*.c; done | sort -u
}

total=0 missed=0
printf '%-30s %-36s %s\n' 'file' 'test that fails' 'planted error'
while IFS=@ read -r file expression test what items; do
    total=$((total + 1))
    case $file in
    *.h) sources=$(echo $(includers "$file")) ;; # on one line
    *) sources=$file ;;
    esac
    plain=""
    for source in $wide; do
        case " $sources " in *" $source "*) plain=$choosers ;; esac
    done
    others=""
    for source in $plain; do
        case " $sources " in *" $source "*) ;; *) others="$others $(object_of "$source")" ;; esac
    done
    if [ -n "$others" ] || [ -z "${FENDER_BUILD_DIR:-}" ]; then passes "$test" $others; fi

    cp "$file" kept
    sed -e "$expression" kept >"$file"
    if cmp -s kept "$file"; then
        echo "the expression changes nothing in $file: $expression" >&2
        exit 2
    fi
    rm -f mutated/*.o
    for source in $sources; do compile "$source" "mutated/$(basename "$source" .c).o"; done
    link "$test" mutated/test mutated/*.o $others
    verdict=$test
    if run mutated/test; then verdict="NOT NOTICED" missed=$((missed + 1)); fi
    printf '%-30s %-36s %s\n' "${file#src/}" "$verdict" "$what"
    cp kept "$file"
done <list
echo "$total errors planted, $missed not noticed"
[ "$missed" -eq 0 ]
