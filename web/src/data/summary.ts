// Reads the summary of a run: takes what is there and gets by without the rest.
import type { ContactLog } from "./contacts";
import { firstOf, presentKind } from "./renamed";
import { isObject } from "./scene";

export interface ContactSummary {
    readonly contact: string;
    readonly begins: number | null;
    readonly ends: number | null;
    readonly peakForce: number | null;
    readonly peakTime: number | null;
    readonly maxDepth: number | null;
    readonly impulse: number | null;
}
/** The contacts of two bodies with each other, over all their shapes. */
export interface BodyPairSummary {
    readonly bodies: string;
    readonly contacts: number | null;
    readonly begins: number | null;
    readonly ends: number | null;
    readonly peakForce: number | null;
    readonly peakTime: number | null;
    readonly impulse: number | null;
    readonly energyLost: number | null;
}
export interface LinkSummary {
    readonly link: string;
    readonly peakForce: number | null;
    readonly peakTime: number | null;
    readonly shortest: number | null;
    readonly longest: number | null;
    readonly strokeLeft: number | null;
    readonly energyLost: number | null;
    readonly state: string;
}
export interface EventSummary {
    readonly time: number;
    readonly kind: string;
    readonly contact: string;
}
export interface Fact {
    readonly key: string;
    readonly value: number | string;
}
export interface Summary {
    readonly title: string;
    /** Single values beside the known groups, in the order of the file. */
    readonly facts: readonly Fact[];
    readonly contacts: readonly ContactSummary[];
    /** True where the table was made from recorded frames because the summary has none. */
    readonly contactsFromFrames: boolean;
    readonly bodyPairs: readonly BodyPairSummary[];
    readonly links: readonly LinkSummary[];
    readonly energy: readonly Fact[];
    readonly momentum: readonly Fact[];
    readonly events: readonly EventSummary[];
}

function number(value: unknown): number | null {
    return typeof value === "number" && Number.isFinite(value) ? value : null;
}
function facts(value: unknown): Fact[] {
    if (!isObject(value)) return [];
    return Object.entries(value).flatMap(([key, item]): Fact[] => {
        if (typeof item === "string") return [{ key, value: item }];
        if (typeof item === "boolean") return [{ key, value: item ? "yes" : "no" }];
        const plain = number(item);
        return plain === null ? [] : [{ key, value: plain }];
    });
}

/** What an event is of: a contact, a link, or the two bodies of an attachment. */
function eventSubject(item: Record<string, unknown>): string {
    for (const key of ["contact", "link"] as const) if (typeof item[key] === "string") return item[key];
    const child = firstOf(item, "child", "body_a");
    const parent = firstOf(item, "parent", "body_b");
    return typeof child === "string" && typeof parent === "string" ? `${child}:${parent}` : "";
}

function objects(value: unknown): Record<string, unknown>[] {
    return (Array.isArray(value) ? value : []).filter(isObject);
}

function text(value: unknown): string {
    return typeof value === "string" ? value : "";
}

function bodyPair(item: Record<string, unknown>): BodyPairSummary {
    return {
        bodies: `${text(item["a"])}:${text(item["b"])}`,
        contacts: number(item["contacts"]),
        begins: number(item["begin_time"]),
        ends: number(item["end_time"]),
        peakForce: number(item["peak_force"]),
        peakTime: number(item["peak_force_time"]),
        impulse: number(item["impulse"]),
        energyLost: number(item["energy_lost"]),
    };
}

function link(item: Record<string, unknown>): LinkSummary {
    const state = ["broken", "spent", "captured"].find((key) => item[key] === true);
    return {
        link: text(item["link"]),
        peakForce: number(item["peak_force"]),
        peakTime: number(item["peak_force_time"]),
        shortest: number(item["shortest"]),
        longest: number(item["longest"]),
        strokeLeft: number(item["stroke_left"]),
        energyLost: number(item["energy_lost"]),
        state: state ?? (item["active"] === true ? "on" : "off"),
    };
}

export function parseSummary(json: unknown): Summary {
    const root = isObject(json) ? json : {};
    const contacts = (Array.isArray(root["contacts"]) ? root["contacts"] : []).filter(isObject).map(
        (item): ContactSummary => ({
            contact: typeof item["contact"] === "string" ? item["contact"] : "",
            begins: number(firstOf(item, "begin_time", "begins")),
            ends: number(firstOf(item, "end_time", "ends")),
            peakForce: number(item["peak_force"]),
            peakTime: number(firstOf(item, "peak_force_time", "peak_time")),
            maxDepth: number(firstOf(item, "peak_depth", "max_depth")),
            impulse: number(item["impulse"]),
        }),
    );
    const events = (Array.isArray(root["events"]) ? root["events"] : []).filter(isObject).flatMap((item): EventSummary[] => {
        const time = number(item["time"]);
        const kind = firstOf(item, "event", "kind");
        if (time === null) return [];
        return [
            {
                time,
                kind: typeof kind === "string" ? presentKind(kind) : "event",
                contact: eventSubject(item),
            },
        ];
    });
    return {
        title: typeof root["title"] === "string" ? root["title"] : "",
        facts: facts(root).filter((fact) => fact.key !== "title" && fact.key !== "format" && fact.key !== "version"),
        contacts,
        contactsFromFrames: false,
        bodyPairs: objects(root["body_pairs"]).map(bodyPair),
        links: objects(root["links"]).map(link),
        energy: facts(root["energy"]),
        momentum: facts(root["momentum"]),
        events: events.sort((a, b) => a.time - b.time),
    };
}

/** The bound of the program's own summary: a thousandth of the energy at work shows in the third digit of every force. */
export function residualIsMarked(energy: readonly Fact[]): boolean {
    const value = (key: string): number => {
        const found = energy.find((fact) => fact.key === key)?.value;
        return typeof found === "number" ? Math.abs(found) : NaN;
    };
    const largest = Math.max(value("largest_residual"), 0);
    return largest > 0 && largest > 1e-3 * value("scale");
}

/** Rows for a run whose summary names no contacts though some were recorded. Coarser than the program's own figures,
 * which see every step; the page says so. */
export function contactsFromFrames(log: ContactLog, times: Float64Array): ContactSummary[] {
    interface Episode {
        contact: number;
        begins: number;
        last: number;
        peakForce: number;
        peakTime: number;
        maxDepth: number;
    }
    const episodes: Episode[] = [];
    const latest = new Map<number, Episode>();
    log.rowsByFrame.forEach((rows, frame) => {
        const time = times[frame] ?? 0;
        for (const row of rows) {
            let episode = latest.get(row.contact);
            if (!episode || episode.last < frame - 1) {
                episode = { contact: row.contact, begins: time, last: frame, peakForce: -Infinity, peakTime: time, maxDepth: -Infinity };
                episodes.push(episode);
                latest.set(row.contact, episode);
            }
            episode.last = frame;
            episode.maxDepth = Math.max(episode.maxDepth, row.depth);
            const force = Math.hypot(...row.force);
            if (force > episode.peakForce) {
                episode.peakForce = force;
                episode.peakTime = time;
            }
        }
    });
    return episodes.map((episode) => ({
        contact: log.names[episode.contact] ?? "",
        begins: episode.begins,
        ends: times[episode.last + 1] ?? null,
        peakForce: episode.peakForce,
        peakTime: episode.peakTime,
        maxDepth: episode.maxDepth,
        impulse: null,
    }));
}
