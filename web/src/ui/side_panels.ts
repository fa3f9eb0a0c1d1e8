// The facts of the run, energy and momentum, and the events, as lists and tables.
import type { Run } from "../data/run";
import { type Fact, residualIsMarked } from "../data/summary";
import { formatNumber, formatQuantity, formatTime, humanKey } from "../format";
import type { Player } from "../player";
import { make } from "./dom";
import { fold, jumpButton, numberCell, panel, scrollTable } from "./tables";

const eventLimit = 500;

const factUnits: Readonly<Record<string, string>> = { duration: "s", wall_time: "s", step: "s", start_time: "s", end_time: "s", until: "s" };
const driftUnits: Readonly<Record<string, string>> = { linear_drift: "N\u00b7s", angular_drift: "N\u00b7m\u00b7s" };
/** What a reader asks first; all else waits behind a fold. */
const firstFacts = ["verdict", "duration", "steps", "step", "method", "wall_time", "hash"];

function factList(facts: readonly Fact[], unitOf: (key: string) => string, marked: readonly string[] = []): HTMLElement {
    const list = make("dl");
    for (const { key, value } of facts)
        list.append(make("dt", {}, humanKey(key)), make("dd", {}, typeof value === "number" ? formatQuantity(value, unitOf(key)) + (marked.includes(key) ? " !" : "") : value));
    return list;
}

/** The lines under the title. */
export function runFacts(run: Run): HTMLElement {
    const facts: Fact[] = [...run.summary.facts];
    if (!facts.some((fact) => fact.key === "bodies")) facts.push({ key: "bodies", value: run.scene.bodies.length });
    facts.push({ key: "recorded frames", value: run.replay.frameCount });
    const unitOf = (key: string): string => factUnits[key] ?? "";
    const first = factList(firstFacts.flatMap((key) => facts.find((fact) => fact.key === key) ?? []), unitOf);
    const valueOf = (key: string): number | string | undefined => facts.find((fact) => fact.key === key)?.value;
    const complete = valueOf("complete");
    if (complete !== undefined) {
        const good = complete === "yes";
        const text = good ? "complete" : `cut short: ${String(valueOf("ended_by") ?? "not complete")}`;
        const verdict = first.querySelector("dd");
        if (valueOf("verdict") !== undefined && verdict !== null) verdict.className = valueOf("verdict") === "sound" ? "state good" : "state bad";
        first.prepend(make("dt", { class: "unseen" }, "state"), make("dd", { class: good ? "state good" : "state bad" }, text));
    }
    return make("div", { class: "facts" }, first, fold("All facts of the run", factList(facts, unitOf)));
}

export function balancePanel(run: Run): HTMLElement | null {
    const { energy, momentum } = run.summary;
    if (energy.length === 0 && momentum.length === 0) return null;
    const content: Node[] = [];
    const isFigure = ({ key }: Fact): boolean => key !== "scale" && key !== "residual_bound";
    if (energy.length > 0) content.push(make("h3", {}, "Energy"), factList(energy.filter(isFigure), () => "J", residualIsMarked(energy) ? ["residual", "largest_residual"] : []));
    if (momentum.length > 0) content.push(make("h3", {}, "Momentum"), factList(momentum, (key) => driftUnits[key] ?? ""));
    if (residualIsMarked(energy)) content.push(make("p", { class: "note", role: "note" }, "! The residual is above 1e-3 of the energy at work: try a shorter step."));
    const element = panel("balance-title", "Energy and momentum", make("div", { class: "balance" }, ...content));
    element.classList.add("balance-panel");
    return element;
}

export function eventsPanel(run: Run, player: Player, decimals: number): HTMLElement | null {
    const { events } = run;
    if (events.length === 0) return null;
    const rows = events
        .slice(0, eventLimit)
        .map((event) =>
            make(
                "tr",
                {},
                numberCell(player.frameCount > 0 ? jumpButton(player, event.time, decimals) : formatTime(event.time, decimals)),
                make("td", {}, humanKey(event.kind)),
                make("th", { scope: "row" }, event.contact),
                numberCell(event.speed === null ? "" : formatNumber(event.speed)),
            ),
        );
    const scroll = scrollTable("events", "events-title", [["Time [s]", "number"], ["Event"], ["Of"], ["Speed [m/s]", "number"]], rows);
    const notes = events.length > eventLimit ? [make("p", { class: "note" }, `The first ${eventLimit} of ${events.length} events.`)] : [];
    return panel("events-title", "Events", scroll, ...notes);
}
