// The scrub bar with what happened above it: spans of contact and marks of events.
import { framePosition } from "../data/replay";
import type { Run } from "../data/run";
import { formatTime } from "../format";
import type { Player } from "../player";
import { make } from "./dom";

/** More marks than this cannot be told apart on a screen, so further ones at the same place are left out. */
const places = 600;

/** Colours of marks: beginnings and ends of contact, changes of mode, and all that is not of contacts. */
function classOf(kind: string): string {
    if (kind === "begin" || kind === "end") return kind;
    return kind === "slip" || kind === "stick" || kind === "mode" ? "mode" : "other";
}
const ranks = ["mode", "end", "begin", "other"];

export class Timeline {
    readonly element: HTMLElement;
    /** Times with events, rising. */
    private readonly stops: readonly number[];
    private readonly slider: HTMLInputElement;
    private readonly player: Player;
    private readonly decimals: number;

    constructor(run: Run, player: Player, decimals: number) {
        this.player = player;
        this.decimals = decimals;
        this.stops = [...new Set(run.events.map((event) => event.time))].sort((a, b) => a - b);
        const last = Math.max(0, player.frameCount - 1);
        this.slider = make("input", { type: "range", min: 0, max: last, step: 1, value: 0, "aria-label": "Time", disabled: last === 0 });
        this.slider.addEventListener("input", () => {
            player.pause();
            player.setFrame(Number(this.slider.value));
        });
        const track = make("div", { class: "marks" });
        this.element = make("div", { class: "timeline" }, track, this.slider);
        if (last === 0) return;
        const share = (time: number): number => framePosition(player.times, time) / last;
        this.addSpans(track, run, share);
        this.addEvents(track, run, share);
    }

    update(): void {
        this.slider.value = String(Math.max(0, this.player.frame));
        const last = Math.max(1, this.player.frameCount - 1);
        this.slider.style.setProperty("--done", `${(Math.max(0, this.player.frame) / last) * 100}%`);
        this.slider.setAttribute("aria-valuetext", `${formatTime(this.player.time, this.decimals)} seconds`);
    }

    get hasEvents(): boolean {
        return this.stops.length > 0;
    }
    /** To the frame of the nearest event before (-1) or behind (1) the shown one. */
    stepEvent(direction: -1 | 1): void {
        const { player, stops } = this;
        const frames = stops.map((time) => Math.ceil(framePosition(player.times, time) - 1e-9));
        const next = direction > 0 ? frames.find((frame) => frame > player.frame) : frames.filter((frame) => frame < player.frame).pop();
        if (next === undefined) return;
        player.pause();
        player.setFrame(next);
    }

    private addSpans(track: HTMLElement, run: Run, share: (time: number) => number): void {
        const seen = new Set<string>();
        for (const contact of run.summary.contacts) {
            if (contact.begins === null) continue;
            const from = share(contact.begins);
            const to = contact.ends === null ? 1 : share(contact.ends);
            const key = `${Math.round(from * places)}:${Math.round(to * places)}`;
            if (seen.has(key)) continue;
            seen.add(key);
            const span = make("div", { class: "span" });
            span.style.left = `${from * 100}%`;
            span.style.width = `${Math.max(0, to - from) * 100}%`;
            track.append(span);
        }
    }

    private addEvents(track: HTMLElement, run: Run, share: (time: number) => number): void {
        const byPlace = new Map<number, { time: number; kind: string; texts: string[] }>();
        for (const event of run.events) {
            const place = Math.round(share(event.time) * places);
            const kind = classOf(event.kind);
            const known = byPlace.get(place) ?? { time: event.time, kind, texts: [] };
            if (ranks.indexOf(kind) > ranks.indexOf(known.kind)) known.kind = kind;
            known.texts.push(`${formatTime(event.time, this.decimals)} s  ${event.kind}  ${event.contact}`.trim());
            byPlace.set(place, known);
        }
        for (const [place, { time, kind, texts }] of byPlace) {
            const more = texts.length > 12 ? [`and ${texts.length - 12} more`] : [];
            // Keys and the table of events offer the same jumps.
            const mark = make("div", { class: `event ${kind}`, title: [...texts.slice(0, 12), ...more].join("\n") });
            mark.style.left = `${(place / places) * 100}%`;
            mark.addEventListener("click", () => {
                this.player.pause();
                this.player.seek(time);
            });
            track.append(mark);
        }
    }
}
