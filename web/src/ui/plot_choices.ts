// What the plot can show, each choice as named curves with one value per frame.
import { indexedColour, indexedDash } from "../colours";
import { contactSeries, type ContactQuantity, largestContacts } from "../data/contacts";
import { speedSeries } from "../data/replay";
import type { Run } from "../data/run";

export interface Curve {
    readonly name: string;
    readonly colour: string;
    readonly dash: readonly number[];
    readonly values: readonly (number | null)[];
}
export interface PlotChoice {
    readonly key: string;
    readonly title: string;
    readonly unit: string;
    /** What the reader should know about the curves, or nothing. */
    readonly note: string;
    readonly available: boolean;
    curves(): Curve[];
}

/** Beyond this many curves a plot is a thicket; the largest are shown. */
const curveLimit = 12;

function contactChoice(run: Run, key: string, title: string, unit: string, quantity: ContactQuantity): PlotChoice {
    const count = run.contacts.names.length;
    return {
        key,
        title,
        unit,
        note: count > curveLimit ? `the ${curveLimit} largest of ${count} contacts` : "",
        available: count > 0,
        curves: () =>
            largestContacts(run.contacts, quantity, curveLimit)
                .sort((a, b) => a - b)
                .map((contact, index) => ({
                    name: run.contacts.names[contact] ?? "",
                    colour: indexedColour(index),
                    dash: indexedDash(index),
                    values: contactSeries(run.contacts, contact, quantity),
                })),
    };
}

function speedChoice(run: Run): PlotChoice {
    const moving = run.scene.bodies
        .map((body, index) => ({ body, index }))
        .filter(({ body, index }) => body.motion !== "fixed" && run.replay.tracks[index]);
    const left = moving.length > curveLimit ? `the first ${curveLimit} of ${moving.length} bodies; ` : "";
    return {
        key: "speed",
        title: "Speed of the bodies",
        unit: "m/s",
        note: `${left}of the origin of the structure frame, from the recorded positions`,
        available: moving.length > 0,
        curves: () =>
            moving.slice(0, curveLimit).flatMap(({ body, index }) => {
                const track = run.replay.tracks[index];
                if (!track) return [];
                return [
                    { name: body.name, colour: indexedColour(index), dash: indexedDash(index), values: speedSeries(run.replay, track) },
                ];
            }),
    };
}

export function plotChoices(run: Run): PlotChoice[] {
    return [
        contactChoice(run, "normal_force", "Normal force", "N", "normalForce"),
        contactChoice(run, "friction_force", "Friction force", "N", "frictionForce"),
        contactChoice(run, "depth", "Depth", "m", "depth"),
        speedChoice(run),
    ];
}
