#!/bin/bash
# Manual pages and completion: one page for each command, which mandoc, groff and man read without a warning; completion
# by bash itself, through the function that it would call; zsh reads its script.
[ -n "${BASH_VERSION:-}" ] || exec bash "$0" # ctest calls sh
set -eu
pages=$FENDER_BUILD_DIR/generated/pages
[ -e "$pages/made" ] || { echo "skipped: no pages are made in this build" && exit 77; }
failed=0
fail() { echo "$*" && failed=1; }

# ---- manual pages
for command in $("$FENDER" info man); do
    page=$pages/man/fender-$command.1
    if [ "$command" = fender ]; then page=$pages/man/fender.1; fi
    [ -s "$page" ] || fail "$page is missing"
done
for command in $("$FENDER" --help | sed -n 's/^  \([a-z]*\) .*  .*/\1/p' | grep -vx fender); do
    [ -s "$pages/man/fender-$command.1" ] || fail "fender $command has no manual page"
done
for option in $("$FENDER" compare --help | sed -n 's/^  \(--[a-z]*\).*/\1/p'); do
    grep -q -- "^.fB${option//-/\\\\-}.fR" "$pages/man/fender-compare.1" || fail "$option is missing in fender-compare.1"
done
if command -v mandoc >/dev/null; then
    mandoc -Tlint -Wwarning "$pages"/man/*.1 || fail "mandoc warns"
else
    echo "skipped: mandoc is missing"
fi
if command -v groff >/dev/null; then
    [ -z "$(groff -man -ww -z "$pages"/man/*.1 2>&1)" ] || fail "groff warns"
fi

# ---- bash
# shellcheck source=/dev/null
source "$pages/completion/fender"
[ "$(complete -p fender)" = "complete -F _fender fender" ] || fail "bash does not complete fender"
cat >pair.yaml <<'EOF'
fender: 1
bodies:
  one:
    state:
      position: [0, 0, 0, m]
  two: {}
run: {until: 1 s}
EOF
touch ground.stl notes.txt
mkdir -p pair.run out
cat >pair.run/log.csv <<'EOF'
time [s],bodies.one.position.x [m],bodies.two.position.x [m]
0,1,2
EOF
expect() { # what is offered, words of the line; the last is being written
    local wanted=$1
    shift
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
    _fender || true
    [ "${COMPREPLY[*]:-}" = "$wanted" ] || fail "'$*' offers '${COMPREPLY[*]:-}', expected '$wanted'"
}
expect "report resume replay" "$FENDER" re
expect "--set" "$FENDER" run --s
expect "out pair.run pair.yaml" "$FENDER" run ""
expect "pair.yaml" "$FENDER" run pair.y
expect "out pair.run" "$FENDER" run pair.yaml --out ""
expect "out" "$FENDER" run pair.yaml --out = o
expect "bodies.one= bodies.one.state= bodies.one.state.position=" "$FENDER" run pair.yaml --set bodies.o
expect "" "$FENDER" run pair.yaml --set bodies.two = 1
expect "velocity_verlet" "$FENDER" size --method v
expect "spring_damper jeod_spring hunt_crossley" "$FENDER" size --law ""
expect "stl" "$FENDER" mesh --format = st
expect "ground.stl" "$FENDER" mesh g
expect "report" "$FENDER" study rep
expect "spring_damper" "$FENDER" info laws spring_d
expect "docking" "$FENDER" new do
expect "bodies.one.position.x bodies.two.position.x" "$FENDER" plot pair.run bodies.one.position.x b
expect "pair.run pair.yaml" "$FENDER" export pair
expect "pair.run" "$FENDER" compare pair.run pair.r

# ---- zsh
if command -v zsh >/dev/null; then
    zsh -n "$pages/completion/_fender" || fail "zsh does not read its completion"
    zsh -fc "autoload -U compinit && compinit -D -u && source $pages/completion/_fender && [[ \$_comps[fender] = _fender ]]" ||
        fail "zsh does not complete fender"
else
    echo "skipped: zsh is missing"
fi
exit $failed
