#!/bin/sh
# A real Slurm of two nodes, each in namespaces of its own, carries out a study as `fender study submit` hands it over; one
# node dies in the middle. All runs are there once, with the bytes of one machine.
set -eu
fail() { echo "$1" >&2; exit 1; }
skip() { echo "skipped: Slurm: $1"; exit 77; }
study=$FENDER_SOURCE_DIR/samples/studies/landing.yaml

if [ "${1:-}" != inside ]; then
    for tool in slurmctld slurmd sbatch munged; do
        command -v $tool >/dev/null || [ -x /usr/sbin/$tool ] || skip "there is no $tool (scripts/install_dependencies cluster)"
    done
    for tool in ip unshare; do command -v $tool >/dev/null || skip "there is no $tool"; done
    if "$FENDER" study report none.db 2>&1 | grep -q "keeps no stores"; then skip "this build has no SQLite"; fi
    unshare --net --mount --uts --pid --fork --kill-child --mount-proc true 2>/dev/null || skip "namespaces are not permitted here"
    unshare --net --mount --pid --fork --kill-child --mount-proc sh -c 'ip link add bridge0 type bridge' 2>/dev/null ||
        skip "network bridges are not permitted here"
    work=$(mktemp -d) # sockets have short paths
    code=0
    # What is started dies with the first process of the namespace.
    WORK=$work timeout 300 unshare --net --mount --pid --fork --kill-child --mount-proc sh "$0" inside || code=$?
    [ $code -eq 0 ] || tail -n 30 "$work"/*.log "$work"/jobs/log/* >&2 || true
    rm -rf "$work"
    exit $code
fi

# ---- inside
PATH=$PATH:/usr/sbin:/sbin
cd "$WORK"
ip link set lo up
ip link add bridge0 type bridge
ip address add 10.231.0.1/24 dev bridge0
ip link set bridge0 up

mkdir munge state
dd if=/dev/urandom of=munge/key bs=128 count=1 2>/dev/null
chmod 700 munge
chmod 600 munge/key
munged --force --key-file="$WORK/munge/key" --socket="$WORK/munge.socket" --pid-file="$WORK/munge/pid" \
    --log-file="$WORK/munge/log" --seed-file="$WORK/munge/seed" --num-threads=2

cat > slurm.conf <<CONF
ClusterName=fender
SlurmctldHost=$(hostname)(10.231.0.1)
AuthType=auth/munge
AuthInfo=socket=$WORK/munge.socket,cred_expire=6
SlurmUser=root
SlurmdUser=root
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,batch_sched_delay=1
SlurmdParameters=config_overrides
JobRequeue=1
ReturnToService=2
MessageTimeout=3
SlurmdTimeout=4
KillWait=1
StateSaveLocation=$WORK/state
SlurmdSpoolDir=$WORK/spool.%n
SlurmctldPidFile=$WORK/slurmctld.pid
SlurmdPidFile=$WORK/slurmd.%n.pid
SlurmctldLogFile=$WORK/slurmctld.log
SlurmdLogFile=$WORK/slurmd.%n.log
NodeName=n1 NodeAddr=10.231.0.11 CPUs=2 State=UNKNOWN
NodeName=n2 NodeAddr=10.231.0.12 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
export SLURM_CONF="$WORK/slurm.conf"
slurmctld -D >slurmctld.out.log 2>&1 &

start_node() { # name, number: leaves its first process in node_NAME
    unshare --net --uts --mount --pid --fork --kill-child --mount-proc sh -c "
        hostname $1
        while [ ! -e $WORK/$1.wired ]; do sleep 0.05; done
        ip link set lo up
        ip link set up_$1 name eth0
        ip address add 10.231.0.$2/24 dev eth0
        ip link set eth0 up
        exec slurmd -D -N $1 >$WORK/$1.out.log 2>&1" 2>"$1.unshare.log" &
    node=$!
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        child=$(cat /proc/$node/task/$node/children 2>/dev/null || true)
        child=${child%% *}
        [ -z "$child" ] || break
        sleep 0.1
    done
    ip link add "down_$1" type veth peer name "up_$1"
    ip link set "up_$1" netns "$child"
    ip link set "down_$1" master bridge0 up
    touch "$1.wired"
    echo "$child" > "node_$1"
}
start_node n1 11
start_node n2 12
tries=0
until [ "$(sinfo -h -t idle -o %D 2>/dev/null)" = 2 ]; do
    tries=$((tries + 1))
    [ $tries -lt 300 ] || fail "the nodes do not come up: $(sinfo 2>&1)"
    sleep 0.1
done

"$FENDER" study run "$study" --runs 120 --quiet -o one.db

# In place of fender: is killed once, waits, goes on; and tells where it was started.
cat > slow_fender <<SLOW
#!/bin/sh
case \$2 in run) echo "\$(hostname) \$*" >>$WORK/starts.txt ;; *) exec "$FENDER" "\$@" ;; esac
"$FENDER" "\$@" &
sleep 0.1
kill -KILL \$! 2>/dev/null || true
wait \$! 2>/dev/null || true
sleep 1.5
exec "$FENDER" "\$@"
SLOW
chmod +x slow_fender
FENDER_OWN=$FENDER
export FENDER="$WORK/slow_fender"
ARRAY_SIZE=7 "$FENDER_OWN" study submit "$study" --runs 120 --shards 12 --engine slurm -o jobs

# When both nodes have begun, the second one dies with all that runs there.
tries=0
until [ "$(grep -c '^n2' starts.txt 2>/dev/null)" -ge 2 ] 2>/dev/null; do
    tries=$((tries + 1))
    [ $tries -lt 300 ] || fail "nothing runs on n2: $(squeue 2>&1)"
    sleep 0.1
done
sleep 0.4
kill -KILL "$(cat node_n2)"

tries=0
until [ -z "$(squeue -h 2>/dev/null)" ]; do
    tries=$((tries + 1))
    [ $tries -lt 900 ] || fail "the jobs do not end: $(squeue 2>&1)"
    sleep 0.2
done
[ -e jobs/landing.study.db ] || fail "nothing was merged: $(cat jobs/log/merge_* 2>&1)"
cmp one.db jobs/landing.study.db || fail "Slurm's result is not that of one machine"
[ "$(sed 's/.*--shard \([0-9]*\).*/\1/' starts.txt | sort | uniq -d | wc -l)" -ge 1 ] || fail "no shard was begun again: $(cat starts.txt)"
[ "$(sed 's/.*--shard \([0-9]*\).*/\1/' starts.txt | sort -u | wc -l)" -eq 12 ] || fail "not all shards: $(cat starts.txt)"
grep -q "120 of 120 runs" jobs/log/merge_* || fail "$(cat jobs/log/merge_*)"

# Once more: what is whole ends at once, and the bytes stay.
export FENDER="$FENDER_OWN"
sh jobs/submit.sh >/dev/null
tries=0
until [ -z "$(squeue -h 2>/dev/null)" ]; do
    tries=$((tries + 1))
    [ $tries -lt 300 ] || fail "the jobs do not end the second time: $(squeue 2>&1)"
    sleep 0.2
done
cmp one.db jobs/landing.study.db || fail "a second submission changes the result"
