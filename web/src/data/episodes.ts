// The touches of the run, each figure with the estimate of its error.
import { findColumn, parseTable } from "./csv";

export interface Figure {
    readonly value: number;
    /** Estimate; Infinity: nothing is known. */
    readonly error: number;
}
export interface Episode {
    readonly contact: string;
    readonly begins: Figure;
    /** NaN while the contact lasts. */
    readonly ends: Figure;
    readonly peakForce: Figure;
    readonly peakTime: Figure;
    readonly peakDepth: Figure;
    readonly impulse: Figure;
    readonly approachSpeed: Figure;
    readonly reboundSpeed: Figure;
}

export function parseEpisodes(csv: string): Episode[] {
    const table = parseTable(csv, ["contact"], "gaps");
    const contact = findColumn(table, "contact")?.texts ?? [];
    const figure = (name: string): ((row: number) => Figure) => {
        const values = findColumn(table, name)?.numbers;
        const errors = findColumn(table, `${name}_error`)?.numbers;
        return (row) => ({ value: values?.[row] ?? NaN, error: errors?.[row] ?? Infinity });
    };
    const [begins, ends, peakForce, peakTime, peakDepth, impulse, approachSpeed, reboundSpeed] = [
        figure("begin_time"),
        figure("end_time"),
        figure("peak_force"),
        figure("peak_force_time"),
        figure("peak_depth"),
        figure("impulse"),
        figure("approach_speed"),
        figure("rebound_speed"),
    ] as const;
    return contact.map((name, row) => ({
        contact: name,
        begins: begins(row),
        ends: ends(row),
        peakForce: peakForce(row),
        peakTime: peakTime(row),
        peakDepth: peakDepth(row),
        impulse: impulse(row),
        approachSpeed: approachSpeed(row),
        reboundSpeed: reboundSpeed(row),
    }));
}
