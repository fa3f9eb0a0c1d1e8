// The bodies: shapes merged in the structure frame, placed at the recorded pose of the shown frame.
import { type BufferGeometry, Color, Group, Matrix4, Mesh, MeshStandardMaterial, Quaternion, Vector3 } from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import { bodyColour } from "../colours";
import { extentOfRun } from "../data/extents";
import { attitudeAt, positionAt } from "../data/replay";
import type { Run } from "../data/run";
import { type Body, normalizeQuaternion, type Shape, type Vector3 as DataVector } from "../data/scene";
import { axesMark } from "./axes_mark";
import { buildGeometry, type Detail } from "./geometry_builders";
import { isLarge, LargeMesh } from "./large_mesh";

/** Above this many shapes in a scene each gets fewer triangles. */
const fineShapeLimit = 60;

/** Beyond this many shapes in a scene those of a body are drawn as one, and cannot be hidden by themselves. */
const singleShapeLimit = 400;

export type Look = "solid" | "clear" | "hidden";

interface DrawnShape {
    readonly mesh: Mesh<BufferGeometry, MeshStandardMaterial>;
    /** In the list of the body; null: all that are not drawn by themselves. */
    readonly shape: number | null;
    look: Look;
}
interface DrawnBody {
    readonly group: Group;
    readonly axes: Mesh;
    readonly large: readonly LargeMesh[];
    readonly shapes: readonly DrawnShape[];
    look: Look;
}

export class BodyMeshes {
    readonly group = new Group();
    private readonly run: Run;
    private readonly bodies: readonly (DrawnBody | null)[];
    /** Can shapes be hidden and made clear by themselves? */
    readonly shapesApart: boolean;

    constructor(run: Run) {
        this.run = run;
        const shapeCount = run.scene.bodies.reduce((count, body) => count + body.shapes.length, 0);
        const detail: Detail = shapeCount > fineShapeLimit ? "coarse" : "fine";
        this.shapesApart = shapeCount <= singleShapeLimit;
        const reach = extentOfRun(run.scene, run.replay, null).radius || 1;
        this.bodies = run.scene.bodies.map((body, index) => {
            if (!run.replay.tracks[index]) return null;
            const drawn = drawBody(body, new Color(bodyColour(run.scene, index)), detail, reach, this.shapesApart);
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

    setLook(body: number, look: Look): void {
        const drawn = this.bodies[body];
        if (!drawn) return;
        drawn.look = look;
        drawn.group.visible = look !== "hidden";
        applyLooks(drawn);
    }
    setShapeLook(body: number, shape: number, look: Look): void {
        const drawn = this.bodies[body];
        const part = drawn?.shapes.find((candidate) => candidate.shape === shape);
        if (!drawn || !part) return;
        part.look = look;
        applyLooks(drawn);
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

/** What is seen through does not hide what lies behind it. */
function applyLooks(drawn: DrawnBody): void {
    for (const { mesh, look } of drawn.shapes) {
        const clear = look === "clear" || drawn.look === "clear";
        mesh.visible = look !== "hidden";
        mesh.material.transparent = clear;
        mesh.material.opacity = clear ? 0.25 : 1;
        mesh.material.depthWrite = !clear;
        mesh.material.needsUpdate = true;
    }
}

function drawBody(body: Body, colour: Color, detail: Detail, reach: number, apart: boolean): DrawnBody {
    const group = new Group();
    const shapes: DrawnShape[] = [];
    const add = (geometry: BufferGeometry | null, shape: number | null): void => {
        if (!geometry) return;
        const mesh = new Mesh(geometry, new MeshStandardMaterial({ color: colour, vertexColors: true, roughness: 0.6, metalness: 0.05 }));
        shapes.push({ mesh, shape, look: "solid" });
        group.add(mesh);
    };
    if (apart) body.shapes.forEach((shape, index) => add(mergeShapes([shape], detail, reach), index));
    else add(mergeShapes(body.shapes, detail, reach), null);
    const large: LargeMesh[] = [];
    body.shapes.forEach((shape, index) => {
        if (!isLarge(shape.geometry)) return;
        const drawn = new LargeMesh(shape, shape.geometry, colour);
        large.push(drawn);
        shapes.push({ mesh: drawn.mesh, shape: index, look: "solid" });
        group.add(drawn.mesh);
    });
    const axes = axesMark();
    group.add(axes);
    return { group, axes, large, shapes, look: "solid" };
}

function mergeShapes(shapes: readonly Shape[], detail: Detail, reach: number): BufferGeometry | null {
    const parts: BufferGeometry[] = [];
    const placement = new Matrix4();
    for (const shape of shapes) {
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
