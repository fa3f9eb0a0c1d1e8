// The axes of the world in a corner of the picture, with their names, turning with the camera.
import type { Quaternion } from "three";
import { Vector3 } from "three";
import { makeSvg } from "../ui/dom";
import { axisColours } from "./axes_mark";

const size = 104;
const reach = 28;

export class Triad {
    readonly element: SVGSVGElement;
    private readonly axes: readonly { group: SVGGElement; line: SVGLineElement; label: SVGTextElement }[];
    private readonly direction = new Vector3();

    constructor(labels: readonly [string, string, string]) {
        this.element = makeSvg("svg", {
            class: "triad",
            width: size,
            height: size,
            viewBox: `${-size / 2} ${-size / 2} ${size} ${size}`,
            role: "img",
            "aria-label": `Axes of the world: ${labels.join(", ")}`,
        });
        this.axes = labels.map((name, index) => {
            const colour = axisColours[index] ?? "#888888";
            const line = makeSvg("line", { x1: 0, y1: 0, stroke: colour, "stroke-width": 2.5, "stroke-linecap": "round" });
            const label = makeSvg("text", { "text-anchor": "middle", "dominant-baseline": "central", fill: colour }, name);
            const group = makeSvg("g", {}, line, label);
            this.element.append(group);
            return { group, line, label };
        });
    }

    /** `viewRotation` takes directions of the world to the camera. */
    turn(viewRotation: Quaternion): void {
        const units = [
            [1, 0, 0],
            [0, 1, 0],
            [0, 0, 1],
        ] as const;
        const order = this.axes.map((axis, index) => {
            const [unitX, unitY, unitZ] = units[index] ?? [0, 0, 0];
            this.direction.set(unitX, unitY, unitZ).applyQuaternion(viewRotation);
            const x = this.direction.x * reach;
            const y = -this.direction.y * reach;
            axis.line.setAttribute("x2", x.toFixed(2));
            axis.line.setAttribute("y2", y.toFixed(2));
            const flat = Math.hypot(x, y) || 1;
            axis.label.setAttribute("x", (x + (x / flat) * 10).toFixed(2));
            axis.label.setAttribute("y", (y + (y / flat) * 10).toFixed(2));
            axis.group.setAttribute("opacity", this.direction.z < -0.2 ? "0.6" : "1");
            return { axis, depth: this.direction.z };
        });
        // The axis nearest to the eye is drawn last.
        order.sort((a, b) => a.depth - b.depth);
        for (const { axis } of order) this.element.append(axis.group);
    }
}
