// The page of `fender report`: reads the run out of the document, builds the panels and keeps them in step.
import { suggestFollow } from "./data/extents";
import { buildRun, readRunTexts, type Run } from "./data/run";
import { timeDecimals } from "./format";
import { Player, suggestSpeed } from "./player";
import { ContactTable } from "./ui/contact_table";
import { make } from "./ui/dom";
import { listenToKeys } from "./ui/keyboard";
import { plotChoices } from "./ui/plot_choices";
import { PlotPanel } from "./ui/plot_panel";
import { balancePanel, bodiesPanel, eventsPanel, runFacts } from "./ui/side_panels";
import { onThemeChange, readTheme } from "./ui/theme";
import { Timeline } from "./ui/timeline";
import { Transport } from "./ui/transport";
import { buildViewTools } from "./ui/view_tools";
import { type CameraState, type ScreenPosition, Stage, webglAvailable } from "./view/stage";

/** For tests and for anyone who drives the page from outside. */
export interface FenderPage {
    readonly frame: number;
    readonly frames: number;
    readonly playing: boolean;
    readonly ready: boolean;
    setFrame(frame: number): void;
    /** Pixels of the browser window; null without WebGL or for a body that is not in view. */
    bodyScreenPosition(name: string): ScreenPosition | null;
    camera(): CameraState | null;
}

declare global {
    interface Window {
        fender: FenderPage;
    }
}

function buildStage(run: Run, holder: HTMLElement): Stage | null {
    const say = (text: string): void => holder.replaceChildren(make("p", { class: "no-picture", role: "status" }, text));
    if (run.replay.frameCount === 0) {
        say("No frames were recorded, so there is nothing to replay.");
        return null;
    }
    const missing = "This browser offers no WebGL, so the 3-D replay is not shown. The plot and the tables work without it.";
    if (!webglAvailable()) {
        say(missing);
        return null;
    }
    try {
        const stage = new Stage(run, readTheme(), () => say("The graphics of this browser stopped. Load the page again to see the replay."));
        holder.replaceChildren(stage.element);
        return stage;
    } catch {
        say(missing);
        return null;
    }
}

function start(page: HTMLElement): void {
    const run = buildRun(readRunTexts(document));
    document.title = `${run.title} \u00b7 Fender`;
    const player = new Player(run.replay.times);
    const decimals = timeDecimals(run.replay.times);
    player.speed = suggestSpeed((run.replay.times[run.replay.frameCount - 1] ?? 0) - (run.replay.times[0] ?? 0));

    const picture = make("div", { class: "picture" });
    const transport = new Transport(player, new Timeline(run, player, decimals), decimals);
    const plot = new PlotPanel(plotChoices(run), player, readTheme(), decimals);
    const contacts = new ContactTable(run, player, decimals);
    const replay = make("section", { class: "panel replay", "aria-label": "Replay" }, picture, transport.element);
    const balance = balancePanel(run);
    const events = eventsPanel(run, player, decimals);
    page.replaceChildren(
        make("header", { class: "page-head" }, make("h1", {}, run.title), ...(run.scene.about === "" ? [] : [make("p", { class: "about" }, run.scene.about)]), runFacts(run)),
        ...problemList(run),
        make(
            "main",
            {},
            replay,
            make("div", { class: "side" }, plot.element, ...(balance ? [balance] : [])),
            make("div", { class: "wide" }, contacts.element),
            make("div", { class: "pair" }, ...(events ? [events] : []), bodiesPanel(run)),
        ),
        footer(),
    );

    const stage = buildStage(run, picture);
    if (stage) {
        const follow = suggestFollow(run.scene, run.replay);
        stage.setFrame(player.frame);
        if (follow !== null) stage.setFollow(follow);
        stage.fitFirst();
        // The first fit cannot know the shape of the canvas before it is laid out.
        requestAnimationFrame(() => stage.fitFirst());
        const { tools, scale } = buildViewTools(run, stage, follow);
        replay.prepend(tools);
        picture.append(scale);
    }

    let ready = false;
    const update = (): void => {
        stage?.setFrame(player.frame);
        transport.update();
        plot.update();
        contacts.update();
    };
    let ticking = false;
    const tick = (now: number): void => {
        player.tick(now);
        if (player.playing) requestAnimationFrame(tick);
        else ticking = false;
    };
    player.onChange(() => {
        update();
        if (player.playing && !ticking) {
            ticking = true;
            requestAnimationFrame(tick);
        }
    });
    onThemeChange(() => {
        stage?.setTheme(readTheme());
        plot.setTheme(readTheme());
    });
    listenToKeys(player);
    update();

    window.fender = {
        get frame() {
            return player.frame;
        },
        get frames() {
            return player.frameCount;
        },
        get playing() {
            return player.playing;
        },
        get ready() {
            return ready;
        },
        setFrame: (frame) => player.setFrame(frame),
        bodyScreenPosition: (name) => stage?.bodyScreenPosition(name) ?? null,
        camera: () => stage?.cameraState() ?? null,
    };
    // Two pictures later everything is laid out and drawn once.
    requestAnimationFrame(() => requestAnimationFrame(() => (ready = true)));
}

function problemList(run: Run): HTMLElement[] {
    if (run.problems.length === 0) return [];
    const shown = run.problems.slice(0, 20);
    const more = run.problems.length - shown.length;
    return [
        make(
            "section",
            { class: "problems", "aria-label": "Gaps in the data" },
            make("ul", {}, ...shown.map((problem) => make("li", {}, problem)), ...(more > 0 ? [make("li", {}, `and ${more} more`)] : [])),
        ),
    ];
}

function footer(): HTMLElement {
    const licences = document.getElementById("fender-licences")?.textContent?.trim() ?? "";
    return make(
        "footer",
        {},
        make("p", {}, "Keys: space plays and pauses, arrows step by one frame (with shift by ten), home and end go to the first and the last."),
        make("details", {}, make("summary", {}, "Licences of what this page contains"), make("pre", {}, licences)),
    );
}

const page = document.getElementById("page");
if (page) {
    try {
        start(page);
    } catch (error) {
        page.replaceChildren(make("p", { class: "no-picture", role: "alert" }, `This page could not be built: ${error instanceof Error ? error.message : String(error)}`));
        throw error;
    }
}
