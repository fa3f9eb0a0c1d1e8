// One mesh per body: its shapes merged in the structure frame, placed at the recorded pose of the shown frame.
import { type BufferGeometry, Color, Group, Matrix4, Mesh, MeshStandardMaterial, Quaternion, Vector3 } from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import { indexedColour } from "../colours";
import { extentOfRun } from "../data/extents";
import { attitudeAt, positionAt } from "../data/replay";
import type { Run } from "../data/run";
import { type Body, normalizeQuaternion, type Vector3 as DataVector } from "../data/scene";
import { buildGeometry, type Detail } from "./geometry_builders";

/** Above this many shapes in a scene each gets fewer triangles. */
const fineShapeLimit = 60;

export class BodyMeshes {
    readonly group = new Group();
    private readonly run: Run;
    private readonly meshes: readonly (Mesh | null)[];

    constructor(run: Run) {
        this.run = run;
        const shapeCount = run.scene.bodies.reduce((count, body) => count + body.shapes.length, 0);
        const detail: Detail = shapeCount > fineShapeLimit ? "coarse" : "fine";
        const reach = extentOfRun(run.scene, run.replay, null).radius || 1;
        this.meshes = run.scene.bodies.map((body, index) => {
            const geometry = run.replay.tracks[index] ? mergeShapes(body, detail, reach) : null;
            if (!geometry) return null;
            const material = new MeshStandardMaterial({
                color: new Color(indexedColour(index)),
                vertexColors: true,
                roughness: 0.6,
                metalness: 0.05,
            });
            const mesh = new Mesh(geometry, material);
            mesh.name = body.name;
            this.group.add(mesh);
            return mesh;
        });
    }

    /** Positions are taken relative to `origin` in double precision before anything becomes a float. */
    place(frame: number, origin: DataVector): void {
        this.meshes.forEach((mesh, index) => {
            const track = this.run.replay.tracks[index];
            if (!mesh || !track || frame < 0) return;
            const position = positionAt(track, frame);
            mesh.position.set(position[0] - origin[0], position[1] - origin[1], position[2] - origin[2]);
            const [w, x, y, z] = normalizeQuaternion(...attitudeAt(track, frame));
            mesh.quaternion.set(x, y, z, w);
        });
    }
}

function mergeShapes(body: Body, detail: Detail, reach: number): BufferGeometry | null {
    const parts: BufferGeometry[] = [];
    const placement = new Matrix4();
    for (const shape of body.shapes) {
        const geometry = buildGeometry(shape.geometry, detail, reach);
        if (!geometry) continue;
        const [w, x, y, z] = shape.orientation;
        placement.compose(new Vector3(...shape.position), new Quaternion(x, y, z, w), new Vector3(1, 1, 1));
        geometry.applyMatrix4(placement);
        parts.push(geometry);
    }
    if (parts.length === 0) return null;
    const merged = mergeGeometries(parts);
    for (const part of parts) part.dispose();
    return merged;
}
