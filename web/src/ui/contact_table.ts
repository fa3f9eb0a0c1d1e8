// The contacts of the run: what each bears at the shown frame, and every touch from its beginning to its end.
import type { ContactRow } from "../data/contacts";
import type { Episode, Figure } from "../data/episodes";
import { modeAt, type ModeLane } from "../data/events";
import type { Run } from "../data/run";
import type { ContactSummary } from "../data/summary";
import { formatNumber } from "../format";
import type { Player } from "../player";
import { make, setText } from "./dom";
import { jumpButton, numberCell, panel, scrollTable } from "./tables";

/** Rows beyond this are left out, the weakest first. */
const rowLimit = 200;

interface Live {
    readonly contact: number;
    readonly lane: ModeLane | undefined;
    readonly row: HTMLElement;
    readonly cells: readonly HTMLElement[];
}

/** One row per contact, with what it bears now. */
export class ContactTable {
    readonly element: HTMLElement;
    private readonly run: Run;
    private readonly player: Player;
    private readonly live: readonly Live[];

    constructor(run: Run, player: Player) {
        this.run = run;
        this.player = player;
        const touches = new Map<string, { count: number; peak: number }>();
        for (const { contact, peakForce } of run.summary.contacts) {
            const known = touches.get(contact) ?? { count: 0, peak: 0 };
            touches.set(contact, { count: known.count + 1, peak: Math.max(known.peak, peakForce ?? 0) });
        }
        const indexOf = new Map(run.contacts.names.map((name, index) => [name, index]));
        const lanes = new Map(run.modes.map((lane) => [lane.contact, lane]));
        const all = [...touches].sort(([, a], [, b]) => b.peak - a.peak).slice(0, rowLimit);
        this.live = all.map(([name, { count }]): Live => {
            const cells = [0, 1, 2, 3].map(() => make("td", { class: "number live" }));
            const mode = make("td", { class: "live" });
            const row = make("tr", {}, make("th", { scope: "row" }, name), numberCell(String(count)), mode, ...cells);
            return { contact: indexOf.get(name) ?? -1, lane: lanes.get(name), row, cells: [mode, ...cells] };
        });
        const notes = touches.size > all.length ? [make("p", { class: "note" }, `The ${rowLimit} strongest of ${touches.size} contacts.`)] : [];
        const content =
            all.length === 0
                ? make("p", { class: "note" }, "Nothing touched in this run.")
                : scrollTable(
                      "contacts",
                      "contacts-title",
                      [["Contact"], ["Touches", "number"], ["Mode now"], ["Depth now [m]", "number"], ["Normal force now [N]", "number"], ["Friction force now [N]", "number"], ["Friction / normal", "number"]],
                      this.live.map(({ row }) => row),
                  );
        this.element = panel("contacts-title", "Contacts", content, ...notes);
    }

    update(): void {
        if (this.live.length === 0) return;
        const now = new Map<number, ContactRow>();
        for (const row of this.run.contacts.rowsByFrame[this.player.frame] ?? []) now.set(row.contact, row);
        for (const { contact, lane, row, cells } of this.live) {
            const values = now.get(contact);
            const ratio = values && values.normalForce > 0 ? values.frictionForce / values.normalForce : null;
            const texts = [
                values ? (modeAt(lane, this.player.time) ?? "") : "\u2013",
                formatNumber(values?.depth),
                formatNumber(values?.normalForce),
                formatNumber(values?.frictionForce),
                formatNumber(ratio, 3),
            ];
            cells.forEach((cell, index) => setText(cell, texts[index] ?? ""));
            row.classList.toggle("touching", values !== undefined);
        }
    }
}

function fromSummary(contact: ContactSummary): Episode {
    const figure = (value: number | null): Figure => ({ value: value ?? NaN, error: Infinity });
    return {
        contact: contact.contact,
        begins: figure(contact.begins),
        ends: figure(contact.ends),
        peakForce: figure(contact.peakForce),
        peakTime: figure(contact.peakTime),
        peakDepth: figure(contact.maxDepth),
        impulse: figure(contact.impulse),
        approachSpeed: figure(null),
        reboundSpeed: figure(null),
    };
}

/** One row per touch. */
export class EpisodeTable {
    readonly element: HTMLElement;
    private readonly player: Player;
    private readonly rows: readonly { readonly episode: Episode; readonly row: HTMLElement }[];

    constructor(run: Run, player: Player, decimals: number) {
        this.player = player;
        const all = run.episodes.length > 0 ? run.episodes : run.summary.contacts.map(fromSummary);
        const shown =
            all.length <= rowLimit ? all : [...all].sort((a, b) => b.peakForce.value - a.peakForce.value).slice(0, rowLimit).sort((a, b) => a.begins.value - b.begins.value);
        const time = (figure: Figure, otherwise: string): Node | string => (Number.isFinite(figure.value) ? jumpButton(player, figure.value, decimals) : otherwise);
        this.rows = shown.map((episode) => ({
            episode,
            row: make(
                "tr",
                {},
                make("th", { scope: "row" }, episode.contact),
                numberCell(time(episode.begins, "\u2013")),
                numberCell(time(episode.ends, "in contact")),
                figureCell(episode.peakForce, "N"),
                numberCell(time(episode.peakTime, "\u2013")),
                figureCell(episode.peakDepth, "m"),
                figureCell(episode.impulse, "N\u00b7s"),
                figureCell(episode.approachSpeed, "m/s"),
                figureCell(episode.reboundSpeed, "m/s"),
            ),
        }));
        const notes: string[] = [];
        if (run.summary.contactsFromFrames && run.episodes.length === 0) notes.push("From the recorded frames only: peaks between frames are missed.");
        if (all.length > shown.length) notes.push(`The ${rowLimit} strongest of ${all.length} touches.`);
        if (run.episodes.length > 0) notes.push("Point at a figure for the estimate of its error; ~ marks those above 1 % of the figure.");
        const heads = [["Contact"], ...["Begins [s]", "Ends [s]", "Peak force [N]", "at [s]", "Max depth [m]", "Impulse [N\u00b7s]", "Approach [m/s]", "Rebound [m/s]"].map((head) => [head, "number"] as const)] as const;
        this.element = panel(
            "episodes-title",
            "Touches",
            shown.length > 0 ? scrollTable("episodes", "episodes-title", heads, this.rows.map(({ row }) => row)) : make("p", { class: "note" }, "Nothing touched in this run."),
            ...notes.map((note) => make("p", { class: "note" }, note)),
        );
    }

    update(): void {
        const { time } = this.player;
        for (const { episode, row } of this.rows) {
            const { begins, ends } = episode;
            row.classList.toggle("touching", begins.value <= time && !(ends.value < time));
        }
    }
}

function figureCell({ value, error }: Figure, unit: string): HTMLTableCellElement {
    const unsure = error !== Infinity && error > 0.01 * Math.abs(value);
    const cell = numberCell(Number.isFinite(value) && unsure ? `~ ${formatNumber(value)}` : formatNumber(value));
    if (Number.isFinite(value)) cell.title = error === Infinity ? "The error of this figure is not known" : `\u00b1 ${formatNumber(error, 2)} ${unit} (estimate)`;
    return cell;
}
