// Contact points and force arrows of the shown frame, drawn over the bodies because they lie inside them. Their sizes are
// those of the screen, whatever the distance: the largest force of the run is a fifth of the picture long.
import {
    BufferAttribute,
    BufferGeometry,
    CanvasTexture,
    Color,
    ConeGeometry,
    CylinderGeometry,
    DynamicDrawUsage,
    Group,
    InstancedMesh,
    Matrix4,
    MeshBasicMaterial,
    Points,
    PointsMaterial,
    Quaternion,
    Vector3,
} from "three";
import type { ContactLog } from "../data/contacts";
import type { Vector3 as DataVector } from "../data/scene";

/** Length of the largest force, as part of the height of the picture. */
const arrowPart = 0.22;
/** Radius of a shaft. */
const shaftPixels = 2.2;

export class ContactMarks {
    readonly group = new Group();
    private readonly log: ContactLog;
    private readonly shafts: InstancedMesh;
    private readonly heads: InstancedMesh;
    private readonly points: Points<BufferGeometry, PointsMaterial>;
    private readonly arrowMaterial = new MeshBasicMaterial({ depthTest: false, depthWrite: false, transparent: true });
    private magnified = 1;
    private readonly matrix = new Matrix4();
    private readonly rotation = new Quaternion();
    private readonly direction = new Vector3();
    private readonly place = new Vector3();
    private readonly size = new Vector3();
    private readonly upward = new Vector3(0, 1, 0);

    constructor(log: ContactLog) {
        this.log = log;
        const capacity = Math.max(1, ...log.rowsByFrame.map((rows) => rows.length));
        const shaft = new CylinderGeometry(1, 1, 1, 12).translate(0, 0.5, 0);
        const head = new ConeGeometry(1, 1, 20).translate(0, 0.5, 0);
        this.shafts = new InstancedMesh(shaft, this.arrowMaterial, capacity);
        this.heads = new InstancedMesh(head, this.arrowMaterial, capacity);
        const pointGeometry = new BufferGeometry();
        pointGeometry.setAttribute("position", new BufferAttribute(new Float32Array(capacity * 3), 3).setUsage(DynamicDrawUsage));
        this.points = new Points(
            pointGeometry,
            new PointsMaterial({ size: 11, sizeAttenuation: false, depthTest: false, depthWrite: false, transparent: true }),
        );
        for (const [order, object] of [this.shafts, this.heads, this.points].entries()) {
            object.frustumCulled = false;
            object.renderOrder = 10 + order;
            this.group.add(object);
        }
        this.show(-1, [0, 0, 0], 1, () => 1);
    }

    set pointsVisible(visible: boolean) {
        this.points.visible = visible;
    }
    set arrowsVisible(visible: boolean) {
        this.shafts.visible = visible;
        this.heads.visible = visible;
    }

    setColours(arrow: string, point: string, rim: string): void {
        this.arrowMaterial.color = new Color(arrow);
        this.points.material.map?.dispose();
        this.points.material.map = dotTexture(point, rim);
        this.points.material.needsUpdate = true;
    }

    /** Arrows this many times as long, for forces far below the peak of an impact. */
    set magnification(times: number) {
        this.magnified = times;
    }
    /** Of an arrow a tenth of the picture high, at the middle of the view [N]; null where no force was recorded. */
    get forceOfTenth(): number | null {
        return this.log.peakForce > 0 ? (0.1 * this.log.peakForce) / (arrowPart * this.magnified) : null;
    }

    /** `height` [m]: of the picture, at the middle of the view; `pixel`: metres of a pixel at a place. */
    show(frame: number, origin: DataVector, height: number, pixel: (place: Vector3) => number): void {
        const rows = this.log.rowsByFrame[frame] ?? [];
        const position = this.points.geometry.getAttribute("position") as BufferAttribute;
        let arrows = 0;
        rows.forEach((row, index) => {
            this.place.set(row.point[0] - origin[0], row.point[1] - origin[1], row.point[2] - origin[2]);
            position.setXYZ(index, this.place.x, this.place.y, this.place.z);
            const force = Math.hypot(...row.force);
            if (force > 0 && this.log.peakForce > 0)
                this.setArrow(arrows++, row.force, (force / this.log.peakForce) * arrowPart * height * this.magnified, pixel(this.place));
        });
        position.needsUpdate = true;
        this.points.geometry.setDrawRange(0, rows.length);
        for (const mesh of [this.shafts, this.heads]) {
            mesh.count = arrows;
            mesh.instanceMatrix.needsUpdate = true;
        }
    }

    private setArrow(index: number, force: DataVector, length: number, pixel: number): void {
        this.direction.set(...force).normalize();
        this.rotation.setFromUnitVectors(this.upward, this.direction);
        // Short arrows keep their proportions by shrinking altogether.
        const width = Math.min(shaftPixels * pixel, length * 0.12);
        const headLength = Math.min(width * 7, length * 0.5);
        this.size.set(width, length - headLength, width);
        this.shafts.setMatrixAt(index, this.matrix.compose(this.place, this.rotation, this.size));
        this.place.addScaledVector(this.direction, length - headLength);
        this.size.set(width * 2.6, headLength, width * 2.6);
        this.heads.setMatrixAt(index, this.matrix.compose(this.place, this.rotation, this.size));
    }
}

function dotTexture(fill: string, rim: string): CanvasTexture | null {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 32;
    const pen = canvas.getContext("2d");
    if (!pen) return null;
    pen.beginPath();
    pen.arc(16, 16, 12, 0, 2 * Math.PI);
    pen.fillStyle = fill;
    pen.fill();
    pen.lineWidth = 5;
    pen.strokeStyle = rim;
    pen.stroke();
    const texture = new CanvasTexture(canvas);
    texture.colorSpace = "srgb";
    return texture;
}
