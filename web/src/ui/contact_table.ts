// The contacts of the run as a table, with what each bears at the shown frame.
import type { ContactRow } from "../data/contacts";
import type { Run } from "../data/run";
import type { ContactSummary } from "../data/summary";
import { formatNumber, formatTime } from "../format";
import type { Player } from "../player";
import { make, setText } from "./dom";

/** Rows beyond this are left out, the weakest first. */
const rowLimit = 200;

export class ContactTable {
    readonly element: HTMLElement;
    private readonly run: Run;
    private readonly player: Player;
    private readonly live: { contact: number; summary: ContactSummary; row: HTMLElement; depth: HTMLElement; force: HTMLElement }[] = [];

    constructor(run: Run, player: Player, decimals: number) {
        this.run = run;
        this.player = player;
        const all = run.summary.contacts;
        const shown = all.length <= rowLimit ? all : [...all].sort((a, b) => (b.peakForce ?? 0) - (a.peakForce ?? 0)).slice(0, rowLimit);
        const indexOf = new Map(run.contacts.names.map((name, index) => [name, index]));
        const notes: string[] = [];
        if (run.summary.contactsFromFrames) notes.push("From the recorded frames only: peaks between frames are missed.");
        if (all.length > shown.length) notes.push(`The ${rowLimit} strongest of ${all.length} contacts.`);

        const body = make("tbody");
        for (const contact of shown) {
            const depth = make("td", { class: "number live" });
            const force = make("td", { class: "number live" });
            const row = make(
                "tr",
                {},
                make("th", { scope: "row" }, contact.contact),
                make("td", { class: "number" }, this.jump(contact.begins, decimals)),
                make("td", { class: "number" }, contact.ends === null ? "in contact" : this.jump(contact.ends, decimals)),
                make("td", { class: "number" }, formatNumber(contact.peakForce)),
                make("td", { class: "number" }, this.jump(contact.peakTime, decimals)),
                make("td", { class: "number" }, formatNumber(contact.maxDepth)),
                make("td", { class: "number" }, formatNumber(contact.impulse)),
                depth,
                force,
            );
            body.append(row);
            this.live.push({ contact: indexOf.get(contact.contact) ?? -1, summary: contact, row, depth, force });
        }
        const heads = ["Contact", "Begins [s]", "Ends [s]", "Peak force [N]", "at [s]", "Max depth [m]", "Impulse [N\u00b7s]", "Depth now [m]", "Normal force now [N]"];
        const table = make(
            "table",
            { class: "contacts" },
            make("thead", {}, make("tr", {}, ...heads.map((head, index) => make("th", { scope: "col", class: index === 0 ? "" : "number" }, head)))),
            body,
        );
        this.element = make(
            "section",
            { class: "panel", "aria-labelledby": "contacts-title" },
            make("header", {}, make("h2", { id: "contacts-title" }, "Contacts")),
            shown.length > 0
                ? make("div", { class: "scroll", tabindex: 0, role: "region", "aria-labelledby": "contacts-title" }, table)
                : make("p", { class: "note" }, "Nothing touched in this run."),
            ...notes.map((note) => make("p", { class: "note" }, note)),
        );
    }

    update(): void {
        if (this.live.length === 0) return;
        const now = new Map<number, ContactRow>();
        for (const row of this.run.contacts.rowsByFrame[this.player.frame] ?? []) now.set(row.contact, row);
        const time = this.player.time;
        for (const { contact, summary, row, depth, force } of this.live) {
            // One pair may touch several times; only the line of the present touch is live.
            const within = (summary.begins ?? -Infinity) <= time && time <= (summary.ends ?? Infinity);
            const values = within ? now.get(contact) : undefined;
            setText(depth, formatNumber(values?.depth));
            setText(force, formatNumber(values?.normalForce));
            row.classList.toggle("touching", values !== undefined);
        }
    }

    private jump(time: number | null, decimals: number): Node {
        if (time === null) return document.createTextNode(formatNumber(null));
        return jumpButton(this.player, time, decimals);
    }
}

export function jumpButton(player: Player, time: number, decimals: number): HTMLButtonElement {
    const text = formatTime(time, decimals);
    const button = make("button", { type: "button", class: "jump", title: `Show ${text} s` }, text);
    button.addEventListener("click", () => {
        player.pause();
        player.seek(time);
    });
    return button;
}
