// Choices over the picture: whom to follow, what to fit and what to show.
import { isGround } from "../data/extents";
import type { Run } from "../data/run";
import { formatNumber } from "../format";
import type { Stage } from "../view/stage";
import { make, setText } from "./dom";

/** Beyond this many bodies their names would cover the picture, so they start hidden. */
const nameLimit = 8;

/** Sides to look from, named by the axis that points to the eye. Straight down the camera would lose its upward. */
function sides([x, y, z]: readonly [string, string, string]): [string, [number, number, number]][] {
    return [
        ["at an angle", [0.35, -1, 0.42]],
        [`from +${x}`, [1, 0, 0]],
        [`from \u2212${x}`, [-1, 0, 0]],
        [`from +${y}`, [0, 1, 0]],
        [`from \u2212${y}`, [0, -1, 0]],
        [`from +${z}`, [0, -1e-4, 1]],
    ];
}

export function buildViewTools(run: Run, stage: Stage, follow: number | null, toContact: () => void): { tools: HTMLElement; scale: HTMLElement } {
    const scale = make("p", { class: "scale" });
    const showScale = (): void => {
        const ofTenth = stage.marks.forceOfTenth;
        const force = ofTenth === null ? "" : ` \u00b7 arrow of a tenth of the height = ${formatNumber(ofTenth, 3)} N`;
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
    const magnify = make("select", { "aria-label": "Length of the arrows", title: "Length of the arrows" });
    for (const times of [1, 3, 10, 30, 100]) magnify.append(make("option", { value: times }, `arrows \u00d7${times}`));
    magnify.addEventListener("change", () => {
        stage.marks.magnification = Number(magnify.value);
        stage.refresh();
        showScale();
    });
    const views = make("select", { "aria-label": "Look from a side", title: "Look from a side" }, make("option", { value: "" }, "Look\u2026"));
    for (const [label, direction] of sides(run.scene.axes)) views.append(make("option", { value: direction.join(" ") }, label));
    views.addEventListener("change", () => {
        if (views.value === "") return;
        stage.lookFrom(views.value.split(" ").map(Number) as [number, number, number]);
        views.value = "";
        showScale();
    });
    const tools = make(
        "div",
        { class: "tools", role: "group", "aria-label": "View" },
        make("label", { class: "follow" }, "Follow", select),
        button("Fit", "Fit the bodies as they are now", () => stage.fitFrame()),
        ...(run.contacts.peakFrame >= 0 ? [button("To the contact", "Look at the contact of the largest force; again: at the next (key c)", toContact)] : []),
        button("Fit run", "Fit the bodies over the whole run", () => stage.fitRun()),
        views,
        toggle("Points", true, (on) => (stage.marks.pointsVisible = on)),
        toggle("Forces", true, (on) => (stage.marks.arrowsVisible = on)),
        magnify,
        ...(stage.links.count > 0 ? [toggle("Links", true, (on) => (stage.links.group.visible = on))] : []),
        toggle("Axes", false, (on) => (stage.bodies.axesVisible = on)),
        toggle("Names", run.scene.bodies.length <= nameLimit, (on) => (stage.labels.visible = on)),
        toggle("Grid", !run.scene.bodies.some(isGround), (on) => (stage.grid.lines.visible = on)),
    );
    showScale();
    return { tools, scale };
}
