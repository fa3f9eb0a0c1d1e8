#!/bin/sh
# The sims of integrations/trick, built by Trick (ICG, SWIG, its scheduler and integrators) and compared with `fender run`:
# the bits where Fender integrates, order 4 where Trick does. Needs Trick: TRICK_HOME, or trick-CP on the path.
set -eu
PATH=${TRICK_HOME:+$TRICK_HOME/bin:}$PATH
export PATH
command -v trick-CP >/dev/null 2>&1 || { echo "skipped: Trick is not here (TRICK_HOME)" && exit 77; }
rm -rf prefix trick
cmake --install "$FENDER_BUILD_DIR" --prefix "$PWD/prefix" >install.txt
PKG_CONFIG_PATH=$(dirname "$(find "$PWD/prefix" -name fender_io.pc)")
TRICK_CFLAGS=-O1
TRICK_CXXFLAGS="-O0 -g0"
export PKG_CONFIG_PATH TRICK_CFLAGS TRICK_CXXFLAGS
cp -R "$FENDER_SOURCE_DIR/integrations/trick" trick
cd trick
build() { trick-CP >build.txt 2>&1 || { tail -n 30 build.txt && exit 1; }; }
run() { ./S_main_*.exe "$1/input.py" >"$1.txt" 2>&1 || { cat "$1.txt" && exit 1; }; }
# Compares the log of a sim with a run, each channel within a tolerance.
compare() { # log, run, tolerance
    maps=""
    number=0
    for body in target chaser; do
        for member in position velocity angular_velocity attitude; do
            axes="0:x 1:y 2:z"
            if [ $member = attitude ]; then axes="0:w 1:x 2:y 3:z"; fi
            for axis in $axes; do
                maps="$maps --map vehicles.fender.body[$number].$member[${axis%:*}]=bodies.$body.$member.${axis#*:}"
            done
        done
        number=$((number + 1))
    done
    # shellcheck disable=SC2086 -- words are options
    "$FENDER" compare "$1" "$2" $maps --abs "$3" || exit 1
}
"$FENDER" run SIM_vehicles/vehicles.yaml --out alone.run --quiet
(
    cd SIM_scheduled
    build
    run RUN_meet
    compare RUN_meet/log_vehicles.trk ../alone.run 0
)
cd SIM_vehicles
build
for input in RUN_meet RUN_located RUN_brake RUN_resume; do run $input; done
compare RUN_meet/log_vehicles.trk ../alone.run 1e-8
"$FENDER" run vehicles.yaml --set integrator.locate_events=true --out located.run --quiet
compare RUN_located/log_vehicles.trk located.run 1e-4
# the sim that continues from a checkpoint ends where the other one ends
grep -ao 'end \[.*' RUN_brake.txt >brake.end
grep -ao 'end \[.*' RUN_resume.txt >resume.end
[ -s brake.end ] && cmp brake.end resume.end
