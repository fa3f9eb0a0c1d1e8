// The recorded poses, frame by frame, in full double precision.
import { findColumn, type Table } from "./csv";
import type { Body, Quaternion, Vector3 } from "./scene";

export interface Replay {
    /** Seconds, never falling. */
    readonly times: Float64Array;
    readonly frameCount: number;
    /** One per body of the scene, in its order; undefined where nothing was recorded of it. */
    readonly tracks: readonly (Track | undefined)[];
    readonly problems: readonly string[];
}

export interface Track {
    readonly x: Float64Array;
    readonly y: Float64Array;
    readonly z: Float64Array;
    readonly qw: Float64Array;
    readonly qx: Float64Array;
    readonly qy: Float64Array;
    readonly qz: Float64Array;
}

export function buildReplay(table: Table, bodies: readonly Body[]): Replay {
    const problems = table.problems.map((problem) => `replay: ${problem}`);
    const time = findColumn(table, "time");
    if (!time) {
        if (table.columns.length > 0) problems.push("replay: there is no column of time");
        return { times: new Float64Array(0), frameCount: 0, tracks: bodies.map(() => undefined), problems };
    }
    const rows = ascendingRows(time.numbers);
    if (rows.length < table.rowCount) problems.push(`replay: ${table.rowCount - rows.length} rows left out because time runs backwards`);
    const keepAll = rows.length === table.rowCount;
    const pick = (values: Float64Array): Float64Array =>
        keepAll ? values : Float64Array.from(rows, (row) => values[row] ?? 0);

    const byName = new Map(table.columns.map((column) => [column.name, column.numbers]));
    const parts = ["position.x", "position.y", "position.z", "attitude.w", "attitude.x", "attitude.y", "attitude.z"] as const;
    const tracks = bodies.map((body): Track | undefined => {
        const found = parts.map((part) => byName.get(`${body.name}.${part}`));
        const [x, y, z, qw, qx, qy, qz] = found;
        if (!x || !y || !z || !qw || !qx || !qy || !qz) {
            problems.push(`replay: no recorded pose of ${body.name}; it is not drawn`);
            return undefined;
        }
        return { x: pick(x), y: pick(y), z: pick(z), qw: pick(qw), qx: pick(qx), qy: pick(qy), qz: pick(qz) };
    });
    const known = new Set(bodies.map((body) => body.name));
    const strangers = table.columns
        .filter((column) => column.name.endsWith(".position.x"))
        .map((column) => column.name.slice(0, -".position.x".length))
        .filter((name) => !known.has(name));
    if (strangers.length > 0) problems.push(`replay: recorded but not in the scene: ${strangers.join(", ")}`);
    return { times: pick(time.numbers), frameCount: rows.length, tracks, problems };
}

function ascendingRows(times: Float64Array): number[] {
    const rows: number[] = [];
    let latest = -Infinity;
    times.forEach((time, row) => {
        if (time < latest) return;
        latest = time;
        rows.push(row);
    });
    return rows;
}

/** Index of the last frame at or before `time`; 0 before the first; -1 where there are no frames. */
export function frameAt(times: Float64Array, time: number): number {
    if (times.length === 0) return -1;
    let low = 0;
    let high = times.length - 1;
    while (low < high) {
        const middle = (low + high + 1) >> 1;
        if ((times[middle] ?? Infinity) <= time) low = middle;
        else high = middle - 1;
    }
    return low;
}

/** Where `time` lies on a scale that runs evenly from frame to frame: 2.5 is half-way between frames 2 and 3. */
export function framePosition(times: Float64Array, time: number): number {
    const frame = frameAt(times, time);
    if (frame < 0) return 0;
    const start = times[frame] ?? 0;
    const end = times[frame + 1];
    if (end === undefined || end <= start) return frame;
    return frame + Math.min(1, Math.max(0, (time - start) / (end - start)));
}

export function positionAt(track: Track, frame: number): Vector3 {
    return [track.x[frame] ?? 0, track.y[frame] ?? 0, track.z[frame] ?? 0];
}

export function attitudeAt(track: Track, frame: number): Quaternion {
    return [track.qw[frame] ?? 1, track.qx[frame] ?? 0, track.qy[frame] ?? 0, track.qz[frame] ?? 0];
}

/** Speed of the origin of the structure frame from the recorded positions: central differences, one-sided at the ends;
 * null where two frames share a time. */
export function speedSeries(replay: Replay, track: Track): (number | null)[] {
    const last = replay.frameCount - 1;
    return Array.from({ length: replay.frameCount }, (_, frame) => {
        const from = Math.max(0, frame - 1);
        const to = Math.min(last, frame + 1);
        const span = (replay.times[to] ?? 0) - (replay.times[from] ?? 0);
        if (!(span > 0)) return null;
        const a = positionAt(track, from);
        const b = positionAt(track, to);
        return Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]) / span;
    });
}
