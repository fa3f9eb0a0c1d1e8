// Bars that say when each contact sticks, slips or merely touches, drawn into a plot.
import type uPlot from "uplot";
import { type ModeLane, plainMode } from "../data/events";
import { indexedColour } from "../colours";

const known: Readonly<Record<string, string>> = { sticking: "#009e73", slipping: "#e69f00", [plainMode]: "#56b4e9" };
/** For modes that are neither. */
const others = [3, 0, 5, 6, 7];

/** Every mode that occurs, with its colour. */
export function modeColours(lanes: readonly ModeLane[]): Map<string, string> {
    const colours = new Map<string, string>();
    for (const { spans } of lanes)
        for (const { mode } of spans)
            if (!colours.has(mode)) {
                const strange = [...colours.keys()].filter((name) => !(name in known)).length;
                colours.set(mode, known[mode] ?? indexedColour(others[strange % others.length] ?? 3));
            }
    return colours;
}

/** A hook of uPlot: lane k lies between k and k + 1 of the upright scale, the first one at the top. */
export function drawLanes(lanes: readonly ModeLane[], foreground: string, background: string): (plot: uPlot) => void {
    const colours = modeColours(lanes);
    return (plot) => {
        const { ctx } = plot;
        const { left, top, width, height } = plot.bbox;
        const ratio = window.devicePixelRatio || 1;
        const lane = height / lanes.length;
        ctx.save();
        ctx.beginPath();
        ctx.rect(left, top, width, height);
        ctx.clip();
        ctx.font = `${11 * ratio}px system-ui, sans-serif`;
        ctx.textBaseline = "middle";
        ctx.textAlign = "left";
        lanes.forEach(({ contact, spans }, index) => {
            // The name above, the bar below it: neither covers the other.
            const y = top + (index + 0.56) * lane;
            for (const { from, to, mode } of spans) {
                const x = plot.valToPos(from, "x", true);
                ctx.fillStyle = colours.get(mode) ?? foreground;
                ctx.fillRect(x, y, Math.max(ratio, plot.valToPos(to, "x", true) - x), 0.36 * lane);
            }
            ctx.lineWidth = 3 * ratio;
            ctx.strokeStyle = background;
            ctx.fillStyle = foreground;
            ctx.strokeText(contact, left + 6 * ratio, top + (index + 0.28) * lane);
            ctx.fillText(contact, left + 6 * ratio, top + (index + 0.28) * lane);
        });
        ctx.restore();
    };
}
