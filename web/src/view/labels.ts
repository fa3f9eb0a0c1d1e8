// The names of the bodies beside their places in the picture.
import { make } from "../ui/dom";

export class Labels {
    readonly element = make("div", { class: "labels", "aria-hidden": "true" });
    private readonly away = new Set<number>();
    private readonly spans: readonly (HTMLElement | null)[];

    /** null for a body that is not drawn. */
    constructor(names: readonly (string | null)[], colourOf: (index: number) => string) {
        this.spans = names.map((name, index) => {
            if (name === null) return null;
            const chip = make("i", { class: "chip" });
            chip.style.background = colourOf(index);
            const span = make("span", {}, chip, name);
            this.element.append(span);
            return span;
        });
    }

    set visible(visible: boolean) {
        this.element.hidden = !visible;
    }

    setShown(index: number, shown: boolean): void {
        if (shown) this.away.delete(index);
        else this.away.add(index);
    }

    place(project: (index: number) => { x: number; y: number } | null): void {
        if (this.element.hidden) return;
        this.spans.forEach((span, index) => {
            if (!span) return;
            const point = project(index);
            span.hidden = point === null || this.away.has(index);
            if (point) span.style.transform = `translate(${point.x.toFixed(1)}px, ${point.y.toFixed(1)}px) translate(-50%, 14px)`;
        });
    }
}
