// Parallel coordinates: a line for each run across its inputs and kept values, coloured by an outcome.
import { makeSvg } from "../ui/dom";
import { labelOf, outcomeOf, type Scale, scaleOf, spread, type Study } from "./data";
import { legend } from "./scatter";

const width = 1180;
const height = 380;
const top = 62;
const bottom = height - 34;
const side = 80;
const most = 600;

export class Threads {
    readonly element = makeSvg("svg", { class: "points", viewBox: `0 0 ${width} ${height}`, width, height, role: "img" });
    readonly note = document.createElement("p");
    private lines: { row: number; y: (number | null)[] }[] = [];
    private step = 1;
    private picked = -1;
    private readonly thick = makeSvg("path", { class: "f-picked" });

    constructor(
        private readonly study: Study,
        onPick: (row: number, opens: boolean) => void,
    ) {
        this.note.className = "note";
        this.element.addEventListener("click", (event) => {
            const row = this.nearest(event);
            if (row >= 0) onPick(row, true);
        });
    }

    draw(outcome: number): void {
        const { study } = this;
        const judged = study.columns[outcome];
        const columns = [...(judged?.inputs ?? []), ...(judged?.kept ?? [])].flatMap((index) => study.columns[index] ?? []);
        if (!judged || columns.length < 2) return;
        const scales: Scale[] = columns.map(scaleOf);
        const up = (axis: number, value: number): number => {
            const scale = scales[axis] ?? { low: 0, high: 1 };
            return bottom - ((value - scale.low) / (scale.high - scale.low)) * (bottom - top);
        };
        const counts = [0, 0, 0];
        study.run.forEach((_, row) => {
            const kind = outcomeOf(study, outcome, row);
            if (study.drawn[row]) counts[kind] = (counts[kind] ?? 0) + 1;
        });
        const strides = counts.map((count) => Math.floor(count / (most + 1)) + 1);
        const paths = ["", "", ""];
        const passed = [0, 0, 0];
        this.step = (width - 2 * side) / (columns.length - 1);
        this.lines = [];
        study.run.forEach((run, row) => {
            const kind = outcomeOf(study, outcome, row);
            if (!study.drawn[row]) return;
            const nth = passed[kind] ?? 0;
            passed[kind] = nth + 1;
            if (nth % (strides[kind] ?? 1) !== 0) return;
            const y = columns.map((column, axis) => {
                const value = column.values[row] ?? null;
                return value === null ? null : up(axis, value + spread(column, run));
            });
            paths[kind] += this.pathOf(y);
            this.lines.push({ row, y });
        });
        this.element.setAttribute("aria-label", `Parallel coordinates of ${this.lines.length} runs by ${judged.name}: ${columns.map((column) => column.name).join(", ")}. The table of the worst runs has the numbers.`);
        this.note.textContent =
            `One line per run, coloured by ${judged.name}, over the inputs and kept values that correlate most with it (rank correlation). ` +
            (this.lines.length < study.rows ? `${this.lines.length} of ${study.rows} runs are drawn, at most ${most} of each colour, evenly spaced over the runs.` : `All ${study.rows} runs are drawn.`);
        this.element.replaceChildren(
            // The rarer ones on top.
            ...[0, 1, 2].sort((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0)).map((kind) => makeSvg("path", { class: ["f-thread-no", "f-thread-yes", "f-failed"][kind] ?? "", d: paths[kind] ?? "" })),
            this.thick,
            ...columns.flatMap((column, axis) => {
                const x = side + axis * this.step;
                return [
                    makeSvg("path", { class: "f-frame", d: `M${x} ${top}V${bottom}` }),
                    makeSvg("text", { class: "f-text", x, y: axis % 2 === 0 ? top - 12 : height - 10, "text-anchor": "middle" }, labelOf(column)),
                    ...(scales[axis]?.ticks ?? []).flatMap((tick) => [
                        makeSvg("path", { class: "f-frame", d: `M${x} ${up(axis, tick.at)}h-5` }),
                        makeSvg("text", { class: "f-soft f-halo", x: x - 8, y: up(axis, tick.at) + 4, "text-anchor": "end" }, tick.label),
                    ]),
                ];
            }),
            makeSvg("text", { class: "f-title", x: 4, y: 18 }, judged.name),
            ...legend(new Set([0, 1, 2].filter((kind) => counts[kind])), width - 16, 18),
        );
        this.mark(this.picked);
    }

    mark(row: number): void {
        this.picked = row;
        const line = this.lines.find((item) => item.row === row);
        this.thick.setAttribute("d", line ? this.pathOf(line.y) : "");
    }

    private pathOf(y: readonly (number | null)[]): string {
        let begun = false;
        return y
            .map((value, axis) => {
                const command = begun ? "L" : "M";
                begun = value !== null;
                return value === null ? "" : `${command}${(side + axis * this.step).toFixed(1)} ${value.toFixed(1)}`;
            })
            .join("");
    }

    private nearest(event: MouseEvent): number {
        const matrix = this.element.getScreenCTM();
        if (!matrix) return -1;
        const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
        const axis = Math.floor((at.x - side) / this.step);
        const part = (at.x - side) / this.step - axis;
        let [best, row] = [10, -1];
        for (const line of this.lines) {
            const [left, right] = [line.y[axis] ?? null, line.y[axis + 1] ?? null];
            if (left === null || right === null) continue;
            const distance = Math.abs(left + part * (right - left) - at.y);
            if (distance < best) [best, row] = [distance, line.row];
        }
        return row;
    }
}
