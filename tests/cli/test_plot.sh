#!/bin/sh
# Plots as files: SVG by ourselves, PNG and PDF by another program that may be missing or fail; nothing is left behind.
set -u
here=$(cd "$(dirname "$0")" && pwd)
: "${FENDER:?names the program under test}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
cp "$here"/inputs/table_*.csv .
# shellcheck source=tests/cli/expect.sh
. "$here/expect.sh"

check() {
    "$@" || {
        echo "FAILED: $*"
        failed=$((failed + 1))
    }
}

expect 0 "" "$FENDER plot table_a.csv body.position --out plot.svg"
check grep -q '</svg>' plot.svg
check grep -q '>body.position.y</text>' plot.svg
check python3 -c 'import xml.dom.minidom; xml.dom.minidom.parse("plot.svg")'
expect 4 "" "$FENDER plot table_a.csv body.position --out nowhere/plot.svg"
expect 2 "no row of these channels" "$FENDER plot table_a.csv body.position --from 1e6"
expect 2 "no row of these channels" "$FENDER plot table_a.csv body.position --from 1 --until 0"
printf 'time [s],other\n0,1\n1,2\n' >table_c.csv
expect 2 "'table_c.csv' has none of these" "$FENDER plot table_a.csv body.position --with table_c.csv"
expect 2 "'table_a.csv' has none of these" "$FENDER plot table_a.csv other --with table_c.csv"
expect 2 "later than" "$FENDER compare table_a.csv table_b.csv --from 1 --until 0"
expect 2 "ends\? in .svg" "$FENDER plot table_a.csv body.position --out plot.gif"
expect 1 "" "$FENDER compare table_a.csv table_b.csv --plot difference.svg"
check grep -q '>table_b.csv</text>' difference.svg
expect 0 "" "$FENDER compare table_a.csv table_b.csv --abs 1 --plot same.svg"
check test ! -e same.svg
expect 2 "ends\? in .svg" "$FENDER compare table_a.csv table_b.csv --plot difference.txt"
expect 2 "" "$FENDER compare table_a.csv table_b.csv --plot nowhere/difference.svg"

# curves without a number are named
printf 'time [s],a [m],b [m],c [N]\n0,1,nan,nan\n1,2,nan,7\n2,3,4,nan\n' >table_d.csv
expect 0 "" "$FENDER plot table_d.csv a b c --out plot.svg"
check test ! -s err
expect 0 "no curve is drawn of 'b' and 1 more: no value in this range is a number" \
    "$FENDER plot table_d.csv a b c --until 0.5 --out plot.svg"

# without a program that converts
mkdir empty tools
expect 3 "rsvg-convert" "PATH=$work/empty $FENDER plot table_a.csv body.position --out plot.png"
check grep -q 'write an .svg file' err
# one that copies, to see how it is called; one that fails
printf '#!/bin/sh\necho "$*" >tool_words\nwhile [ "$1" != -o ]; do shift; done\ncat "$3" >"$2"\n' >tools/rsvg-convert
chmod +x tools/rsvg-convert
expect 0 "" "PATH=$work/tools:\$PATH $FENDER plot table_a.csv body.position --out 'a plot.pdf'"
check grep -q '^-f pdf' tool_words
check grep -q '</svg>' 'a plot.pdf'
printf '#!/bin/sh\nexit 3\n' >tools/rsvg-convert
expect 4 "program failed" "PATH=$work/tools:\$PATH $FENDER plot table_a.csv body.position --out plot.png"
check test -z "$(ls | grep partial)"

# Braille where the locale has it
expect 0 "" "LC_ALL=C.UTF-8 $FENDER plot table_a.csv body.position.x"
check grep -q '┤' out
expect 0 "" "LC_ALL=C $FENDER plot table_a.csv body.position.x"
check test -z "$(tr -d '\001-\177' <out)"

echo "$failed failed"
[ "$failed" -eq 0 ]
