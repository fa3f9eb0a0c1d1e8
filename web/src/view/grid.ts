// A faint grid across x and y for scale: its lines stay in the world while it follows the view.
import { BufferAttribute, BufferGeometry, LineBasicMaterial, LineSegments, type Vector3 } from "three";
import type { Vector3 as DataVector } from "../data/scene";

const halfCells = 24;

export class Grid {
    readonly lines: LineSegments<BufferGeometry, LineBasicMaterial>;
    private cell = 1;

    constructor() {
        const positions: number[] = [];
        for (let index = -halfCells; index <= halfCells; index++) {
            positions.push(index, -halfCells, 0, index, halfCells, 0, -halfCells, index, 0, halfCells, index, 0);
        }
        const geometry = new BufferGeometry();
        geometry.setAttribute("position", new BufferAttribute(new Float32Array(positions), 3));
        this.lines = new LineSegments(geometry, new LineBasicMaterial({ transparent: true, opacity: 0.55, depthWrite: false }));
        this.lines.renderOrder = -1;
    }

    set spacing(value: number) {
        this.cell = value;
        this.lines.scale.setScalar(value);
    }
    get spacing(): number {
        return this.cell;
    }

    /** About `center`, relative to `origin` in the world; the lines lie at whole multiples of the spacing in the world. */
    place(center: Vector3, origin: DataVector): void {
        const snap = (local: number, base: number): number => Math.round((local + base) / this.cell) * this.cell - base;
        this.lines.position.set(snap(center.x, origin[0]), snap(center.y, origin[1]), center.z);
    }
}
