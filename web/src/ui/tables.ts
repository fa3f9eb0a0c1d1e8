// Parts that all tables of the page share.
import { formatTime } from "../format";
import type { Player } from "../player";
import { make } from "./dom";

export function panel(id: string, title: string, ...content: Node[]): HTMLElement {
    return make("section", { class: "panel", "aria-labelledby": id }, make("header", {}, make("h2", { id }, title)), ...content);
}

/** A head: its text, and whether numbers stand below it. */
export type Head = readonly [text: string, number?: "number"];

/** A table that scrolls by itself, and by keyboard. */
export function scrollTable(kind: string, titleId: string, heads: readonly Head[], rows: readonly Node[]): HTMLElement {
    const head = make("tr", {}, ...heads.map(([text, number]) => make("th", { scope: "col", class: number ?? "" }, text)));
    const table = make("table", { class: kind }, make("thead", {}, head), make("tbody", {}, ...rows));
    return make("div", { class: "scroll", tabindex: 0, role: "region", "aria-labelledby": titleId }, table);
}

export function numberCell(...content: (Node | string)[]): HTMLTableCellElement {
    return make("td", { class: "number" }, ...content);
}

/** A time that shows itself in the replay. */
export function jumpButton(player: Player, time: number, decimals: number): HTMLButtonElement {
    const text = formatTime(time, decimals);
    const button = make("button", { type: "button", class: "jump", title: `Show ${text} s` }, text);
    button.addEventListener("click", () => {
        player.pause();
        player.seek(time);
    });
    return button;
}

/** Something long that opens on demand. */
export function fold(summary: string, ...content: Node[]): HTMLDetailsElement {
    return make("details", {}, make("summary", {}, summary), ...content);
}
