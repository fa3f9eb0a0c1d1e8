// Reports of real runs, docking and lander: in the picture every body is where the recording has it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import type { CameraState } from "../../src/view/stage";
import { keep, openText, pixelsOf, project, settle, useBrowser } from "../support/browser";
import { type Box, boxMiss, predictBox, type RecordedPose, type RecordedShape } from "../support/silhouette";

const program = process.env["FENDER"] ?? "";
const source = process.env["FENDER_SOURCE_DIR"] ?? "";
const skip = program === "" || source === "" ? "FENDER and FENDER_SOURCE_DIR name no program and no source tree" : false;
/** The widest miss that is taken for none. */
const tolerance = 3;

useBrowser();
let folder = "";
before(async () => {
    folder = await mkdtemp(join(tmpdir(), "fender-runs-"));
});
after(() => rm(folder, { recursive: true, force: true }));

interface Recorded {
    readonly html: string;
    readonly bodies: readonly { readonly name: string; readonly shapes: readonly RecordedShape[] }[];
    readonly frames: number;
    pose(body: string, frame: number): RecordedPose;
}

/** Runs the sample and reads by itself what was recorded. */
async function record(name: string, until: string): Promise<Recorded> {
    const run = join(folder, `${name}.run`);
    try {
        execFileSync(program, ["run", join(source, "samples", "scenarios", `${name}.yaml`), "--out", run, "--set", `run.until=${until}`, "--quiet"], { stdio: "pipe" });
    } catch (error) {
        // 5: the sample expects what comes later than this run goes.
        if ((error as { status?: number }).status !== 5) throw error;
    }
    execFileSync(program, ["report", run, "--quiet"], { stdio: "pipe" });
    const [head = "", ...rows] = (await readFile(join(run, "replay.csv"), "utf8")).trim().split("\n");
    const columns = head.split(",").map((column) => column.replace(/ \[.*/, ""));
    const cells = rows.map((row) => row.split(",").map(Number));
    const scene = JSON.parse(await readFile(join(run, "scene.json"), "utf8")) as { bodies: Recorded["bodies"] };
    return {
        html: await readFile(join(run, "report.html"), "utf8"),
        bodies: scene.bodies,
        frames: rows.length,
        pose: (body, frame) => {
            const value = (part: string): number => cells[frame]?.[columns.indexOf(`${body}.${part}`)] ?? NaN;
            return {
                position: [value("position.x"), value("position.y"), value("position.z")],
                attitude: [value("attitude.w"), value("attitude.x"), value("attitude.y"), value("attitude.z")],
            };
        },
    };
}

/** What differs from the background: a box about it, and whether the red x and the blue z meet within `tolerance` of a point. */
async function look(page: Page, point: { x: number; y: number }): Promise<{ box: Box; axesMeet: boolean }> {
    await settle(page);
    const clip = await page.locator(".stage canvas").boundingBox();
    assert.ok(clip);
    const image = (await page.screenshot({ clip })).toString("base64");
    return page.evaluate(`(async () => {
        const { data, width, height } = await ${pixelsOf}("${image}");
        const scale = width / ${clip.width};
        const seen = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
        const met = [false, false];
        for (let y = 0, at = 0; y < height; y++)
            for (let x = 0; x < width; x++, at += 4) {
                const [r, g, b] = [data[at], data[at + 1], data[at + 2]];
                if (Math.abs(r - data[0]) + Math.abs(g - data[1]) + Math.abs(b - data[2]) < 40) continue;
                const px = ${clip.x} + x / scale, py = ${clip.y} + y / scale;
                seen.left = Math.min(seen.left, px);
                seen.right = Math.max(seen.right, px + 1 / scale);
                seen.top = Math.min(seen.top, py);
                seen.bottom = Math.max(seen.bottom, py + 1 / scale);
                if (Math.hypot(px - ${point.x}, py - ${point.y}) > ${tolerance}) continue;
                if (r > g + 40 && r > b + 40) met[0] = true;
                if (b > r + 40 && b > g + 20) met[1] = true;
            }
        return { box: seen, axesMeet: met.every(Boolean) };
    })()`);
}

async function setChecked(page: Page, label: string, on: boolean): Promise<void> {
    await page.evaluate(`(() => {
        const box = [...document.querySelectorAll("input[type=checkbox]")].find((one) => (one.ariaLabel ?? one.closest("label").textContent) === ${JSON.stringify(label)});
        if (box && box.checked !== ${on}) box.click();
    })()`);
}

/** Each body alone in the picture: its silhouette, and the mark of its frame. */
async function checkBodies(page: Page, recorded: Recorded, frames: readonly number[]): Promise<void> {
    for (const label of ["Points", "Forces", "Names", "Grid", "Links", "Axes"]) await setChecked(page, label, false);
    await page.evaluate('for (const element of document.querySelectorAll(".triad, .scale")) element.style.display = "none"');
    for (const frame of frames) {
        await page.evaluate(`window.fender.setFrame(${frame})`);
        const camera = await page.evaluate<CameraState>("window.fender.camera()");
        for (const { name, shapes } of recorded.bodies) {
            for (const other of recorded.bodies) await setChecked(page, `Show ${other.name}`, other.name === name);
            const pose = recorded.pose(name, frame);
            const place = project(camera, pose.position);
            // Ground has no silhouette; of all others one mark is enough.
            const flat = shapes.some(({ geometry }) => geometry.type === "plane");
            if (!flat) {
                const expected = predictBox(camera, shapes, pose);
                const { box } = await look(page, place);
                const miss = boxMiss(box, expected);
                assert.ok(miss < tolerance, `${name} at frame ${frame} is drawn ${miss.toFixed(2)} pixels off: ${JSON.stringify({ box, expected })}`);
            }
            // The structure frame of the station lies far outside of the picture.
            const { canvas } = camera;
            if (frame !== frames[0] && !flat) continue;
            if (place.x < canvas.left || place.x > canvas.left + canvas.width || place.y < canvas.top || place.y > canvas.top + canvas.height) continue;
            await setChecked(page, "Axes", true);
            assert.ok((await look(page, place)).axesMeet, `the frame of ${name} at frame ${frame} is not within ${tolerance} pixels of its recorded place`);
            await setChecked(page, "Axes", false);
        }
        for (const { name } of recorded.bodies) await setChecked(page, `Show ${name}`, true);
    }
}

/** The page with the recordings of two bodies exchanged. */
function swapped(html: string, a: string, b: string): string {
    const start = html.indexOf('id="fender-replay">');
    const end = html.indexOf("\n", start);
    const head = html.slice(start, end).replace(/(^|,)(\w+)(\.(?:position|attitude))/g, (whole, comma: string, name: string, rest: string) =>
        name === a ? `${comma}${b}${rest}` : name === b ? `${comma}${a}${rest}` : whole,
    );
    assert.notEqual(head, html.slice(start, end));
    return html.slice(0, start) + head + html.slice(end);
}

for (const { name, until, share, pair } of [
    { name: "docking", until: "8 s", share: 0.37, pair: ["station", "chaser"] },
    { name: "lander_legs", until: "1.2 s", share: 0.75, pair: ["pad_1", "pad_3"] },
] as const)
    test(`${name}: every body is drawn where it was recorded, and two that are exchanged are found out`, { skip }, async () => {
        const recorded = await record(name, until);
        const frames = [0, Math.floor(share * recorded.frames), recorded.frames - 1];
        const options = { viewport: { width: 1000, height: 640 } };
        const { page, complaints } = await openText(recorded.html, options);
        await page.evaluate(`window.fender.setFrame(${frames[1]})`);
        await keep(page, name);
        await checkBodies(page, recorded, frames);
        assert.deepEqual(complaints, []);
        await page.context().close();

        const other = await openText(swapped(recorded.html, pair[0], pair[1]), options);
        await assert.rejects(checkBodies(other.page, recorded, frames.slice(0, 1)), /pixels/);
        await other.page.context().close();
    });
