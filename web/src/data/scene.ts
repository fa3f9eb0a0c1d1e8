// Reads the scene: bodies, their shapes and where each shape sits in the structure frame of its body; the links.
import { type Link, parseLinks } from "./links";
import { unpackIndices, unpackPoints } from "./packed";

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
/** About z, without thickness unless rounded. */
export interface DiskGeometry {
    readonly type: "disk";
    readonly radius: number;
    readonly rounding: number;
}
export interface BoxGeometry {
    readonly type: "box";
    readonly halfExtents: Vector3;
    readonly rounding: number;
}
/** About z; of a cone the base lies at -half_length, the apex at +half_length. */
export interface CylinderGeometry {
    readonly type: "cylinder" | "cone";
    readonly radius: number;
    readonly halfLength: number;
    readonly rounding: number;
}
export interface EllipsoidGeometry {
    readonly type: "ellipsoid";
    readonly radii: Vector3;
    readonly rounding: number;
}
/** A half space below z = 0, drawn as a plate. */
export interface PlaneGeometry {
    readonly type: "plane";
}
/** A point (at the origin) or a cloud of them: x, y, z of each, one after the other. */
export interface PointsGeometry {
    readonly type: "points";
    readonly typeName: string;
    readonly vertices: ArrayLike<number>;
}
/** A hull, a grid or a mesh: three indices to a triangle, counter-clockwise from outside. */
export interface TrianglesGeometry {
    readonly type: "triangles";
    readonly typeName: string;
    readonly vertices: ArrayLike<number>;
    readonly triangles: ArrayLike<number>;
    readonly rounding: number;
}
/** A contact point at the origin with a line of sight along z, from -range to the tip at cushion. */
export interface ProbeGeometry {
    readonly type: "probe";
    readonly range: number;
    readonly cushion: number;
}
/** A type this page cannot draw, or one without usable dimensions. */
export interface UnknownGeometry {
    readonly type: "unknown";
    readonly typeName: string;
}
export type Geometry =
    | SphereGeometry
    | CapsuleGeometry
    | DiskGeometry
    | BoxGeometry
    | CylinderGeometry
    | EllipsoidGeometry
    | PlaneGeometry
    | PointsGeometry
    | TrianglesGeometry
    | ProbeGeometry
    | UnknownGeometry;

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
    readonly links: readonly Link[];
    readonly problems: readonly string[];
}

type Json = Record<string, unknown>;

export function isObject(value: unknown): value is Json {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}
export function text(value: unknown, otherwise = ""): string {
    return typeof value === "string" ? value : otherwise;
}
export function list(value: unknown): readonly unknown[] {
    return Array.isArray(value) ? value : [];
}
export function numbers(value: unknown, count: number): readonly number[] | undefined {
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

/** Three lengths, none below zero, not all zero. */
function sides(value: unknown): Vector3 | undefined {
    const v = numbers(value, 3);
    if (!v || v.some((side) => side < 0) || v.every((side) => side === 0)) return undefined;
    return [v[0] ?? 0, v[1] ?? 0, v[2] ?? 0];
}
/** Numbers in groups of three, written out or packed. */
function triples(value: unknown): ArrayLike<number> | undefined {
    if (isObject(value)) {
        const origin = numbers(value["origin"], 3) ?? [0, 0, 0];
        const packed = "uint32" in value ? unpackIndices(value["uint32"]) : unpackPoints(value["float32"], [origin[0] ?? 0, origin[1] ?? 0, origin[2] ?? 0]);
        return packed && packed.length > 0 && packed.length % 3 === 0 ? packed : undefined;
    }
    const items = list(value);
    return items.length > 0 && items.length % 3 === 0 ? numbers(items, items.length) : undefined;
}

function inRange(indices: ArrayLike<number>, count: number): boolean {
    for (let at = 0; at < indices.length; at++) {
        const index = indices[at] ?? -1;
        if (!(index >= 0 && index < count) || index % 1 !== 0) return false;
    }
    return true;
}

export function parseGeometry(value: unknown): Geometry {
    const json = isObject(value) ? value : {};
    const typeName = text(json["type"], "none");
    const radius = positive(json["radius"]);
    const rounding = positive(json["rounding"]) ?? 0;
    // A capsule without length is a sphere, and the program may well record one.
    const halfLength = positive(json["half_length"]) ?? 0;
    const unknown: UnknownGeometry = { type: "unknown", typeName };
    switch (typeName) {
        case "sphere":
            return radius === undefined ? unknown : { type: "sphere", radius };
        case "capsule":
            return radius === undefined ? unknown : { type: "capsule", radius, halfLength };
        case "disk":
            return radius === undefined ? unknown : { type: "disk", radius, rounding };
        case "cylinder":
        case "cone":
            return radius === undefined ? unknown : { type: typeName, radius, halfLength, rounding };
        case "box": {
            const halfExtents = sides(json["half_extents"]);
            return halfExtents ? { type: "box", halfExtents, rounding } : unknown;
        }
        case "ellipsoid": {
            const radii = sides(json["radii"]);
            return radii ? { type: "ellipsoid", radii, rounding } : unknown;
        }
        case "plane":
            return { type: "plane" };
        case "point": // a rounded point is a ball
            return rounding > 0 ? { type: "sphere", radius: rounding } : { type: "points", typeName, vertices: [0, 0, 0] };
        case "cloud": {
            const vertices = triples(json["vertices"]);
            return vertices ? { type: "points", typeName, vertices } : unknown;
        }
        case "probe": {
            const range = positive(json["range"]);
            return range === undefined ? unknown : { type: "probe", range, cushion: positive(json["cushion"]) ?? 0 };
        }
        case "hull":
        case "grid":
        case "mesh": {
            const vertices = triples(json["vertices"]);
            const triangles = triples(json["triangles"]);
            const count = (vertices?.length ?? 0) / 3;
            return vertices && triangles && inRange(triangles, count) ? { type: "triangles", typeName, vertices, triangles, rounding } : unknown;
        }
        default:
            return unknown;
    }
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
        links: parseLinks(root["links"], bodies),
        problems,
    };
}

/** A million vertices are not gone through again for every question. */
const farthestKnown = new WeakMap<object, number>();

function farthest(vertices: ArrayLike<number>): number {
    const known = farthestKnown.get(vertices);
    if (known !== undefined) return known;
    let square = 0;
    for (let i = 0; i + 2 < vertices.length; i += 3)
        square = Math.max(square, (vertices[i] ?? 0) ** 2 + (vertices[i + 1] ?? 0) ** 2 + (vertices[i + 2] ?? 0) ** 2);
    farthestKnown.set(vertices, Math.sqrt(square));
    return Math.sqrt(square);
}

/** Of a ball about the shape's origin; 0 for a plane, which has no end. */
export function shapeRadius(geometry: Geometry): number {
    switch (geometry.type) {
        case "sphere":
            return geometry.radius;
        case "capsule":
            return geometry.radius + geometry.halfLength;
        case "disk":
            return geometry.radius + geometry.rounding;
        case "box":
            return Math.hypot(...geometry.halfExtents) + geometry.rounding;
        case "cylinder":
        case "cone":
            return Math.hypot(geometry.radius, geometry.halfLength) + geometry.rounding;
        case "ellipsoid":
            return Math.max(...geometry.radii) + geometry.rounding;
        case "points":
            return farthest(geometry.vertices);
        case "triangles":
            return farthest(geometry.vertices) + geometry.rounding;
        case "probe":
            return Math.max(geometry.range, geometry.cushion);
        case "plane":
        case "unknown":
            return 0;
    }
}

/** Radius about the origin of the structure frame that holds every drawn shape. */
export function bodyRadius(body: Body): number {
    return body.shapes.reduce((radius, shape) => Math.max(radius, Math.hypot(...shape.position) + shapeRadius(shape.geometry)), 0);
}
