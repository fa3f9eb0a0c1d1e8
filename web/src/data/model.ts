// What the run was of: mass properties, contact types with their laws, rules and links, all in SI units.
import { isObject, list, numbers, text, type Vector3 } from "./scene";

export interface Parameter {
    readonly name: string;
    readonly unit: string;
    readonly doc: string;
    /** null: no limit. */
    readonly value: number | string | boolean | readonly number[] | null;
}
export interface LawUse {
    /** "law" (whole), "normal", "friction", "rolling" or "twisting". */
    readonly part: string;
    readonly law: string;
    readonly doc: string;
    readonly modes: readonly string[];
    readonly parameters: readonly Parameter[];
}
export interface ContactType {
    readonly name: string;
    readonly laws: readonly LawUse[];
}
export interface Rule {
    readonly kind: string;
    readonly a: string;
    readonly b: string;
    /** A contact type; null: these never touch. */
    readonly use: string | null;
}
export interface MassProperties {
    readonly name: string;
    readonly mass: number;
    readonly centerOfMass: Vector3;
    /** By rows, about the centre of mass. */
    readonly inertia: readonly number[];
}
export interface LinkParameters {
    readonly name: string;
    readonly law: string;
    readonly parameters: readonly Parameter[];
}
export interface Model {
    readonly bodies: readonly MassProperties[];
    readonly contactTypes: readonly ContactType[];
    readonly rules: readonly Rule[];
    readonly links: readonly LinkParameters[];
    /** Why there is none of all this; "" where there is. */
    readonly missing: string;
}

function parameters(value: unknown): Parameter[] {
    const parsed = list(value).filter(isObject);
    const named = new Map(parsed.map((item) => [text(item["name"]), item["value"]]));
    return parsed.map((item): Parameter => {
        const raw = item["value"];
        const isList = Array.isArray(raw) && raw.every((part) => typeof part === "number");
        const plain = typeof raw === "number" || typeof raw === "string" || typeof raw === "boolean" || isList;
        return {
            name: text(item["name"]),
            // A unit may depend on another parameter: N/m^{exponent}.
            unit: text(item["unit"]).replace(/\{(\w+)\}/g, (whole, name: string) => (typeof named.get(name) === "number" ? String(named.get(name)) : whole)),
            doc: text(item["doc"]),
            value: plain ? (raw as Parameter["value"]) : null,
        };
    });
}

function law(item: Record<string, unknown>): LawUse {
    return {
        part: text(item["part"]),
        law: text(item["law"]),
        doc: text(item["doc"]),
        modes: list(item["modes"]).map((mode) => text(mode)),
        parameters: parameters(item["parameters"]),
    };
}

export function parseModel(json: unknown): Model {
    const root = isObject(json) ? json : {};
    const objects = (key: string): Record<string, unknown>[] => list(root[key]).filter(isObject);
    return {
        bodies: objects("bodies").map((item) => {
            const center = numbers(item["center_of_mass"], 3) ?? [0, 0, 0];
            return {
                name: text(item["name"]),
                mass: typeof item["mass"] === "number" ? item["mass"] : NaN,
                centerOfMass: [center[0] ?? 0, center[1] ?? 0, center[2] ?? 0],
                inertia: numbers(item["inertia"], 9) ?? [],
            };
        }),
        contactTypes: objects("contact_types").map((item) => ({ name: text(item["name"]), laws: list(item["laws"]).filter(isObject).map(law) })),
        rules: objects("rules").map((item) => ({
            kind: text(item["kind"]),
            a: text(item["a"]),
            b: text(item["b"]),
            use: typeof item["use"] === "string" ? item["use"] : null,
        })),
        links: objects("links").map((item) => ({ name: text(item["name"]), law: text(item["law"]), parameters: parameters(item["parameters"]) })),
        missing: text(root["missing"]),
    };
}

/** The names of the modes that a contact can have, by number; empty where contact types differ in them. */
export function sharedModes(model: Model): readonly string[] {
    const sets = model.contactTypes.flatMap((type) => type.laws.map((use) => use.modes).filter((modes) => modes.length > 0));
    const first = sets[0] ?? [];
    return sets.every((modes) => modes.join() === first.join()) ? first : [];
}
