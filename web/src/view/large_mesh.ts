// Terrain and solids of very many triangles: shared vertices, and fewer triangles while the picture moves.
import { BufferAttribute, BufferGeometry, type Color, Mesh, MeshStandardMaterial, Quaternion, Vector3 } from "three";
import type { Shape, TrianglesGeometry } from "../data/scene";
import { coarseIndex } from "./coarse_index";

/** From here on a geometry is drawn by itself. */
export const largeFrom = 20000;
/** What any computer can draw many times a second, without a graphics card too. */
const movingTriangles = 120000;

export function isLarge(geometry: Shape["geometry"]): geometry is TrianglesGeometry {
    return geometry.type === "triangles" && geometry.triangles.length / 3 >= largeFrom && geometry.rounding === 0;
}

export class LargeMesh {
    readonly mesh: Mesh<BufferGeometry, MeshStandardMaterial>;
    private readonly fine: BufferAttribute;
    private readonly coarse: BufferAttribute;

    constructor(shape: Shape, geometry: TrianglesGeometry, colour: Color) {
        const buffer = new BufferGeometry();
        const triangles = Uint32Array.from(geometry.triangles);
        buffer.setAttribute("position", new BufferAttribute(Float32Array.from(geometry.vertices), 3));
        this.fine = new BufferAttribute(triangles, 1);
        this.coarse = new BufferAttribute(coarseIndex(geometry.vertices, triangles, movingTriangles), 1);
        buffer.setIndex(this.fine);
        // Ground is smooth between its points, solids have edges.
        const smooth = geometry.typeName === "grid";
        if (smooth) buffer.computeVertexNormals();
        this.mesh = new Mesh(buffer, new MeshStandardMaterial({ color: colour, roughness: 0.95, metalness: 0, flatShading: !smooth }));
        const [w, x, y, z] = shape.orientation;
        this.mesh.applyQuaternion(new Quaternion(x, y, z, w));
        this.mesh.position.copy(new Vector3(...shape.position));
    }

    set moving(moving: boolean) {
        this.mesh.geometry.setIndex(moving ? this.coarse : this.fine);
    }
}
