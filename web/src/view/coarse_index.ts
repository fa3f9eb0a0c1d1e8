// Fewer triangles for the same vertices: those that meet in one cell of space become one of them.

const emptySlot = 0xffffffff;

/** Which vertex stands for each: the first one in its cell. */
function representatives(vertices: ArrayLike<number>, low: readonly number[], cell: number): { of: Uint32Array; count: number } {
    const count = vertices.length / 3;
    const of = new Uint32Array(count);
    let bits = 10;
    while (1 << bits < 2 * count) bits++;
    const mask = (1 << bits) - 1;
    const slots = new Uint32Array(1 << bits).fill(emptySlot);
    const keys = new Float64Array(count);
    let cells = 0;
    for (let vertex = 0; vertex < count; vertex++) {
        const at = (axis: 0 | 1 | 2): number => Math.floor(((vertices[3 * vertex + axis] ?? 0) - (low[axis] ?? 0)) / cell);
        // Cells are below 2^17 along each side: the key is whole in a double.
        const key = (at(0) * 131072 + at(1)) * 131072 + at(2);
        keys[vertex] = key;
        let slot = (Math.imul(at(0), 73856093) ^ Math.imul(at(1), 19349663) ^ Math.imul(at(2), 83492791)) & mask;
        while (slots[slot] !== emptySlot && keys[slots[slot] ?? 0] !== key) slot = (slot + 1) & mask;
        if (slots[slot] === emptySlot) {
            slots[slot] = vertex;
            cells++;
        }
        of[vertex] = slots[slot] ?? vertex;
    }
    return { of, count: cells };
}

/** At most about `target` triangles, of the given vertices; the given ones where there are no more than that. */
export function coarseIndex(vertices: ArrayLike<number>, triangles: Uint32Array, target: number): Uint32Array {
    if (triangles.length / 3 <= target) return triangles;
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    for (let at = 0; at < vertices.length; at++) {
        const value = vertices[at] ?? 0;
        const axis = at % 3;
        if (value < (low[axis] ?? 0)) low[axis] = value;
        if (value > (high[axis] ?? 0)) high[axis] = value;
    }
    const side = Math.max(...[0, 1, 2].map((axis) => (high[axis] ?? 0) - (low[axis] ?? 0)));
    // A surface has about twice as many triangles as vertices; where it is folded the next larger cell will do.
    for (let cell = side / Math.sqrt(target / 2); ; cell *= 1.3) {
        const { of, count } = representatives(vertices, low, Math.max(cell, side / 100000));
        if (2 * count > 1.2 * target) continue;
        const kept = new Uint32Array(triangles.length);
        let length = 0;
        for (let at = 0; at + 2 < triangles.length; at += 3) {
            const a = of[triangles[at] ?? 0] ?? 0;
            const b = of[triangles[at + 1] ?? 0] ?? 0;
            const c = of[triangles[at + 2] ?? 0] ?? 0;
            if (a === b || b === c || c === a) continue;
            kept[length++] = a;
            kept[length++] = b;
            kept[length++] = c;
        }
        if (length / 3 <= target) return kept.slice(0, length);
    }
}
