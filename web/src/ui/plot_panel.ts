// One plot over the time of the run; its cursor is the time of the replay, and a click sets that time.
import uPlot from "uplot";
import { frameAt } from "../data/replay";
import { formatNumber, formatTime } from "../format";
import { make, setText } from "./dom";
import { drawLanes, modeColours } from "./mode_lanes";
import type { ModeLane } from "../data/events";
import type { Curve, PlotChoice } from "./plot_choices";
import type { PlotLink } from "./plot_link";
import type { Theme } from "./theme";

const laneHeight = 26;

export class PlotPanel {
    readonly element: HTMLElement;
    readonly choice: PlotChoice;
    private readonly link: PlotLink;
    private readonly decimals: number;
    private readonly holder = make("div", { class: "plot", role: "img" });
    private readonly note = make("p", { class: "note" });
    private readonly replayLine = make("div", { class: "replay-line" });
    private readonly forgetZoom: () => void;
    private readonly sizes = new ResizeObserver(() => this.fitSize());
    private picked: readonly number[];
    private curves: readonly Curve[] | null = null;
    private plot: uPlot | null = null;
    private theme: Theme;

    constructor(choice: PlotChoice, link: PlotLink, theme: Theme, decimals: number, onClose: () => void) {
        this.choice = choice;
        this.link = link;
        this.theme = theme;
        this.decimals = decimals;
        this.picked = choice.initial;
        const close = make("button", { type: "button", class: "close", "aria-label": `Close the plot of ${choice.title}`, title: "Close this plot" }, "\u00d7");
        close.addEventListener("click", onClose);
        const unit = choice.unit === "" ? "" : ` [${choice.unit}]`;
        const colours = choice.lanes ? [...modeColours(choice.lanes)] : [];
        const keys = colours.map(([mode, colour]) => {
            const chip = make("i", { class: "chip", "aria-hidden": "true" });
            chip.style.background = colour;
            return make("span", { class: "key" }, chip, mode);
        });
        this.element = make(
            "section",
            { class: "one-plot", "aria-label": choice.title, "data-plot": choice.key },
            make("header", {}, make("h3", {}, `${choice.title}${unit}`), ...keys, this.note, close),
            this.holder,
            ...(choice.names.length > 1 ? [this.picker()] : []),
        );
        setText(this.note, choice.note);
        this.forgetZoom = link.onZoom(() => this.rescale());
        this.sizes.observe(this.holder);
    }

    setTheme(theme: Theme): void {
        this.theme = theme;
        this.build();
    }
    destroy(): void {
        this.forgetZoom();
        this.sizes.disconnect();
        this.plot?.destroy();
        this.element.remove();
    }

    private get lanes(): readonly ModeLane[] | null {
        const { lanes } = this.choice;
        return lanes ? this.picked.flatMap((index) => lanes[index] ?? []) : null;
    }

    /** A box for every curve that there is. The boxes are made when they are first looked at. */
    private picker(): HTMLElement {
        const { choice } = this;
        const boxes: HTMLInputElement[] = [];
        const set = (picked: readonly number[]): void => {
            this.picked = picked;
            boxes.forEach((box, index) => (box.checked = picked.includes(index)));
            this.curves = null;
            this.build();
        };
        const list = make("div", { class: "pick" });
        const details = make("details", {}, make("summary", {}, `Pick from ${choice.names.length}`), list);
        const button = (text: string, picked: readonly number[]): HTMLElement => {
            const made = make("button", { type: "button" }, text);
            made.addEventListener("click", () => set(picked));
            return made;
        };
        details.addEventListener("toggle", () => {
            if (!details.open || boxes.length > 0) return;
            choice.names.forEach((name, index) => {
                const box = make("input", { type: "checkbox", checked: this.picked.includes(index) });
                box.addEventListener("change", () => set(choice.names.flatMap((_, at) => (boxes[at]?.checked ? [at] : []))));
                boxes.push(box);
                list.append(make("label", {}, box, name));
            });
            list.prepend(button("As at first", choice.initial), button("None", []));
        });
        return details;
    }

    /** Moves the line of the replay, and the legend with it while the mouse is elsewhere. */
    update(): void {
        const { plot } = this;
        const { player } = this.link;
        if (!plot || player.frame < 0) return;
        const left = plot.valToPos(player.time, "x");
        if (!Number.isFinite(left)) return;
        this.replayLine.hidden = left < 0 || left > plot.over.clientWidth;
        this.replayLine.style.transform = `translateX(${left}px)`;
        if (!this.link.hovering && !this.choice.lanes) plot.setLegend({ idx: frameAt(this.choice.times, player.time) });
    }

    private rescale(): void {
        const [min, max] = this.link.range;
        this.plot?.setScale("x", { min, max });
        this.update();
    }

    private build(): void {
        this.plot?.destroy();
        this.plot = null;
        const { choice, link } = this;
        this.curves ??= choice.curves(this.picked);
        const { curves, lanes } = this;
        const names = lanes ? lanes.map((lane) => lane.contact) : curves.map((curve) => curve.name);
        this.holder.setAttribute("aria-label", `${choice.title} over time: ${names.join(", ")}`);
        if (choice.times.length === 0 || (lanes ?? curves).length === 0) return;
        const nothing = Array.from(choice.times, () => null);
        const data = [choice.times, ...(lanes ? [nothing] : curves.map((curve) => curve.values))] as uPlot.AlignedData;
        const plot = new uPlot(this.options(curves), data, this.holder);
        this.plot = plot;
        plot.over.append(this.replayLine);
        plot.over.addEventListener("mouseenter", () => (link.hovering = true));
        plot.over.addEventListener("mouseleave", () => {
            link.hovering = false;
            // Every plot goes back to the time of the replay.
            link.player.refresh();
        });
        let pressed = 0;
        plot.over.addEventListener("mousedown", (event) => (pressed = event.clientX));
        plot.over.addEventListener("click", (event) => {
            if (Math.abs(event.clientX - pressed) > 3) return;
            link.goTo(plot.posToVal(event.clientX - plot.over.getBoundingClientRect().left, "x"));
        });
        this.fitSize();
    }

    private options(curves: readonly Curve[]): uPlot.Options {
        const { theme, decimals, choice, link, lanes } = this;
        const axis = {
            font: "11px system-ui, sans-serif",
            stroke: theme.muted,
            grid: { stroke: theme.line, width: 1 },
            ticks: { stroke: theme.line, width: 1, size: 4 },
        };
        return {
            ...this.size(),
            padding: [6, 10, 0, 0],
            scales: {
                x: { time: false, range: () => [...link.range] },
                y: { range: lanes ? () => [0, lanes.length] : (_, low, high) => paddedRange(low, high) },
            },
            axes: [
                { ...axis, size: 22, gap: 2 },
                lanes ? { ...axis, size: 62, gap: 2, values: () => [], grid: { show: false }, ticks: { show: false } } : { ...axis, size: 62, gap: 2, values: (_, splits) => splits.map((value) => formatNumber(value, 5)) },
            ],
            cursor: {
                y: false,
                points: { size: 6 },
                sync: { key: link.key, scales: ["x", null] },
                drag: { x: true, y: false, setScale: false },
                bind: {
                    dblclick: () => () => {
                        link.showAll();
                        return null;
                    },
                },
            },
            hooks: {
                // A plot that is built anew, as for other colours, begins with an empty legend.
                ready: [() => this.update()],
                draw: lanes ? [drawLanes(lanes, theme.foreground, theme.panel)] : [],
                setScale: [() => this.update()],
                setSelect: [
                    (plot: uPlot) => {
                        if (plot.select.width < 4) return;
                        const from = plot.posToVal(plot.select.left, "x");
                        const to = plot.posToVal(plot.select.left + plot.select.width, "x");
                        plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
                        link.zoom(from, to);
                    },
                ],
            },
            legend: { show: !lanes, live: true },
            series: [
                { label: "time", value: (_, value) => (value === null ? "\u2013" : `${formatTime(value, decimals)} s`) },
                ...(lanes
                    ? [{ label: "mode" }]
                    : curves.map(
                          (curve): uPlot.Series => ({
                              label: curve.name,
                              stroke: curve.colour,
                              width: 1.6,
                              pxAlign: 0,
                              dash: [...curve.dash],
                              points: { show: false },
                              value: (_, value) => `${formatNumber(value)} ${choice.unit}`.trim(),
                          }),
                      )),
            ],
        };
    }

    private size(): { width: number; height: number } {
        const { lanes } = this;
        return { width: Math.max(160, this.holder.clientWidth), height: lanes ? lanes.length * laneHeight + 30 : 136 };
    }
    private fitSize(): void {
        if (this.holder.clientWidth === 0) return;
        if (!this.plot) {
            this.build();
            return;
        }
        const size = this.size();
        if (size.width !== this.plot.width || size.height !== this.plot.height) this.plot.setSize(size);
        this.update();
    }
}

/** A little room above and below; a flat line lies in the middle. */
function paddedRange(low: number | null, high: number | null): [number, number] {
    if (low === null || high === null) return [0, 1];
    if (low === high) return low === 0 ? [-0.05, 1] : [low - Math.abs(low) * 0.1, high + Math.abs(high) * 0.1];
    const room = (high - low) * 0.06;
    return [low - room, high + room];
}
