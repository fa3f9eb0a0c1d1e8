// Pairs of bodies over all their shapes, and links, over the whole run.
import type { Run } from "../data/run";
import { formatNumber } from "../format";
import type { Player } from "../player";
import { make } from "./dom";
import { type Head, jumpButton, numberCell, panel, scrollTable } from "./tables";

function figures(...values: readonly (number | null)[]): HTMLTableCellElement[] {
    return values.map((value) => numberCell(formatNumber(value)));
}

function heads(...texts: readonly string[]): Head[] {
    return texts.map((text): Head => [text, "number"]);
}

/** One row per pair of bodies whose shapes touched; null: nothing touched. */
export function bodyPairTable(run: Run, player: Player, decimals: number): HTMLElement | null {
    if (run.summary.bodyPairs.length === 0) return null;
    const time = (value: number | null, otherwise: string): HTMLTableCellElement => numberCell(value === null ? otherwise : jumpButton(player, value, decimals));
    const rows = run.summary.bodyPairs.map((pair) =>
        make(
            "tr",
            {},
            make("th", { scope: "row" }, pair.bodies),
            numberCell(String(pair.contacts ?? "")),
            time(pair.begins, "\u2013"),
            time(pair.ends, "in contact"),
            ...figures(pair.peakForce),
            time(pair.peakTime, "\u2013"),
            ...figures(pair.impulse, pair.energyLost),
        ),
    );
    const columns: Head[] = [["Bodies"], ...heads("Contacts", "First [s]", "Last [s]", "Peak force [N]", "at [s]", "Impulse [N\u00b7s]", "Energy lost [J]")];
    const note = make("p", { class: "note" }, "The peak is that of the sum of all contact forces at accepted states; the impulse that of the normal forces.");
    return panel("body-pairs-title", "Pairs of bodies", scrollTable("body-pairs", "body-pairs-title", columns, rows), note);
}

/** One row per link that was switched on; null: there is none. */
export function linkTable(run: Run, player: Player, decimals: number): HTMLElement | null {
    const links = run.summary.links.filter(({ longest }) => longest !== null);
    if (links.length === 0) return null;
    const rows = links.map((link) =>
        make(
            "tr",
            {},
            make("th", { scope: "row" }, link.link),
            ...figures(link.peakForce),
            numberCell(link.peakForce && link.peakTime !== null ? jumpButton(player, link.peakTime, decimals) : "\u2013"),
            ...figures(link.shortest, link.longest, link.strokeLeft, link.energyLost),
            make("td", {}, link.state),
        ),
    );
    const columns: Head[] = [["Link"], ...heads("Peak force [N]", "at [s]", "Shortest [m]", "Longest [m]", "Stroke left [m]", "Energy lost [J]"), ["At the end"]];
    return panel("link-sums-title", "Links", scrollTable("link-sums", "link-sums-title", columns, rows));
}
