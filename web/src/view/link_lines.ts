// Links as rods between their ends: thin while they bear nothing, away once they are lost. As thick on the screen as a
// line, and never as a drum.
import { Color, CylinderGeometry, Group, Mesh, MeshStandardMaterial, Quaternion, Vector3 } from "three";
import { linkEnds, linkFates, type LinkFates, linkState } from "../data/links";
import type { Run } from "../data/run";
import type { Vector3 as DataVector } from "../data/scene";

/** Radius of a rod that bears something. */
const rodPixels = 3;

export class LinkLines {
    readonly group = new Group();
    private readonly run: Run;
    private readonly fates: LinkFates;
    private readonly rods: readonly Mesh<CylinderGeometry, MeshStandardMaterial>[];
    private readonly along = new Vector3();
    private readonly middle = new Vector3();
    private readonly upward = new Vector3(0, 1, 0);
    private readonly rotation = new Quaternion();

    constructor(run: Run) {
        this.run = run;
        this.fates = linkFates(run.events);
        const rod = new CylinderGeometry(1, 1, 1, 10).translate(0, 0.5, 0);
        this.rods = run.scene.links.map(() => {
            const mesh = new Mesh(rod, new MeshStandardMaterial({ roughness: 0.5, transparent: true }));
            mesh.frustumCulled = false;
            this.group.add(mesh);
            return mesh;
        });
    }

    get count(): number {
        return this.rods.length;
    }
    setColour(colour: string): void {
        for (const rod of this.rods) rod.material.color = new Color(colour);
    }

    /** `pixel`: metres of a pixel at a place. */
    show(frame: number, time: number, origin: DataVector, pixel: (place: Vector3) => number): void {
        this.rods.forEach((rod, index) => {
            const link = this.run.scene.links[index];
            const ends = link && frame >= 0 ? linkEnds(link, this.run.replay, frame) : null;
            rod.visible = ends !== null;
            if (!link || !ends) return;
            const [a, b] = ends;
            this.along.set(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
            const length = this.along.length();
            const state = linkState(link, length, time, this.fates);
            rod.visible = state !== "gone" && length > 0;
            if (!rod.visible) return;
            this.middle.set((a[0] + b[0]) / 2 - origin[0], (a[1] + b[1]) / 2 - origin[1], (a[2] + b[2]) / 2 - origin[2]);
            const width = Math.min(rodPixels * pixel(this.middle), 0.04 * length) * (state === "acting" ? 1 : 0.4);
            rod.material.opacity = state === "open" ? 0.35 : 1;
            rod.position.set(a[0] - origin[0], a[1] - origin[1], a[2] - origin[2]);
            rod.quaternion.copy(this.rotation.setFromUnitVectors(this.upward, this.along.divideScalar(length)));
            rod.scale.set(width, length, width);
        });
    }
}
