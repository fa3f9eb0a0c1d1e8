// What the run was of: bodies and their masses, parameters of the laws, links, the scenario itself.
import { bodyColour } from "../colours";
import type { LawUse, MassProperties, Model, Parameter } from "../data/model";
import type { Run } from "../data/run";
import type { Body, Geometry } from "../data/scene";
import { formatNumber, humanKey } from "../format";
import type { Look } from "../view/body_meshes";
import { make } from "./dom";
import { fold, numberCell, panel, scrollTable } from "./tables";

/** Rows of links beyond this fill the page with what is alike. */
const linkLimit = 100;

// ---- bodies

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
            return `${geometry.typeName}, ${geometry.vertices.length / 3} vertices, ${geometry.triangles.length / 3} triangles${rounded}`;
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

function vector(values: readonly number[]): string {
    return values.map((value) => formatNumber(value)).join(", ");
}
/** The diagonal alone where nothing else is there. */
function inertia({ inertia: m }: MassProperties): string {
    const products = [m[1], m[2], m[5]].some((value) => value !== 0);
    const diagonal = [m[0] ?? NaN, m[4] ?? NaN, m[8] ?? NaN];
    return products ? [m.slice(0, 3), m.slice(3, 6), m.slice(6, 9)].map(vector).join("\n") : `diagonal ${vector(diagonal)}`;
}

/** Sets how a body, or one of its shapes, is drawn. */
export interface Looks {
    readonly shapesApart: boolean;
    set(body: number, shape: number | null, look: Look): void;
}

/** Two boxes: whether it is shown, and whether what lies behind it is. */
function lookBoxes(name: string, set: (look: Look) => void): HTMLElement[] {
    const shown = make("input", { type: "checkbox", checked: true, "aria-label": `Show ${name}`, title: "Show" });
    const clear = make("input", { type: "checkbox", class: "clear", "aria-label": `See through ${name}`, title: "See through" });
    const apply = (): void => set(!shown.checked ? "hidden" : clear.checked ? "clear" : "solid");
    shown.addEventListener("change", apply);
    clear.addEventListener("change", apply);
    return [shown, clear];
}

/** A row for each shape of a body that has several, on demand. */
function shapeBoxes(body: Body, index: number, looks: Looks): HTMLElement {
    const rows = body.shapes.map((shape, at) => make("div", { class: "look" }, ...lookBoxes(`${body.name}.${shape.name}`, (look) => looks.set(index, at, look)), shape.name));
    return fold("show or hide", ...rows);
}

/** `looks`: null without a picture. */
export function bodiesPanel(run: Run, looks: Looks | null): HTMLElement {
    const masses = new Map(run.model.bodies.map((body) => [body.name, body]));
    const rows = run.scene.bodies.map((item, index) => {
        const chip = make("i", { class: "chip", "aria-hidden": "true" });
        chip.style.background = bodyColour(run.scene, index);
        const isDrawn = run.replay.tracks[index] !== undefined;
        const boxes = looks && isDrawn ? lookBoxes(item.name, (look) => looks.set(index, null, look)) : [];
        const shapes = looks?.shapesApart && isDrawn && item.shapes.length > 1 ? [shapeBoxes(item, index, looks)] : [];
        const mass = masses.get(item.name);
        return make(
            "tr",
            {},
            make("th", { scope: "row" }, ...boxes, chip, item.name),
            make("td", {}, item.motion + (isDrawn ? "" : " (no recorded pose)")),
            numberCell(mass ? formatNumber(mass.mass) : "\u2013"),
            make("td", {}, mass ? vector(mass.centerOfMass) : ""),
            make("td", { class: "lines" }, mass ? inertia(mass) : ""),
            make("td", { class: "shapes" }, describeShapes(item), ...shapes),
        );
    });
    const heads = [[looks ? "Body (shown, see-through)" : "Body"], ["Motion"], ["Mass [kg]", "number"], ["Centre of mass [m]"], ["Inertia about it [kg\u00b7m\u00b2]"], ["Shapes"]] as const;
    return panel("bodies-title", "Bodies and mass properties", scrollTable("bodies", "bodies-title", heads, rows));
}

// ---- parameters

function formatValue({ value, unit }: Parameter): string {
    if (value === null) return "no limit";
    if (typeof value === "string") return value;
    if (typeof value === "boolean") return value ? "yes" : "no";
    return `${typeof value === "number" ? formatNumber(value, 6) : vector(value)} ${unit}`.trim();
}
function parameterList(parameters: readonly Parameter[]): HTMLElement {
    const list = make("dl");
    for (const parameter of parameters) list.append(make("dt", { title: parameter.doc }, humanKey(parameter.name)), make("dd", {}, formatValue(parameter)));
    return list;
}
function lawBlock(use: LawUse): HTMLElement {
    const part = use.part === "law" ? "whole" : use.part;
    return make("div", { class: "law" }, make("h4", { title: use.doc }, make("span", { class: "part" }, part), ` ${humanKey(use.law)}`), parameterList(use.parameters));
}

export function parametersPanel(model: Model): HTMLElement | null {
    if (model.missing !== "")
        return panel("parameters-title", "Parameters", make("p", { class: "note" }, `Masses and parameters are not known: the scenario of the run cannot be read any more (${model.missing}).`));
    if (model.contactTypes.length === 0 && model.links.length === 0) return null;
    const types = model.contactTypes.map((type) => make("div", { class: "contact-type" }, make("h3", {}, type.name), ...type.laws.map(lawBlock)));
    const rules = model.rules.map((rule) =>
        make("tr", {}, make("td", {}, rule.kind), make("td", {}, rule.kind === "default" ? "all others" : `${rule.a} and ${rule.b}`), make("td", {}, rule.use ?? "never touch")),
    );
    const links = model.links.slice(0, linkLimit).map((link) =>
        make(
            "tr",
            {},
            make("th", { scope: "row" }, link.name),
            make("td", {}, humanKey(link.law)),
            make("td", { class: "shapes" }, link.parameters.map((parameter) => `${humanKey(parameter.name)} ${formatValue(parameter)}`).join(", ")),
        ),
    );
    const more = model.links.length > links.length ? [make("p", { class: "note" }, `The first ${links.length} of ${model.links.length} links.`)] : [];
    return panel(
        "parameters-title",
        "Parameters",
        make("div", { class: "contact-types" }, ...types),
        ...(rules.length > 0 ? [make("h3", {}, "Rules"), scrollTable("rules", "parameters-title", [["Rule for"], ["Between"], ["Contact type"]], rules)] : []),
        ...(links.length > 0 ? [fold(`Links (${model.links.length})`, scrollTable("links", "parameters-title", [["Link"], ["Law"], ["Parameters"]], links), ...more)] : []),
    );
}

export function scenarioPanel(run: Run): HTMLElement | null {
    if (run.scenario === "") return null;
    return panel("scenario-title", "Scenario", fold(`${run.scenario.split("\n").length - 1} lines, as the run was made from them`, make("pre", { class: "scenario", tabindex: 0 }, run.scenario)));
}
