// What all plots share: the span of time that they show, and which of them the mouse is over.
import type { Player } from "../player";

type Listener = () => void;

export class PlotLink {
    readonly player: Player;
    /** uPlot moves the cursors of plots with one key together. */
    readonly key = "fender";
    hovering = false;
    private span: readonly [number, number];
    private readonly whole: readonly [number, number];
    private readonly listeners = new Set<Listener>();

    constructor(player: Player) {
        this.player = player;
        const first = player.times[0] ?? 0;
        const last = player.times[player.frameCount - 1] ?? first;
        this.whole = last > first ? [first, last] : [first, first + 1];
        this.span = this.whole;
    }

    get range(): readonly [number, number] {
        return this.span;
    }
    get zoomed(): boolean {
        return this.span !== this.whole;
    }
    zoom(from: number, to: number): void {
        const low = Math.max(this.whole[0], Math.min(from, to));
        const high = Math.min(this.whole[1], Math.max(from, to));
        if (!(high > low)) return;
        this.span = [low, high];
        for (const listener of this.listeners) listener();
    }
    showAll(): void {
        this.span = this.whole;
        for (const listener of this.listeners) listener();
    }
    onZoom(listener: Listener): () => void {
        this.listeners.add(listener);
        return () => this.listeners.delete(listener);
    }
    goTo(time: number): void {
        this.player.pause();
        this.player.seek(time);
    }
}
