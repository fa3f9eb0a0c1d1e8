// How much room the bodies take, in doubles: for the first view, for "fit", and for the size of arrows and grid.
import { attitudeAt, positionAt, type Replay } from "./replay";
import { bodyRadius, type Body, type Quaternion, type Scene, shapeRadius, type Vector3 } from "./scene";

export interface Extent {
    readonly center: Vector3;
    /** Half the edges of the box about the centre. */
    readonly half: Vector3;
    /** Of a sphere about the box; 0 where there is nothing. */
    readonly radius: number;
}

/** Bodies that decide what is in view: one a thousand times the size of another (a planet) does not, nor does ground that
 * is ten times larger than all that moves on it. */
function viewedBodies(scene: Scene, replay: Replay): { index: number; radius: number }[] {
    const drawn = scene.bodies.map((body, index) => ({ index, radius: bodyRadius(body) })).filter(({ index }) => replay.tracks[index]);
    const smallest = drawn.reduce((least, { radius }) => (radius > 0 ? Math.min(least, radius) : least), Infinity);
    const moves = (index: number): boolean => scene.bodies[index]?.motion !== "fixed";
    const largest = drawn.reduce((most, { index, radius }) => (moves(index) ? Math.max(most, radius) : most), 0);
    return drawn.filter(({ index, radius }) => radius <= 1000 * smallest && (moves(index) || largest === 0 || radius <= 10 * largest));
}

/** v turned by the unit quaternion w x y z. */
export function turned([w, x, y, z]: Quaternion, v: Vector3): Vector3 {
    const tx = 2 * (y * v[2] - z * v[1]);
    const ty = 2 * (z * v[0] - x * v[2]);
    const tz = 2 * (x * v[1] - y * v[0]);
    return [v[0] + w * tx + y * tz - z * ty, v[1] + w * ty + z * tx - x * tz, v[2] + w * tz + x * ty - y * tx];
}

/** Balls about what is drawn of a body, in its own axes: shapes may sit far from its origin. A body without shapes is its origin. */
function ballsOf(body: Body): { center: Vector3; radius: number }[] {
    const balls = body.shapes.map((shape) => ({ center: shape.position, radius: shapeRadius(shape.geometry) }));
    return balls.length > 0 ? balls : [{ center: [0, 0, 0], radius: 0 }];
}

/** Extent over the frames `first` to `last`, relative to the body `follow` at each frame, or absolute without one. */
export function extentOfFrames(scene: Scene, replay: Replay, first: number, last: number, follow: number | null): Extent {
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    const followed = follow === null ? undefined : replay.tracks[follow];
    const bodies = viewedBodies(scene, replay).map(({ index }) => ({ index, balls: ballsOf(scene.bodies[index] as Body) }));
    for (let frame = Math.max(0, first); frame <= Math.min(last, replay.frameCount - 1); frame++) {
        const origin = followed ? positionAt(followed, frame) : ([0, 0, 0] as const);
        for (const { index, balls } of bodies) {
            const track = replay.tracks[index];
            if (!track) continue;
            const position = positionAt(track, frame);
            const attitude = attitudeAt(track, frame);
            for (const { center, radius } of balls) {
                const offset = turned(attitude, center);
                for (let axis = 0; axis < 3; axis++) {
                    const value = (position[axis] ?? 0) - (origin[axis] ?? 0) + (offset[axis] ?? 0);
                    low[axis] = Math.min(low[axis] ?? Infinity, value - radius);
                    high[axis] = Math.max(high[axis] ?? -Infinity, value + radius);
                }
            }
        }
    }
    if (!((low[0] ?? Infinity) <= (high[0] ?? -Infinity))) return { center: [0, 0, 0], half: [0, 0, 0], radius: 0 };
    const half = (axis: number): number => ((high[axis] ?? 0) - (low[axis] ?? 0)) / 2;
    const middle = (axis: number): number => (low[axis] ?? 0) + half(axis);
    return {
        center: [middle(0), middle(1), middle(2)],
        half: [half(0), half(1), half(2)],
        radius: Math.hypot(half(0), half(1), half(2)),
    };
}

export function extentOfRun(scene: Scene, replay: Replay, follow: number | null): Extent {
    return extentOfFrames(scene, replay, 0, replay.frameCount - 1, follow);
}

/** How much further the whole travels than its own size. */
function travelRatio(scene: Scene, replay: Replay): number {
    const travel = extentOfRun(scene, replay, null).radius;
    const stride = Math.max(1, Math.floor(replay.frameCount / 50));
    let spread = 0;
    for (let frame = 0; frame < replay.frameCount; frame += stride)
        spread = Math.max(spread, extentOfFrames(scene, replay, frame, frame, null).radius);
    return spread > 0 ? travel / spread : 1;
}

/** A body to follow from the start: where the whole travels much further than its own size, as on an orbit, and the only
 * one that moves where it would leave the view; else null. */
export function suggestFollow(scene: Scene, replay: Replay): number | null {
    const moving = scene.bodies.flatMap((body, at) => (body.motion === "dynamic" && replay.tracks[at] !== undefined ? [at] : []));
    const ratio = travelRatio(scene, replay);
    return ratio > 20 || (ratio > fitsRun && moving.length === 1) ? (moving[0] ?? null) : null;
}

/** A run that takes no more room than this many times its bodies is shown whole from the start. */
const fitsRun = 2.5;

export function fitsInView(scene: Scene, replay: Replay): boolean {
    return travelRatio(scene, replay) <= fitsRun;
}

/** Ground and walls: fixed bodies of planes, grids or meshes. */
export function isGround(body: Body): boolean {
    return body.motion === "fixed" && body.shapes.some(({ geometry }) => geometry.type === "plane" || (geometry.type === "triangles" && geometry.typeName !== "hull"));
}

/** Of the smaller of the two shapes that a contact is named by ("body.shape:body.shape"); null where neither has a size. */
export function contactReach(scene: Scene, contact: string): number | null {
    let least = Infinity;
    for (const side of contact.split(":"))
        for (const body of scene.bodies)
            for (const shape of body.shapes) {
                const radius = side === `${body.name}.${shape.name}` ? shapeRadius(shape.geometry) : 0;
                if (radius > 0) least = Math.min(least, radius);
            }
    return Number.isFinite(least) ? least : null;
}

/** 1, 2 or 5 times a power of ten, at or below `value`. */
export function niceStep(value: number): number {
    if (!(value > 0) || !Number.isFinite(value)) return 1;
    const power = Math.pow(10, Math.floor(Math.log10(value)));
    const ratio = value / power;
    return (ratio >= 5 ? 5 : ratio >= 2 ? 2 : 1) * power;
}
