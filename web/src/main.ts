// The page of `fender report`: reads the run out of the document, builds the panels and keeps them in step.
import { suggestFollow } from "./data/extents";
import { buildRun, readRunTexts, type Run } from "./data/run";
import { timeDecimals } from "./format";
import { Player, suggestSpeed } from "./player";
import { ContactTable, EpisodeTable } from "./ui/contact_table";
import { bodyPairTable, linkTable } from "./ui/sum_tables";
import { make } from "./ui/dom";
import { listenToKeys } from "./ui/keyboard";
import { plotChoices } from "./ui/plot_choices";
import { PlotStack } from "./ui/plot_stack";
import { bodiesPanel, type Looks, parametersPanel, scenarioPanel } from "./ui/model_panels";
import { balancePanel, eventsPanel, runFacts } from "./ui/side_panels";
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
    /** Triangles of the last picture, and pictures drawn so far; null without WebGL. */
    work(): { readonly triangles: number; readonly pictures: number } | null;
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

function looksOf(stage: Stage): Looks {
    return {
        shapesApart: stage.bodies.shapesApart,
        set: (body, shape, look) => (shape === null ? stage.setBodyLook(body, look) : stage.setShapeLook(body, shape, look)),
    };
}

/** At a frame without contact, the frame of the largest force is gone to first. */
function goToContact(run: Run, player: Player, stage: Stage): void {
    if (stage.fitContact()) return;
    const { peakFrame } = run.contacts;
    if (peakFrame < 0) return;
    player.pause();
    player.setFrame(peakFrame);
    stage.fitContact();
}

function start(page: HTMLElement): void {
    const run = buildRun(readRunTexts(document));
    document.title = `${run.title} \u00b7 Fender`;
    const player = new Player(run.replay.times);
    const decimals = timeDecimals(run.replay.times);
    player.speed = suggestSpeed((run.replay.times[run.replay.frameCount - 1] ?? 0) - (run.replay.times[0] ?? 0));

    const picture = make("div", { class: "picture" });
    const timeline = new Timeline(run, player, decimals);
    const transport = new Transport(player, timeline, decimals);
    const plots = new PlotStack(plotChoices(run), player, readTheme(), decimals, contactSpan(run));
    const contacts = new ContactTable(run, player);
    const episodes = new EpisodeTable(run, player, decimals);
    const sums = [bodyPairTable(run, player, decimals), linkTable(run, player, decimals)].filter((table) => table !== null);
    const replay = make("section", { class: "panel replay", "aria-label": "Replay" }, picture, transport.element);
    const balance = balancePanel(run);
    const events = eventsPanel(run, player, decimals);
    const stage = buildStage(run, picture);
    const others = [parametersPanel(run.model), scenarioPanel(run)].filter((panel) => panel !== null);
    page.replaceChildren(
        make("header", { class: "page-head" }, make("h1", {}, run.title), ...(run.scene.about === "" ? [] : [make("p", { class: "about" }, run.scene.about)]), runFacts(run)),
        ...problemList(run),
        make(
            "main",
            {},
            make("div", { class: "stay" }, replay),
            make("div", { class: "side" }, plots.element),
            make("div", { class: "wide" }, contacts.element, episodes.element, ...sums),
            make("div", { class: "pair" }, ...(events ? [events] : []), ...(balance ? [balance] : [])),
            make("div", { class: "wide" }, bodiesPanel(run, stage ? looksOf(stage) : null), ...others),
        ),
        footer(),
    );

    if (stage) {
        const follow = suggestFollow(run.scene, run.replay);
        stage.setFrame(player.frame);
        if (follow !== null) stage.setFollow(follow);
        stage.fitFirst();
        // The first fit cannot know the shape of the canvas before it is laid out.
        requestAnimationFrame(() => stage.fitFirst());
        const { tools, scale } = buildViewTools(run, stage, follow, () => goToContact(run, player, stage));
        replay.prepend(tools);
        picture.append(scale);
    }

    let ready = false;
    const update = (): void => {
        stage?.setFrame(player.frame);
        transport.update();
        stage?.setPlaying(player.playing);
        plots.update();
        contacts.update();
        episodes.update();
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
        plots.setTheme(readTheme());
    });
    listenToKeys(player, timeline, {
        f: () => stage?.fitFrame(),
        c: () => {
            if (stage) goToContact(run, player, stage);
        },
    });
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
        work: () => stage?.work ?? null,
    };
    // Two pictures later everything is laid out and drawn once.
    requestAnimationFrame(() => requestAnimationFrame(() => (ready = true)));
}

/** From the first touch to the last release. */
function contactSpan(run: Run): [number, number] | null {
    const end = run.replay.times[run.replay.frameCount - 1] ?? 0;
    const spans = run.summary.contacts.flatMap(({ begins, ends }) => (begins === null ? [] : [[begins, ends ?? end] as const]));
    if (spans.length === 0) return null;
    return [Math.min(...spans.map(([from]) => from)), Math.max(...spans.map(([, to]) => to))];
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
        make("p", {}, "Keys: space plays and pauses, arrows step by one frame (with shift by ten), [ and ] go to the event before and behind, home and end to the first and the last frame, plus and minus change the speed, f brings the bodies into view, c a contact, and again the next."),
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
