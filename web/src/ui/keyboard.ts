// The replay by keyboard, out of the way of controls that have a use for the key themselves.
import { type Player, speedChoices } from "../player";
import type { Timeline } from "./timeline";

function takesKey(target: EventTarget | null, key: string): boolean {
    if (!(target instanceof HTMLElement)) return false;
    if (target.closest("select, textarea, [contenteditable]")) return true;
    if (target instanceof HTMLInputElement) return target.type === "range" ? key !== " " : key === " " || target.type === "text";
    return key === " " && target.closest("button, summary, a") !== null;
}

function nextSpeed(player: Player, direction: -1 | 1): void {
    const others = speedChoices.filter((speed) => (direction > 0 ? speed > player.speed : speed < player.speed));
    const next = direction > 0 ? others[0] : others[others.length - 1];
    if (next !== undefined) player.speed = next;
}

/** `others`: what further letters do. */
export function listenToKeys(player: Player, timeline: Timeline, others: Readonly<Record<string, () => void>>): void {
    document.addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || takesKey(event.target, event.key)) return;
        const stride = event.shiftKey ? 10 : 1;
        if (event.key === " ") player.toggle();
        else if (event.key === "ArrowLeft") player.step(-stride);
        else if (event.key === "ArrowRight") player.step(stride);
        else if (event.key === "Home") player.step(-Infinity);
        else if (event.key === "End") player.step(Infinity);
        else if (event.key === "[") timeline.stepEvent(-1);
        else if (event.key === "]") timeline.stepEvent(1);
        else if (event.key === "+" || event.key === "=") nextSpeed(player, 1);
        else if (event.key === "-") nextSpeed(player, -1);
        else if (Object.hasOwn(others, event.key)) others[event.key]?.();
        else return;
        event.preventDefault();
    });
}
