// The replay by keyboard, out of the way of controls that have a use for the key themselves.
import type { Player } from "../player";

function takesKey(target: EventTarget | null, key: string): boolean {
    if (!(target instanceof HTMLElement)) return false;
    if (target.closest("select, textarea, [contenteditable]")) return true;
    if (target instanceof HTMLInputElement) return target.type === "range" ? key !== " " : key === " " || target.type === "text";
    return key === " " && target.closest("button, summary, a") !== null;
}

export function listenToKeys(player: Player): void {
    document.addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || takesKey(event.target, event.key)) return;
        const stride = event.shiftKey ? 10 : 1;
        if (event.key === " ") player.toggle();
        else if (event.key === "ArrowLeft") player.step(-stride);
        else if (event.key === "ArrowRight") player.step(stride);
        else if (event.key === "Home") player.step(-Infinity);
        else if (event.key === "End") player.step(Infinity);
        else return;
        event.preventDefault();
    });
}
