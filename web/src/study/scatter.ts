// Outcomes over two inputs: points that can be pointed at, clicked and walked through by keys.
import { makeSvg } from "../ui/dom";
import { labelOf, outcomeOf, scaleOf, spread, type Study } from "./data";

const width = 760;
const height = 480;
const frame = { left: 74, right: width - 16, top: 34, bottom: height - 50 };
export const kindNames = ["no", "yes", "run failed"];
export const markClasses = ["f-no", "f-yes", "f-failed"];

export function markPath(kind: number, x: number, y: number): string {
    if (kind === 0) return `M${(x - 2.4).toFixed(1)} ${y.toFixed(1)}a2.4 2.4 0 1 0 4.8 0a2.4 2.4 0 1 0 -4.8 0`;
    if (kind === 1) return `M${x.toFixed(1)} ${(y - 4.6).toFixed(1)}l4.4 7.2h-8.8z`;
    return `M${(x - 3.4).toFixed(1)} ${(y - 3.4).toFixed(1)}l6.8 6.8m0 -6.8l-6.8 6.8`;
}

/** The legend of an outcome, from right to left. */
export function legend(kinds: ReadonlySet<number>, right: number, y: number): SVGElement[] {
    return [2, 1, 0].flatMap((kind) => {
        if (!kinds.has(kind)) return [];
        const name = kindNames[kind] ?? "";
        const mark = makeSvg("path", { class: markClasses[kind] ?? "", d: markPath(kind, right - 7 * name.length - 8, y - 4) });
        const text = makeSvg("text", { class: "f-soft", x: right, y, "text-anchor": "end" }, name);
        right -= 7 * name.length + 30;
        return [mark, text];
    });
}

interface Point {
    readonly row: number;
    readonly x: number;
    readonly y: number;
}

export class Scatter {
    readonly element = makeSvg("svg", { class: "points", viewBox: `0 0 ${width} ${height}`, width, height, tabindex: 0, role: "application" });
    private points: Point[] = [];
    private picked = -1;
    private readonly ring = makeSvg("circle", { class: "f-picked", r: 8, visibility: "hidden" });

    constructor(
        private readonly study: Study,
        private readonly onPick: (row: number, opens: boolean) => void,
    ) {
        this.element.addEventListener("click", (event) => {
            const row = this.nearest(event);
            if (row >= 0) this.onPick(row, true);
        });
        this.element.addEventListener("pointermove", (event) => {
            this.element.style.cursor = this.nearest(event) >= 0 ? "pointer" : "";
        });
        this.element.addEventListener("keydown", (event) => this.onKey(event));
    }

    draw(outcome: number, x: number, y: number): void {
        const { study } = this;
        const [columnX, columnY, judged] = [study.columns[x], study.columns[y], study.columns[outcome]];
        if (!columnX || !columnY || !judged) return;
        const [scaleX, scaleY] = [scaleOf(columnX), scaleOf(columnY)];
        const across = (value: number): number => frame.left + ((value - scaleX.low) / (scaleX.high - scaleX.low)) * (frame.right - frame.left);
        const up = (value: number): number => frame.bottom - ((value - scaleY.low) / (scaleY.high - scaleY.low)) * (frame.bottom - frame.top);
        const marks = ["", "", ""];
        const counts = [0, 0, 0];
        this.points = [];
        study.run.forEach((run, row) => {
            const [valueX, valueY] = [columnX.values[row] ?? null, columnY.values[row] ?? null];
            if (!study.drawn[row] || valueX === null || valueY === null) return;
            const kind = outcomeOf(study, outcome, row);
            const point = { row, x: across(valueX + spread(columnX, run)), y: up(valueY + spread(columnY, 7 * run)) };
            marks[kind] += markPath(kind, point.x, point.y);
            counts[kind] = (counts[kind] ?? 0) + 1;
            this.points.push(point);
        });
        const title = `${judged.name} over ${columnX.name} and ${columnY.name}`;
        const middle = (frame.top + frame.bottom) / 2;
        this.element.setAttribute("aria-label", `${title}. ${this.points.length} points. Arrow keys go from run to run, left and right by ${columnX.name}, up and down by ${columnY.name}; Enter goes to what can be opened.`);
        this.element.replaceChildren(
            makeSvg("path", { class: "f-grid", d: [...scaleX.ticks.map((tick) => `M${across(tick.at)} ${frame.top}V${frame.bottom}`), ...scaleY.ticks.map((tick) => `M${frame.left} ${up(tick.at)}H${frame.right}`)].join("") }),
            makeSvg("path", { class: "f-frame", d: `M${frame.left} ${frame.top}V${frame.bottom}H${frame.right}` }),
            ...scaleX.ticks.map((tick) => makeSvg("text", { class: "f-text", x: across(tick.at), y: frame.bottom + 17, "text-anchor": "middle" }, tick.label)),
            ...scaleY.ticks.map((tick) => makeSvg("text", { class: "f-text", x: frame.left - 7, y: up(tick.at) + 4, "text-anchor": "end" }, tick.label)),
            makeSvg("text", { class: "f-text", x: (frame.left + frame.right) / 2, y: height - 10, "text-anchor": "middle" }, labelOf(columnX)),
            makeSvg("text", { class: "f-text", transform: `translate(14 ${middle}) rotate(-90)`, "text-anchor": "middle" }, labelOf(columnY)),
            makeSvg("text", { class: "f-title", x: 4, y: 18 }, judged.name),
            ...legend(new Set([0, 1, 2].filter((kind) => counts[kind])), frame.right, 18),
            // The rarer ones on top.
            ...[0, 1, 2].sort((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0)).map((kind) => makeSvg("path", { class: markClasses[kind] ?? "", d: marks[kind] ?? "" })),
            this.ring,
        );
        this.mark(this.picked);
    }

    /** Puts a ring around the run. */
    mark(row: number): void {
        this.picked = row;
        const point = this.points.find((item) => item.row === row);
        this.ring.setAttribute("visibility", point ? "visible" : "hidden");
        if (!point) return;
        this.ring.setAttribute("cx", point.x.toFixed(1));
        this.ring.setAttribute("cy", point.y.toFixed(1));
    }

    /** Where a run is drawn, in pixels of the window: for tests. */
    placeOf(row: number): { x: number; y: number } | null {
        const point = this.points.find((item) => item.row === row);
        const matrix = this.element.getScreenCTM();
        if (!point || !matrix) return null;
        const place = new DOMPoint(point.x, point.y).matrixTransform(matrix);
        return { x: place.x, y: place.y };
    }

    private nearest(event: MouseEvent): number {
        const matrix = this.element.getScreenCTM();
        if (!matrix) return -1;
        const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
        let [best, row] = [12, -1];
        for (const point of this.points) {
            const distance = Math.hypot(point.x - at.x, point.y - at.y);
            if (distance < best) [best, row] = [distance, point.row];
        }
        return row;
    }

    private onKey(event: KeyboardEvent): void {
        const step = { ArrowRight: 1, ArrowLeft: -1, ArrowUp: 1, ArrowDown: -1 }[event.key];
        if (event.key === "Enter" && this.picked >= 0) this.onPick(this.picked, true);
        if (step === undefined) return;
        const sideways = event.key === "ArrowRight" || event.key === "ArrowLeft";
        const order = [...this.points].sort((a, b) => (sideways ? a.x - b.x : b.y - a.y) || a.row - b.row);
        const at = order.findIndex((point) => point.row === this.picked);
        const next = order[at < 0 ? 0 : Math.min(Math.max(at + step, 0), order.length - 1)];
        event.preventDefault();
        if (next) this.onPick(next.row, false);
    }
}
