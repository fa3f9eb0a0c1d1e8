#!/bin/sh
# Bad studies, stores and calls: what is said of each, with its place, what was found and expected, and a remedy, is that of
# bad_studies.txt. UPDATE=1 puts what is said now in its place; look at the difference.
set -eu
golden=$FENDER_SOURCE_DIR/tests/study/bad_studies.txt
fail() { echo "$1" >&2; exit 1; }
if "$FENDER" study report none.db 2>&1 | grep -q "keeps no stores"; then echo "skipped: this build has no SQLite"; exit 77; fi
rm -rf ./*
cp "$FENDER_SOURCE_DIR"/samples/studies/flat_lander.yaml lander.yaml
: > said.txt
version=$("$FENDER" --version | grep -o '[0-9][0-9.]*' | head -n 1)

# Carries out a command that must be refused, and notes what it says.
refused() { # title, command...
    title=$1
    shift
    code=0
    "$@" >out 2>err || code=$?
    [ $code -ne 0 ] && [ $code -lt 126 ] || fail "$title: exit code $code: $(cat out err)"
    [ -s err ] || fail "$title: nothing is said"
    { echo "== $title: exit code $code"; sed "s/study [0-9a-f]\{16\}/study <hash>/g; s/version $version/version <version>/; s/, cvode_adams, cvode_bdf$//" err; } >> said.txt
}
# A study at the standard input.
bad() { # title
    cat > bad.yaml
    refused "$1" "$FENDER" study run bad.yaml -o bad.db
    grep -q "^[a-z_]*\.[a-z]*:[0-9]*:[0-9]*: error\|^bad.yaml: error" err || fail "$1: no place: $(cat err)"
    [ ! -e bad.db ] && [ ! -e bad.db.lock ] || fail "$1: a bad study makes a store"
}
path='path: bodies.lander.state.velocity.z'
good="$path, uniform: [-2, -1, m/s]"
study() { # the variable, then further lines
    printf 'fender_study: 1\nscenario: lander.yaml\nset: {run.until: 10 ms}\nvary:\n  v: {%s}\n' "$1"
    shift
    [ $# -eq 0 ] || printf '%s\n' "$@"
}
vary() { study "$1" 'runs: 5' | bad "$2"; }      # the variable, title
more() { title=$1 && shift && study "$good" "$@" | bad "$title"; } # title, further lines

# ---- the file
printf '' | bad "an empty file"
printf 'fender_study: 1\nvary: [1, 2\n' | bad "a list that does not end"
printf '\tx: 1\n' | bad "a tabulator"
printf 'fender: 1\n' | bad "a scenario in place of a study"
printf 'fender_study: 2\nscenario: lander.yaml\nruns: 5\nvary: {v: {%s}}\n' "$good" | bad "another version of the format"
printf 'fender_study: 1\nruns: 5\nvary: {v: {%s}}\n' "$good" | bad "no scenario"
printf 'fender_study: 1\nscenario: none.yaml\nruns: 5\nvary: {v: {%s}}\n' "$good" | bad "a scenario that is not there"
printf 'fender_study: 1\nscenario: lander.yaml\nruns: 5\n' | bad "nothing varies"
printf 'fender_study: 1\nscenario: lander.yaml\nruns: 5\nvary: {}\n' | bad "an empty vary"
printf 'fender_study: 1\nscenario: lander.yaml\nruns: 5\nvary: {v: {%s}, v: {%s}}\n' "$good" "$good" | bad "a variable twice"
sed 's/mass: 1200 kg/mass: -1200 kg/' lander.yaml > broken.yaml
printf 'fender_study: 1\nscenario: broken.yaml\nruns: 5\nvary: {v: {%s}}\n' "$good" | bad "an error in the scenario"
more "a key that is misspelt" 'runs: 5' 'outcome: {x: v > 1}'
printf 'fender_study: 1\nscenario: lander.yaml\nset: {run.untl: 1 s}\nruns: 5\nvary: {v: {%s}}\n' "$good" | bad "an unknown path in set"

# ---- variables
vary "path: bodies.lander.stat.velocity.z, uniform: [-2, -1, m/s]" "an unknown path"
vary "uniform: [-2, -1, m/s]" "no path"
vary "$path" "no distribution"
vary "$path, unifrom: [-2, -1, m/s]" "a distribution that is misspelt"
vary "$path, uniform: [-2, -1, m/s], normal: {mean: 1 m/s, deviation: 1 m/s}" "two distributions"
vary "$path, uniform: [-2, -1, kg]" "a unit of another dimension"
vary "$path, uniform: [-2, -1, parsecs]" "an unknown unit"
vary "$path, uniform: [-1, -2, m/s]" "bounds the wrong way round"
vary "$path, uniform: [-1, m/s]" "one bound"
vary "$path, normal: {mean: 1 m/s, deviation: 2 kg}" "two dimensions in one distribution"
vary "$path, normal: {mean: 1 m/s, deviation: -2 m/s}" "a negative deviation"
vary "$path, normal: {mean: 1 m/s}" "no deviation"
vary "$path, normal: {mean: .nan m/s, deviation: 1 m/s}" "a mean that is no number"
vary "$path, lognormal: {median: -1 m/s, deviation: 0.1}" "a negative median"
vary "$path, triangular: [1, 3, 2, m/s]" "a peak outside"
vary "$path, beta: {from: 1 m/s, to: 2 m/s, alpha: 0, beta: 1}" "a shape of 0"
vary "$path, weibull: {scale: 1 m/s, shape: -1}" "a negative shape"
vary "$path, discrete: {values: []}" "no values"
vary "$path, discrete: {values: [1 m/s, 2 m/s], weights: [1]}" "a weight too few"
vary "$path, discrete: {values: [1 m/s, 2 m/s], weights: [-1, 2]}" "a negative weight"
# A condition names a variable that could not be read: its error is told, and no other.
of_unread() { study "$path, discrete: $1" 'runs: 5' 'outcomes: {fast: "v > 1 [m/s]"}' | bad "$2"; } # the values, title
of_unread "{values: []}" "no values, in a condition"
of_unread "{}" "no key of values, in a condition"
of_unread "{value: [1 m/s, 2 m/s]}" "values that are misspelt, in a condition"
of_unread "{values: 1 m/s}" "values that are no list, in a condition"
of_unread "{values: [[1], [2]]}" "values that are lists, in a condition"
of_unread "{values: [1 m/s, 2 m/s], weights: [1]}" "a weight too few, in a condition"
of_unread "{values: [1 m/s, 2 m/s], weights: x}" "weights that are no list, in a condition"
of_unread "{values: [1 m/s, 2 m/s], weights: [-1, 2]}" "a negative weight, in a condition"
of_unread "{values: [1 m/s, 2 m/s], weights: [0, 0]}" "no weight above 0, in a condition"
of_unread "{options: [a, b]}" "options in a list, in a condition"
of_unread "{options: {a: none.yaml, b: 2}}" "an option in no file, in a condition"
of_unread "{options: {a: 1 m/s, b: 2 m/s}, weights: [1]}" "a weight too few for options, in a condition"
study "$path, discrete: {values: [1 m/s]}, table: [[1, 0], [2, 1], m/s]" 'runs: 5' 'success: v > 1 [m/s]' |
    bad "two distributions, in a condition"
# A list in place of a map.
vary "$path, discrete: [a, b]" "discrete values in a list"
for kind in normal lognormal beta weibull; do vary "$path, $kind: [0, 1]" "a list for $kind"; done
printf 'fender_study: 1\nscenario: lander.yaml\nruns: 5\nvary: {v: [a, b]}\n' | bad "a list for a variable"
vary "$path, table: [[1, 0.5], [2, 1], m/s]" "a table that does not begin at 0"
vary "$path, table: [[2, 0], [1, 1], m/s]" "a table that falls"
vary "$path, uniform: [-2, -1, m/s], within: [5, 6, m/s]" "limits in which nothing lies"
vary "$path, uniform: [-2, -1, m/s], levels: 1" "one level"
vary "path: bodies.lander.state.orientation, attitude: {cone: 200 deg}" "a cone of more than a sphere"
vary "path: bodies.lander.state.orientation, attitude: {cone: 10 deg, axis: [0, 0, 0]}" "an axis of length 0"
vary "path: bodies.lander.state.orientation, attitude: unifrom" "an unknown attitude"
vary "path: contact_types.pad_on_soil.friction.mu, uniform: [-0.5, 0.5]" "a distribution outside a law's range"
vary "path: integrator.method, discrete: {values: [rk4, velocity_verlte, dopri5]}" "a discrete value that is misspelt"
study "$good" '  w: {path: bodies.lander.state.velocity, direction: {length: 1 m/s}}' 'runs: 5' | bad "a path of which a part varies"
vary "path: contact_types.pad_on_soil, discrete: {options: {ice: none.yaml}}" "an option in a file that is not there"
study "path: integrator.method, discrete: {values: [rk4, dopri5]}" 'runs: 5' 'success: v > 1' | bad "words in a condition"
printf 'fender_study: 1\nscenario: lander.yaml\nruns: 5\nvary: {hash: {%s}}\n' "$good" | bad "a name that the store needs"
more "a name that is a function" 'runs: 5' 'outcomes: {max: v > -1}'
printf 'fender_study: 1\nscenario: lander.yaml\nruns: 5\nvary: {"a b": {%s}}\n' "$good" | bad "a name with a space"

# ---- designs
more "zero runs" 'runs: 0'
more "no number of runs"
more "half a run" 'runs: 2.5'
more "a design that is misspelt" 'runs: 5' 'design: sobel'
more "a number of runs that follows from the design" 'runs: 5' 'design: corners'
study "$path, normal: {mean: 1 m/s, deviation: 2 m/s}" 'design: corners' | bad "a grid without bounds"
more "a negative seed" 'runs: 5' 'seed: -1'
more "a list that is not there" 'design: {list: none.csv}'
printf 'w\n1\n' > list.csv
more "a list of other columns" 'design: {list: list.csv}'
printf 'v\n1\nfast\n' > list.csv
more "a word in a list" 'design: {list: list.csv}'
printf 'v\n1\n2,3\n' > list.csv
more "a list with a longer row" 'design: {list: list.csv}'
printf 'run,status\n1,ok\n' > list.csv
more "a list without a column for a variable" 'design: {list: list.csv}'
printf 'v [kg]\n1\n' > list.csv
more "a list in another unit" 'design: {list: list.csv}'
printf 'v [m/s]\n1\n' > list.csv
study "$path, uniform: [-2, -1]" 'design: {list: list.csv}' | bad "a list with a unit that its variable lacks"
printf 'v\n2\n' > list.csv
study "$path, discrete: {values: [-2 m/s, -1 m/s]}" 'design: {list: list.csv}' | bad "a list with a value that is not one of the discrete ones"
printf 'v\n' > list.csv
more "a list without rows" 'design: {list: list.csv}'

# ---- what is kept, outcomes
more "an unknown channel" 'runs: 5' 'keep: {x: {channel: bodies.lander.positon.z}}'
more "a list for a kept value" 'runs: 5' 'keep: {z: [a, b]}'
more "an unknown event" 'runs: 5' 'keep: {x: {channel: bodies.lander.position.z, at: {event: begni}}}'
more "a time of another dimension" 'runs: 5' 'keep: {x: {channel: bodies.lander.position.z, at: 2 m}}'
speed='channel: bodies.lander.velocity.z'
more "an event beside a channel" 'runs: 5' "keep: {x: {$speed, event: begin}}"
more "a condition beside a channel" 'runs: 5' "keep: {x: {$speed, when: {time: 1 s}}}"
more "a contact beside a channel" 'runs: 5' "keep: {x: {$speed, contact: 'ground:lander', at: {event: begin}}}"
more "a time of an event" 'runs: 5' 'keep: {x: {event: begin, at: 2 s}}'
more "a time of a condition" 'runs: 5' 'keep: {x: {when: {time: 1 s}, at: max}}'
more "an event beside a condition" 'runs: 5' 'keep: {x: {event: begin, when: {time: 1 s}}}'
more "a contact beside a condition" 'runs: 5' "keep: {x: {when: {time: 1 s}, contact: 'ground:lander'}}"
more "an event and a condition of a channel" 'runs: 5' "keep: {x: {$speed, at: {event: begin, when: {time: 1 s}}}}"
more "a contact and a condition of a channel" 'runs: 5' "keep: {x: {$speed, at: {when: {time: 1 s}, contact: 'ground:lander'}}}"
more "a name twice" 'runs: 5' 'keep: {v: {channel: bodies.lander.position.z}}'
more "names that differ in case alone" 'runs: 5' 'keep: {V: {channel: bodies.lander.position.z}}'
more "an unknown outcome" 'runs: 5' 'outcomes: {tipped: v > 1}' 'success: not tiped'
more "an outcome before it is known" 'runs: 5' 'outcomes: {a: b, b: v > 1}'
more "an expression that breaks off" 'runs: 5' 'success: v >'
more "an expression that goes on" 'runs: 5' 'success: v > 1 m/s'
more "an unknown unit in an expression" 'runs: 5' 'success: v > 1 [parsec/s]'
height='keep: {h: {channel: bodies.lander.position.z}, t: {event: begin}}'
more "a bound of another kind" 'runs: 5' "$height" 'success: h - 2 > 1 [kg]'
more "two values of different kinds" 'runs: 5' "$height" 'outcomes: {slow: t > 1}' 'success: not slow and h / t > h'
more "a length that is true" 'runs: 5' "$height" 'success: not (v > 1 or h)'
more "a bracket that stays open" 'runs: 5' 'success: (v > 1'
more "a comparison of a comparison" 'runs: 5' 'success: -1.8 < v < -1.2'
more "a function without its argument" 'runs: 5' 'success: abs > 1'
more "success that is a list" 'runs: 5' 'success: [v > 1]'
more "an expression with a unit without quotes in a map" 'runs: 5' 'outcomes: {fast: v > 1 [m/s]}'

# ---- calls
study "$good" 'runs: 12' > good.yaml
refused "--runs 0" "$FENDER" study run good.yaml --runs 0
refused "--runs of too many" "$FENDER" study run good.yaml --runs 99999999999
study "$good" 'design: corners' > corners.yaml
refused "--runs of a grid" "$FENDER" study run corners.yaml --runs 5
refused "--jobs many" "$FENDER" study run good.yaml --jobs many
refused "--shard 3/3" "$FENDER" study run good.yaml --shard 3/3
refused "--shard 1" "$FENDER" study run good.yaml --shard 1
refused "--only 12 of 12" "$FENDER" study run good.yaml --only 12
refused "no study" "$FENDER" study run none.yaml
refused "no such action" "$FENDER" study rum good.yaml
refused "a merge to nowhere" "$FENDER" study merge good.db
refused "a folder that is not there" "$FENDER" study run good.yaml -o none/good.db

# ---- stores
"$FENDER" study run good.yaml --quiet -o good.db
refused "no store" "$FENDER" study report none.db
refused "a text as store" "$FENDER" study report good.yaml
refused "a text as store to go on with" "$FENDER" study run good.yaml -o lander.yaml
python3 -c "import sqlite3; c = sqlite3.connect('other.db'); c.execute('CREATE TABLE t(x)'); c.commit()"
refused "a base of another program" "$FENDER" study report other.db
refused "a base of another program to go on with" "$FENDER" study run good.yaml -o other.db
study "$good" 'runs: 12' 'seed: 1' > seed.yaml
refused "a store of another study" "$FENDER" study run seed.yaml -o good.db
"$FENDER" study run seed.yaml --quiet -o seed.db
refused "stores of two studies" "$FENDER" study merge -o merged.db good.db seed.db
cp lander.yaml before.yaml
sed 's/step: 2 ms/step: 1 ms/' before.yaml > lander.yaml
refused "an edited scenario" "$FENDER" study run good.yaml -o good.db
cp before.yaml lander.yaml

# What another version, another machine and a damage leave.
cat > change.py <<'P'
import sqlite3, struct, sys

def checksum(rows):
    value = 0xcbf29ce484222325
    def add(data):
        nonlocal value
        for byte in data:
            value = ((value ^ byte) * 0x100000001b3) & 0xffffffffffffffff
    for cell in (cell for row in rows for cell in row):
        if isinstance(cell, int): add(b"\x01" + struct.pack("<q", cell))
        elif isinstance(cell, float): add(b"\x02" + struct.pack("<d", cell))
        elif cell is None: add(b"\x05")
        else: add(b"\x03" + struct.pack("<q", len(cell.encode())) + cell.encode())
    return value

kind, path = sys.argv[1:]
base = sqlite3.connect(path)
if kind == "version":
    base.execute("UPDATE study SET value='0.0.9' WHERE name='version'")
    rows = list(base.execute("SELECT * FROM study WHERE name<>'checksum' ORDER BY name"))
    rows += list(base.execute("SELECT * FROM columns ORDER BY position"))
    base.execute("UPDATE study SET value=? WHERE name='checksum'", ("%016x" % checksum(rows),))
elif kind == "row":
    base.execute("UPDATE runs SET hash='0123456789abcdef' WHERE run=7")
    row = list(base.execute("SELECT * FROM runs WHERE run=7"))[0][:-1]
    value = checksum([row])
    base.execute("UPDATE runs SET checksum=? WHERE run=7", (value - (1 << 64) if value >> 63 else value,))
elif kind == "value":
    base.execute("UPDATE runs SET v=v+1 WHERE run=7")
else:
    base.execute("UPDATE study SET value='edited' WHERE name='text'")
base.commit()
P
for kind in version row value text; do
    cp good.db $kind.db
    python3 change.py $kind $kind.db
done
refused "a store of another version" "$FENDER" study run good.yaml -o version.db
refused "stores of two versions" "$FENDER" study merge -o merged.db good.db version.db
refused "stores that disagree about a run" "$FENDER" study merge -o merged.db good.db row.db
refused "a value that was changed" "$FENDER" study report value.db
refused "a value that was changed, to go on with" "$FENDER" study run good.yaml -o value.db
refused "a text that was changed" "$FENDER" study export text.db --csv x.csv
head -c 6000 good.db > cut.db
refused "a store that was cut" "$FENDER" study report cut.db
cp good.db locked.db
cat > hold.py <<'P'
import fcntl, subprocess, sys
lock = open(sys.argv[1] + ".lock", "w")
fcntl.flock(lock, fcntl.LOCK_EX)
sys.exit(subprocess.call(sys.argv[2:]))
P
refused "a store that another process works on" python3 hold.py locked.db "$FENDER" study run good.yaml -o locked.db
[ ! -e merged.db ] && [ ! -e x.csv ] || fail "a refused merge or export leaves a file"

# ---- every one of them tells more than that it is wrong
awk '/^== / { if (title && !remedy) print "no remedy: " title; title = $0; remedy = 0; next }
     /^  / && !/^  (found) / || /must be a whole number/ { remedy = 1 }
     END { if (!remedy) print "no remedy: " title }' said.txt > without.txt || true
[ ! -s without.txt ] || fail "$(cat without.txt)"
[ "$(grep -c '^== ' said.txt)" -ge 93 ] || fail "only $(grep -c '^== ' said.txt) cases"
if [ -n "${UPDATE:-}" ]; then cp said.txt "$golden"; fi
diff -u "$golden" said.txt || fail "see above; UPDATE=1 takes it over"
