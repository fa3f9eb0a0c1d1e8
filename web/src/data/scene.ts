// Reads the scene: bodies, their shapes and where each shape sits in the structure frame of its body.

export type Vector3 = readonly [number, number, number];
/** w, x, y, z. */
export type Quaternion = readonly [number, number, number, number];

export interface SphereGeometry {
    readonly type: "sphere";
    readonly radius: number;
}
/** Axis along z of the geometry frame, ends of the axis at +-half_length. */
export interface CapsuleGeometry {
    readonly type: "capsule";
    readonly radius: number;
    readonly halfLength: number;
}
/** A type this page cannot draw, or one without usable dimensions. */
export interface UnknownGeometry {
    readonly type: "unknown";
    readonly typeName: string;
}
export type Geometry = SphereGeometry | CapsuleGeometry | UnknownGeometry;

export interface Shape {
    readonly name: string;
    readonly geometry: Geometry;
    readonly material: string;
    readonly position: Vector3;
    readonly orientation: Quaternion;
}
export interface Body {
    readonly name: string;
    readonly motion: string;
    readonly shapes: readonly Shape[];
}
export interface Scene {
    readonly title: string;
    readonly about: string;
    readonly axes: readonly [string, string, string];
    readonly bodies: readonly Body[];
    readonly problems: readonly string[];
}

type Json = Record<string, unknown>;

export function isObject(value: unknown): value is Json {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}
function text(value: unknown, otherwise = ""): string {
    return typeof value === "string" ? value : otherwise;
}
function list(value: unknown): readonly unknown[] {
    return Array.isArray(value) ? value : [];
}
function numbers(value: unknown, count: number): readonly number[] | undefined {
    const items = list(value);
    const good = items.length === count && items.every((item) => typeof item === "number" && Number.isFinite(item));
    return good ? (items as readonly number[]) : undefined;
}
function positive(value: unknown): number | undefined {
    return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : undefined;
}

/** Unit length, or the identity where the length is zero. */
export function normalizeQuaternion(w: number, x: number, y: number, z: number): Quaternion {
    const length = Math.hypot(w, x, y, z);
    return length > 0 ? [w / length, x / length, y / length, z / length] : [1, 0, 0, 0];
}

export function parseGeometry(value: unknown): Geometry {
    const json = isObject(value) ? value : {};
    const typeName = text(json["type"], "none");
    const radius = positive(json["radius"]);
    if (typeName === "sphere" && radius !== undefined) return { type: "sphere", radius };
    if (typeName === "capsule" && radius !== undefined) {
        // A capsule without length is a sphere, and the program may well record one.
        return { type: "capsule", radius, halfLength: positive(json["half_length"]) ?? 0 };
    }
    return { type: "unknown", typeName };
}

function parseShape(value: unknown, index: number): Shape {
    const json = isObject(value) ? value : {};
    const position = numbers(json["position"], 3) ?? [0, 0, 0];
    const orientation = numbers(json["orientation"], 4) ?? [1, 0, 0, 0];
    return {
        name: text(json["name"], `shape_${index + 1}`),
        geometry: parseGeometry(json["geometry"]),
        material: text(json["material"]),
        position: [position[0] ?? 0, position[1] ?? 0, position[2] ?? 0],
        orientation: normalizeQuaternion(orientation[0] ?? 1, orientation[1] ?? 0, orientation[2] ?? 0, orientation[3] ?? 0),
    };
}

export function parseScene(json: unknown): Scene {
    const problems: string[] = [];
    const root = isObject(json) ? json : {};
    if (!isObject(json)) problems.push("the scene is missing");
    else if (root["format"] !== "fender-scene" || root["version"] !== 1)
        problems.push(`scene format ${text(root["format"], "none")} ${String(root["version"] ?? "")} is not fender-scene 1; read as far as understood`);

    const bodies = list(root["bodies"]).map((value, index): Body => {
        const body = isObject(value) ? value : {};
        return {
            name: text(body["name"], `body_${index + 1}`),
            motion: text(body["motion"], "dynamic"),
            shapes: list(body["shapes"]).map(parseShape),
        };
    });
    const notDrawn = bodies.flatMap((body) =>
        body.shapes.flatMap((shape) =>
            shape.geometry.type === "unknown" ? [`${body.name}.${shape.name} (${shape.geometry.typeName})`] : [],
        ),
    );
    if (notDrawn.length > 0) problems.push(`shapes not drawn: ${notDrawn.join(", ")}`);
    const axes = list(root["axes"]);
    return {
        title: text(root["title"]),
        about: text(root["about"]),
        axes: [text(axes[0], "x"), text(axes[1], "y"), text(axes[2], "z")],
        bodies,
        problems,
    };
}

export function shapeRadius(geometry: Geometry): number {
    switch (geometry.type) {
        case "sphere":
            return geometry.radius;
        case "capsule":
            return geometry.radius + geometry.halfLength;
        case "unknown":
            return 0;
    }
}

/** Radius about the origin of the structure frame that holds every drawn shape. */
export function bodyRadius(body: Body): number {
    return body.shapes.reduce((radius, shape) => Math.max(radius, Math.hypot(...shape.position) + shapeRadius(shape.geometry)), 0);
}
