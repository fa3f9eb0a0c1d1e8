// Everything the page knows about one run, put together from the four elements the program wrote.
import { buildContactLog, type ContactLog } from "./contacts";
import { parseTable } from "./csv";
import { buildReplay, type Replay } from "./replay";
import { parseScene, type Scene } from "./scene";
import { contactsFromFrames, parseSummary, type Summary } from "./summary";

export interface Run {
    readonly title: string;
    readonly scene: Scene;
    readonly replay: Replay;
    readonly contacts: ContactLog;
    readonly summary: Summary;
    /** What the reader has to know about gaps in the data. */
    readonly problems: readonly string[];
}

/** The four texts; an absent one is an empty text. */
export interface RunTexts {
    readonly scene: string;
    readonly replay: string;
    readonly contacts: string;
    readonly summary: string;
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
    return {
        title: summary.title || scene.title || "Fender run",
        scene,
        replay,
        contacts,
        summary,
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
    };
}
