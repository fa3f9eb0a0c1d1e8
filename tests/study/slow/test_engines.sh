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
timeout -s KILL 0.1 "$FENDER" "\$@" || true
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
run_and_kill() { # seconds, script
    sh "$2" >out 2>&1 &
    sleep "$1"
    kill_tree $!
    wait $! 2>/dev/null || true
}
skipped=0

if command -v parallel >/dev/null && parallel --version 2>/dev/null | grep -q "GNU parallel"; then
    "$own" study submit "$study" --runs $runs --shards 9 --engine parallel -o parallel.jobs --dry-run --options "-j 2" >/dev/null
    export FENDER="$PWD/slow_fender"
    run_and_kill 0.9 parallel.jobs/submit.sh
    run_and_kill 1.5 parallel.jobs/submit.sh
    export FENDER="$own"
    [ ! -e parallel.jobs/landing.study.db ] || fail "GNU parallel was not stopped in the middle"
    done_before=$(grep -c "shard.sh" parallel.jobs/joblog.txt || true)
    [ "$done_before" -gt 0 ] && [ "$done_before" -lt 9 ] || fail "not the middle: $(cat parallel.jobs/joblog.txt)"
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
    run_and_kill 1.4 mpi.jobs/submit.sh
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
