// The bodies: shapes merged in the structure frame, placed at the recorded pose of the shown frame.
import { type BufferGeometry, Color, Group, Matrix4, Mesh, MeshStandardMaterial, Quaternion, Vector3 } from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import { bodyColour } from "../colours";
import { extentOfRun } from "../data/extents";
import { attitudeAt, positionAt } from "../data/replay";
import type { Run } from "../data/run";
import { type Body, normalizeQuaternion, type Vector3 as DataVector } from "../data/scene";
import { axesMark } from "./axes_mark";
import { buildGeometry, type Detail } from "./geometry_builders";
import { isLarge, LargeMesh } from "./large_mesh";

/** Above this many shapes in a scene each gets fewer triangles. */
const fineShapeLimit = 60;

interface DrawnBody {
    readonly group: Group;
    readonly axes: Mesh;
    readonly large: readonly LargeMesh[];
}

export class BodyMeshes {
    readonly group = new Group();
    private readonly run: Run;
    private readonly bodies: readonly (DrawnBody | null)[];

    constructor(run: Run) {
        this.run = run;
        const shapeCount = run.scene.bodies.reduce((count, body) => count + body.shapes.length, 0);
        const detail: Detail = shapeCount > fineShapeLimit ? "coarse" : "fine";
        const reach = extentOfRun(run.scene, run.replay, null).radius || 1;
        this.bodies = run.scene.bodies.map((body, index) => {
            if (!run.replay.tracks[index]) return null;
            const drawn = drawBody(body, new Color(bodyColour(run.scene, index)), detail, reach);
            drawn.group.name = body.name;
            this.group.add(drawn.group);
            return drawn;
        });
    }

    /** Positions are taken relative to `origin` in double precision before anything becomes a float. */
    place(frame: number, origin: DataVector): void {
        this.bodies.forEach((drawn, index) => {
            const track = this.run.replay.tracks[index];
            if (!drawn || !track || frame < 0) return;
            const position = positionAt(track, frame);
            drawn.group.position.set(position[0] - origin[0], position[1] - origin[1], position[2] - origin[2]);
            const [w, x, y, z] = normalizeQuaternion(...attitudeAt(track, frame));
            drawn.group.quaternion.set(x, y, z, w);
        });
    }

    setVisible(body: number, visible: boolean): void {
        const drawn = this.bodies[body];
        if (drawn) drawn.group.visible = visible;
    }
    isVisible(body: number): boolean {
        return this.bodies[body]?.group.visible ?? false;
    }
    set axesVisible(visible: boolean) {
        for (const drawn of this.bodies) if (drawn) drawn.axes.visible = visible;
    }
    setAxesLength(length: number): void {
        for (const drawn of this.bodies) drawn?.axes.scale.setScalar(length);
    }
    set moving(moving: boolean) {
        for (const drawn of this.bodies) for (const mesh of drawn?.large ?? []) mesh.moving = moving;
    }
    /** Is there anything that is drawn more coarsely while it moves? */
    get hasLarge(): boolean {
        return this.bodies.some((drawn) => drawn !== null && drawn.large.length > 0);
    }
}

function drawBody(body: Body, colour: Color, detail: Detail, reach: number): DrawnBody {
    const group = new Group();
    const geometry = mergeShapes(body, detail, reach);
    if (geometry)
        group.add(new Mesh(geometry, new MeshStandardMaterial({ color: colour, vertexColors: true, roughness: 0.6, metalness: 0.05 })));
    const large = body.shapes.flatMap((shape) => (isLarge(shape.geometry) ? [new LargeMesh(shape, shape.geometry, colour)] : []));
    for (const { mesh } of large) group.add(mesh);
    const axes = axesMark();
    group.add(axes);
    return { group, axes, large };
}

function mergeShapes(body: Body, detail: Detail, reach: number): BufferGeometry | null {
    const parts: BufferGeometry[] = [];
    const placement = new Matrix4();
    for (const shape of body.shapes) {
        const geometry = isLarge(shape.geometry) ? null : buildGeometry(shape.geometry, detail, reach);
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
