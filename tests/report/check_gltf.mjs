// check_gltf.mjs RUN FILE.glb FRAMES: judges a glTF file by the Khronos validator and compares it with the run that it was made of.
// Its numbers are floats about the origin that its first node states: 1e-6 of the largest is eight roundings of a float.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import process from "node:process";

const [run, path, frames] = process.argv.slice(2);
const validator = createRequire(join(process.env.FENDER_SOURCE_DIR, "web", "package.json"))("gltf-validator");

function demand(condition, text) {
    if (condition) return;
    console.log(`check_gltf: ${text}`);
    process.exit(1);
}

const bytes = readFileSync(path);
const verdict = await validator.validateBytes(new Uint8Array(bytes));
const said = verdict.issues.messages.map((message) => `${message.code} at ${message.pointer ?? message.offset}`).join(", ");
demand(verdict.issues.numErrors + verdict.issues.numWarnings === 0, `the validator says: ${said}`);

// ---- the file: JSON, then bytes that accessors read
const jsonLength = bytes.readUInt32LE(12);
const gltf = JSON.parse(bytes.subarray(20, 20 + jsonLength).toString("utf8"));
function floats(index) {
    const accessor = gltf.accessors[index];
    const size = { SCALAR: 1, VEC3: 3, VEC4: 4 }[accessor.type];
    const from = 28 + jsonLength + gltf.bufferViews[accessor.bufferView].byteOffset;
    const row = (i) => Array.from({ length: size }, (_, k) => bytes.readFloatLE(from + 4 * (i * size + k)));
    return Array.from({ length: accessor.count }, (_, i) => row(i));
}
const animation = gltf.animations[0];
const times = floats(animation.samplers[0].input).map((row) => row[0]);
const moves = new Map(); // node -> path -> value of each frame
for (const { sampler, target } of animation.channels) {
    demand(animation.samplers[sampler].input === animation.samplers[0].input, "channels of different times");
    moves.set(target.node, { ...moves.get(target.node), [target.path]: floats(animation.samplers[sampler].output) });
}
/** Translation, rotation (x y z w) and scale of a node at a frame. */
function at(node, frame) {
    const own = gltf.nodes[node];
    const moved = moves.get(node) ?? {};
    return {
        translation: moved.translation?.[frame] ?? own.translation,
        rotation: moved.rotation?.[frame] ?? own.rotation,
        scale: moved.scale?.[frame] ?? own.scale ?? [1, 1, 1],
    };
}
const world = gltf.nodes[gltf.scenes[0].nodes[0]];
const origin = world.extras.origin;
const children = (name) => world.children.filter((i) => gltf.nodes[i].name === name && gltf.nodes[i].extras).flatMap((i) => gltf.nodes[i].children);

// ---- the run
const table = (name) => readFileSync(join(run, name), "utf8").trimEnd().split("\n").slice(1).map((line) => line.split(","));
const scene = JSON.parse(readFileSync(join(run, "scene.json"), "utf8"));
const poses = new Map(table("replay.csv").map((row) => [Number(row[0]), row.slice(1).map(Number)]));
const contacts = new Map();
for (const row of table("contacts.csv")) contacts.set(`${Number(row[0])} ${row[1]}`, row.slice(2).map(Number));
const events = table("events.csv");
const length = (v) => Math.hypot(...v);
const minus = (a, b) => a.map((x, i) => x - b[i]);
function rotate([x, y, z, w], [a, b, c]) {
    const [p, q, r] = [y * c - z * b, z * a - x * c, x * b - y * a];
    return [a + 2 * (w * p + y * r - z * q), b + 2 * (w * q + z * p - x * r), c + 2 * (w * r + x * q - y * p)];
}
function pose(time, body) {
    const i = 7 * scene.bodies.findIndex((other) => other.name === body);
    const [w, x, y, z] = poses.get(time).slice(i + 3, i + 7);
    return { position: minus(poses.get(time).slice(i, i + 3), origin), turn: [x, y, z, w] };
}
const size = 1 + Math.max(...[...poses.values()].flatMap((row) => scene.bodies.flatMap((_, i) => minus(row.slice(7 * i, 7 * i + 3), origin).map(Math.abs))));
const near = (a, b) => length(minus(a, b)) <= 1e-6 * size;
/** Along z of the node: where its rod or arrow ends. */
const tip = (place) => rotate(place.rotation, [0, 0, place.scale[2]]).map((x, i) => x + place.translation[i]);

// ---- both
const recorded = [...poses.keys()];
demand(times.length === Math.min(Number(frames), recorded.length), `${times.length} frames`);
const start = recorded[0];
const shown = times.map((t) => recorded.find((time) => Math.fround(time - start) === Math.fround(t)));
demand(shown.every((time) => time !== undefined), "a frame at a time of which no state was recorded");
demand(shown.at(-1) === recorded.at(-1), "the last state is not shown");
// What has no size stays where it was, or is where it will be first: so it neither slides nor turns between two frames.
for (const node of [...children("links"), ...children("contact forces")]) {
    let seen = false;
    const places = times.map((_, frame) => at(node, frame));
    const [first] = places.filter((place) => place.scale[2] > 0);
    places.forEach((place, frame) => {
        seen ||= place.scale[2] > 0;
        if (place.scale[2] > 0 || first === undefined) return;
        const other = seen ? places[frame - 1] : first;
        demand(near(place.translation, other.translation) && near(place.rotation, other.rotation), `${gltf.nodes[node].name} slides at frame ${frame}`);
    });
}
const counts = { bodies: 0, links: 0, forces: 0 };
shown.forEach((time, frame) => {
    for (const { name } of scene.bodies) {
        const node = world.children.find((i) => gltf.nodes[i].name === name);
        demand(node !== undefined, `no node for body ${name}`);
        const [place, { position, turn }] = [at(node, frame), pose(time, name)];
        demand(near(place.translation, position), `${name} is elsewhere at ${time} s`);
        const same = Math.abs(place.rotation.reduce((sum, x, i) => sum + x * turn[i], 0)); // cosine of half the angle
        demand(Math.abs(same - 1) <= 1e-6, `${name} is turned otherwise at ${time} s`);
        counts.bodies++;
    }
    const links = children("links");
    demand(links.length === scene.links.length, "as many links as the scene has");
    scene.links.forEach((link, i) => {
        const place = at(links[i], frame);
        const has = (kind) => events.some((row) => row[1] === kind && row[2] === link.name && Number(row[0]) <= time);
        const holds = !has("break") && !has("spent") && (link.law !== "latch" || has("capture"));
        demand(gltf.nodes[links[i]].name === link.name && place.scale[2] > 0 === holds, `link ${link.name} at ${time} s`);
        if (!holds) return;
        const [a, b] = link.ends.map((end) => {
            const { position, turn } = pose(time, end.body);
            return rotate(turn, end.position).map((x, k) => x + position[k]);
        });
        demand(near(place.translation, a) && near(tip(place), b), `link ${link.name} ends elsewhere at ${time} s`);
        counts.links++;
    });
    const group = gltf.nodes.find((node) => node.name === "contact forces");
    for (const arrow of group?.children ?? []) {
        const place = at(arrow, frame);
        const row = contacts.get(`${time} ${gltf.nodes[arrow].name}`);
        demand(place.scale[2] > 0 === (row !== undefined && length(row.slice(6, 9)) > 0), `an arrow at ${time} s`);
        if (place.scale[2] === 0) continue;
        demand(near(place.translation, minus(row.slice(3, 6), origin)), `an arrow begins elsewhere at ${time} s`);
        const force = minus(tip(place), place.translation).map((x) => x * group.extras.newtons_per_metre);
        // the scale in the file has six digits
        demand(length(minus(force, row.slice(6, 9))) <= 1e-5 * length(row.slice(6, 9)), `an arrow of another force at ${time} s`);
        counts.forces++;
    }
});
console.log(`${times.length} frames: ${Object.entries(counts).map(([name, count]) => `${count} ${name}`).join(", ")}`);
