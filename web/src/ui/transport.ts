// Play, step and speed under the picture, and the time that is shown.
import { formatTime } from "../format";
import { type Player, speedChoices } from "../player";
import { icon, make, setText } from "./dom";
import type { Timeline } from "./timeline";

const paths = {
    play: "M8 5v14l11-7z",
    pause: "M6 5h4v14H6zm8 0h4v14h-4z",
    start: "M5 5h2v14H5zm3 7 6-7v14zm7 0 6-7v14z",
    end: "M17 5h2v14h-2zM3 5l6 7-6 7zm7 0 6 7-6 7z",
    back: "M16 5 7 12l9 7z",
    forward: "M8 5l9 7-9 7z",
    eventBack: "M5 5h2v14H5zm15 0-8 7 8 7z",
    eventForward: "M17 5h2v14h-2zM4 5l8 7-8 7z",
} as const;

export class Transport {
    readonly element: HTMLElement;
    private readonly player: Player;
    private readonly timeline: Timeline;
    private readonly decimals: number;
    private readonly playButton: HTMLButtonElement;
    private readonly playIcon = icon(paths.play);
    private readonly pauseIcon = icon(paths.pause);
    private readonly clock = make("output", { class: "clock", "aria-live": "off" });
    private readonly speed = make("select", { "aria-label": "Speed of the replay", title: "Speed of the replay (plus and minus)" });
    private readonly count = make("span", { class: "count" });

    constructor(player: Player, timeline: Timeline, decimals: number) {
        this.player = player;
        this.timeline = timeline;
        this.decimals = decimals;
        const button = (label: string, path: string, action: () => void): HTMLButtonElement => {
            const made = make("button", { type: "button", "aria-label": label, title: label }, icon(path));
            made.addEventListener("click", action);
            return made;
        };
        this.playButton = make("button", { type: "button", class: "play", title: "Play or pause (space)" }, this.playIcon);
        this.playButton.addEventListener("click", () => player.toggle());
        const { speed } = this;
        for (const choice of speedChoices) speed.append(make("option", { value: choice }, `${choice}\u00d7`));
        speed.value = String(player.speed);
        speed.addEventListener("change", () => (player.speed = Number(speed.value)));
        const buttons = make(
            "div",
            { class: "buttons" },
            button("First frame (home)", paths.start, () => player.step(-Infinity)),
            ...(timeline.hasEvents ? [button("Event before this (left bracket)", paths.eventBack, () => timeline.stepEvent(-1))] : []),
            button("One frame back (left arrow)", paths.back, () => player.step(-1)),
            this.playButton,
            button("One frame forward (right arrow)", paths.forward, () => player.step(1)),
            ...(timeline.hasEvents ? [button("Next event (right bracket)", paths.eventForward, () => timeline.stepEvent(1))] : []),
            button("Last frame (end)", paths.end, () => player.step(Infinity)),
            this.clock,
            this.count,
            speed,
        );
        this.element = make("div", { class: "transport" }, timeline.element, buttons);
        if (player.frameCount < 2) for (const made of buttons.querySelectorAll("button")) made.disabled = true;
        this.update();
    }

    update(): void {
        const { player } = this;
        this.timeline.update();
        setText(this.clock, player.frame < 0 ? "no frames" : `${formatTime(player.time, this.decimals)} s`);
        setText(this.count, player.frame < 0 ? "" : `frame ${player.frame + 1} of ${player.frameCount}`);
        this.speed.value = String(player.speed);
        const shown = player.playing ? this.pauseIcon : this.playIcon;
        if (this.playButton.firstChild !== shown) this.playButton.replaceChildren(shown);
        this.playButton.setAttribute("aria-label", player.playing ? "Pause" : "Play");
    }
}
