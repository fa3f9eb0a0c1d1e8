// Runs made up for the tests, in the formats the program writes.
import type { RunTexts } from "../../src/data/run";

type Vector = readonly [number, number, number];
interface Pose {
    readonly position: Vector;
    /** w, x, y, z */
    readonly attitude: readonly [number, number, number, number];
}
export interface Sample {
    readonly texts: RunTexts;
    readonly names: readonly string[];
    readonly times: readonly number[];
    /** poses[frame][body], as written. */
    readonly poses: readonly (readonly Pose[])[];
}

function replayText(names: readonly string[], times: readonly number[], poses: readonly (readonly Pose[])[]): string {
    const heads = names.flatMap((name) => [
        ...["x", "y", "z"].map((axis) => `${name}.position.${axis} [m]`),
        ...["w", "x", "y", "z"].map((part) => `${name}.attitude.${part}`),
    ]);
    const rows = times.map((time, frame) => [time, ...(poses[frame] ?? []).flatMap((pose) => [...pose.position, ...pose.attitude])].join(","));
    return `${["time [s]", ...heads].join(",")}\n${rows.join("\n")}\n`;
}

export const contactHeader =
    "time [s],contact,depth [m],normal_force [N],friction_force [N],point.x [m],point.y [m],point.z [m],force.x [N],force.y [N],force.z [N]";

/** What the program does to JSON before it goes into the page. */
export function pageJson(value: unknown): string {
    return JSON.stringify(value).replace(/</g, "\\u003c");
}

function aboutZ(angle: number): readonly [number, number, number, number] {
    return [Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)];
}

/** Two spheres of 1 m meet head on at 5 s, push for 0.8 s like a spring and part; the first one spins. The whole lies
 * at `offset` and drifts. */
export function twoSpheres(offset: Vector = [0, 0, 0], drift: Vector = [0, 0, 0]): Sample {
    const names = ["veh1", "veh2"];
    const frames = 501;
    const touch = 5;
    const duration = 0.8;
    const speed = 0.2;
    const rate = Math.PI / duration;
    const deepest = (2 * speed) / rate;
    const peak = 50 * deepest * rate * rate;
    const times = Array.from({ length: frames }, (_, frame) => frame * 0.02);
    const depthAt = (time: number): number => (time <= touch || time >= touch + duration ? 0 : deepest * Math.sin(rate * (time - touch)));
    const gapAt = (time: number): number => {
        if (time <= touch) return 2 * speed * (touch - time);
        return time >= touch + duration ? 2 * speed * (time - touch - duration) : -depthAt(time);
    };
    const middleAt = (time: number): Vector => [offset[0] + drift[0] * time, offset[1] + drift[1] * time, offset[2] + drift[2] * time];
    const poses = times.map((time): Pose[] => {
        const half = 1 + gapAt(time) / 2;
        const side = 0.25;
        const [x, y, z] = middleAt(time);
        return [
            { position: [x - half, y, z - side], attitude: aboutZ(0.4 * time) },
            { position: [x + half, y, z + side], attitude: [1, 0, 0, 0] },
        ];
    });
    const rows = times.flatMap((time) => {
        const depth = depthAt(time);
        if (depth <= 0) return [];
        const force = peak * Math.sin(rate * (time - touch));
        return [[time, "veh1.hull:veh2.hull", depth, force, 0.2 * force, ...middleAt(time), force, 0.2 * force, 0].join(",")];
    });
    const ends = touch + duration;
    return {
        names,
        times,
        poses,
        texts: {
            scene: pageJson({
                format: "fender-scene",
                version: 1,
                title: "Two spheres",
                about: "Head on at 0.2 m/s each; <b>not bold</b> & a spring between them.",
                axes: ["x", "y", "z"],
                bodies: names.map((name) => ({
                    name,
                    motion: "dynamic",
                    shapes: [
                        { name: "hull", geometry: { type: "sphere", radius: 1 }, material: "steel", position: [0, 0, 0], orientation: [1, 0, 0, 0] },
                    ],
                })),
            }),
            replay: replayText(names, times, poses),
            contacts: `${contactHeader}\n${rows.join("\n")}\n`,
            summary: pageJson({
                title: "Two spheres",
                duration: 10,
                steps: 1000,
                wall_time: 0.0123,
                contacts: [
                    { contact: "veh1.hull:veh2.hull", begins: touch, ends, peak_force: peak, peak_time: touch + duration / 2, max_depth: deepest, impulse: 40 },
                ],
                energy: { start: 4, end: 3.2, damping: 0.6, friction: 0.2, residual: 3.1e-13 },
                momentum: { linear_drift: 1.2e-15, angular_drift: 4e-16 },
                events: [
                    { time: touch, kind: "touch", contact: "veh1.hull:veh2.hull" },
                    { time: ends, kind: "separate", contact: "veh1.hull:veh2.hull" },
                ],
                hash: "9f3c2a7715de0b48",
            }),
        },
    };
}

/** The two spheres with all else that a run may hold: events with modes, episodes, masses, laws, a link, a recording
 * with times of its own, the scenario. */
export function recordedRun(): Sample {
    const sample = twoSpheres();
    const scene = JSON.parse(sample.texts.scene) as Record<string, unknown>;
    const contact = "veh1.hull:veh2.hull";
    const times = Array.from({ length: 101 }, (_, row) => row / 10);
    const parameter = (name: string, unit: string, value: unknown): unknown => ({ name, unit, doc: `The ${name}.`, value });
    return {
        ...sample,
        texts: {
            ...sample.texts,
            scene: pageJson({
                ...scene,
                links: [
                    {
                        name: "strut",
                        law: "strut",
                        active: true,
                        parameters: { free_length: 1 },
                        ends: [
                            { body: "veh1", point: "nose", position: [1, 0, 0] },
                            { body: "veh2", point: "nose", position: [-1, 0, 0] },
                        ],
                    },
                ],
            }),
            events: [
                "time [s],event,contact,code,speed [m/s]",
                `5,stick,${contact},1,0`,
                `5,touch,${contact},0,0.4`,
                `5.3,slip,${contact},2,0`,
                `5.8,release,${contact},0,-0.3`,
            ].join("\n"),
            episodes: [
                "contact,begin_time [s],begin_time_error [s],end_time [s],end_time_error [s],peak_force [N],peak_force_error [N],peak_force_time [s],peak_force_time_error [s]",
                `${contact},5,1e-9,5.8,1e-9,78.54,0.5,5.4,inf`,
            ].join("\n"),
            model: pageJson({
                format: "fender-model",
                version: 1,
                bodies: [{ name: "veh1", mass: 100, center_of_mass: [0, 0, 0], inertia: [40, 0, 0, 0, 41, 0, 0, 0, 42] }],
                contact_types: [
                    {
                        name: "hull_on_hull",
                        laws: [
                            {
                                part: "normal",
                                law: "hunt_crossley",
                                doc: "",
                                modes: [],
                                parameters: [parameter("stiffness", "N/m^{exponent}", 40000), parameter("exponent", "", 1.5), parameter("limit", "N", null)],
                            },
                            { part: "friction", law: "coulomb_static_kinetic", doc: "", modes: ["none", "static", "kinetic"], parameters: [parameter("mu", "", 0.2)] },
                        ],
                    },
                ],
                rules: [{ kind: "default", use: "hull_on_hull" }],
                links: [{ name: "strut", law: "strut", parameters: [parameter("free_length", "m", 1)] }],
            }),
            recordings: pageJson({
                format: "fender-recordings",
                version: 1,
                tables: [
                    {
                        file: "log.csv",
                        rows: 101,
                        stride: 1,
                        time: 0,
                        columns: [
                            { name: "time", unit: "s", values: times },
                            { name: "ledger.energy.kinetic", unit: "J", values: times },
                            { name: "ledger.energy.stored", unit: "J", values: times.map((time) => (time === 3 ? null : -time)) },
                            { name: "links.strut.force", unit: "N", values: times.map((time) => 10 * time) },
                            { name: "a name", unit: "" },
                        ],
                    },
                ],
            }),
            scenario: pageJson("fender: 1\ntitle: <two> spheres\n"),
        },
    };
}

/** Thirty capsules on a ring that breathes and turns, each pair of neighbours in touch while the ring is small. */
export function capsuleRing(frames = 2000, count = 30): Sample {
    const names = Array.from({ length: count }, (_, index) => (index === 3 ? `capsule_${"very_long_name_".repeat(6)}3` : `capsule_${index}`));
    const times = Array.from({ length: frames }, (_, frame) => frame * 0.01);
    const period = frames * 0.01;
    const ringAt = (time: number): number => 2.4 + 0.5 * Math.cos((4 * Math.PI * time) / period);
    const poses = times.map((time) =>
        names.map((_, index): Pose => {
            const angle = (2 * Math.PI * index) / count + 0.2 * time;
            const tilt = 0.6 * Math.sin(time + index);
            return {
                position: [ringAt(time) * Math.cos(angle), ringAt(time) * Math.sin(angle), 0.3 * Math.sin(3 * angle)],
                attitude: [Math.cos(tilt / 2), Math.sin(tilt / 2), 0, 0],
            };
        }),
    );
    const rows = times.flatMap((time, frame) => {
        const depth = (2.2 - ringAt(time)) * 0.1;
        if (depth <= 0) return [];
        return names.map((name, index) => {
            const next = (index + 1) % count;
            const a = poses[frame]?.[index]?.position ?? [0, 0, 0];
            const b = poses[frame]?.[next]?.position ?? [0, 0, 0];
            const force = 1000 * depth * (1 + 0.1 * index);
            const along = b.map((value, axis) => value - (a[axis] ?? 0));
            const length = Math.hypot(...along);
            const middle = a.map((value, axis) => (value + (b[axis] ?? 0)) / 2);
            return [time, `${name}.body:${names[next] ?? ""}.body`, depth, force, 0, ...middle, ...along.map((value) => (value / length) * force)].join(",");
        });
    });
    return {
        names,
        times,
        poses,
        texts: {
            scene: pageJson({
                format: "fender-scene",
                version: 1,
                title: "A ring of thirty capsules",
                about: "",
                axes: ["north", "west", "up"],
                bodies: names.map((name) => ({
                    name,
                    motion: "dynamic",
                    shapes: [
                        {
                            name: "body",
                            geometry: { type: "capsule", radius: 0.2, half_length: 0.35 },
                            material: "rubber",
                            position: [0, 0, 0],
                            orientation: [1, 0, 0, 0],
                        },
                    ],
                })),
            }),
            replay: replayText(names, times, poses),
            contacts: `${contactHeader}\n${rows.join("\n")}\n`,
            summary: pageJson({ title: "A ring of thirty capsules", steps: 20000 }),
        },
    };
}

/** A ball that rolls over a mesh of 2 * side * side triangles, packed as the program packs them. */
export function largeTerrain(side: number): Sample {
    const names = ["ground", "ball"];
    const times = Array.from({ length: 2001 }, (_, frame) => frame * 0.01);
    const still = { position: [0, 0, 0], attitude: [1, 0, 0, 0] } as const;
    const poses = times.map((time): Pose[] => [still, { position: [time - 10, 0.3 * Math.sin(time), 1.2], attitude: aboutZ(0.3 * time) }]);
    const points = new Float32Array(3 * (side + 1) * (side + 1));
    const triangles = new Uint32Array(6 * side * side);
    for (let j = 0, at = 0; j <= side; j++)
        for (let i = 0; i <= side; i++) {
            const x = (100 * i) / side - 50;
            const y = (100 * j) / side - 50;
            points.set([x, y, 0.5 * Math.sin(0.7 * x) * Math.cos(0.5 * y)], at);
            at += 3;
        }
    for (let j = 0, at = 0; j < side; j++)
        for (let i = 0; i < side; i++) {
            const a = j * (side + 1) + i;
            triangles.set([a, a + 1, a + side + 2, a, a + side + 2, a + side + 1], at);
            at += 6;
        }
    const packed = (numbers: Float32Array | Uint32Array): string => Buffer.from(numbers.buffer).toString("base64");
    const shape = (name: string, geometry: unknown): unknown => ({ name, geometry, material: "", position: [0, 0, 0], orientation: [1, 0, 0, 0] });
    return {
        names,
        times,
        poses,
        texts: {
            scene: pageJson({
                format: "fender-scene",
                version: 1,
                title: "Large terrain",
                about: "",
                axes: ["x", "y", "z"],
                bodies: [
                    {
                        name: "ground",
                        motion: "fixed",
                        shapes: [shape("terrain", { type: "mesh", vertices: { origin: [0, 0, 0], float32: packed(points) }, triangles: { uint32: packed(triangles) } })],
                    },
                    { name: "ball", motion: "dynamic", shapes: [shape("hull", { type: "sphere", radius: 1 })] },
                ],
            }),
            replay: replayText(names, times, poses),
            contacts: `${contactHeader}\n`,
            summary: pageJson({ title: "Large terrain", steps: 2000 }),
        },
    };
}
