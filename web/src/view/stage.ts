// The 3-D picture: camera, light and what is drawn at the shown frame. Draws only when something changed.
import { Color, DirectionalLight, HemisphereLight, PerspectiveCamera, Quaternion, Scene, Vector3, WebGLRenderer } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { contactReach, type Extent, extentOfFrames, extentOfRun, fitsInView, isGround, niceStep } from "../data/extents";
import { positionAt } from "../data/replay";
import { bodyColour } from "../colours";
import type { Run } from "../data/run";
import { type Vector3 as DataVector } from "../data/scene";
import type { Theme } from "../ui/theme";
import { BodyMeshes, type Look } from "./body_meshes";
import { ContactMarks } from "./contact_marks";
import { Grid } from "./grid";
import { Labels } from "./labels";
import { LinkLines } from "./link_lines";
import { Triad } from "./triad";

export interface ScreenPosition {
    readonly x: number;
    readonly y: number;
}

/** What an outside observer needs to project a recorded position: matrices column by column, as three.js keeps them. */
export interface CameraState {
    /** World position, in double precision, of the origin the matrices refer to. */
    readonly origin: DataVector;
    readonly viewMatrix: readonly number[];
    readonly projectionMatrix: readonly number[];
    readonly canvas: { readonly left: number; readonly top: number; readonly width: number; readonly height: number };
}

const fieldOfView = 35;
const firstDirection = new Vector3(0.35, -1, 0.42).normalize();

export function webglAvailable(): boolean {
    try {
        return document.createElement("canvas").getContext("webgl2") !== null;
    } catch {
        return false;
    }
}

export class Stage {
    readonly element: HTMLElement;
    readonly marks: ContactMarks;
    readonly links: LinkLines;
    readonly bodies: BodyMeshes;
    readonly labels: Labels;
    readonly grid = new Grid();
    private readonly run: Run;
    private readonly renderer: WebGLRenderer;
    private readonly world = new Scene();
    private readonly camera = new PerspectiveCamera(fieldOfView, 1, 0.01, 1000);
    private readonly controls: OrbitControls;
    private readonly triad: Triad;
    private readonly viewRotation = new Quaternion();
    private readonly projected = new Vector3();
    private readonly seen = new Vector3();
    /** Which of the contacts of the frame was looked at last, by rank of force. */
    private contactRank = -1;
    private frame = -1;
    private follow: number | null = null;
    /** World position of the origin of the picture, in double precision: everything is drawn relative to it. */
    private origin: DataVector = [0, 0, 0];
    private readonly restingOrigin: DataVector;
    private sceneRadius = 1;
    /** Where the grid lies in the picture, relative to `origin`. */
    private readonly gridCenter = new Vector3();
    /** Of the canvas in pixels of the page, with their fractions: a whole number would shift every projection. */
    private width = 1;
    private height = 1;
    private drawPending = false;
    private playing = false;
    private dragging = false;
    private pictures = 0;

    constructor(run: Run, theme: Theme, onLost: () => void) {
        this.run = run;
        this.renderer = new WebGLRenderer({ antialias: true });
        this.renderer.domElement.setAttribute("role", "img");
        this.renderer.domElement.setAttribute("aria-label", "3-D replay of the bodies; the tables below hold the numbers");
        this.renderer.domElement.addEventListener("webglcontextlost", onLost);
        this.bodies = new BodyMeshes(run);
        this.marks = new ContactMarks(run.contacts);
        this.links = new LinkLines(run);
        this.triad = new Triad(run.scene.axes);
        this.labels = new Labels(run.scene.bodies.map((body, index) => (run.replay.tracks[index] && !isGround(body) ? body.name : null)), (index) => bodyColour(run.scene, index));
        this.element = document.createElement("div");
        this.element.className = "stage";
        this.element.append(this.renderer.domElement, this.labels.element, this.triad.element);

        const light = new DirectionalLight(0xffffff, 2.6);
        light.position.set(-0.5, 0.9, 0.8);
        this.camera.add(light);
        this.camera.up.set(0, 0, 1);
        this.world.add(this.camera, new HemisphereLight(0xffffff, 0x78828f, 1.9), this.bodies.group, this.links.group, this.marks.group, this.grid.lines);

        this.controls = new OrbitControls(this.camera, this.renderer.domElement);
        this.controls.addEventListener("change", () => this.requestDraw());
        this.controls.addEventListener("start", () => this.setDragging(true));
        this.controls.addEventListener("end", () => this.setDragging(false));
        this.restingOrigin = extentOfRun(run.scene, run.replay, null).center;
        this.origin = this.restingOrigin;
        this.setTheme(theme);
        this.camera.position.copy(firstDirection);
        new ResizeObserver(() => this.resize()).observe(this.element);
    }

    setTheme(theme: Theme): void {
        this.world.background = new Color(theme.background);
        this.grid.lines.material.color = new Color(theme.line);
        this.links.setColour(theme.muted);
        this.marks.setColours(theme.force, theme.contact, theme.dark ? "#ffffff" : "#000000");
        this.requestDraw();
    }

    setFrame(frame: number): void {
        if (frame !== this.frame) this.contactRank = -1;
        this.frame = frame;
        this.update();
    }

    refresh(): void {
        this.update();
    }

    /** While it plays or is turned, very large terrain is drawn with fewer triangles; at rest with all. */
    setPlaying(playing: boolean): void {
        if (playing === this.playing) return;
        this.playing = playing;
        this.settleDetail();
    }
    private setDragging(dragging: boolean): void {
        this.dragging = dragging;
        this.settleDetail();
    }
    private settleDetail(): void {
        this.bodies.moving = this.playing || this.dragging;
        if (this.bodies.hasLarge) this.requestDraw();
    }

    setBodyLook(body: number, look: Look): void {
        this.bodies.setLook(body, look);
        this.labels.setShown(body, look !== "hidden");
        this.requestDraw();
    }
    setShapeLook(body: number, shape: number, look: Look): void {
        this.bodies.setShapeLook(body, shape, look);
        this.requestDraw();
    }

    /** Of the last picture, and of all so far. */
    get work(): { readonly triangles: number; readonly pictures: number } {
        return { triangles: this.renderer.info.render.triangles, pictures: this.pictures };
    }

    /** From a side: the direction from what is looked at to the eye. */
    lookFrom(direction: DataVector): void {
        const distance = this.camera.position.distanceTo(this.controls.target);
        this.camera.position.copy(this.controls.target).addScaledVector(new Vector3(...direction).normalize(), distance);
        this.controls.update();
        this.fitFrame();
    }

    /** Keeps the view where it is on letting go; looks at the body on taking hold. */
    setFollow(body: number | null): void {
        const before = this.origin;
        this.follow = body;
        this.origin = this.currentOrigin();
        const shift = new Vector3(before[0] - this.origin[0], before[1] - this.origin[1], before[2] - this.origin[2]);
        this.gridCenter.add(shift);
        if (body === null) {
            this.camera.position.add(shift);
            this.controls.target.add(shift);
        } else {
            this.camera.position.sub(this.controls.target);
            this.controls.target.set(0, 0, 0);
        }
        this.update();
    }

    fitFrame(): void {
        this.fit(extentOfFrames(this.run.scene, this.run.replay, this.frame, this.frame, this.follow));
    }
    fitRun(): void {
        this.fit(extentOfRun(this.run.scene, this.run.replay, this.follow));
    }
    /** The contact of the largest force, then at every further call the next: as large as the smaller of its shapes. False:
     * there is no contact at this frame. */
    fitContact(): boolean {
        const rows = [...(this.run.contacts.rowsByFrame[this.frame] ?? [])].sort((a, b) => Math.hypot(...b.force) - Math.hypot(...a.force));
        if (rows.length === 0) return false;
        this.contactRank = (this.contactRank + 1) % rows.length;
        const row = rows[this.contactRank];
        if (!row) return false;
        const track = this.follow === null ? undefined : this.run.replay.tracks[this.follow];
        const base = track && this.frame >= 0 ? positionAt(track, this.frame) : ([0, 0, 0] as const);
        const half = contactReach(this.run.scene, this.run.contacts.names[row.contact] ?? "") ?? 0.1 * this.sceneRadius;
        this.fit({ center: [row.point[0] - base[0], row.point[1] - base[1], row.point[2] - base[2]], half: [half, half, half], radius: half * Math.sqrt(3) });
        return true;
    }
    /** The whole run, or the bodies as they are at the first frame where they would be specks in it. */
    fitFirst(): void {
        if (fitsInView(this.run.scene, this.run.replay)) this.fitRun();
        else this.fitFrame();
    }

    /** In pixels of the browser window; null for a body that is not drawn or lies behind the camera. */
    bodyScreenPosition(name: string): ScreenPosition | null {
        const index = this.run.scene.bodies.findIndex((body) => body.name === name);
        const point = index < 0 ? null : this.projectBody(index);
        if (!point) return null;
        const box = this.renderer.domElement.getBoundingClientRect();
        return { x: box.left + point.x, y: box.top + point.y };
    }

    cameraState(): CameraState {
        this.camera.updateMatrixWorld();
        const box = this.renderer.domElement.getBoundingClientRect();
        return {
            origin: this.origin,
            viewMatrix: [...this.camera.matrixWorldInverse.elements],
            projectionMatrix: [...this.camera.projectionMatrix.elements],
            canvas: { left: box.left, top: box.top, width: box.width, height: box.height },
        };
    }

    requestDraw(): void {
        if (this.drawPending) return;
        this.drawPending = true;
        requestAnimationFrame(() => {
            this.drawPending = false;
            this.draw();
        });
    }

    private currentOrigin(): DataVector {
        const track = this.follow === null ? undefined : this.run.replay.tracks[this.follow];
        return track && this.frame >= 0 ? positionAt(track, this.frame) : this.restingOrigin;
    }

    private update(): void {
        this.origin = this.currentOrigin();
        this.bodies.place(this.frame, this.origin);
        this.grid.place(this.gridCenter, this.origin);
        this.requestDraw();
    }

    private fit(extent: Extent): void {
        const radius = extent.radius > 0 ? extent.radius : 1;
        this.sceneRadius = radius;
        // An extent relative to the followed body already has its origin there.
        const base = this.follow === null ? this.origin : ([0, 0, 0] as const);
        const direction = this.camera.position.clone().sub(this.controls.target);
        if (direction.lengthSq() === 0) direction.copy(firstDirection);
        direction.normalize();
        this.controls.target.set(extent.center[0] - base[0], extent.center[1] - base[1], extent.center[2] - base[2]);
        this.camera.position.copy(this.controls.target).addScaledVector(direction, this.distanceToFit(extent.half, direction) || radius * 4);
        this.gridCenter.copy(this.controls.target);
        this.gridCenter.z -= extent.half[2];
        this.controls.minDistance = radius * 1e-3;
        this.controls.maxDistance = radius * 1e4;
        this.grid.spacing = niceStep(radius / 2.5);
        this.controls.update();
        this.update();
    }

    /** How far off, along `direction` from the middle of a box, the camera has all its corners in view. */
    private distanceToFit(half: DataVector, direction: Vector3): number {
        const right = new Vector3().crossVectors(this.camera.up, direction).normalize();
        const upward = new Vector3().crossVectors(direction, right);
        const vertical = Math.tan((fieldOfView * Math.PI) / 360);
        const horizontal = vertical * this.camera.aspect;
        const corner = new Vector3();
        let distance = 0;
        for (let index = 0; index < 8; index++) {
            corner.set(index & 1 ? half[0] : -half[0], index & 2 ? half[1] : -half[1], index & 4 ? half[2] : -half[2]);
            const across = Math.max(Math.abs(corner.dot(right)) / horizontal, Math.abs(corner.dot(upward)) / vertical);
            distance = Math.max(distance, corner.dot(direction) + across);
        }
        return distance * 1.08;
    }

    private resize(): void {
        const { width, height } = this.element.getBoundingClientRect();
        if (width === 0 || height === 0) return;
        this.width = width;
        this.height = height;
        this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio || 1));
        this.renderer.setSize(width, height, false);
        this.camera.aspect = width / height;
        this.camera.updateProjectionMatrix();
        this.draw();
    }

    private setDepthRange(): void {
        const distance = this.camera.position.distanceTo(this.controls.target);
        this.camera.near = distance / 200;
        this.camera.far = distance * 3 + this.sceneRadius * 60;
        this.camera.updateProjectionMatrix();
    }

    private draw(): void {
        this.setDepthRange();
        this.sizeMarks();
        this.renderer.render(this.world, this.camera);
        this.pictures++;
        this.triad.turn(this.viewRotation.copy(this.camera.quaternion).invert());
        this.labels.place((index) => this.projectBody(index));
    }

    /** Marks are as large on the screen at every distance. */
    private sizeMarks(): void {
        const slope = 2 * Math.tan((fieldOfView * Math.PI) / 360);
        const height = slope * this.camera.position.distanceTo(this.controls.target);
        this.camera.updateMatrixWorld();
        const pixel = (place: Vector3): number => {
            const depth = -this.seen.copy(place).applyMatrix4(this.camera.matrixWorldInverse).z;
            return (slope * Math.max(depth, this.camera.near)) / this.height;
        };
        this.marks.show(this.frame, this.origin, height, pixel);
        this.links.show(this.frame, this.run.replay.times[this.frame] ?? 0, this.origin, pixel);
        this.bodies.setAxesLength(0.1 * height);
    }

    /** Pixels from the upper left corner of the canvas. */
    private projectBody(index: number): ScreenPosition | null {
        const track = this.run.replay.tracks[index];
        if (!track || this.frame < 0) return null;
        this.camera.updateMatrixWorld();
        const position = positionAt(track, this.frame);
        this.projected.set(position[0] - this.origin[0], position[1] - this.origin[1], position[2] - this.origin[2]);
        this.projected.applyMatrix4(this.camera.matrixWorldInverse);
        if (this.projected.z >= 0) return null;
        this.projected.applyMatrix4(this.camera.projectionMatrix);
        return { x: ((this.projected.x + 1) / 2) * this.width, y: ((1 - this.projected.y) / 2) * this.height };
    }
}
