#!/bin/sh
# GNU parallel and MPI carry out a study as `fender study submit` hands it over, are killed in the middle, and go on: all
# runs are there once, with the bytes of one machine.
set -eu
fail() { echo "$1" >&2; exit 1; }
if "$FENDER" study report none.db 2>&1 | grep -q "keeps no stores"; then echo "skipped: this build has no SQLite"; exit 77; fi
rm -rf ./*
study=$FENDER_SOURCE_DIR/samples/studies/landing.yaml
runs=200
"$FENDER" study run "$study" --runs $runs --quiet -o one.db

# In place of fender: waits, so that there is a middle to be killed in, however fast the machine is.
cat > slow_fender <<SLOW
#!/bin/sh
[ "\$2" = run ] || exec "$FENDER" "\$@"
"$FENDER" "\$@" &
sleep 0.1
kill -KILL \$! 2>/dev/null || true
wait \$! 2>/dev/null || true
sleep 0.4
exec "$FENDER" "\$@"
SLOW
chmod +x slow_fender
own=$FENDER

# A process with all that it has started; none of them can start another one meanwhile.
kill_tree() {
    kill -STOP "$1" 2>/dev/null || return 0
    for child in $(cat "/proc/$1/task/$1/children" 2>/dev/null); do kill_tree "$child"; done
    kill -KILL "$1" 2>/dev/null || true
}
run_until() { # script, condition after which it is killed
    sh "$1" >out 2>&1 &
    process=$!
    tries=0
    until eval "$2"; do
        tries=$((tries + 1))
        [ $tries -lt 1200 ] || fail "never: $2: $(cat out)"
        sleep 0.05
    done
    kill_tree $process
    wait $process 2>/dev/null || true
    sleep 1 # those of them that wait for the disk die, too, and leave their locks
}
shards_done() { awk 'NR > 1 && $7 == 0' parallel.jobs/joblog.txt 2>/dev/null | wc -l; }
skipped=0

if command -v parallel >/dev/null && parallel --version 2>/dev/null | grep -q "GNU parallel"; then
    "$own" study submit "$study" --runs $runs --shards 9 --engine parallel -o parallel.jobs --dry-run --options "-j 2" >/dev/null
    export FENDER="$PWD/slow_fender"
    run_until parallel.jobs/submit.sh '[ -e parallel.jobs/shards/1.db ]'
    run_until parallel.jobs/submit.sh '[ "$(shards_done)" -ge 2 ]'
    export FENDER="$own"
    [ ! -e parallel.jobs/landing.study.db ] || fail "GNU parallel was not stopped in the middle"
    [ "$(shards_done)" -lt 9 ] || fail "not the middle: $(cat parallel.jobs/joblog.txt)"
    sh parallel.jobs/submit.sh >out 2>&1 || fail "$(cat out)"
    grep -q "$runs of $runs runs" out || fail "$(cat out)"
    cmp one.db parallel.jobs/landing.study.db || fail "GNU parallel's result is not that of one process"
    # A shard that is lost is seen by the merge, and done again.
    rm parallel.jobs/shards/4.db
    if sh parallel.jobs/merge.sh >out 2>&1; then fail "a lost shard is not told"; fi
    "$own" study submit "$study" --runs $runs --shards 9 --engine parallel -o parallel.jobs >out 2>&1 || fail "$(cat out)"
    cmp one.db parallel.jobs/landing.study.db || fail "a lost shard is not done again"
else
    echo "skipped: there is no GNU parallel"
    skipped=$((skipped + 1))
fi

if command -v mpirun >/dev/null; then
    options="-n 2"
    if mpirun --version 2>&1 | grep -q "Open MPI"; then options="-n 2 --oversubscribe"; fi
    if [ "$(id -u)" -eq 0 ]; then export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1; fi
    "$own" study submit "$study" --runs $runs --shards 5 --engine mpi -o mpi.jobs --dry-run --options "$options" >/dev/null
    export FENDER="$PWD/slow_fender"
    run_until mpi.jobs/submit.sh '[ -e mpi.jobs/shards/2.db ] || [ -e mpi.jobs/shards/3.db ]'
    export FENDER="$own"
    [ ! -e mpi.jobs/landing.study.db ] || fail "MPI was not stopped in the middle"
    "$own" study submit "$study" --runs $runs --shards 5 --engine mpi -o mpi.jobs --options "$options" >out 2>&1 || fail "$(cat out)"
    grep -q "$runs of $runs runs" out || fail "$(cat out)"
    cmp one.db mpi.jobs/landing.study.db || fail "MPI's result is not that of one process"
else
    echo "skipped: there is no mpirun (scripts/install_dependencies cluster)"
    skipped=$((skipped + 1))
fi
[ $skipped -lt 2 ] || exit 77
