// Links between bodies: where their ends are at a frame and what has become of them by then.
import { turned } from "./extents";
import { attitudeAt, positionAt, type Replay } from "./replay";
import { isObject, list, numbers, text, type Vector3 } from "./scene";
import type { EventSummary } from "./summary";

export interface LinkEnd {
    readonly body: number;
    /** m, in the structure frame of the body. */
    readonly position: Vector3;
}
export interface Link {
    readonly name: string;
    readonly law: string;
    readonly active: boolean;
    readonly ends: readonly [LinkEnd, LinkEnd];
    readonly parameters: Readonly<Record<string, unknown>>;
}
/** Slack: it bears nothing at this length. Open: a latch that has not caught. Gone: broken or spent. */
export type LinkState = "acting" | "slack" | "open" | "gone";

export function parseLinks(value: unknown, bodies: readonly { readonly name: string }[]): Link[] {
    return list(value)
        .filter(isObject)
        .flatMap((item): Link[] => {
            const ends = list(item["ends"]).map((end): LinkEnd | null => {
                const json = isObject(end) ? end : {};
                const body = bodies.findIndex((candidate) => candidate.name === json["body"]);
                const p = numbers(json["position"], 3);
                return body < 0 || !p ? null : { body, position: [p[0] ?? 0, p[1] ?? 0, p[2] ?? 0] };
            });
            const [a, b] = ends;
            if (!a || !b) return [];
            return [{ name: text(item["name"]), law: text(item["law"]), active: item["active"] !== false, ends: [a, b], parameters: isObject(item["parameters"]) ? item["parameters"] : {} }];
        });
}

/** Both ends in the world; null where a body has no recorded pose. */
export function linkEnds(link: Link, replay: Replay, frame: number): [Vector3, Vector3] | null {
    const places = link.ends.map(({ body, position }): Vector3 | null => {
        const track = replay.tracks[body];
        if (!track) return null;
        const p = positionAt(track, frame);
        const offset = turned(attitudeAt(track, frame), position);
        return [p[0] + offset[0], p[1] + offset[1], p[2] + offset[2]];
    });
    const [a, b] = places;
    return a && b ? [a, b] : null;
}

/** When each link is lost, and when each latch catches, by name. */
export interface LinkFates {
    readonly lost: ReadonlyMap<string, number>;
    readonly caught: ReadonlyMap<string, number>;
}
export function linkFates(events: readonly EventSummary[]): LinkFates {
    const lost = new Map<string, number>();
    const caught = new Map<string, number>();
    for (const { kind, contact, time } of events) {
        if ((kind === "break" || kind === "spent") && !lost.has(contact)) lost.set(contact, time);
        if (kind === "capture" && !caught.has(contact)) caught.set(contact, time);
    }
    return { lost, caught };
}

export function linkState(link: Link, length: number, time: number, fates: LinkFates): LinkState {
    if (time >= (fates.lost.get(link.name) ?? Infinity)) return "gone";
    if (!link.active) return "slack";
    if (link.law === "latch") return time >= (fates.caught.get(link.name) ?? Infinity) ? "acting" : "open";
    const { length: taut, free_length: free, acts } = link.parameters;
    if (link.law === "tether" && typeof taut === "number" && length < taut) return "slack";
    if (typeof free === "number") {
        if (acts === "pull" && length < free) return "slack";
        if ((acts === "push" || link.law === "separation_spring") && length > free) return "slack";
    }
    return "acting";
}

