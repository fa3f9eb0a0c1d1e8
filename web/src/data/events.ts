// What happened, in full where events.csv is in the page, and the modes of the contacts that follow from it.
import { findColumn, parseTable } from "./csv";
import { presentKind } from "./renamed";
import type { EventSummary } from "./summary";

export interface EventRow extends EventSummary {
    /** Of a change of mode: the new one. */
    readonly code: number;
    /** m/s; the depth rate where a contact begins or ends. */
    readonly speed: number | null;
}

export function parseEvents(csv: string, otherwise: readonly EventSummary[]): EventRow[] {
    const table = parseTable(csv, ["event", "contact"], "gaps");
    const time = findColumn(table, "time")?.numbers;
    const kind = findColumn(table, "event")?.texts;
    if (!time || !kind) return otherwise.map((event) => ({ ...event, code: 0, speed: null }));
    const contact = findColumn(table, "contact")?.texts ?? [];
    const code = findColumn(table, "code")?.numbers;
    const speed = findColumn(table, "speed")?.numbers;
    const rows = kind.map((written, row): EventRow => {
        const name = presentKind(written);
        const rate = speed?.[row];
        const touches = name === "begin" || name === "end";
        return { time: time[row] ?? 0, kind: name, contact: contact[row] ?? "", code: code?.[row] ?? 0, speed: touches && rate !== undefined && Number.isFinite(rate) ? rate : null };
    });
    // Those of one step stand in the order of their contacts, and a touch may lie at the start of its step.
    return rows.sort((a, b) => a.time - b.time);
}

export interface ModeSpan {
    readonly from: number;
    readonly to: number;
    readonly mode: string;
}
export interface ModeLane {
    readonly contact: string;
    readonly spans: readonly ModeSpan[];
}

/** Of a contact whose law has no modes, or has not changed them yet. */
export const plainMode = "touching";

const modeOfKind: Readonly<Record<string, string>> = { slip: "slipping", stick: "sticking" };
const modeOfName: Readonly<Record<string, string>> = { kinetic: "slipping", static: "sticking", none: plainMode };

/** One lane per contact that was ever touched, in the order of first touch. `names`: of modes by number, where known. */
export function modeLanes(events: readonly EventRow[], end: number, names: readonly string[]): ModeLane[] {
    interface Open {
        spans: ModeSpan[];
        from: number;
        mode: string | null;
        /** Told before the touch that it belongs to. */
        early: { time: number; mode: string } | null;
    }
    const named = (name: string | undefined): string | undefined => (name === undefined ? undefined : (modeOfName[name] ?? name.replace(/_/g, " ")));
    const lanes = new Map<string, Open>();
    const close = (lane: Open, time: number): void => {
        if (lane.mode !== null && time > lane.from) lane.spans.push({ from: lane.from, to: time, mode: lane.mode });
    };
    for (const event of events) {
        let mode: string | null;
        if (event.kind === "begin") mode = named(names[0]) ?? plainMode;
        else if (event.kind === "end") mode = null;
        else if (event.kind in modeOfKind) mode = modeOfKind[event.kind] ?? plainMode;
        else if (event.kind === "mode") mode = named(names[event.code]) ?? `mode ${event.code}`;
        else continue;
        let lane = lanes.get(event.contact);
        if (!lane) {
            lane = { spans: [], from: event.time, mode: null, early: null };
            lanes.set(event.contact, lane);
        }
        if (lane.mode === null && event.kind !== "begin") {
            lane.early = mode === null ? null : { time: event.time, mode };
            continue;
        }
        close(lane, event.time);
        lane.from = event.time;
        lane.mode = event.kind === "begin" && lane.early?.time === event.time ? lane.early.mode : mode;
        lane.early = null;
    }
    return [...lanes]
        .map(([contact, lane]) => {
            close(lane, end);
            return { contact, spans: lane.spans };
        })
        .filter(({ spans }) => spans.length > 0);
}

/** The mode of a lane at a time; null while nothing touches. */
export function modeAt(lane: ModeLane | undefined, time: number): string | null {
    return lane?.spans.find((span) => span.from <= time && time < span.to)?.mode ?? null;
}
