// What the plots can show: each choice as named curves over times, or as lanes of modes.
import { bodyColour, indexedColour, indexedDash } from "../colours";
import { contactSeries, type ContactQuantity, largestContacts } from "../data/contacts";
import type { ModeLane } from "../data/events";
import { curveName, groupRecordings, type RecordedGroup } from "../data/recordings";
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
    /** Shown from the start. */
    readonly first: boolean;
    readonly times: Float64Array;
    /** Of all curves that there are, or lanes. */
    readonly names: readonly string[];
    /** Those shown from the start. */
    readonly initial: readonly number[];
    curves(picked: readonly number[]): Curve[];
    /** In place of curves, all of them. */
    readonly lanes?: readonly ModeLane[];
}

/** Beyond this many curves a plot is a thicket; so many are shown at first, the largest of contacts. */
const curveLimit = 12;

function firstOf(count: number): number[] {
    return Array.from({ length: Math.min(count, curveLimit) }, (_, index) => index);
}

/** Length of "ground.surface:" where every contact is with it: a legend need not say so each time. */
function sharedBase(names: readonly string[]): number {
    const base = (names[0] ?? "").split(":")[0] ?? "";
    return names.length > 1 && names.every((name) => name.startsWith(`${base}:`)) ? base.length + 1 : 0;
}

function contactChoice(run: Run, key: string, title: string, unit: string, quantity: ContactQuantity): PlotChoice {
    const count = run.contacts.names.length;
    const shared = sharedBase(run.contacts.names);
    return {
        key,
        title,
        unit,
        note: count > curveLimit ? `at first the ${curveLimit} largest of ${count} contacts` : "",
        available: count > 0,
        first: true,
        times: run.replay.times,
        names: run.contacts.names.map((name) => name.slice(shared)),
        initial: largestContacts(run.contacts, quantity, curveLimit).sort((a, b) => a - b),
        curves: (picked) =>
            picked.map((contact) => ({
                name: (run.contacts.names[contact] ?? "").slice(shared),
                colour: indexedColour(contact),
                dash: indexedDash(contact),
                values: contactSeries(run.contacts, contact, quantity),
            })),
    };
}

function modesChoice(run: Run): PlotChoice {
    const lanes = run.modes;
    return {
        key: "modes",
        title: "Friction modes",
        unit: "",
        note: lanes.length > curveLimit ? `at first ${curveLimit} of ${lanes.length} contacts` : "",
        available: lanes.length > 0,
        first: true,
        times: run.replay.times,
        names: lanes.map((lane) => lane.contact),
        initial: firstOf(lanes.length),
        curves: () => [],
        lanes,
    };
}

function speedChoice(run: Run): PlotChoice {
    const moving = run.scene.bodies
        .map((body, index) => ({ body, index }))
        .filter(({ body, index }) => body.motion !== "fixed" && run.replay.tracks[index]);
    const left = moving.length > curveLimit ? `at first ${curveLimit} of ${moving.length} bodies; ` : "";
    return {
        key: "speed",
        title: "Speed of the bodies",
        unit: "m/s",
        note: `${left}of the origin of the structure frame, from the recorded positions`,
        available: moving.length > 0,
        first: run.contacts.names.length === 0,
        times: run.replay.times,
        names: moving.map(({ body }) => body.name),
        initial: firstOf(moving.length),
        curves: (picked) =>
            picked.flatMap((at) => {
                const { body, index } = moving[at] ?? {};
                const track = index === undefined ? undefined : run.replay.tracks[index];
                if (!track || !body || index === undefined) return [];
                return [
                    { name: body.name, colour: bodyColour(run.scene, index), dash: indexedDash(index), values: speedSeries(run.replay, track) },
                ];
            }),
    };
}

function recordedChoice(group: RecordedGroup): PlotChoice {
    const { recording, columns } = group;
    const notes = [
        recording.stride > 1 ? `least and largest of each ${recording.stride} of ${recording.rows} rows of ${recording.file}` : recording.file,
        recording.contacts > columns.length ? `the first ${columns.length} of ${recording.contacts} contacts` : "",
        columns.length > curveLimit ? `at first ${curveLimit} of ${columns.length}` : "",
    ].filter((note) => note !== "");
    return {
        key: group.key,
        title: group.title,
        unit: group.unit,
        note: notes.join("; "),
        available: true,
        first: group.title === "Energy ledger",
        times: recording.times,
        names: columns.map((column) => curveName(column.name)),
        initial: firstOf(columns.length),
        curves: (picked) =>
            picked.flatMap((index) => {
                const column = columns[index];
                return column ? [{ name: curveName(column.name), colour: indexedColour(index), dash: indexedDash(index), values: column.values }] : [];
            }),
    };
}

export function plotChoices(run: Run): PlotChoice[] {
    const recorded = groupRecordings(run.recordings).map(recordedChoice);
    return [
        contactChoice(run, "normal_force", "Normal force", "N", "normalForce"),
        contactChoice(run, "friction_force", "Friction force", "N", "frictionForce"),
        contactChoice(run, "depth", "Depth", "m", "depth"),
        modesChoice(run),
        ...recorded.filter((choice) => choice.first),
        speedChoice(run),
        ...recorded.filter((choice) => !choice.first),
    ];
}
