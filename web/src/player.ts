// The state of the replay: which frame is shown, whether it plays and how fast. Knows nothing of the page.
import { frameAt } from "./data/replay";

type Listener = () => void;

export class Player {
    readonly times: Float64Array;
    private frameIndex: number;
    private isPlaying = false;
    private playSpeed = 1;
    /** Seconds of the run; between frames while it plays. */
    private clock = 0;
    private lastTick: number | null = null;
    private readonly listeners: Listener[] = [];

    constructor(times: Float64Array) {
        this.times = times;
        this.frameIndex = times.length > 0 ? 0 : -1;
        this.clock = times[0] ?? 0;
    }

    /** -1 where there are no frames. */
    get frame(): number {
        return this.frameIndex;
    }
    get frameCount(): number {
        return this.times.length;
    }
    get time(): number {
        return this.times[this.frameIndex] ?? 0;
    }
    get playing(): boolean {
        return this.isPlaying;
    }
    get speed(): number {
        return this.playSpeed;
    }
    set speed(value: number) {
        if (value > 0 && Number.isFinite(value)) this.playSpeed = value;
        this.notify();
    }

    onChange(listener: Listener): void {
        this.listeners.push(listener);
    }

    /** Shows the present frame again. */
    refresh(): void {
        this.notify();
    }

    /** Clamped to what was recorded; a fraction goes to the frame before it. */
    setFrame(frame: number): void {
        if (this.times.length === 0 || Number.isNaN(frame)) return;
        this.frameIndex = Math.min(this.times.length - 1, Math.max(0, Math.floor(frame)));
        this.clock = this.time;
        this.notify();
    }
    step(count: number): void {
        this.isPlaying = false;
        this.setFrame(this.frameIndex + count);
    }
    seek(time: number): void {
        this.setFrame(frameAt(this.times, time));
    }

    /** Starts over where the replay stands at its end. */
    play(): void {
        if (this.times.length < 2 || this.isPlaying) return;
        if (this.frameIndex >= this.times.length - 1) this.setFrame(0);
        this.isPlaying = true;
        this.lastTick = null;
        this.notify();
    }
    pause(): void {
        if (!this.isPlaying) return;
        this.isPlaying = false;
        this.notify();
    }
    toggle(): void {
        if (this.isPlaying) this.pause();
        else this.play();
    }

    /** Called once per picture with the wall clock in milliseconds. */
    tick(now: number): void {
        if (!this.isPlaying) return;
        // A hidden page ticks rarely; the replay then goes on where it was instead of leaping.
        const elapsed = this.lastTick === null ? 0 : Math.min(0.25, Math.max(0, (now - this.lastTick) / 1000));
        this.lastTick = now;
        this.clock += elapsed * this.playSpeed;
        const next = frameAt(this.times, this.clock);
        const end = next >= this.times.length - 1;
        if (end) this.isPlaying = false;
        if (next !== this.frameIndex || end) {
            this.frameIndex = next;
            this.notify();
        }
    }

    private notify(): void {
        for (const listener of this.listeners) listener();
    }
}

export const speedChoices: readonly number[] = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 1000];

/** Real time where that takes a bearable while, else the choice that shows the run in about ten seconds. */
export function suggestSpeed(duration: number): number {
    if (!(duration > 0) || (duration >= 2 && duration <= 60)) return 1;
    return speedChoices.reduce((best, choice) =>
        Math.abs(Math.log(duration / choice / 10)) < Math.abs(Math.log(duration / best / 10)) ? choice : best,
    );
}
