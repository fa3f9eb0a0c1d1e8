// The tables that the scenario asked for, with their own times, and which of their columns belong into one plot.
import { isObject, list, text } from "./scene";

export interface RecordedColumn {
    readonly name: string;
    readonly unit: string;
    readonly values: readonly (number | null)[];
}
export interface Recording {
    readonly file: string;
    readonly times: Float64Array;
    readonly columns: readonly RecordedColumn[];
    /** Rows of the file; of each so many the least and the largest value are here, or every one (1). */
    readonly rows: number;
    readonly stride: number;
    /** Of a list of contacts: how many are in the file; here are the first ones. */
    readonly contacts: number;
}

export function parseRecordings(json: unknown): Recording[] {
    const root = isObject(json) ? json : {};
    return list(root["tables"])
        .filter(isObject)
        .flatMap((table): Recording[] => {
            const columns = list(table["columns"]).filter(isObject);
            const timeIndex = typeof table["time"] === "number" ? table["time"] : 0;
            const times = list(columns[timeIndex]?.["values"]);
            if (times.length === 0 || !times.every((time, at) => typeof time === "number" && (at === 0 || time >= (times[at - 1] as number)))) return [];
            return [
                {
                    file: text(table["file"]),
                    times: Float64Array.from(times as number[]),
                    columns: columns.flatMap((column, index): RecordedColumn[] => {
                        const values = list(column["values"]);
                        if (index === timeIndex || values.length !== times.length) return [];
                        return [{ name: text(column["name"]), unit: text(column["unit"]), values: values.map((value) => (typeof value === "number" ? value : null)) }];
                    }),
                    rows: typeof table["rows"] === "number" ? table["rows"] : times.length,
                    stride: typeof table["stride"] === "number" ? table["stride"] : 1,
                    contacts: typeof table["contacts"] === "number" ? table["contacts"] : 0,
                },
            ];
        });
}

export interface RecordedGroup {
    readonly key: string;
    readonly title: string;
    readonly unit: string;
    readonly recording: Recording;
    readonly columns: readonly RecordedColumn[];
}

/** "a.x:b.y.normal_force", a column of a list of contacts: the contact and its quantity. */
const contactColumn = /^(\w+\.\w+:\w+\.\w+(?:\[\d+\])?)\.(.+)$/;

/** Components of one vector belong together, and so does one number of all links, contacts or bodies. */
export function groupKey(name: string): string {
    const contact = contactColumn.exec(name);
    if (contact) return `contacts.*.${contact[2] ?? ""}`;
    const vector = /^(.*)\.[xyzw]$/.exec(name);
    if (vector) return vector[1] ?? name;
    const ledger = /^(ledger\.(?:energy|inertial))\.(\w+)$/.exec(name);
    if (ledger) return ledger[2] === "residual" ? name : (ledger[1] ?? name);
    const parts = name.split(".");
    return parts.length > 2 ? `${parts[0] ?? ""}.*.${parts[parts.length - 1] ?? ""}` : name;
}

/** "ledger.energy.kinetic" says no more than "kinetic" in a plot of the ledger; of a quantity of contacts, the contact does. */
export function curveName(name: string): string {
    return contactColumn.exec(name)?.[1] ?? name.replace(/^ledger\.energy\./, "").replace(/^(bodies|links|contacts)\./, "");
}

export function groupRecordings(recordings: readonly Recording[]): RecordedGroup[] {
    return recordings.flatMap((recording) => {
        const groups = new Map<string, RecordedColumn[]>();
        for (const column of recording.columns) {
            // Of the ledger this is a yardstick, not an account.
            if (column.name === "ledger.energy.scale") continue;
            const key = `${groupKey(column.name)}\n${column.unit}`;
            groups.set(key, [...(groups.get(key) ?? []), column]);
        }
        return [...groups].map(([key, columns]) => {
            const [name = "", unit = ""] = key.split("\n");
            const title = name === "ledger.energy" ? "Energy ledger" : name === "ledger.energy.residual" ? "Energy residual" : name;
            return { key: `${recording.file}:${name}:${unit}`, title, unit, recording, columns };
        });
    });
}
