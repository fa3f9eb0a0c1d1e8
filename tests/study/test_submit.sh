#!/bin/sh
# What `fender study submit` writes for each engine does the work when it is run by hand, from any folder, and whatever
# characters are in the names.
set -eu
fail() { echo "$1" >&2; exit 1; }
if "$FENDER" study report none.db 2>&1 | grep -q "keeps no stores"; then echo "skipped: this build has no SQLite"; exit 77; fi
rm -rf ./*
mkdir "it's a \$HOME"
cd "it's a \$HOME"
cp "$FENDER_SOURCE_DIR"/samples/studies/*.yaml .
submit() { "$FENDER" study submit landing.yaml --runs 12 --dry-run "$@"; }
"$FENDER" study run landing.yaml --runs 12 --quiet -o one.db

for engine in slurm parallel mpi; do
    submit --engine $engine --shards 3 --jobs 2 -o $engine.jobs --options "--one --two" > out || fail "$(cat out)"
    grep -q "3 shards of 12 runs" out || fail "$(cat out)"
    grep -q "next  sh $engine.jobs/submit.sh" out || fail "$(cat out)"
    for script in "$engine.jobs"/*.sh; do
        sh -n "$script" || fail "$script is not a script"
        [ -x "$script" ] || fail "$script cannot be executed"
    done
    grep -q -e '--jobs 2' $engine.jobs/shard.sh || fail "threads are lost"
    cat $engine.jobs/*.sh | grep -q -e '--one --two' || fail "$engine does not get its options"
done
grep -q '^#SBATCH --requeue$' slurm.jobs/shard.sh || fail "a lost node loses its shards"
[ "$(wc -l < parallel.jobs/jobs.txt)" -eq 3 ] || fail "$(cat parallel.jobs/jobs.txt)"

here=$PWD
cd /
sh "$here/slurm.jobs/shard.sh" 2
SLURM_ARRAY_TASK_ID=1 sh "$here/slurm.jobs/shard.sh" 0
if sh "$here/slurm.jobs/merge.sh" > "$here/out" 2>&1; then fail "a merge without shard 0 is complete"; fi
grep -q "4 of 12 runs are missing; the first is run 0" "$here/out" || fail "$(cat "$here/out")"
sh "$here/slurm.jobs/shard.sh" 0
sh "$here/slurm.jobs/merge.sh" | grep -q "12 of 12 runs" || fail "the merge is not complete"
cmp "$here/one.db" "$here/slurm.jobs/landing.study.db" || fail "Slurm"

sh "$here/parallel.jobs/jobs.txt" # a line is a command
sh "$here/parallel.jobs/merge.sh" > /dev/null
cmp "$here/one.db" "$here/parallel.jobs/landing.study.db" || fail "parallel"

OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=2 sh "$here/mpi.jobs/rank.sh"
PMI_RANK=0 PMI_SIZE=2 sh "$here/mpi.jobs/rank.sh"
sh "$here/mpi.jobs/merge.sh" > /dev/null
cmp "$here/one.db" "$here/mpi.jobs/landing.study.db" || fail "MPI"
if sh "$here/mpi.jobs/rank.sh" 2> "$here/out"; then fail "a rank that is none works"; fi
grep -q "sets no rank" "$here/out" || fail "$(cat "$here/out")"

if [ "${FENDER_SANITIZE:-}" = thread ]; then exit 0; fi # what is refused starts no threads

# ---- refused
cd "$here"
bad() { # words; arguments
    words=$1
    shift
    if "$FENDER" study submit "$@" > out 2>&1; then fail "taken: $*"; fi
    grep -q -e "$words" out || fail "$words: $(cat out)"
}
bad "needs --engine slurm" landing.yaml
bad "needs --engine slurm" landing.yaml --engine pbs
bad "more shards than runs" landing.yaml --engine slurm --dry-run --runs 5 --shards 6
bad "at most 10000" landing.yaml --engine slurm --dry-run --runs 20000 --shards 10001
bad "whole number" landing.yaml --engine slurm --shards none
bad "one line" landing.yaml --engine slurm --dry-run --options "$(printf 'a\nb')"
bad "cannot make the folder" landing.yaml --engine slurm --dry-run -o one.db
bad "cannot make the folder" landing.yaml --engine slurm --dry-run -o missing/folder
bad "missing.yaml" missing.yaml --engine slurm --dry-run
mkdir empty
for engine in slurm:sbatch parallel:parallel mpi:mpirun; do
    if PATH=$PWD/empty "$FENDER" study submit landing.yaml --engine ${engine%:*} -o none > out 2>&1; then fail "no engine"; fi
    grep -q "is not installed here: there is no '${engine#*:}'" out || fail "$(cat out)"
done
[ ! -e none ] || fail "scripts for an engine that is not there"
