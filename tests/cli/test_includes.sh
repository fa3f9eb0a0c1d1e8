#!/bin/sh
# Files that a scenario names must be regular ones: nothing waits for a pipe. Findings do not show the lines of a file that
# is no part of a scenario.
set -u
here=$(cd "$(dirname "$0")" && pwd)
: "${FENDER:?names the program under test}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
# shellcheck source=tests/cli/expect.sh
. "$here/expect.sh"
FENDER="timeout 20 $FENDER"

shows() { # yes|no, text
    if grep -q "$2" out err; then found=yes; else found=no; fi
    if [ $found != "$1" ]; then
        echo "FAILED: expected to show '$2': $1"
        cat err
        failed=$((failed + 1))
    fi
}

mkfifo pipe pipe.stl
head="fender: 1
run: {until: 1 s}
bodies: {b: {mass_properties: {mass: 1 kg, inertia: [1, 1, 1, kg*m^2]}"
for entry in pipe /dev/zero /dev/tty; do
    printf '%s}}\ninclude: [%s]\n' "$head" $entry >main.yaml
    expect 4 "'$entry' is not a regular file" "$FENDER check main.yaml"
done
for shape in 'hull: {file: pipe.stl, unit: m}' 'mesh: {file: pipe.stl, unit: m}' 'cloud: {file: pipe}'; do
    printf '%s, shapes: {s: {%s}}}}\n' "$head" "$shape" >main.yaml
    expect 4 "' is not a regular file" "$FENDER check main.yaml"
done
printf '%s}}\nplugins: [pipe]\n' "$head" >main.yaml
expect 4 "'pipe' is not a loadable file" "$FENDER check main.yaml"

# the file that the user names may be a pipe
printf '%s}}\n' "$head" >main.yaml
expect 0 "" "cat main.yaml | $FENDER check /dev/stdin"

printf 'token: [0123456789\n' >private.txt
printf 'root:x:0:0:token 0123456789:/root\n' >users.txt
for file in private.txt users.txt; do
    printf '%s}}\ninclude: [%s]\n' "$head" $file >main.yaml
    expect 3 "$file:1:" "$FENDER check main.yaml"
    shows no 0123456789
    expect 3 "$file" "$FENDER check main.yaml --json"
    shows no 0123456789
done
printf 'materials:\n  steel: [0123456789\n' >part.yaml
printf '%s}}\ninclude: [part.yaml]\n' "$head" >main.yaml
expect 3 "part.yaml:2:" "$FENDER check main.yaml"
shows yes 0123456789

echo "$failed failed"
[ "$failed" -eq 0 ]
