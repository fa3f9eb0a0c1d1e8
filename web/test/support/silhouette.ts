// Where the image of a body must be, from the recorded pose and the shapes of the scene alone: no code of the page.
import assert from "node:assert/strict";
import type { CameraState } from "../../src/view/stage";
import { project } from "./browser";

type Triple = readonly [number, number, number];
export interface RecordedShape {
    readonly geometry: { readonly type: string; readonly radius: number; readonly half_length: number };
    readonly position: Triple;
    readonly orientation: readonly [number, number, number, number];
}
export interface RecordedPose {
    readonly position: Triple;
    /** w, x, y, z */
    readonly attitude: readonly [number, number, number, number];
}
export interface Box {
    readonly left: number;
    readonly top: number;
    readonly right: number;
    readonly bottom: number;
}

/** By the matrix of the quaternion. */
function turn([w, x, y, z]: readonly [number, number, number, number], [a, b, c]: Triple): Triple {
    return [
        (1 - 2 * (y * y + z * z)) * a + 2 * (x * y - w * z) * b + 2 * (x * z + w * y) * c,
        2 * (x * y + w * z) * a + (1 - 2 * (x * x + z * z)) * b + 2 * (y * z - w * x) * c,
        2 * (x * z - w * y) * a + 2 * (y * z + w * x) * b + (1 - 2 * (x * x + y * y)) * c,
    ];
}

/** Points of the surface, in the frame of the geometry. */
function surface({ type, radius, half_length: half }: RecordedShape["geometry"]): Triple[] {
    const points: Triple[] = [];
    const around = 48;
    for (let i = 0; i < around; i++) {
        const angle = (2 * Math.PI * i) / around;
        const [x, y] = [radius * Math.cos(angle), radius * Math.sin(angle)];
        if (type === "cylinder") points.push([x, y, half], [x, y, -half]);
        else if (type === "capsule" || type === "sphere")
            for (let j = 0; j <= 12; j++) {
                const up = (Math.PI * j) / 24;
                for (const side of [-1, 1]) points.push([x * Math.cos(up), y * Math.cos(up), side * ((type === "capsule" ? half : 0) + radius * Math.sin(up))]);
            }
        else throw new Error(`no surface of a ${type} is known here`);
    }
    return points;
}

/** The box about the image, in pixels of the browser window. */
export function predictBox(camera: CameraState, shapes: readonly RecordedShape[], pose: RecordedPose): Box {
    const xs: number[] = [];
    const ys: number[] = [];
    for (const { geometry, position, orientation } of shapes)
        for (const point of surface(geometry)) {
            const inBody = turn(orientation, point).map((value, axis) => value + (position[axis as 0 | 1 | 2] ?? 0)) as unknown as Triple;
            const inWorld = turn(pose.attitude, inBody).map((value, axis) => value + (pose.position[axis as 0 | 1 | 2] ?? 0));
            const seen = project(camera, inWorld);
            xs.push(seen.x);
            ys.push(seen.y);
        }
    assert.ok(xs.length > 0);
    return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
}

/** The largest distance of two sides. */
export function boxMiss(a: Box, b: Box): number {
    return Math.max(Math.abs(a.left - b.left), Math.abs(a.right - b.right), Math.abs(a.top - b.top), Math.abs(a.bottom - b.bottom));
}
