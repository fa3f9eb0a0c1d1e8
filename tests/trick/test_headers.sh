#!/bin/sh
# The headers of integrations/trick as Trick's ICG reads them: C and C++ take them alone; a PURPOSE comes first; each
# member stands on a line with an io specification, a unit that Fender knows, and a description; the S_define files name
# jobs that are declared.
set -eu
trick=$FENDER_SOURCE_DIR/integrations/trick
printf '#include "fender_trick.h"\n#include "fender_trick_jobs.h"\nint size(void);\nint size(void) { return (int)sizeof(fender_trick); }\n' >use.c
"$CC" -std=c99 -Wall -Wextra -Wpedantic -Werror -I"$trick/include" -c use.c
for compiler in c++ g++ clang++; do
    if command -v $compiler >/dev/null 2>&1; then
        cp use.c use.cpp
        $compiler -std=c++14 -Wall -Wextra -Wpedantic -Werror -I"$trick/include" -c use.cpp
        break
    fi
done
python3 - "$trick" "$FENDER" <<'EOF'
import re, subprocess, sys
trick, fender = sys.argv[1:3]
text = open(trick + "/include/fender_trick.h", encoding="utf-8").read()
failed, units, members = [], set(), 0
for header in ("fender_trick.h", "fender_trick_jobs.h"):
    first = open(f"{trick}/include/{header}", encoding="utf-8").read().split("*/")[0]
    if not re.match(r"/\*+TRICK HEADER\*+\nPURPOSE:\n    \(.+\)\nLIBRARY DEPENDENCIES:\n", first):
        failed.append(f"{header} does not begin with PURPOSE")
for name, body in re.findall(r"typedef struct (\w+) \{\n(.*?)\n\} \1;", text, re.S):
    for line in body.split("\n"):
        line = line.strip()
        if not line or line.startswith("/*"):
            continue
        found = re.fullmatch(r"(?:unsigned )?\w+ \*?(\w+)(?:\[\w+\])*; +/\* (\*i|\*o|\*io|\*\*) (\S+) (.+) \*/", line)
        if not found:
            failed.append(f"{name}: not readable: {line}")
            continue
        members += 1
        if found.group(2) != "**":
            units.add(found.group(3))
    if re.search(r"union|:\s*\d+;|\[\];", body):
        failed.append(f"{name} has a union, a bit field or a flexible array")
for unit in units - {"--"}:
    if subprocess.run([fender, "info", "units", unit], capture_output=True).returncode != 0:
        failed.append(f"unit {unit} is not known")
if members < 60:
    failed.append(f"only {members} members were read")
declared = set(re.findall(r"\b(fender_trick_\w+)\(fender_trick \*t", text + open(trick + "/include/fender_trick_jobs.h").read()))
for sim in ("SIM_vehicles", "SIM_scheduled"):
    define = open(f"{trick}/{sim}/S_define", encoding="utf-8").read()
    for job in re.findall(r"(fender_trick_\w+)\(&fender\)", define):
        if job not in declared:
            failed.append(f"{sim}: {job} is not declared")
    for path in re.findall(r"\((src/\w+\.c)\)", define):
        open(f"{trick}/{path}").close()
scenario = open(trick + "/SIM_vehicles/vehicles.yaml", encoding="utf-8").read()
if scenario not in open(trick + "/../../docs/book/from_trick.md", encoding="utf-8").read():
    failed.append("docs/book/from_trick.md shows another vehicles.yaml")
for line in failed:
    print(line)
sys.exit(bool(failed))
EOF
