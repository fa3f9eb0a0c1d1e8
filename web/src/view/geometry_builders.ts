// Triangles for each type of geometry; a new type is one more entry here and one in data/scene.ts.
import { BoxGeometry, BufferAttribute, BufferGeometry, CapsuleGeometry, ConeGeometry, CylinderGeometry, PlaneGeometry, SphereGeometry } from "three";
import type { Geometry, Vector3 } from "../data/scene";

/** How many segments go round; fewer where a scene has very many shapes. */
export type Detail = "fine" | "coarse";

/** `reach`: about the size of the scene, for what has none of its own: the plate of a plane, the mark of a point. */
export function buildGeometry(geometry: Geometry, detail: Detail, reach: number): BufferGeometry | null {
    const around = detail === "fine" ? 48 : 20;
    const octants = (x: number, y: number, z: number): boolean => x * y * z > 0;
    if ("rounding" in geometry && geometry.rounding > 0) {
        const support = supportOf(geometry);
        return support ? patched(swept(support, geometry.rounding, around), octants) : null;
    }
    switch (geometry.type) {
        case "sphere":
            return patched(new SphereGeometry(geometry.radius, around, around / 2), octants);
        case "capsule": {
            // three.js lays a capsule along y; ours lies along z.
            const capsule = new CapsuleGeometry(geometry.radius, 2 * geometry.halfLength, around / 4, around, 2);
            capsule.rotateX(Math.PI / 2);
            return patched(capsule, octants);
        }
        case "disk": // two faces back to back
            return patched(alongZ(new CylinderGeometry(geometry.radius, geometry.radius, 0, around, 1)), (x, y) => x * y > 0);
        case "cylinder":
            return patched(alongZ(new CylinderGeometry(geometry.radius, geometry.radius, 2 * geometry.halfLength, around, 2)), octants);
        case "cone":
            return patched(alongZ(new ConeGeometry(geometry.radius, 2 * geometry.halfLength, around, 2)), octants);
        case "box": {
            const [x, y, z] = geometry.halfExtents;
            return patched(new BoxGeometry(2 * x, 2 * y, 2 * z, 2, 2, 2), octants);
        }
        case "ellipsoid": {
            const ellipsoid = new SphereGeometry(1, around, around / 2);
            // scale() turns the normals by the inverse, which a flat ellipsoid has not
            ellipsoid.scale(...(geometry.radii.map((radius) => Math.max(radius, 1e-6 * Math.max(...geometry.radii))) as [number, number, number]));
            return patched(ellipsoid, octants);
        }
        case "plane": {
            const squares = 10;
            const plate = new PlaneGeometry(4 * reach, 4 * reach, squares, squares);
            const size = (4 * reach) / squares;
            return patched(plate, (x, y) => (Math.floor(x / 3 / size) + Math.floor(y / 3 / size)) % 2 === 0, 0.86);
        }
        case "points":
            return patched(marks(geometry.vertices, 0.01 * reach), octants);
        case "probe":
            return patched(needle(geometry.range, geometry.cushion, 0.004 * reach), octants);
        case "triangles":
            return patched(fromTriangles(geometry.vertices, geometry.triangles), () => false);
        case "unknown":
            return null;
    }
}

/** three.js lays cylinders and cones along y, apex up; ours lie along z. */
function alongZ(geometry: BufferGeometry): BufferGeometry {
    return geometry.rotateX(Math.PI / 2);
}

/** Flat triangles with normals of their own. */
function fromTriangles(vertices: ArrayLike<number>, triangles: ArrayLike<number>): BufferGeometry {
    const positions = new Float32Array(3 * triangles.length);
    for (let corner = 0; corner < triangles.length; corner++)
        for (let axis = 0; axis < 3; axis++) positions[3 * corner + axis] = vertices[3 * (triangles[corner] ?? 0) + axis] ?? 0;
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(positions, 3));
    geometry.computeVertexNormals();
    return geometry;
}

/** An octahedron about each point. */
function marks(points: ArrayLike<number>, size: number): BufferGeometry {
    const corners = [size, 0, 0, -size, 0, 0, 0, size, 0, 0, -size, 0, 0, 0, size, 0, 0, -size];
    const faces = [0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5];
    const vertices: number[] = [];
    const triangles: number[] = [];
    for (let i = 0; i + 2 < points.length; i += 3) {
        for (const face of faces) triangles.push(face + vertices.length / 3);
        corners.forEach((corner, at) => vertices.push(corner + (points[i + (at % 3)] ?? 0)));
    }
    return fromTriangles(vertices, triangles);
}

/** A thin line along z from -range to the tip at cushion, and a mark about the tip. */
function needle(range: number, cushion: number, size: number): BufferGeometry {
    const faces = [0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5];
    const ring = (half: number, z: number): number[] => [half, 0, z, -half, 0, z, 0, half, z, 0, -half, z];
    const line = [...ring(0.4 * size, 0.5 * (cushion - range)), 0, 0, cushion, 0, 0, -range];
    const tip = [...ring(size, cushion), 0, 0, cushion + size, 0, 0, cushion - size];
    return fromTriangles([...line, ...tip], [...faces, ...faces.map((vertex) => vertex + 6)]);
}

type Support = (x: number, y: number, z: number) => Vector3;

/** The farthest point of a convex shape along a direction. */
function supportOf(geometry: Geometry): Support | null {
    switch (geometry.type) {
        case "box": {
            const [a, b, c] = geometry.halfExtents;
            return (x, y, z) => [x < 0 ? -a : a, y < 0 ? -b : b, z < 0 ? -c : c];
        }
        case "disk":
        case "cylinder":
        case "cone": {
            const halfLength = geometry.type === "disk" ? 0 : geometry.halfLength;
            return (x, y, z) => {
                const across = Math.hypot(x, y);
                const apex = geometry.type === "cone" && 2 * halfLength * z > geometry.radius * across;
                if (apex || across < 1e-9) return [0, 0, z < 0 ? -halfLength : halfLength];
                const end = geometry.type === "cone" || z < 0 ? -halfLength : halfLength;
                return [(geometry.radius * x) / across, (geometry.radius * y) / across, end];
            };
        }
        case "ellipsoid": {
            const [a, b, c] = geometry.radii;
            return (x, y, z) => {
                const length = Math.hypot(a * x, b * y, c * z);
                return length > 0 ? [(a * a * x) / length, (b * b * y) / length, (c * c * z) / length] : [0, 0, 0];
            };
        }
        case "triangles": {
            const { vertices } = geometry;
            return (x, y, z) => {
                let best = 0;
                let farthest = -Infinity;
                for (let i = 0; i + 2 < vertices.length; i += 3) {
                    const along = x * (vertices[i] ?? 0) + y * (vertices[i + 1] ?? 0) + z * (vertices[i + 2] ?? 0);
                    if (along > farthest) [best, farthest] = [i, along];
                }
                return [vertices[best] ?? 0, vertices[best + 1] ?? 0, vertices[best + 2] ?? 0];
            };
        }
        default:
            return null;
    }
}

/** A shape swept by a ball: each point of a fine ball is carried to the place of the shape that its normal touches. */
function swept(support: Support, rounding: number, around: number): BufferGeometry {
    const ball = new SphereGeometry(1, 2 * around, around);
    // no point may lie where the farthest point of a box jumps: poles and seam have several that differ by rounding
    ball.rotateX(0.31).rotateY(0.17).rotateZ(0.23);
    const position = ball.getAttribute("position");
    for (let i = 0; i < position.count; i++) {
        const direction = [position.getX(i), position.getY(i), position.getZ(i)] as const;
        const [x, y, z] = support(...direction);
        position.setXYZ(i, x + rounding * direction[0], y + rounding * direction[1], z + rounding * direction[2]);
    }
    return ball;
}

/** Shades every other patch, so that the spin of a round shape can be seen. */
function patched(source: BufferGeometry, isShaded: (x: number, y: number, z: number) => boolean, shade = 0.6): BufferGeometry {
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
        colours.fill(shaded ? shade : 1, first * 3, first * 3 + 9);
    }
    geometry.setAttribute("color", new BufferAttribute(colours, 3));
    geometry.deleteAttribute("uv");
    if (geometry !== source) source.dispose();
    return geometry;
}
