// Choices over the picture: whom to follow, what to fit and what to show.
import type { Run } from "../data/run";
import { formatNumber } from "../format";
import type { Stage } from "../view/stage";
import { make, setText } from "./dom";

/** Beyond this many bodies their names would cover the picture, so they start hidden. */
const nameLimit = 8;

export function buildViewTools(run: Run, stage: Stage, follow: number | null): { tools: HTMLElement; scale: HTMLElement } {
    const scale = make("p", { class: "scale" });
    const showScale = (): void => {
        const perLength = stage.marks.forcePerLength;
        const force = perLength === null ? "" : ` \u00b7 arrows 1 m = ${formatNumber(perLength, 3)} N`;
        setText(scale, `grid ${formatNumber(stage.grid.spacing)} m${force}`);
    };

    const select = make("select", { "aria-label": "Body to follow" }, make("option", { value: "" }, "nothing"));
    run.scene.bodies.forEach((body, index) => {
        if (run.replay.tracks[index]) select.append(make("option", { value: index }, body.name));
    });
    select.value = follow === null ? "" : String(follow);
    select.addEventListener("change", () => stage.setFollow(select.value === "" ? null : Number(select.value)));

    const button = (text: string, title: string, action: () => void): HTMLElement => {
        const made = make("button", { type: "button", title }, text);
        made.addEventListener("click", () => {
            action();
            showScale();
        });
        return made;
    };
    const toggle = (text: string, checked: boolean, action: (on: boolean) => void): HTMLElement => {
        const box = make("input", { type: "checkbox", checked });
        const apply = (): void => {
            action(box.checked);
            stage.requestDraw();
        };
        box.addEventListener("change", apply);
        apply();
        return make("label", {}, box, text);
    };
    const tools = make(
        "div",
        { class: "tools", role: "group", "aria-label": "View" },
        make("label", { class: "follow" }, "Follow", select),
        button("Fit", "Fit the bodies as they are now", () => stage.fitFrame()),
        button("Fit run", "Fit the bodies over the whole run", () => stage.fitRun()),
        toggle("Points", true, (on) => (stage.marks.pointsVisible = on)),
        toggle("Forces", true, (on) => (stage.marks.arrowsVisible = on)),
        toggle("Names", run.scene.bodies.length <= nameLimit, (on) => (stage.labels.visible = on)),
        toggle("Grid", true, (on) => (stage.grid.lines.visible = on)),
    );
    showScale();
    return { tools, scale };
}
