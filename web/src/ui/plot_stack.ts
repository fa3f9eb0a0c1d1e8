// The plots under one another: one span of time, one cursor, one line of the replay through all of them.
import type { Player } from "../player";
import { make, setText } from "./dom";
import type { PlotChoice } from "./plot_choices";
import { PlotLink } from "./plot_link";
import { PlotPanel } from "./plot_panel";
import type { Theme } from "./theme";

export class PlotStack {
    readonly element: HTMLElement;
    private readonly choices: readonly PlotChoice[];
    private readonly link: PlotLink;
    private readonly decimals: number;
    private readonly list = make("div", { class: "plots" });
    private readonly select = make("select", { "aria-label": "Add a plot" });
    private readonly all = make("button", { type: "button" }, "All times");
    private readonly touch = make("button", { type: "button", title: "Show the time of contact alone" }, "Contact");
    private panels: PlotPanel[] = [];
    private theme: Theme;

    /** `contact`: from the first touch to the last release; null where nothing touched. */
    constructor(choices: readonly PlotChoice[], player: Player, theme: Theme, decimals: number, contact: readonly [number, number] | null) {
        this.choices = choices;
        this.link = new PlotLink(player);
        this.theme = theme;
        this.decimals = decimals;
        this.select.addEventListener("change", () => {
            const choice = this.choices.find((candidate) => candidate.key === this.select.value);
            if (choice) this.add(choice).element.scrollIntoView({ block: "nearest" });
            this.listChoices();
        });
        this.all.addEventListener("click", () => this.link.showAll());
        this.link.onZoom(() => (this.all.hidden = !this.link.zoomed));
        this.all.hidden = true;
        const [first, last] = this.link.range;
        const [from, to] = contact ?? [first, last];
        const room = 0.08 * (to - from);
        this.touch.hidden = !(to > from) || to - from > 0.6 * (last - first);
        this.touch.addEventListener("click", () => this.link.zoom(from - room, to + room));
        const note = make("p", { class: "note" });
        const touched = choices.some((choice) => choice.key === "normal_force" && choice.available);
        setText(note, player.frameCount === 0 ? "No frames were recorded." : `${touched ? "" : "No contact was recorded. "}Click to go there, drag to zoom, double click to see all.`);
        this.element = make(
            "section",
            { class: "panel plot-panel", "aria-labelledby": "plot-title" },
            make("header", {}, make("h2", { id: "plot-title" }, "Plots"), this.touch, this.all, this.select),
            this.list,
            note,
        );
        if (player.frameCount > 0) for (const choice of choices) if (choice.available && choice.first) this.add(choice);
        this.listChoices();
    }

    setTheme(theme: Theme): void {
        this.theme = theme;
        for (const panel of this.panels) panel.setTheme(theme);
    }
    update(): void {
        for (const panel of this.panels) panel.update();
    }

    private add(choice: PlotChoice): PlotPanel {
        const panel = new PlotPanel(choice, this.link, this.theme, this.decimals, () => {
            panel.destroy();
            this.panels = this.panels.filter((other) => other !== panel);
            this.listChoices();
            this.select.focus();
        });
        this.panels.push(panel);
        this.list.append(panel.element);
        return panel;
    }

    private listChoices(): void {
        const shown = new Set(this.panels.map((panel) => panel.choice));
        const left = this.choices.filter((choice) => choice.available && !shown.has(choice));
        this.select.replaceChildren(make("option", { value: "" }, "Add a plot\u2026"), ...left.map((choice) => make("option", { value: choice.key }, choice.title)));
        this.select.disabled = left.length === 0;
    }
}
