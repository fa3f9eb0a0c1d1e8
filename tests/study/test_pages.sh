#!/bin/sh
# The page of a study and its figures hold what the store holds; a run is printed as a scenario that repeats it; the page
# leads to reports of runs that have the hash of the row, and stays small with many rows.
set -eu
study=$FENDER_SOURCE_DIR/samples/studies/landing.yaml
fail() { echo "$1" >&2; exit 1; }
if "$FENDER" study report none.db 2>&1 | grep -q "keeps no stores"; then echo "skipped: this build has no SQLite"; exit 77; fi
rm -rf ./*.db ./*.csv ./*.run ./*.html ./*.yaml ./*.svg figures

"$FENDER" study run "$study" --runs 60 --quiet -o landing.study.db
"$FENDER" study export landing.study.db --csv landing.csv
hash_of() { grep "^$1," landing.csv | grep -o '[0-9a-f]\{16\},' | tr -d ,; }

# A run as a scenario of its own.
for run in 3 41; do
    "$FENDER" study show "$study" --runs 60 --only $run > run.yaml
    "$FENDER" run run.yaml --out run.run --quiet
    grep -q "\"hash\":\"$(hash_of $run)\"" run.run/summary.json || fail "the scenario of run $run does not repeat it"
done
# Includes, bodies like others, files beside the scenario: the text says the same as the scenario with its settings.
for name in capture lander_legs wall_hexapod; do
    printf 'fender_study: 1\nscenario: %s/samples/scenarios/%s.yaml\nruns: 1\nset: {expect: "[]"}\nvary: {end: {path: run.until, uniform: [10, 11, ms]}}\n' \
        "$FENDER_SOURCE_DIR" $name > one.yaml
    "$FENDER" study show one.yaml > own.yaml
    "$FENDER" run own.yaml --out own.run --quiet
    "$FENDER" study run one.yaml --only 0 --keep --quiet
    cmp own.run/hashes.csv one_0.run/hashes.csv || fail "the text of $name is another scenario"
    [ -s one_0.run/report.html ] || fail "--keep made no report"
done

# The page, and a kept run that it leads to; one of another study has the same name, but not the hash.
"$FENDER" study run "$study" --runs 60 --only 3 --keep --quiet
cp -r landing_3.run landing_4.run
"$FENDER" study report landing.study.db --html page.html > /dev/null
for part in '<h1>How often does the lander stay upright?</h1>' '<dd>60 of 60</dd>' 'Convergence of the probability of tipped' \
    'Rank correlations of success' 'Histogram of slide' 'class="f-whisker"' 'id="fender-study">{"name":"landing","rows":60,"stride":1' \
    '"3":"landing_3.run/report.html"' 'slide &gt; 3 \[m\] and not tipped' "default-src 'none'" '</html>'; do
    grep -q "$part" page.html || fail "page.html lacks $part"
done
if grep -q 'landing_4.run' page.html; then fail "the page leads to a run of another hash"; fi
# Every row is in its data, with the numbers of the store.
python3 - <<'END'
import csv, json, re
page = open("page.html", encoding="utf-8").read()
data = json.loads(re.search(r'id="fender-study">(.*?)</script>', page, re.S).group(1))
rows = list(csv.DictReader(open("landing.csv", encoding="utf-8")))
assert data["run"] == list(range(60)) and [data["hash"][str(k)] for k in range(60)] == [row["hash"] for row in rows]
for column in data["columns"]:
    label = column["name"] + (f" [{column['unit']}]" if column["unit"] else "")
    for row, value in zip(rows, column["values"]):
        assert (value is None and row[label] == "") or abs(float(row[label]) - value) <= 1e-5 * abs(value) + 1e-12, (label, row[label], value)
END

# Figures: one picture, or a file each; well-formed, the same every time.
"$FENDER" study plot landing.study.db -o all.svg --quiet
"$FENDER" study plot landing.study.db -o figures --quiet
"$FENDER" study plot landing.study.db -o chosen.svg --of tipped --what outcomes --x side --y mu | grep -q '(1 figure)' || fail "not one figure"
grep -q '>side \[m/s\]<' chosen.svg && grep -q '>mu<' chosen.svg && grep -q '>tipped<' chosen.svg || fail "chosen.svg has not the chosen axes"
cp all.svg before.svg
"$FENDER" study plot landing.study.db -o all.svg --quiet
cmp all.svg before.svg || fail "a picture differs from itself"
for name in outcome_tipped convergence_far sensitivity_slide histogram_mu parallel_success; do [ -s figures/$name.svg ] || fail "figures/$name.svg is missing"; done
python3 - <<'END'
import glob, xml.dom.minidom
for name in ["all.svg", "chosen.svg", *glob.glob("figures/*.svg")]: xml.dom.minidom.parse(name)
points = xml.dom.minidom.parse("chosen.svg").getElementsByTagName("path")
drawn = sum(path.getAttribute("d").count("M") for path in points if path.getAttribute("class") in ("f-no", "f-yes"))
assert 60 <= drawn <= 62, drawn  # with the legend
END
refused() { words=$1; shift; if "$FENDER" study plot "$@" > out 2>&1; then fail "taken: $*"; fi; grep -q "$words" out || fail "not '$words': $(cat out)"; }
refused "no such figures" landing.study.db -o x.svg --what outcome
refused "no input has that name" landing.study.db -o x.svg --x slide
refused "no column has that name" landing.study.db -o x.svg --of nothing
refused "needs a file or a folder" landing.study.db
[ ! -e x.svg ] || fail "a refused plot left a file"

# Designs that are no sample: no probabilities of all runs, no convergence; bars of what the design was made for.
cp "$FENDER_SOURCE_DIR/samples/studies/flat_lander.yaml" .
designed() { # design, then what the page has and has not
    printf 'fender_study: 1\nscenario: flat_lander.yaml\nset: {run.until: 40 ms}\ndesign: %s\nvary:\n  down: {path: bodies.lander.state.velocity.z, uniform: [-2, -1, m/s]}\n  side: {path: bodies.lander.state.velocity.x, uniform: [0, 1, m/s]}\nkeep: {z: {channel: bodies.lander.position.z}}\nsuccess: z > 1.94 [m]\n' "$1" > designed.yaml
    rm -f designed.study.db; "$FENDER" study run designed.yaml --quiet
    "$FENDER" study report designed.study.db --html designed.html > /dev/null
    grep -q "$2" designed.html || fail "$1: the page has no '$2'"
    if grep -q 'id="convergence"' designed.html; then fail "$1: the page has the convergence of no probability"; fi
}
designed '{sobol_indices: 16}' "down, first order"
grep -q "of the two samples of the design" designed.html || fail "probabilities of all runs"
"$FENDER" study export designed.study.db --csv designed.csv
hits=$(awk -F, 'NR > 1 && $1 % 4 < 2 { hits += $6 } END { print hits + 0 }' designed.csv) # of each block the runs of A and B
[ "$hits" -gt 0 ] && [ "$hits" -lt 32 ] || fail "all or none: $hits"
grep -q "success</th><td>$hits</td>" designed.html || fail "probabilities of all runs, not of the two samples: $hits"
"$FENDER" study plot designed.study.db -o designed.svg --what sensitivities --of z --quiet
python3 - <<'END'
import re, xml.dom.minidom
texts = [node.firstChild.data for node in xml.dom.minidom.parse("designed.svg").getElementsByTagName("text") if node.firstChild]
labels = [text for text in texts if "," in text]
assert labels[:2] == ["down, total", "down, first order"], texts  # the speed downwards alone moves z
END
designed '{morris: 6}' "Morris' mu"
designed full_factorial "are not probabilities"
if "$FENDER" study plot designed.study.db -o none.svg --what convergence > out 2>&1; then fail "a convergence of no probability"; fi

# Many rows: a sample that the page tells of, with all of what is rare; the table's ends are those of all rows.
python3 - <<'END'
import shutil, sqlite3, struct
shutil.copy("landing.study.db", "many.study.db")
base = sqlite3.connect("many.study.db")
names = [row[1] for row in base.execute("PRAGMA table_info(runs)")]
rows = base.execute("SELECT * FROM runs WHERE status = 'ok' ORDER BY run").fetchall()
at = {name: names.index(name) for name in ("run", "slide", "tipped", "down")}
def made(k):
    row = list(rows[k % len(rows)])
    row[at["run"]], row[at["down"]], row[at["slide"]] = k, -1.5 + (k * 0.618033988749 % 1), k * 0.7548776662 % 1
    row[at["tipped"]] = 1.0 if k % 1000 == 7 else 0.0
    if k == 17777: row[at["slide"]] = 99.0
    row[-1] = checksum(row[:-1])
    return row
def checksum(cells):  # FNV-1a over type and value of each, as src/study/store_base.c has it
    data = b""
    for cell in cells:
        if cell is None: data += b"\5"
        elif isinstance(cell, int): data += b"\1" + struct.pack("<q", cell)
        elif isinstance(cell, float): data += b"\2" + struct.pack("<d", cell)
        else: data += b"\3" + struct.pack("<q", len(cell.encode())) + cell.encode()
    value = 0xcbf29ce484222325
    for byte in data: value = (value ^ byte) * 0x100000001b3 & 0xffffffffffffffff
    return value - (1 << 64) if value >> 63 else value
base.execute("DELETE FROM runs")
base.executemany(f"INSERT INTO runs VALUES ({','.join('?' * len(names))})", map(made, range(20000)))
base.commit()
END
"$FENDER" study report many.study.db --html many.html > /dev/null
[ "$(wc -c < many.html)" -lt 2500000 ] || fail "the page of 20,000 runs has $(wc -c < many.html) bytes"
python3 - <<'END'
import json, re
data = json.loads(re.search(r'id="fender-study">(.*?)</script>', open("many.html", encoding="utf-8").read(), re.S).group(1))
column = {column["name"]: column for column in data["columns"]}
assert data["stride"] == 5 and data["rows"] == 20000
shown = [run for run, drawn in zip(data["run"], data["drawn"]) if drawn]
assert set(range(0, 20000, 5)) <= set(shown) and set(range(7, 20000, 1000)) <= set(shown), "the sample lacks runs"
assert 17777 in data["run"] and max(value for value in column["slide"]["values"]) == 99, "the largest value is not in the table"
END

# The line of progress: rate, remaining time, outcomes so far, within the width of the terminal.
python3 - "$study" <<'END'
import fcntl, os, pty, re, struct, subprocess, sys, termios
def lines(columns):
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    if os.path.exists("shown.db"): os.remove("shown.db")
    child = subprocess.Popen([os.environ["FENDER"], "study", "run", sys.argv[1], "--runs", "150", "--jobs", "1", "-o", "shown.db"], stderr=slave, stdout=subprocess.PIPE)
    os.close(slave)
    text = b""
    while True:
        try: piece = os.read(master, 4096)
        except OSError: break
        if not piece: break
        text += piece
    out = child.stdout.read().decode()
    assert child.wait() == 0
    return [line for line in re.split(r"\r|\x1b\[K", text.decode()) if line], out
told, out = lines(200)
assert told, "no progress was shown"
for line in told: assert re.fullmatch(r"\d+ of 150 runs(, \d+(\.\d)? a second)?(, \d+ s to go)?(; tipped [\d.]+ %, far [\d.]+ %, success [\d.]+ %)?(; \d+ failed)?", line), line
assert any("to go; tipped" in line for line in told), told
assert out.startswith("150 of 150 runs") and "success" in out.splitlines()[0], out
assert all(len(line) <= 39 for line in lines(40)[0])
END
