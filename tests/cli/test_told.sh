#!/bin/sh
# What is easily meant otherwise is told: units left out, hulls without extent, keys in the wrong place, data that changed.
# items: C029 C041
set -u
here=$(cd "$(dirname "$0")" && pwd)
: "${FENDER:?names the program under test}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
# shellcheck source=tests/cli/expect.sh
. "$here/expect.sh"

silent() { # no error output
    if [ -s err ]; then
        echo "FAILED: expected no finding in:"
        cat err
        failed=$((failed + 1))
    fi
}
check() {
    "$@" || {
        echo "FAILED: $*"
        failed=$((failed + 1))
    }
}
body='mass_properties: {mass: 1 kg, inertia: [1, 1, 1, kg*m^2]}'
scenario() { # more keys of the body, more sections
    printf 'fender: 1\nrun: {until: 10 ms}\nmaterials: {m: {}}\nrules: [{materials: [m, m], use: never}]\nbodies:\n  a: {%s%s}\n%s\n' "$body" "$1" "$2" >a.yaml
}

# angles without a unit are radians, and a warning says so
scenario ', state: {orientation: {euler: [0, 4, 0], sequence: xyz}}' ''
expect 0 "'euler' has no unit: these are radians" "$FENDER check a.yaml"
for angles in '[0, 4, 0, deg]' '[0, 4, 0, rad]' '[0, 4 deg, 0]' '[0, 0, 0]' '[0, 4e0 rad, 0]'; do
    scenario ", state: {orientation: {euler: $angles, sequence: xyz}}" ''
    expect 0 "" "$FENDER check a.yaml"
    silent
done

# hulls of one or two points
scenario ', shapes: {s: {hull: {points: [[0, 0, 0], [1, 0, 0], m]}, material: m}}' ''
expect 0 "a hull of two points is a line" "$FENDER check a.yaml"
scenario ', shapes: {s: {hull: {points: [[0, 0, 0], m]}, material: m}}' ''
expect 0 "a hull of one point" "$FENDER check a.yaml"
scenario ', shapes: {s: {hull: {points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], m]}, material: m}}' ''
expect 0 "" "$FENDER check a.yaml"
silent

# tiles of one terrain in two shapes
tile='grid: {heights: [[0, 0], [0, 0], m], spacing: [3, 6, m]'
scenario ", shapes: {west: {$tile, lower: [-3, -3, m]}, material: m}, east: {$tile, lower: [0, -3, m]}, material: m}}" ''
expect 0 "'west' and 'east' of body 'a' touch along a border" "$FENDER check a.yaml"
scenario ", shapes: {west: {$tile, lower: [-3, -3, m]}, material: m}, east: {$tile, lower: [0.1, -3, m]}, material: m}}" ''
expect 0 "" "$FENDER check a.yaml"
silent

# a ball over the joint of two boxes of one floor has the force of both; not beside a gap or on one box
joint() { # position of the second box, the shape above
    cat >joint.yaml <<END
fender: 1
integrator: {step: 1 us}
run: {until: 1 ms}
contact_types: {c: {normal: {law: spring_damper, stiffness: 20 kN/m}}}
rules: [{default: c}]
bodies:
  floor:
    motion: fixed
    shapes: {left: {box: {half_extents: [1, 1, 1, m]}}, right: {box: {half_extents: [1, 1, 1, m]}, position: [$1, m]}}
  top:
    mass_properties: {mass: 2 kg, inertia: [1, 1, 1, kg*m^2]}
    shapes: {skin: {$2}}
    state: {position: [0, 0, 3, m]}
END
}
joint '2, 0, 0' 'sphere: {radius: 10 cm}'
expect 0 "'left' and 'right' of body 'floor' are flush: over their joint 'skin' of body 'top' touches both" \
    "$FENDER check joint.yaml"
joint '2.01, 0, 0' 'sphere: {radius: 10 cm}'
expect 0 "" "$FENDER check joint.yaml"
silent
joint '2, 0, 0' 'box: {half_extents: [1, 1, 1, m]}'
expect 0 "" "$FENDER check joint.yaml"
silent

# a law that has no number where the shapes touch: refused if they touch at the start, told if they are still apart
soil() { # height of the wheel, more parameters of the law, more of the contact type
    cat >soil.yaml <<END
fender: 1
run: {until: 10 ms}
world: {gravity: [0, 0, -1.62, m/s^2]}
contact_types:
  ground: {normal: {law: soil, frictional_modulus: 820 kN/m^3, unloading: 1e7 N/m^3$2}$3}
rules: [{default: ground}]
bodies:
  ground: {motion: fixed, shapes: {top: {plane: {}}}}
  wheel: {$body, state: {position: [0, 0, $1, cm]}, shapes: {rim: {cylinder: {radius: 20 cm, length: 10 cm}, orientation: {axis: [1, 0, 0], angle: 90 deg}}}}
END
}
soil 20 '' ''
expect 3 "touch at the start, and the force at contact ground.top:wheel.rim is not finite" "$FENDER check soil.yaml"
check grep -q "give the law an area" err
expect 3 "touch at the start" "$FENDER check --json soil.yaml"
soil 21 '' ''
expect 0 "warning: where the shapes touch .* is not finite" "$FENDER check soil.yaml"
soil 20 ', area: 20 cm^2' ''
expect 0 "" "$FENDER check soil.yaml"
check test "$(grep -c "not finite" err)" = 0

# `after` belongs in the table
table='columns: [s, N, N, N], rows: [[0, 0, 0, 0], [1, 1, 0, 0]]'
scenario '' "loads: {l: {body: a, force: {table: {$table}, after: zero}}}"
expect 3 "'after' belongs inside 'table'" "$FENDER check a.yaml"
scenario '' "loads: {l: {body: a, force: {table: {$table, after: zero}}}}"
expect 0 "" "$FENDER check a.yaml"

# a component that was set is at fault, not the list in the file
scenario ', state: {velocity: [1, 2, 3, m/s]}' ''
for component in x y z; do
    expect 3 "--set:1:27: error: 'fast' is not a number" "$FENDER check a.yaml --set bodies.a.state.velocity.$component=fast"
done
expect 0 "" "$FENDER check a.yaml --set bodies.a.state.velocity.z=4ft/s"

# what stands in tables of parameters can be written
expect 0 "" "$FENDER info links spring_damper_6dof"
check grep -q '^ *facing .*false .*true, false' out
expect 0 "" "$FENDER info build"
for library in hdf5 gdal sqlite sundials; do check grep -q -E "^$library +(yes|no)\$" out; done

# the report of an earlier run does not stay beside new data
scenario '' ''
expect 0 "" "$FENDER run a.yaml --out a.run"
expect 0 "" "$FENDER report a.run"
check test -e a.run/report.html
expect 0 "" "$FENDER run a.yaml --out a.run"
check test ! -e a.run/report.html

# --quiet leaves what the run itself warns of
cat >deep.yaml <<'END'
fender: 1
run: {until: 10 ms}
materials: {m: {}}
contact_types: {c: {law: spring_damper, stiffness: 1 N/m}}
rules: [{materials: [m, m], use: c}]
bodies:
  a: {mass_properties: {mass: 1 kg, inertia: [1, 1, 1, kg*m^2]}, shapes: {s: {sphere: {radius: 1 m}, material: m}}}
  b: {like: a, state: {position: [0.5, 0, 0, m]}}
END
expect 0 "overlap by 1.5 m at the start" "$FENDER run deep.yaml --quiet"
check test ! -s out

# mass and shapes in other units: an inertia in kg*mm^2, a size in millimetres; a size in inches is no reason
size() { echo "$FENDER run deep.yaml --quiet --set bodies.b.state.position.x=5m --set bodies.a.$1"; }
expect 0 "body 'a' do not fit: its radius of gyration is 1.22e+03 m, and its shapes reach 1 m" \
    "$(size 'mass_properties.inertia=[1e6,1e6,1e6,kg*m^2]')"
expect 0 "body 'a' do not fit: its radius of gyration is 1.22 m, and its shapes reach 1e+03 m" \
    "$(size shapes.s.sphere.radius=1000m) --set bodies.b.state.position.x=5km"
expect 0 "" "$(size shapes.s.sphere.radius=39m) --set bodies.b.state.position.x=5km"
check test ! -s err

# an FMU steps where no summary is seen: export warns as check does
sed 's/1 N.m/5e9 N\/m/; s/0.5, 0, 0, m/5, 0, 0, m/' deep.yaml >stiff.yaml
expect 0 "is too long for contact type 'c'" "$FENDER check stiff.yaml"
expect 0 "is too long for contact type 'c'" "$FENDER export stiff.yaml --fmu stiff.fmu"
expect 0 "overlap by 1.5 m at the start" "$FENDER export deep.yaml --fmu deep.fmu"

# points that coincide, in axes of their bodies; ports that face each other, and points with axes of their own, do not
cat >push.yaml <<'END'
fender: 1
run: {until: 10 ms}
bodies:
  a: {mass_properties: {mass: 1 kg, inertia: [1, 1, 1, kg*m^2]}, points: {p: {position: [0, 0, 0.3, m]}}}
  b:
    mass_properties: {mass: 1 kg, inertia: [1, 1, 1, kg*m^2]}
    points: {p: {position: [0, 0, -0.1, m]}}
    attached: {by: p, to: a.p}
links: {push: {between: [a.p, b.p], law: separation_spring, preload: 1 N, stroke: 1 cm, free_length: 1 cm}}
END
expect 0 "" "$FENDER check push.yaml"
check test ! -s err
aside="bodies.b={mass_properties: {mass: 1 kg, inertia: [1, 1, 1]}, points: {p: {position: [0, 0, -0.1]}},"
aside="$aside state: {of: p, relative_to: a.p}}"
expect 0 "points of link 'push' coincide, so that it will push along the x axis" "$FENDER check push.yaml --set '$aside'"
expect 0 "" "$FENDER check push.yaml --set '$aside' --set 'bodies.a.points.p.orientation={axis: [0, 1, 0], angle: -90 deg}'"
check test "$(grep -c coincide err)" = 0
far="--set 'bodies.a.state.position=[4e8, 0, 0]'" # points 1/2 mm apart do not coincide there, to 10 um of 1 cm
expect 0 "points of link 'push' coincide" "$FENDER check push.yaml --set '$aside' $far"
expect 0 "" "$FENDER check push.yaml --set '$aside' $far --set 'bodies.b.state.position=[0.5 mm, 0, 0]'"
check test "$(grep -c coincide err)" = 0
# the links decide it, by the sum of all coordinates: 0.1 um at 1 km along each axis
high="--set 'bodies.a.state.position=[1000, 1000, 1000]' --set 'links.push.free_length=1 m' --set 'links.push.stroke=1 m'"
expect 0 "points of link 'push' coincide" "$FENDER check push.yaml --set '$aside' $high --set 'bodies.b.state.position=[0.1 um, 0, 0]'"

# a file that is not there is 4 everywhere; what cannot be compared is 2
printf 'time [s],x [m]\n0,1\n1,2\n' >a.csv
printf 'time [s],x [kg]\n0,1\n1,2\n' >b.csv
for command in "compare a.csv none.csv" "compare none.csv a.csv" "plot none.csv x" "report none.run" "check none.yaml"; do
    expect 4 "none" "$FENDER $command"
done
expect 2 "" "$FENDER compare a.csv b.csv"

# rows of several contacts: each contact is compared with itself, and drawn by itself
printf 'time [s],contact,depth [m]\n0,g.p:a.s,1\n0,g.p:b.s,2\n1,g.p:a.s,3\n1,g.p:b.s,4\n' >a.csv
printf 'time [s],contact,depth [m]\n0,g.p:b.s,2\n0,g.p:a.s,1\n1,g.p:b.s,4\n1,g.p:a.s,3\n' >b.csv
expect 0 "" "$FENDER compare a.csv b.csv"
check grep -q "2 channels are the same" out
check grep -q "(4 rows of 2 contacts)" out
expect 0 "" "$FENDER plot a.csv depth --out depth.svg"
check grep -q "2 curves" out

# many warnings: 20 are printed, then the first of each further kind; the rest are counted by kind, errors always told
printf 'fender: 1\nrun: {until: 10 ms}\nbodies:\n' >many.yaml
for number in $(seq 30); do
    printf '  b%d: {%s, state: {orientation: {euler: [0, 4, 0], sequence: xyz}}}\n' "$number" "$body" >>many.yaml
done
printf '  c: {%s, points: {p: {}}, shapes: {s: {hull: {points: [[0, 0, 0], m]}}}}\n' "$body" >>many.yaml
expect 0 "10 more warnings are not shown; --json prints all" "$FENDER check many.yaml"
check grep -q "  10 like: 'euler' has no unit" err
check grep -q "a hull of one point" err
printf 'contact_types: {t: {normal: {law: spring_damper, stiffness: -1 N/m, damping: 0}}}\n' >>many.yaml
expect 3 "error: .*stiffness" "$FENDER check many.yaml"
check grep -q "10 more warnings are not shown" err
check test "$(grep -c '^1 error' err)" = 1

echo "$failed failed"
[ "$failed" -eq 0 ]
