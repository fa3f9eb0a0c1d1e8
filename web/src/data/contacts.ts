// The recorded contacts: which exist at a frame, and their history as series over the frames.
import { findColumn, type Table } from "./csv";
import { frameAt } from "./replay";
import type { Vector3 } from "./scene";

export interface ContactRow {
    readonly contact: number;
    readonly depth: number;
    readonly normalForce: number;
    readonly frictionForce: number;
    readonly point: Vector3;
    /** On the follower, the second of the two names. */
    readonly force: Vector3;
}

export interface ContactLog {
    readonly names: readonly string[];
    /** One list per frame; shared and empty where nothing touches. */
    readonly rowsByFrame: readonly (readonly ContactRow[])[];
    readonly rowCount: number;
    readonly peakForce: number;
    /** Where it is; -1 where nothing touches. */
    readonly peakFrame: number;
    readonly problems: readonly string[];
}

export type ContactQuantity = "normalForce" | "frictionForce" | "depth";

/** Never written to; a frame gets a list of its own with its first row. */
const noRows: ContactRow[] = [];

export function buildContactLog(table: Table, times: Float64Array): ContactLog {
    const problems = table.problems.map((problem) => `contacts: ${problem}`);
    const time = findColumn(table, "time")?.numbers;
    const contact = findColumn(table, "contact")?.texts;
    const rowsByFrame: ContactRow[][] = Array.from(times, () => noRows);
    if (!time || !contact) {
        if (table.columns.length > 0) problems.push("contacts: the columns time and contact are needed");
        return { names: [], rowsByFrame, rowCount: 0, peakForce: 0, peakFrame: -1, problems };
    }
    const values = (name: string): Float64Array => findColumn(table, name)?.numbers ?? new Float64Array(table.rowCount);
    const depth = values("depth");
    const normalForce = values("normal_force");
    const frictionForce = values("friction_force");
    const point = [values("point.x"), values("point.y"), values("point.z")] as const;
    const force = [values("force.x"), values("force.y"), values("force.z")] as const;

    const names: string[] = [];
    const indexOf = new Map<string, number>();
    /** Per contact: the frame of its latest row and the place of that row in the list of the frame. */
    const latestFrame: number[] = [];
    const latestPlace: number[] = [];
    let peakForce = 0;
    let peakFrame = -1;
    for (let row = 0; row < table.rowCount; row++) {
        const name = contact[row] ?? "";
        let index = indexOf.get(name);
        if (index === undefined) {
            index = names.length;
            names.push(name);
            indexOf.set(name, index);
        }
        const entry: ContactRow = {
            contact: index,
            depth: depth[row] ?? 0,
            normalForce: normalForce[row] ?? 0,
            frictionForce: frictionForce[row] ?? 0,
            point: [point[0][row] ?? 0, point[1][row] ?? 0, point[2][row] ?? 0],
            force: [force[0][row] ?? 0, force[1][row] ?? 0, force[2][row] ?? 0],
        };
        const size = Math.hypot(...entry.force);
        const frame = frameAt(times, time[row] ?? 0);
        if (frame >= 0 && (peakFrame < 0 || size > peakForce)) peakFrame = frame;
        peakForce = Math.max(peakForce, size);
        if (frame < 0 || (time[row] ?? 0) < (times[0] ?? 0)) continue;
        // A row between two frames belongs to the earlier one, and the latest row of a contact there counts.
        let list = rowsByFrame[frame] ?? noRows;
        if (list === noRows) list = rowsByFrame[frame] = [];
        if (latestFrame[index] === frame) {
            list[latestPlace[index] ?? 0] = entry;
        } else {
            latestFrame[index] = frame;
            latestPlace[index] = list.length;
            list.push(entry);
        }
    }
    return { names, rowsByFrame, rowCount: table.rowCount, peakForce, peakFrame, problems };
}

/** One value per frame. While a contact does not exist it bears no force, but its depth is not known: 0 and null. */
export function contactSeries(log: ContactLog, contact: number, quantity: ContactQuantity): (number | null)[] {
    const absent = quantity === "depth" ? null : 0;
    return log.rowsByFrame.map((rows) => rows.find((row) => row.contact === contact)?.[quantity] ?? absent);
}

/** The contacts with the largest values first, at most `count` of them. */
export function largestContacts(log: ContactLog, quantity: ContactQuantity, count: number): number[] {
    const peaks = new Float64Array(log.names.length).fill(-Infinity);
    for (const rows of log.rowsByFrame)
        for (const row of rows) peaks[row.contact] = Math.max(peaks[row.contact] ?? -Infinity, Math.abs(row[quantity]));
    return log.names
        .map((_, contact) => contact)
        .sort((a, b) => (peaks[b] ?? 0) - (peaks[a] ?? 0) || a - b)
        .slice(0, count);
}
