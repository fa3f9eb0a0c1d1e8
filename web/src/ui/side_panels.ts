// Energy and momentum, the events, the bodies and the facts of the run, as lists and tables.
import { indexedColour } from "../colours";
import type { Run } from "../data/run";
import { type Body, type Geometry } from "../data/scene";
import { type Fact, residualIsMarked } from "../data/summary";
import { formatNumber, formatQuantity, formatTime, humanKey } from "../format";
import type { Player } from "../player";
import { jumpButton } from "./contact_table";
import { make } from "./dom";

const eventLimit = 500;

const factUnits: Readonly<Record<string, string>> = { duration: "s", wall_time: "s", step: "s", start_time: "s", end_time: "s", until: "s" };
const driftUnits: Readonly<Record<string, string>> = { linear_drift: "N*s", angular_drift: "N*m*s" };

function factList(facts: readonly Fact[], unitOf: (key: string) => string, marked: readonly string[] = []): HTMLElement {
    const list = make("dl");
    for (const { key, value } of facts)
        list.append(make("dt", {}, humanKey(key)), make("dd", {}, typeof value === "number" ? formatQuantity(value, unitOf(key)) + (marked.includes(key) ? " !" : "") : value));
    return list;
}

function panel(id: string, title: string, ...content: Node[]): HTMLElement {
    return make("section", { class: "panel", "aria-labelledby": id }, make("header", {}, make("h2", { id }, title)), ...content);
}

/** The lines under the title. */
export function runFacts(run: Run): HTMLElement {
    const facts: Fact[] = [...run.summary.facts];
    if (!facts.some((fact) => fact.key === "bodies")) facts.push({ key: "bodies", value: run.scene.bodies.length });
    facts.push({ key: "recorded frames", value: run.replay.frameCount });
    const list = factList(facts, (key) => factUnits[key] ?? "");
    list.className = "facts";
    return list;
}

export function balancePanel(run: Run): HTMLElement | null {
    const { energy, momentum } = run.summary;
    if (energy.length === 0 && momentum.length === 0) return null;
    const content: Node[] = [];
    if (energy.length > 0) content.push(make("h3", {}, "Energy"), factList(energy, () => "J", residualIsMarked(energy) ? ["residual", "largest_residual"] : []));
    if (momentum.length > 0) content.push(make("h3", {}, "Momentum"), factList(momentum, (key) => driftUnits[key] ?? ""));
    if (residualIsMarked(energy)) content.push(make("p", { class: "note", role: "note" }, "! The residual is above 1e-3 of the energy at work: try a shorter step."));
    const element = panel("balance-title", "Energy and momentum", make("div", { class: "balance" }, ...content));
    element.classList.add("balance-panel");
    return element;
}

export function eventsPanel(run: Run, player: Player, decimals: number): HTMLElement | null {
    const { events } = run.summary;
    if (events.length === 0) return null;
    const body = make("tbody");
    for (const event of events.slice(0, eventLimit))
        body.append(
            make(
                "tr",
                {},
                make("td", { class: "number" }, player.frameCount > 0 ? jumpButton(player, event.time, decimals) : formatTime(event.time, decimals)),
                make("td", {}, humanKey(event.kind)),
                make("th", { scope: "row" }, event.contact),
            ),
        );
    const heads = ["Time [s]", "Event", "Contact"].map((head, index) => make("th", { scope: "col", class: index === 0 ? "number" : "" }, head));
    const table = make("table", { class: "events" }, make("thead", {}, make("tr", {}, ...heads)), body);
    const scroll = make("div", { class: "scroll", tabindex: 0, role: "region", "aria-labelledby": "events-title" }, table);
    const notes = events.length > eventLimit ? [make("p", { class: "note" }, `The first ${eventLimit} of ${events.length} events.`)] : [];
    return panel("events-title", "Events", scroll, ...notes);
}

function formatSides(sides: readonly number[]): string {
    return sides.map((side) => formatNumber(side)).join(" x ");
}
function describeGeometry(geometry: Geometry): string {
    const rounded = "rounding" in geometry && geometry.rounding > 0 ? `, rounded by ${formatNumber(geometry.rounding)} m` : "";
    switch (geometry.type) {
        case "sphere":
            return `sphere, radius ${formatNumber(geometry.radius)} m`;
        case "capsule":
            return `capsule, radius ${formatNumber(geometry.radius)} m, half length ${formatNumber(geometry.halfLength)} m`;
        case "disk":
            return `disk, radius ${formatNumber(geometry.radius)} m${rounded}`;
        case "cylinder":
        case "cone":
            return `${geometry.type}, radius ${formatNumber(geometry.radius)} m, half length ${formatNumber(geometry.halfLength)} m${rounded}`;
        case "box":
            return `box, half extents ${formatSides(geometry.halfExtents)} m${rounded}`;
        case "ellipsoid":
            return `ellipsoid, radii ${formatSides(geometry.radii)} m${rounded}`;
        case "plane":
            return "plane";
        case "probe":
            return `probe, range ${formatNumber(geometry.range)} m, cushion ${formatNumber(geometry.cushion)} m`;
        case "points":
            return geometry.typeName === "point" ? "point" : `${geometry.typeName}, ${geometry.vertices.length / 3} points`;
        case "triangles":
            return `${geometry.typeName}, ${geometry.vertices.length / 3} vertices${rounded}`;
        case "unknown":
            return `${geometry.typeName}, not drawn`;
    }
}
function describeShapes(body: Body): string {
    const shown = body.shapes.slice(0, 6).map((shape) => {
        const material = shape.material === "" ? "" : `, ${shape.material}`;
        return `${shape.name}: ${describeGeometry(shape.geometry)}${material}`;
    });
    const more = body.shapes.length - shown.length;
    return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join("\n");
}

export function bodiesPanel(run: Run): HTMLElement {
    const body = make("tbody");
    run.scene.bodies.forEach((item, index) => {
        const chip = make("i", { class: "chip", "aria-hidden": "true" });
        chip.style.background = indexedColour(index);
        const drawn = run.replay.tracks[index] ? "" : " (no recorded pose)";
        body.append(
            make("tr", {}, make("th", { scope: "row" }, chip, item.name), make("td", {}, item.motion + drawn), make("td", { class: "shapes" }, describeShapes(item))),
        );
    });
    const heads = ["Body", "Motion", "Shapes"].map((head) => make("th", { scope: "col" }, head));
    const table = make("table", { class: "bodies" }, make("thead", {}, make("tr", {}, ...heads)), body);
    return panel("bodies-title", "Bodies", make("div", { class: "scroll", tabindex: 0, role: "region", "aria-labelledby": "bodies-title" }, table));
}
