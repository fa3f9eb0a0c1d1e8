#!/bin/sh
# Controllers that crash, hang, abort, or set what is not a number: the run ends with words, and its last good state.
set -eu
: "${FENDER:?names the program under test}" "${FENDER_SOURCE_DIR:?names the tree}"
fail() { echo "$1"; exit 1; }
cat >faulty.c <<'E'
#include <fender/controller.h>
#include <math.h>
#include <stdlib.h>
static int update(void *state, double time, const double *inputs, double *outputs, char *message)
{
    (void)state, (void)inputs, (void)message;
    outputs[0] = time < 0.5 ? 1 : 0;
    if (time < 1) return 0;
    if (FAULT == 1) *(volatile int *)8 = 1;
    if (FAULT == 2) for (volatile int i = 0;; i++) {}
    if (FAULT == 3) abort();
    if (FAULT == 4) outputs[0] = NAN;
    if (FAULT == 5) return 3;
    return 0;
}
const fender_controller *fender_controller_entry(void)
{
    static const fender_controller c = {FENDER_CONTROLLER_HEAD, "faulty", 0, update, 0, 0, 0};
    return &c;
}
E
cat >faulty.yaml <<'E'
fender: 1
run: {until: 2 s}
bodies: {probe: {mass_properties: {mass: 1 kg, inertia: [1, 1, 1]}}}
loads: {engine: {body: probe, force: {constant: [0, 0, 1, N]}}}
controllers:
  burn: {library: faulty.so, rate: 50 Hz, outputs: {on: loads.engine.active}}
E
number=0
for words in "memory that is not its own" "did not come back within 10 s" "it aborted" "'on' is not finite" "it returned 3"; do
    number=$((number + 1))
    "${CC:-cc}" -shared -fPIC -DFAULT=$number -I "$FENDER_SOURCE_DIR/include" -o faulty.so faulty.c
    code=0
    "$FENDER" run faulty.yaml --out faulty.run >out 2>err || code=$?
    [ $code -eq 1 ] || fail "fault $number: exit code $code: $(cat err)"
    grep -q "controller 'burn' at 1 s: .*$words" err || fail "fault $number: $(cat err)"
    grep -q "the state at 1 s is saved in faulty.run/last_good.fsnap" err || fail "fault $number: $(cat err)"
    [ -s faulty.run/last_good.fsnap ] || fail "fault $number: no state"
    grep -q '"ended_by":"error"' faulty.run/summary.json || fail "fault $number: no summary"
done
