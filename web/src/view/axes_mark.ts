// The axes of a frame as three rods from its origin, drawn over everything: x red, y green, z blue.
import { BufferAttribute, type BufferGeometry, Color, CylinderGeometry, Mesh, MeshBasicMaterial } from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";

export const axisColours = ["#e0533d", "#3f9b4f", "#3d7fe0"] as const;

/** Width of a rod, as a part of its length. */
const slimness = 0.07;

function rod(axis: 0 | 1 | 2): BufferGeometry {
    const geometry = new CylinderGeometry(slimness / 2, slimness / 2, 1, 8).translate(0, 0.5, 0);
    if (axis === 0) geometry.rotateZ(-Math.PI / 2);
    if (axis === 2) geometry.rotateX(Math.PI / 2);
    const colour = new Color(axisColours[axis]);
    const count = geometry.getAttribute("position").count;
    const colours = new Float32Array(3 * count);
    for (let at = 0; at < count; at++) colours.set([colour.r, colour.g, colour.b], 3 * at);
    geometry.setAttribute("color", new BufferAttribute(colours, 3));
    return geometry;
}

let shared: { geometry: BufferGeometry; material: MeshBasicMaterial } | null = null;

/** Of length 1 until it is scaled. */
export function axesMark(): Mesh {
    shared ??= {
        geometry: mergeGeometries([rod(0), rod(1), rod(2)]),
        material: new MeshBasicMaterial({ vertexColors: true, depthTest: false, depthWrite: false, transparent: true }),
    };
    const mark = new Mesh(shared.geometry, shared.material);
    mark.renderOrder = 9;
    mark.visible = false;
    return mark;
}
