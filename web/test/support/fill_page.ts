// Puts a run into the page the way the program does.
import type { RunTexts } from "../../src/data/run";

export function fillPage(html: string, texts: RunTexts): string {
    const elements = [
        `<script type="application/json" id="fender-scene">${texts.scene}</script>`,
        `<script type="text/csv" id="fender-replay">${texts.replay}</script>`,
        `<script type="text/csv" id="fender-contacts">${texts.contacts}</script>`,
        `<script type="application/json" id="fender-summary">${texts.summary}</script>`,
        ...(texts.events ? [`<script type="text/csv" id="fender-events">${texts.events}</script>`] : []),
        ...(texts.episodes ? [`<script type="text/csv" id="fender-episodes">${texts.episodes}</script>`] : []),
        ...(["model", "recordings", "scenario"] as const).flatMap((part) =>
            texts[part] ? [`<script type="application/json" id="fender-${part}">${texts[part]}</script>`] : [],
        ),
    ].join("\n");
    const parts = html.split("<!-- FENDER-DATA -->");
    if (parts.length !== 2) throw new Error("the page does not hold the data marker exactly once");
    return parts.join(elements);
}
