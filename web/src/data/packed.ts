// Lists of numbers as the program packs them: bytes in base64, little-endian, far quicker to read than text.
import type { Vector3 } from "./scene";

function bytesOf(text: string): Uint8Array {
    const raw = atob(text);
    const bytes = new Uint8Array(raw.length);
    for (let at = 0; at < raw.length; at++) bytes[at] = raw.charCodeAt(at);
    return bytes;
}

function words(text: unknown): DataView | undefined {
    if (typeof text !== "string") return undefined;
    try {
        const bytes = bytesOf(text);
        return bytes.length % 4 === 0 ? new DataView(bytes.buffer) : undefined;
    } catch {
        return undefined;
    }
}

/** {"float32": BASE64}, relative to `origin`. */
export function unpackPoints(text: unknown, origin: Vector3): Float64Array | undefined {
    const view = words(text);
    if (!view) return undefined;
    const values = new Float64Array(view.byteLength / 4);
    for (let at = 0; at < values.length; at++) values[at] = view.getFloat32(4 * at, true) + (origin[(at % 3) as 0 | 1 | 2] ?? 0);
    return values;
}

/** {"uint32": BASE64}. */
export function unpackIndices(text: unknown): Uint32Array | undefined {
    const view = words(text);
    if (!view) return undefined;
    const values = new Uint32Array(view.byteLength / 4);
    for (let at = 0; at < values.length; at++) values[at] = view.getUint32(4 * at, true);
    return values;
}
