// Reading of the four data elements: good input, damaged input and the derived series.
import assert from "node:assert/strict";
import { test } from "node:test";
import { buildContactLog, contactSeries, largestContacts } from "../../src/data/contacts";
import { parseHeaderCell, parseNumber, parseTable } from "../../src/data/csv";
import { modeLanes, parseEvents } from "../../src/data/events";
import { extentOfRun, niceStep, suggestFollow } from "../../src/data/extents";
import { curveName, groupRecordings, parseRecordings } from "../../src/data/recordings";
import { buildReplay, frameAt, framePosition, speedSeries } from "../../src/data/replay";
import { buildRun } from "../../src/data/run";
import { bodyRadius, parseGeometry, parseScene, shapeRadius } from "../../src/data/scene";
import { buildGeometry } from "../../src/view/geometry_builders";
import { parseSummary, residualIsMarked } from "../../src/data/summary";
import { capsuleRing, contactHeader, twoSpheres } from "../support/samples";

const header = "time [s],a.position.x [m],a.position.y [m],a.position.z [m],a.attitude.w,a.attitude.x,a.attitude.y,a.attitude.z";
const bodyA = { name: "a", motion: "dynamic", shapes: [] };

test("header cells split into name and unit", () => {
    assert.deepEqual(parseHeaderCell("veh1.position.x [m]"), { name: "veh1.position.x", unit: "m" });
    assert.deepEqual(parseHeaderCell(" veh1.attitude.w "), { name: "veh1.attitude.w", unit: "" });
    assert.deepEqual(parseHeaderCell("k [N/m^1.5]\r"), { name: "k", unit: "N/m^1.5" });
});

test("numbers keep every bit and nothing else passes for one", () => {
    assert.equal(parseNumber("0.1"), 0.1);
    assert.equal(parseNumber("-1.7976931348623157e+308"), -Number.MAX_VALUE);
    assert.equal(parseNumber("4.9406564584124654e-324"), Number.MIN_VALUE);
    assert.equal(parseNumber("10000000.000000002"), 10000000.000000002);
    assert.equal(parseNumber(" 2.\r"), 2);
    for (const bad of ["", " ", "nan", "inf", "-Infinity", "1e999", "0x10", "1,5", "1_0", "--1", "."])
        assert.ok(Number.isNaN(parseNumber(bad)), `"${bad}"`);
});

test("tables take both line ends and leave out damaged rows, with the first of them named", () => {
    const table = parseTable("time [s],x [m]\r\n0,1\r\n1,nan\r\n2,3\r\n3,4,5\r\n4", []);
    assert.equal(table.rowCount, 2);
    assert.deepEqual([...(table.columns[1]?.numbers ?? [])], [1, 3]);
    assert.equal(table.problems.length, 1);
    assert.match(table.problems[0] ?? "", /^3 rows left out; first at line 3: "nan" in column x/);
});

test("empty tables are empty, not wrong", () => {
    assert.deepEqual(parseTable(""), { columns: [], rowCount: 0, problems: [] });
    assert.deepEqual(parseTable("\n\n"), { columns: [], rowCount: 0, problems: [] });
    const onlyHeader = parseTable(`${header}\n`);
    assert.equal(onlyHeader.rowCount, 0);
    assert.equal(onlyHeader.columns.length, 8);
});

test("the replay holds what was written and finds the nearest earlier frame", () => {
    const replay = buildReplay(parseTable(`${header}\n0,1,2,3,1,0,0,0\n0.5,4,5,6,0,1,0,0\n1,7,8,9,0,0,1,0\n`), [bodyA]);
    assert.equal(replay.frameCount, 3);
    assert.deepEqual(replay.problems, []);
    assert.deepEqual([...(replay.tracks[0]?.z ?? [])], [3, 6, 9]);
    assert.deepEqual([...(replay.tracks[0]?.qx ?? [])], [0, 1, 0]);
    assert.deepEqual(
        [-1, 0, 0.49, 0.5, 0.99, 1, 7].map((time) => frameAt(replay.times, time)),
        [0, 0, 0, 1, 1, 2, 2],
    );
    assert.equal(frameAt(new Float64Array(0), 1), -1);
    assert.equal(framePosition(replay.times, 0.75), 1.5);
    assert.equal(framePosition(replay.times, 9), 2);
});

test("the replay says which bodies and rows are missing", () => {
    const replay = buildReplay(parseTable(`${header},b.position.x [m]\n0,0,0,0,1,0,0,0,0\n2,0,0,0,1,0,0,0,0\n1,0,0,0,1,0,0,0,0\n`), [
        bodyA,
        { name: "c", motion: "fixed", shapes: [] },
    ]);
    assert.equal(replay.frameCount, 2);
    assert.equal(replay.tracks[1], undefined);
    assert.ok(replay.problems.some((problem) => problem.includes("runs backwards")));
    assert.ok(replay.problems.some((problem) => problem.includes("no recorded pose of c")));
    assert.ok(replay.problems.some((problem) => problem.includes("not in the scene: b")));
});

test("speed comes from the positions, far from the origin too", () => {
    const rows = [0, 1, 2, 3].map((index) => `${index * 0.01},${1e7 + 0.03 * index},${0.04 * index},0,1,0,0,0`);
    const replay = buildReplay(parseTable(`${header}\n${rows.join("\n")}\n`), [bodyA]);
    const track = replay.tracks[0];
    assert.ok(track);
    for (const speed of speedSeries(replay, track)) assert.ok(Math.abs((speed ?? 0) - 5) < 1e-5, String(speed));
    const still = buildReplay(parseTable(`${header}\n1,0,0,0,1,0,0,0\n1,1,0,0,1,0,0,0\n`), [bodyA]);
    assert.ok(still.tracks[0]);
    assert.deepEqual(speedSeries(still, still.tracks[0]), [null, null]);
});

test("contacts fall to their frames; force is zero and depth unknown where there is none", () => {
    const times = Float64Array.of(0, 1, 2);
    const text = `${contactHeader}\n1,a.h:b.h,0.1,5,0.5,1,2,3,3,4,0\n1,c.h:d.h,0.2,50,0,0,0,0,0,0,50\n2,a.h:b.h,0.3,4,0,0,0,0,4,0,0\n`;
    const log = buildContactLog(parseTable(text, ["contact"]), times);
    assert.deepEqual(log.names, ["a.h:b.h", "c.h:d.h"]);
    assert.deepEqual(log.rowsByFrame.map((rows) => rows.length), [0, 2, 1]);
    assert.deepEqual(log.rowsByFrame[1]?.[0]?.point, [1, 2, 3]);
    assert.equal(log.peakForce, 50);
    assert.deepEqual(contactSeries(log, 0, "normalForce"), [0, 5, 4]);
    assert.deepEqual(contactSeries(log, 0, "depth"), [null, 0.1, 0.3]);
    assert.deepEqual(largestContacts(log, "normalForce", 1), [1]);
    assert.deepEqual(largestContacts(log, "depth", 5), [0, 1]);
    assert.equal(buildContactLog(parseTable(`${contactHeader}\n`, ["contact"]), times).rowCount, 0);
    assert.equal(buildContactLog(parseTable(text, ["contact"]), new Float64Array(0)).rowsByFrame.length, 0);
});

test("a scene gives bodies and shapes; what cannot be drawn is named", () => {
    const scene = parseScene({
        format: "fender-scene",
        version: 1,
        title: "T",
        axes: ["n", "e", "d"],
        bodies: [
            {
                name: "lander",
                motion: "dynamic",
                shapes: [
                    { name: "pad", geometry: { type: "capsule", radius: 0.1, half_length: 0.4 }, position: [3, 4, 0], orientation: [2, 0, 0, 0] },
                    { name: "deck", geometry: { type: "box", size: [1, 1, 1] } },
                    { name: "bad", geometry: { type: "sphere", radius: -1 } },
                ],
            },
        ],
    });
    assert.deepEqual(scene.axes, ["n", "e", "d"]);
    assert.deepEqual(scene.bodies[0]?.shapes[0]?.geometry, { type: "capsule", radius: 0.1, halfLength: 0.4 });
    assert.deepEqual(scene.bodies[0]?.shapes[0]?.orientation, [1, 0, 0, 0]);
    assert.deepEqual(scene.problems, ["shapes not drawn: lander.deck (box), lander.bad (sphere)"]);
    assert.ok(scene.bodies[0]);
    assert.equal(bodyRadius(scene.bodies[0]), 5.5);
    assert.ok(parseScene({ format: "fender-scene", version: 9 }).problems[0]?.includes("fender-scene 9"));
    assert.deepEqual(parseScene(undefined).problems, ["the scene is missing"]);
});

test("every geometry of the program is read; what has no usable numbers is named", () => {
    const tetrahedron = { vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 2], triangles: [0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2] };
    assert.deepEqual(parseGeometry({ type: "box", half_extents: [1, 2, 2] }), { type: "box", halfExtents: [1, 2, 2], rounding: 0 });
    assert.equal(shapeRadius(parseGeometry({ type: "box", half_extents: [1, 2, 2], rounding: 0.5 })), 3.5);
    assert.equal(shapeRadius(parseGeometry({ type: "cylinder", radius: 3, half_length: 4 })), 5);
    assert.equal(shapeRadius(parseGeometry({ type: "cone", radius: 3, half_length: 4, rounding: 1 })), 6);
    assert.equal(shapeRadius(parseGeometry({ type: "disk", radius: 3 })), 3);
    assert.equal(shapeRadius(parseGeometry({ type: "ellipsoid", radii: [1, 0, 2] })), 2);
    assert.equal(shapeRadius(parseGeometry({ type: "plane" })), 0);
    assert.deepEqual(parseGeometry({ type: "point" }), { type: "points", typeName: "point", vertices: [0, 0, 0] });
    assert.deepEqual(parseGeometry({ type: "point", rounding: 2 }), { type: "sphere", radius: 2 });
    assert.equal(shapeRadius(parseGeometry({ type: "cloud", vertices: [0, 0, 1, 0, 3, 4] })), 5);
    assert.deepEqual(parseGeometry({ type: "probe", range: 0.8, cushion: 0.05 }), { type: "probe", range: 0.8, cushion: 0.05 });
    assert.equal(shapeRadius(parseGeometry({ type: "probe", range: 0.8, cushion: 0 })), 0.8);
    for (const type of ["hull", "grid", "mesh"]) assert.equal(shapeRadius(parseGeometry({ type, ...tetrahedron })), 2);
    const bad = [
        { type: "box", half_extents: [1, -1, 1] },
        { type: "box", half_extents: [0, 0, 0] },
        { type: "cloud", vertices: [1, 2] },
        { type: "hull", vertices: tetrahedron.vertices },
        { type: "mesh", vertices: tetrahedron.vertices, triangles: [0, 1, 4] },
        { type: "mesh", vertices: [0, 0, null], triangles: [0, 0, 0] },
        { type: "cylinder" },
        { type: "probe", cushion: 1 },
        { type: "torus" },
    ];
    for (const geometry of bad) assert.equal(parseGeometry(geometry).type, "unknown", JSON.stringify(geometry));
});

test("every geometry becomes triangles with colours and normals, about as large as it is", () => {
    const tetrahedron = { vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], triangles: [0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2] };
    const cases: [object, number, number, number][] = [
        [{ type: "sphere", radius: 2 }, 2, 2, 2],
        [{ type: "capsule", radius: 1, half_length: 2 }, 1, 1, 3],
        [{ type: "disk", radius: 2 }, 2, 2, 0],
        [{ type: "disk", radius: 2, rounding: 0.5 }, 2.5, 2.5, 0.5],
        [{ type: "box", half_extents: [1, 2, 3] }, 1, 2, 3],
        [{ type: "box", half_extents: [1, 2, 3], rounding: 0.5 }, 1.5, 2.5, 3.5],
        [{ type: "cylinder", radius: 1, half_length: 2 }, 1, 1, 2],
        [{ type: "cylinder", radius: 1, half_length: 2, rounding: 1 }, 2, 2, 3],
        [{ type: "cone", radius: 1, half_length: 2 }, 1, 1, 2],
        [{ type: "ellipsoid", radii: [1, 2, 3] }, 1, 2, 3],
        [{ type: "ellipsoid", radii: [1, 2, 3], rounding: 1 }, 2, 3, 4],
        [{ type: "plane" }, 20, 20, 0],
        [{ type: "point" }, 0.1, 0.1, 0.1],
        [{ type: "probe", range: 2, cushion: 1 }, 0.04, 0.04, 1.04], // to the ball at its tip
        [{ type: "hull", ...tetrahedron }, 1, 1, 1],
        [{ type: "hull", ...tetrahedron, rounding: 0.25 }, 1.25, 1.25, 1.25],
    ];
    for (const [json, x, y, z] of cases) {
        const built = buildGeometry(parseGeometry(json), "fine", 10);
        assert.ok(built, JSON.stringify(json));
        assert.deepEqual(Object.keys(built.attributes).sort(), ["color", "normal", "position"]);
        built.computeBoundingBox();
        const { max } = built.boundingBox ?? assert.fail();
        // a circle of 48 segments may miss its radius by 2 in 1000
        for (const [found, wanted] of [[max.x, x], [max.y, y], [max.z, z]] as const)
            assert.ok(Math.abs(found - wanted) < 0.005 * wanted + 1e-5, `${JSON.stringify(json)}: ${found} for ${wanted}`);
        built.dispose();
    }
});

test("a summary is taken as far as it goes", () => {
    assert.deepEqual(parseSummary(undefined).contacts, []);
    const summary = parseSummary({
        duration: 10,
        hash: "ab",
        wall_time: null,
        contacts: [{ contact: "a:b", begins: 5, ends: null }, 7],
        energy: { start: 1, residual: "none" },
        body_pairs: [{ a: "lander", b: "ground", contacts: 4, begin_time: 1, end_time: null, peak_force: 7, energy_lost: 2 }, 3],
        links: [{ link: "leg", peak_force: 5, longest: 0.6, stroke_left: null, active: true, broken: true }, { active: false }],
        events: [{ time: 6, kind: "separate" }, { time: "x" }, { time: 5, kind: "touch", contact: "a:b" }],
    });
    assert.deepEqual(summary.facts, [
        { key: "duration", value: 10 },
        { key: "hash", value: "ab" },
    ]);
    assert.equal(summary.contacts.length, 1);
    assert.equal(summary.contacts[0]?.ends, null);
    assert.equal(summary.contacts[0]?.peakForce, null);
    assert.deepEqual(summary.energy, [
        { key: "start", value: 1 },
        { key: "residual", value: "none" },
    ]);
    assert.deepEqual(summary.events.map((event) => event.time), [5, 6]);
    assert.deepEqual(summary.bodyPairs, [
        { bodies: "lander:ground", contacts: 4, begins: 1, ends: null, peakForce: 7, peakTime: null, impulse: null, energyLost: 2 },
    ]);
    assert.deepEqual(summary.links.map(({ link, state, strokeLeft, longest }) => [link, state, strokeLeft, longest]), [
        ["leg", "broken", null, 0.6],
        ["", "off", null, null],
    ]);
    assert.deepEqual(parseSummary({}).links, []);
});

test("files of version 0.1 read as those of today", () => {
    const now = parseSummary({
        contacts: [{ contact: "a:b", begin_time: 5, end_time: 6, peak_force_time: 5.5, peak_depth: 0.1 }],
        events: [{ time: 5, event: "begin", contact: "a:b" }, { time: 6, event: "end", contact: "a:b" }, { time: 7, event: "attach", child: "a", parent: "b" }],
    });
    const former = parseSummary({
        contacts: [{ contact: "a:b", begins: 5, ends: 6, peak_time: 5.5, max_depth: 0.1 }],
        events: [{ time: 5, kind: "touch", contact: "a:b" }, { time: 6, kind: "release", contact: "a:b" }, { time: 7, kind: "attach", body_a: "a", body_b: "b" }],
    });
    assert.deepEqual(former, now);
    assert.equal(now.contacts[0]?.peakTime, 5.5);
    assert.equal(now.events[2]?.contact, "a:b");
    const rows = (begin: string, end: string) => parseEvents(`time [s],event,contact,code,speed\n5,${begin},a:b,0,0.4\n6,${end},a:b,0,-0.3\n`, []);
    assert.deepEqual(rows("touch", "release"), rows("begin", "end"));
    assert.deepEqual(modeLanes(rows("touch", "release"), 10, []), [{ contact: "a:b", spans: [{ from: 5, to: 6, mode: "touching" }] }]);
});

test("a residual is marked as in the terminal", () => {
    const energy = (largest: number) => parseSummary({ energy: { residual: 0, largest_residual: largest, scale: 200 } }).energy;
    assert.equal(residualIsMarked(energy(0.19)), false);
    assert.equal(residualIsMarked(energy(0.21)), true);
    assert.equal(residualIsMarked(energy(-0.21)), true);
    assert.equal(residualIsMarked(parseSummary({ energy: { largest_residual: 0, scale: 0 } }).energy), false);
    assert.equal(residualIsMarked([]), false);
});

test("whole runs read without a complaint", () => {
    const spheres = buildRun(twoSpheres().texts);
    assert.deepEqual(spheres.problems, []);
    assert.equal(spheres.title, "Two spheres");
    assert.ok(spheres.scene.about.includes("<b>"));
    assert.equal(spheres.replay.frameCount, 501);
    assert.equal(spheres.summary.contactsFromFrames, false);

    const ring = buildRun(capsuleRing(200).texts);
    assert.deepEqual(ring.problems, []);
    assert.equal(ring.summary.contactsFromFrames, true);
    assert.equal(ring.summary.contacts.length, 60, "each pair touches twice, a row for each time");
    assert.ok((ring.summary.contacts[0]?.peakForce ?? 0) > 0);
});

test("an empty page and broken JSON give an empty run and a reason", () => {
    const empty = buildRun({ scene: "", replay: "", contacts: "", summary: "" });
    assert.equal(empty.replay.frameCount, 0);
    assert.equal(empty.title, "Fender run");
    const broken = buildRun({ scene: "{", replay: "", contacts: "", summary: "[" });
    assert.ok(broken.problems.some((problem) => problem.startsWith("scene:")));
    assert.ok(broken.problems.some((problem) => problem.startsWith("summary:")));
});

test("extents cover shapes and motion; a run that travels far is followed", () => {
    const near = buildRun(twoSpheres().texts);
    const extent = extentOfRun(near.scene, near.replay, null);
    assert.ok(Math.abs(extent.center[0]) < 1e-12);
    assert.ok(Math.abs(extent.radius - Math.hypot(3, 1, 1.25)) < 1e-12);
    assert.equal(suggestFollow(near.scene, near.replay), null);

    const rows = [0, 1, 2].map((index) => `${index},${7000 * index},0,0,1,0,0,0`).join("\n");
    const scene = parseScene({
        format: "fender-scene",
        version: 1,
        bodies: [{ name: "a", shapes: [{ name: "s", geometry: { type: "sphere", radius: 2 } }] }],
    });
    const replay = buildReplay(parseTable(`${header}\n${rows}\n`), scene.bodies);
    assert.equal(suggestFollow(scene, replay), 0);
    assert.ok(Math.abs(extentOfRun(scene, replay, 0).radius - 2 * Math.sqrt(3)) < 1e-12);

    // what is drawn far from the origin of its body is framed where it is, not with the way to it
    const far = parseScene({
        format: "fender-scene",
        version: 1,
        bodies: [{ name: "a", shapes: [{ name: "s", position: [8, 0, 0], geometry: { type: "sphere", radius: 0.5 } }] }],
    });
    const half = Math.SQRT1_2; // a quarter turn about z takes x to y
    const turned = buildReplay(parseTable(`${header}\n0,1,2,3,${half},0,0,${half}\n`), far.bodies);
    const ball = extentOfRun(far, turned, null);
    [1, 10, 3].forEach((value, axis) => assert.ok(Math.abs((ball.center[axis] ?? 0) - value) < 1e-12));
    assert.ok(Math.abs(ball.radius - 0.5 * Math.sqrt(3)) < 1e-12);
    assert.deepEqual([0.3, 1, 2.1, 9, 0, 70].map(niceStep).map((step) => Number(step.toPrecision(3))), [0.2, 1, 2, 5, 1, 50]);
});

test("a quantity of all contacts of a list is one plot, with a curve for each contact", () => {
    const column = (name: string, unit: string, values: (number | null)[]) => ({ name, unit, values });
    const recordings = parseRecordings({
        tables: [
            {
                file: "contacts.csv",
                time: 0,
                contacts: 7,
                columns: [
                    column("time", "s", [0, 1]),
                    column("a.x:b.y.normal_force", "N", [1, null]),
                    column("a.x:b.y.force.x", "N", [2, null]),
                    column("c.x:b.y[12].normal_force", "N", [null, 3]),
                    column("c.x:b.y[12].force.x", "N", [null, 4]),
                ],
            },
        ],
    });
    const groups = groupRecordings(recordings);
    assert.equal(recordings[0]?.contacts, 7);
    assert.deepEqual(groups.map((group) => group.title), ["contacts.*.normal_force", "contacts.*.force.x"]);
    assert.deepEqual(groups[0]?.columns.map((one) => curveName(one.name)), ["a.x:b.y", "c.x:b.y[12]"]);
    assert.deepEqual(groups[0]?.columns[1]?.values, [null, 3]);
    assert.equal(curveName("bodies.a.position.x"), "a.position.x");
    assert.equal(curveName("ledger.energy.kinetic"), "kinetic");
});
