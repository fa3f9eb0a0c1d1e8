#!/bin/sh
# Runs every golden/*.golden: a command, its exit code, its output and error output, compared line by line.
#
# A case: lines `# remark`, one line `$ command`, one line `exit N`, then `1|` before each line of standard output and
# `2|` before each line of standard error. <hash> stands for 16 hex digits. The command runs in a fresh folder that
# holds a copy of inputs/. FENDER_GOLDEN_UPDATE=1 rewrites the expected lines; look at the difference before you keep it.
set -u
here=$(cd "$(dirname "$0")" && pwd)
: "${FENDER:?names the program under test}"
PATH=$(dirname "$FENDER"):$PATH
LC_ALL=C
export PATH LC_ALL
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
ran=0
for golden in "$here"/golden/*.golden; do
    name=$(basename "$golden" .golden)
    mkdir "$work/$name"
    cp -R "$here"/inputs/. "$work/$name"
    command=$(sed -n 's/^\$ //p' "$golden")
    (cd "$work/$name" && sh -c "$command" >"$work/out" 2>"$work/err" </dev/null)
    code=$?
    {
        grep -E '^(# |\$ )' "$golden"
        echo "exit $code"
        sed -E 's/^( hash  )[0-9a-f]{16} /\1<hash> /; s/^/1|/' "$work/out"
        sed -E 's/^( hash  )[0-9a-f]{16} /\1<hash> /; s/^/2|/' "$work/err"
    } >"$work/actual"
    ran=$((ran + 1))
    if [ -n "${FENDER_GOLDEN_UPDATE:-}" ]; then
        cp "$work/actual" "$golden"
    elif ! diff -u "$golden" "$work/actual"; then
        echo "FAILED: $name"
        failed=$((failed + 1))
    fi
    rm -rf "${work:?}/$name"
done
echo "$ran golden cases, $failed failed"
[ "$ran" -gt 0 ] && [ "$failed" -eq 0 ]
