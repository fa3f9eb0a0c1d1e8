#!/bin/sh
# Does every line of mutations.txt still change its file, and is its test there? Names those that do not, which run.sh would
# find in its turn; ends with 1 then. One sed for each file tries every expression on each line of it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
lines=${1:-$here/mutations.txt}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT HUP INT TERM
cd "$here/../.."

sed -e '/^#/d' -e '/^$/d' -e 's/ *@ */@/g' "$lines" | sort -s -t@ -k1,1 >"$work/list"
[ -s "$work/list" ] || { echo "$lines holds no line"; exit 1; }
awk -F@ -v work="$work" '
    {
        script = $1
        gsub("/", "_", script)
        script = work "/" script
    }
    $1 != file { file = $1; print file; print "h" >script }
    {
        # `t` goes on where something was replaced since the last one; then the line is restored
        print "t begin" NR "\n:begin" NR "\n" $2 "\nt changed" NR "\nb end" NR >script
        print ":changed" NR "\ns/.*/" NR "/p\ng\n:end" NR >script
    }' "$work/list" >"$work/files"
while read -r file; do
    sed -n -f "$work/$(echo "$file" | tr / _)" "$file"
done <"$work/files" >"$work/changing"
bad=0
awk 'NR == FNR { changing[$1]; next } !(FNR in changing)' "$work/changing" "$work/list" >"$work/stale"
while IFS=@ read -r file expression test what; do
    bad=$((bad + 1)) && echo "the expression changes nothing in $file: $expression ($what)"
done <"$work/stale"
cut -d@ -f3 "$work/list" | sort -u >"$work/tests"
while read -r test; do
    [ -f "$test" ] || { bad=$((bad + 1)) && echo "there is no $test"; }
done <"$work/tests"
echo "$(wc -l <"$work/list") planted errors, $bad out of date"
[ "$bad" -eq 0 ]
