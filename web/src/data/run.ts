// Everything the page knows about one run, put together from the elements that the program wrote.
import { buildContactLog, type ContactLog } from "./contacts";
import { parseTable } from "./csv";
import { type Episode, parseEpisodes } from "./episodes";
import { type EventRow, type ModeLane, modeLanes, parseEvents } from "./events";
import { type Model, parseModel, sharedModes } from "./model";
import { parseRecordings, type Recording } from "./recordings";
import { buildReplay, type Replay } from "./replay";
import { parseScene, type Scene } from "./scene";
import { contactsFromFrames, parseSummary, type Summary } from "./summary";

export interface Run {
    readonly title: string;
    readonly scene: Scene;
    readonly replay: Replay;
    readonly contacts: ContactLog;
    readonly summary: Summary;
    readonly events: readonly EventRow[];
    readonly modes: readonly ModeLane[];
    readonly episodes: readonly Episode[];
    readonly model: Model;
    readonly recordings: readonly Recording[];
    /** The text of the scenario; "" where it is not known. */
    readonly scenario: string;
    /** What the reader has to know about gaps in the data. */
    readonly problems: readonly string[];
}

/** The texts of the elements; an absent one is an empty text. */
export interface RunTexts {
    readonly scene: string;
    readonly replay: string;
    readonly contacts: string;
    readonly summary: string;
    readonly events?: string;
    readonly episodes?: string;
    readonly model?: string;
    readonly recordings?: string;
    readonly scenario?: string;
}

function parseJson(text: string, what: string, problems: string[]): unknown {
    if (text.trim() === "") return undefined;
    try {
        return JSON.parse(text) as unknown;
    } catch (error) {
        problems.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
        return undefined;
    }
}

export function buildRun(texts: RunTexts): Run {
    const problems: string[] = [];
    const scene = parseScene(parseJson(texts.scene, "scene", problems));
    const replay = buildReplay(parseTable(texts.replay), scene.bodies);
    const contacts = buildContactLog(parseTable(texts.contacts, ["contact"]), replay.times);
    let summary = parseSummary(parseJson(texts.summary, "summary", problems));
    if (summary.contacts.length === 0 && contacts.rowCount > 0)
        summary = { ...summary, contacts: contactsFromFrames(contacts, replay.times), contactsFromFrames: true };
    const events = parseEvents(texts.events ?? "", summary.events);
    const model = parseModel(parseJson(texts.model ?? "", "model", problems));
    const scenario = parseJson(texts.scenario ?? "", "scenario", problems);
    return {
        title: summary.title || scene.title || "Fender run",
        scene,
        replay,
        contacts,
        summary,
        events,
        modes: modeLanes(events, replay.times[replay.frameCount - 1] ?? 0, sharedModes(model)),
        episodes: parseEpisodes(texts.episodes ?? ""),
        model,
        recordings: parseRecordings(parseJson(texts.recordings ?? "", "recordings", problems)),
        scenario: typeof scenario === "string" ? scenario : "",
        problems: [...problems, ...scene.problems, ...replay.problems, ...contacts.problems],
    };
}

export function readRunTexts(page: Document): RunTexts {
    const text = (id: string): string => page.getElementById(id)?.textContent ?? "";
    return {
        scene: text("fender-scene"),
        replay: text("fender-replay"),
        contacts: text("fender-contacts"),
        summary: text("fender-summary"),
        events: text("fender-events"),
        episodes: text("fender-episodes"),
        model: text("fender-model"),
        recordings: text("fender-recordings"),
        scenario: text("fender-scenario"),
    };
}
