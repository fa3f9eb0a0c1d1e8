// Triangles for each type of geometry; a new type is one more entry here and one in data/scene.ts.
import { BufferAttribute, type BufferGeometry, CapsuleGeometry, SphereGeometry } from "three";
import type { Geometry } from "../data/scene";

/** How many segments go round; fewer where a scene has very many shapes. */
export type Detail = "fine" | "coarse";

export function buildGeometry(geometry: Geometry, detail: Detail): BufferGeometry | null {
    const around = detail === "fine" ? 48 : 20;
    switch (geometry.type) {
        case "sphere": {
            const sphere = new SphereGeometry(geometry.radius, around, around / 2);
            return patched(sphere, (x, y, z) => x * y * z > 0);
        }
        case "capsule": {
            // three.js lays a capsule along y; ours lies along z.
            const capsule = new CapsuleGeometry(geometry.radius, 2 * geometry.halfLength, around / 4, around, 2);
            capsule.rotateX(Math.PI / 2);
            return patched(capsule, (x, y, z) => x * y * z > 0);
        }
        case "unknown":
            return null;
    }
}

/** Shades every other patch, so that the spin of a round shape can be seen. */
function patched(source: BufferGeometry, isShaded: (x: number, y: number, z: number) => boolean): BufferGeometry {
    const geometry = source.index ? source.toNonIndexed() : source;
    const position = geometry.getAttribute("position");
    const colours = new Float32Array(position.count * 3);
    for (let first = 0; first + 2 < position.count; first += 3) {
        const middle = (component: (vertex: number) => number): number => component(first) + component(first + 1) + component(first + 2);
        const shaded = isShaded(
            middle((vertex) => position.getX(vertex)),
            middle((vertex) => position.getY(vertex)),
            middle((vertex) => position.getZ(vertex)),
        );
        colours.fill(shaded ? 0.6 : 1, first * 3, first * 3 + 9);
    }
    geometry.setAttribute("color", new BufferAttribute(colours, 3));
    geometry.deleteAttribute("uv");
    if (geometry !== source) source.dispose();
    return geometry;
}
