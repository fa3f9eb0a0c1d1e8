// Colours of bodies and curves that stay apart for colour-blind eyes too.
import { isGround } from "./data/extents";
import type { Scene } from "./data/scene";

/** Okabe and Ito's palette without its black, ordered so that neighbours differ most. */
const palette = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#8a8f98"] as const;

type Rgb = readonly [number, number, number];

function toRgb(colour: string): Rgb {
    const value = parseInt(colour.slice(1), 16);
    return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}
function mix(from: Rgb, to: Rgb, share: number): string {
    const channel = (index: 0 | 1 | 2): string =>
        Math.round(from[index] + (to[index] - from[index]) * share)
            .toString(16)
            .padStart(2, "0");
    return `#${channel(0)}${channel(1)}${channel(2)}`;
}

/** Past the palette the colours come again, darker, then lighter. */
export function indexedColour(index: number): string {
    const base = toRgb(palette[index % palette.length] ?? "#8a8f98");
    const round = Math.floor(index / palette.length) % 4;
    const white: Rgb = [255, 255, 255];
    const black: Rgb = [0, 0, 0];
    if (round === 1) return mix(base, black, 0.4);
    if (round === 2) return mix(base, white, 0.5);
    if (round === 3) return mix(base, black, 0.65);
    return mix(base, white, 0);
}

/** Dashes that tell curves of one colour apart as well; empty = a full line. */
export function indexedDash(index: number): number[] {
    return [[], [7, 3], [2, 3], [9, 3, 2, 3]][Math.floor(index / palette.length) % 4] ?? [];
}

const ground = "#a39b8b";

/** Of a body in the picture and beside its name: ground and walls stay in the background. */
export function bodyColour(scene: Scene, index: number): string {
    const body = scene.bodies[index];
    return body && isGround(body) ? ground : indexedColour(index);
}
