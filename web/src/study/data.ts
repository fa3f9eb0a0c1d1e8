// What the program puts into the page of a study: columns of the rows that are drawn or listed.

export interface Column {
    readonly kind: "input" | "kept" | "outcome";
    readonly name: string;
    readonly unit: string;
    /** Categories, where values are indices into them. */
    readonly words?: readonly string[];
    /** Of outcomes: the inputs and kept values that it goes with, most of all first. */
    readonly inputs?: readonly number[];
    readonly kept?: readonly number[];
    /** One a row; null: none. */
    readonly values: readonly (number | null)[];
}
export interface Study {
    /** Of the study's file, without its ending. */
    readonly name: string;
    /** In the store; the lists below hold some of them where stride is more than 1. */
    readonly rows: number;
    readonly stride: number;
    /** So many rows at both ends of every kept value are among the listed ones. */
    readonly worst: number;
    readonly columns: readonly Column[];
    readonly run: readonly number[];
    /** 0: ok, 1: doubtful, 2: failed. */
    readonly status: readonly number[];
    /** 1: drawn; 0: only in tables. */
    readonly drawn: readonly number[];
    /** By the number of the run. */
    readonly hash: Readonly<Record<string, string>>;
    readonly reason: Readonly<Record<string, string>>;
    readonly report: Readonly<Record<string, string>>;
}

export function readStudy(): Study | null {
    const element = document.getElementById("fender-study");
    return element ? (JSON.parse(element.textContent ?? "") as Study) : null;
}

export function columnsOf(study: Study, kind: Column["kind"]): number[] {
    return study.columns.flatMap((column, index) => (column.kind === kind && (kind !== "input" || column.values.some((value) => value !== null)) ? [index] : []));
}
export function labelOf(column: Column): string {
    return column.unit ? `${column.name} [${column.unit}]` : column.name;
}
export function shortNumber(value: number): string {
    return String(Number(value.toPrecision(5))).replace("-", "\u2212");
}
export function valueText(column: Column, row: number): string {
    const value = column.values[row] ?? null;
    if (value === null) return "\u2013";
    if (column.words) return column.words[value] ?? "";
    if (column.kind === "outcome") return value > 0 ? "yes" : "no";
    return shortNumber(value);
}

/** 0: no, 1: yes, 2: the run failed. */
export function outcomeOf(study: Study, outcome: number, row: number): 0 | 1 | 2 {
    const value = study.columns[outcome]?.values[row] ?? null;
    return value === null ? 2 : value > 0 ? 1 : 0;
}

/** The rows of the table: failed runs first, then by a value; runs without it are left out. */
export function worstRows(study: Study, column: number, largest: boolean, failedMost: number, most: number): { failed: number[]; others: number[] } {
    const values = study.columns[column]?.values ?? [];
    const rows = study.run.map((_, row) => row);
    const failed = rows.filter((row) => study.status[row] === 2).slice(0, failedMost);
    const others = rows
        .filter((row) => study.status[row] !== 2 && (values[row] ?? null) !== null)
        .sort((a, b) => (largest ? 1 : -1) * ((values[b] ?? 0) - (values[a] ?? 0)) || a - b)
        .slice(0, most);
    return { failed, others };
}

export interface Scale {
    readonly low: number;
    readonly high: number;
    readonly ticks: readonly { readonly at: number; readonly label: string }[];
}
/** Shows all values, with round ticks; a tick for each category where there are words. */
export function scaleOf(column: Column): Scale {
    if (column.words)
        return { low: -0.5, high: column.words.length - 0.5, ticks: column.words.map((word, at) => ({ at, label: word.length > 11 ? `${word.slice(0, 10)}..` : word })) };
    let low = Infinity;
    let high = -Infinity;
    for (const value of column.values) {
        if (value === null) continue;
        low = Math.min(low, value);
        high = Math.max(high, value);
    }
    if (!(low <= high)) [low, high] = [0, 1];
    const room = high > low ? 0.03 * (high - low) : Math.abs(high) * 0.05 || 1;
    low -= room;
    high += room;
    const raw = (high - low) / 5;
    const power = 10 ** Math.floor(Math.log10(raw));
    const step = ([1, 2, 5, 10].find((factor) => factor * power >= raw * (1 - 1e-12)) ?? 10) * power;
    const ticks = [];
    for (let index = Math.ceil(low / step - 1e-9); index * step <= high * (1 + 1e-12) + 1e-9 * step; index++)
        ticks.push({ at: index * step, label: shortNumber(Number((index * step).toPrecision(10))) });
    return { low, high, ticks };
}
/** Words lie on lines: points are spread across them, the same way every time. */
export function spread(column: Column, run: number): number {
    return column.words ? 0.6 * (((run * 0.6180339887498949) % 1) - 0.5) : 0;
}
