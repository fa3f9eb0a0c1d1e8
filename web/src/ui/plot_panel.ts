// One plot over the time of the run; its cursor is the time of the replay, and a click sets that time.
import uPlot from "uplot";
import { formatNumber, formatTime } from "../format";
import type { Player } from "../player";
import { make, setText } from "./dom";
import type { Curve, PlotChoice } from "./plot_choices";
import type { Theme } from "./theme";

export class PlotPanel {
    readonly element: HTMLElement;
    private readonly player: Player;
    private readonly choices: readonly PlotChoice[];
    private readonly decimals: number;
    private readonly holder = make("div", { class: "plot" });
    private readonly note = make("p", { class: "note" });
    private readonly replayLine = make("div", { class: "replay-line" });
    private plot: uPlot | null = null;
    private choice: PlotChoice | undefined;
    private theme: Theme;
    private hovering = false;
    /** The legend grows and shrinks with what it says, and the plot takes what it leaves. */
    private readonly legendSize = new ResizeObserver(() => this.fitSize());

    constructor(choices: readonly PlotChoice[], player: Player, theme: Theme, decimals: number) {
        this.choices = choices;
        this.player = player;
        this.theme = theme;
        this.decimals = decimals;
        this.choice = choices.find((choice) => choice.available) ?? choices[0];
        const select = make("select", { "aria-label": "What the plot shows" });
        for (const choice of choices)
            select.append(make("option", { value: choice.key, disabled: !choice.available }, choice.title));
        select.value = this.choice?.key ?? "";
        select.addEventListener("change", () => {
            this.choice = this.choices.find((choice) => choice.key === select.value);
            this.build();
        });
        this.element = make(
            "section",
            { class: "panel plot-panel", "aria-labelledby": "plot-title" },
            make("header", {}, make("h2", { id: "plot-title" }, "Plot"), select),
            this.holder,
            this.note,
        );
        new ResizeObserver(() => this.fitSize()).observe(this.holder);
    }

    setTheme(theme: Theme): void {
        this.theme = theme;
        this.build();
    }

    /** Moves the line of the replay, and the legend with it while the mouse is elsewhere. */
    update(): void {
        const { plot, player } = this;
        if (!plot || player.frame < 0) return;
        const left = plot.valToPos(player.time, "x");
        if (!Number.isFinite(left)) return;
        const inside = left >= 0 && left <= plot.over.clientWidth;
        this.replayLine.hidden = !inside;
        this.replayLine.style.transform = `translateX(${left}px)`;
        if (!this.hovering) plot.setLegend({ idx: player.frame });
    }

    private build(): void {
        this.legendSize.disconnect();
        this.plot?.destroy();
        this.plot = null;
        const { choice, player } = this;
        const size = this.size();
        const curves = choice?.available ? choice.curves() : [];
        this.holder.setAttribute("role", "img");
        this.holder.setAttribute("aria-label", choice ? `${choice.title} over time: ${curves.map((curve) => curve.name).join(", ")}` : "");
        setText(this.note, this.noteText(curves.length));
        if (!choice || player.frameCount === 0 || curves.length === 0) return;
        const plot = new uPlot(this.options(choice, curves, size), [player.times, ...curves.map((curve) => curve.values)] as uPlot.AlignedData, this.holder);
        this.plot = plot;
        plot.over.append(this.replayLine);
        const legend = plot.root.querySelector(".u-legend");
        if (legend) this.legendSize.observe(legend);
        plot.over.addEventListener("mouseenter", () => (this.hovering = true));
        plot.over.addEventListener("mouseleave", () => {
            this.hovering = false;
            this.update();
        });
        plot.over.addEventListener("click", (event) => {
            const time = plot.posToVal(event.clientX - plot.over.getBoundingClientRect().left, "x");
            player.pause();
            player.seek(time);
        });
    }

    private noteText(curveCount: number): string {
        if (this.player.frameCount === 0) return "No frames were recorded.";
        if (curveCount === 0) return "Nothing to plot.";
        const touched = this.choices.some((choice) => choice.key === "normal_force" && choice.available);
        return [touched ? "" : "No contact was recorded.", this.choice?.note ?? "", "Click to go there, drag to zoom, double click to see all."]
            .filter((text) => text !== "")
            .map((text) => text[0]?.toUpperCase() + text.slice(1) + (text.endsWith(".") ? "" : "."))
            .join(" ");
    }

    private options(choice: PlotChoice, curves: readonly Curve[], size: { width: number; height: number }): uPlot.Options {
        const { theme, decimals } = this;
        const axis = (label: string): uPlot.Axis => ({
            label,
            labelSize: 22,
            labelFont: "12px system-ui, sans-serif",
            font: "11px system-ui, sans-serif",
            stroke: theme.muted,
            grid: { stroke: theme.line, width: 1 },
            ticks: { stroke: theme.line, width: 1, size: 5 },
        });
        return {
            ...size,
            scales: { x: { time: false }, y: { range: (_, low, high) => paddedRange(low, high) } },
            axes: [
                { ...axis("time [s]"), size: 32 },
                { ...axis(`${choice.title.toLowerCase()} [${choice.unit}]`), size: 62, values: (_, splits) => splits.map((value) => formatNumber(value, 5)) },
            ],
            cursor: { y: false, points: { size: 7 } },
            // A zoom moves every time to another place. The first size comes by the observer of the legend: the plot
            // forgets one that is set while it still lays itself out.
            hooks: { setScale: [() => this.update()] },
            legend: { live: true },
            series: [
                { label: "time", value: (_, value) => (value === null ? "\u2013" : `${formatTime(value, decimals)} s`) },
                ...curves.map(
                    (curve): uPlot.Series => ({
                        label: curve.name,
                        stroke: curve.colour,
                        width: 2,
                        pxAlign: 0,
                        dash: [...curve.dash],
                        value: (_, value) => `${formatNumber(value)} ${choice.unit}`,
                    }),
                ),
            ],
        };
    }

    private size(): { width: number; height: number } {
        const legend = this.plot?.root.querySelector<HTMLElement>(".u-legend")?.offsetHeight ?? 28;
        return { width: Math.max(160, this.holder.clientWidth), height: Math.max(160, this.holder.clientHeight - legend - 4) };
    }
    private fitSize(): void {
        if (!this.plot) {
            if (this.holder.clientWidth > 0 && this.note.textContent === "") this.build();
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
