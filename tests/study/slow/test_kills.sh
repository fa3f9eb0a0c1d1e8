#!/bin/sh
# The same bytes from one thread, two threads, seven shards in random order, and a process that is killed at 50 random
# moments and started again. usage: test_kills.sh [RUNS [KILLS]], for larger studies by hand
set -eu
study=$FENDER_SOURCE_DIR/samples/studies/landing.yaml
runs=${1:-1000}
kills=${2:-50}
fail() { echo "$1" >&2; exit 1; }
same() { cmp "$1" "$2" || fail "$1 and $2 differ"; }
if "$FENDER" study report none.db 2>&1 | grep -q "keeps no stores"; then echo "skipped: this build has no SQLite"; exit 77; fi
rm -rf ./*.db ./*.db-journal ./*.lock
run() { "$FENDER" study run "$study" --runs "$runs" --quiet "$@"; }

run -o one.db --jobs 1
run -o two.db --jobs 2
same one.db two.db

for i in $(awk 'BEGIN { srand(); for (i = 0; i < 7; i++) print rand(), i }' | sort | cut -d' ' -f2); do
    run -o "shard$i.db" --jobs $((i % 2 + 1)) --shard "$i/7"
done
"$FENDER" study merge --complete -o merged.db shard3.db shard0.db shard6.db shard1.db shard5.db shard2.db shard4.db | grep -q "$runs of $runs"
same one.db merged.db

# A study that is through before the last kill is begun anew.
killed=0
journals=0
for delay in $(awk -v n=$((3 * kills)) 'BEGIN { srand(); for (i = 0; i < n; i++) print 0.01 + 0.35 * rand() }'); do
    code=0
    "$FENDER" study run "$study" --runs "$runs" --quiet --jobs $((killed % 2 + 1)) -o killed.db &
    process=$!
    sleep "$delay"
    kill -KILL $process 2>/dev/null || true
    wait $process 2>/dev/null || code=$?
    if [ $code -eq 137 ]; then
        killed=$((killed + 1))
        [ ! -e killed.db-journal ] || journals=$((journals + 1))
        # Whoever reads it in between sees rows that are whole, and takes back what is half written.
        if [ $((killed % 10)) -eq 0 ] && [ -e killed.db ]; then
            "$FENDER" study export killed.db --csv killed.csv 2>err || grep -q "this is no store" err || fail "after kill $killed: $(cat err)"
        fi
    else
        [ $code -eq 0 ] || fail "exit code $code"
        same one.db killed.db
        rm killed.db
    fi
    [ $killed -lt "$kills" ] || break
done
[ $killed -ge $((kills / 2)) ] || fail "only $killed kills"
run -o killed.db
same one.db killed.db
[ ! -e killed.db.lock ] && [ ! -e killed.db-journal ] && [ ! -e killed.db.part ] || fail "something stays"
# A program that reads for long keeps the rows waiting, and loses none.
rm killed.db
run -o killed.db &
process=$!
python3 - <<'P'
import sqlite3, time
for _ in range(200):
    time.sleep(0.05)
    try:
        rows = sqlite3.connect("file:killed.db?mode=ro", uri=True).execute("SELECT * FROM runs, (VALUES(1), (2))")
        if rows.fetchone():
            break
    except sqlite3.OperationalError:
        pass
else:
    raise SystemExit("nothing to be read while the study goes on")
time.sleep(12)
P
wait $process || fail "a reader ends the study"
same one.db killed.db
echo "$killed kills, $journals of them with a journal left behind"
