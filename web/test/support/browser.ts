// A browser for the tests: pages opened in it, and what can be measured of their pictures.
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { pathToFileURL } from "node:url";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import type { RunTexts } from "../../src/data/run";
import type { CameraState } from "../../src/view/stage";
import { fillPage } from "./fill_page";
import type { Sample } from "./samples";

const viewer = process.env["FENDER_VIEWER"] ?? "";
const executablePath = process.env["FENDER_CHROMIUM"] ?? "";
const pictures = process.env["FENDER_PICTURES"] ?? "";
const flags = [
    "--no-sandbox",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
];

let browser: Browser;
let folder = "";

/** One browser for the tests of a file. */
export function useBrowser(): void {
    before(async () => {
        folder = await mkdtemp(join(tmpdir(), "fender-page-"));
        browser = await chromium.launch({ executablePath, args: flags });
    });
    after(async () => {
        await browser?.close();
        await rm(folder, { recursive: true, force: true });
    });
}

/** A browser that knows no WebGL. */
export function blindBrowser(): Promise<Browser> {
    return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", "--disable-3d-apis", "--no-first-run"] });
}

export interface Opened {
    readonly page: Page;
    /** Console errors, uncaught exceptions and requests beside the page itself. */
    readonly complaints: string[];
}

let pageCount = 0;

export async function open(texts: RunTexts, options: BrowserContextOptions = {}, inBrowser = browser): Promise<Opened> {
    return openText(fillPage(await readFile(viewer, "utf8"), texts), options, inBrowser);
}
export async function openText(html: string, options: BrowserContextOptions = {}, inBrowser = browser): Promise<Opened> {
    const file = join(folder, `page-${pageCount++}.html`);
    await writeFile(file, html);
    const context = await inBrowser.newContext({ viewport: { width: 1040, height: 720 }, colorScheme: "light", ...options });
    const page = await context.newPage();
    const complaints: string[] = [];
    const address = pathToFileURL(file).href;
    page.on("console", (message) => {
        // The software renderer remarks on its own slowness when a picture is read back.
        if (message.type() === "error" || (message.type() === "warning" && !message.text().includes("GL Driver Message")))
            complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("request", (request) => {
        if (request.url() !== address && !request.url().startsWith("data:")) complaints.push(`request ${request.url()}`);
    });
    await page.goto(address);
    await until(page, "Boolean(window.fender && window.fender.ready)");
    return { page, complaints };
}

/** Playwright's own waiting evaluates text inside the page, which the page rightly forbids. */
export async function until(page: Page, expression: string): Promise<void> {
    for (let attempt = 0; attempt < 600; attempt++) {
        if ((await page.evaluate(expression)) === true) return;
        await page.waitForTimeout(25);
    }
    throw new Error(`never came true: ${expression}`);
}

export async function settle(page: Page): Promise<void> {
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
}
export async function keep(page: Page, name: string): Promise<void> {
    if (pictures === "") return;
    await mkdir(pictures, { recursive: true });
    await settle(page);
    await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
}
export function frameOf(page: Page): Promise<number> {
    return page.evaluate("window.fender.frame");
}

/** Projection by its definition, from the recorded position and the matrices alone. */
export function project(camera: CameraState, position: readonly number[]): { x: number; y: number } {
    const apply = (matrix: readonly number[], vector: readonly number[]): number[] =>
        [0, 1, 2, 3].map((row) => [0, 1, 2, 3].reduce((sum, column) => sum + (matrix[column * 4 + row] ?? NaN) * (vector[column] ?? NaN), 0));
    const relative = [0, 1, 2].map((axis) => (position[axis] ?? NaN) - (camera.origin[axis] ?? NaN));
    const clip = apply(camera.projectionMatrix, apply(camera.viewMatrix, [...relative, 1]));
    const [x = NaN, y = NaN, , w = NaN] = clip;
    return {
        x: camera.canvas.left + ((x / w + 1) / 2) * camera.canvas.width,
        y: camera.canvas.top + ((1 - y / w) / 2) * camera.canvas.height,
    };
}

export async function checkPositions(page: Page, sample: Sample, frames: readonly number[]): Promise<void> {
    for (const frame of frames) {
        await page.evaluate(`window.fender.setFrame(${frame})`);
        const camera = await page.evaluate<CameraState>("window.fender.camera()");
        for (const [index, name] of sample.names.entries()) {
            const shown = await page.evaluate<{ x: number; y: number } | null>(`window.fender.bodyScreenPosition(${JSON.stringify(name)})`);
            const expected = project(camera, sample.poses[frame]?.[index]?.position ?? []);
            assert.ok(shown, `${name} at frame ${frame}`);
            assert.ok(Math.hypot(shown.x - expected.x, shown.y - expected.y) < 0.01, `${name} at frame ${frame}: ${JSON.stringify({ shown, expected })}`);
        }
    }
}

/** Source of a function for the page: a picture as base64 of PNG to its pixels, `{ data, width, height }`. */
export const pixelsOf = `(async (text) => {
    const image = new Image();
    image.src = "data:image/png;base64," + text;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.width;
    canvas.height = image.height;
    const pen = canvas.getContext("2d");
    pen.drawImage(image, 0, 0);
    return pen.getImageData(0, 0, image.width, image.height);
})`;

/** Middle of all pixels of the picture whose hue is near `hue`, in pixels of the browser window. */
export async function hueCentroid(page: Page, hue: number): Promise<{ x: number; y: number; count: number }> {
    await settle(page);
    const box = await page.locator(".stage canvas").boundingBox();
    assert.ok(box);
    const image = (await page.screenshot({ clip: box })).toString("base64");
    const measured = await page.evaluate<{ x: number; y: number; count: number }>(`(async () => {
        const { data, width, height } = await ${pixelsOf}("${image}");
        let x = 0, y = 0, count = 0;
        for (let pixel = 0; pixel < width * height; pixel++) {
            const [r, g, b] = [data[pixel * 4], data[pixel * 4 + 1], data[pixel * 4 + 2]];
            const high = Math.max(r, g, b), low = Math.min(r, g, b);
            if (high - low < 25) continue;
            const sector = high === r ? ((g - b) / (high - low) + 6) % 6 : high === g ? (b - r) / (high - low) + 2 : (r - g) / (high - low) + 4;
            if (Math.abs(sector * 60 - ${hue}) > 14) continue;
            x += (pixel % width) + 0.5;
            y += Math.floor(pixel / width) + 0.5;
            count++;
        }
        return { x: x / count, y: y / count, count };
    })()`);
    return { x: box.x + measured.x, y: box.y + measured.y, count: measured.count };
}

/** How many pixels of two pictures of one size differ plainly. */
export async function pixelDifference(page: Page, first: Buffer, second: Buffer): Promise<number> {
    return page.evaluate<number>(`(async () => {
        const texts = ["${first.toString("base64")}", "${second.toString("base64")}"];
        const [a, b] = await Promise.all(texts.map(async (text) => (await ${pixelsOf}(text)).data));
        if (a.length !== b.length) return Infinity;
        let count = 0;
        for (let at = 0; at < a.length; at += 4)
            if (Math.max(Math.abs(a[at] - b[at]), Math.abs(a[at + 1] - b[at + 1]), Math.abs(a[at + 2] - b[at + 2])) > 24) count++;
        return count;
    })()`);
}

/** Leaves only bodies in the picture. */
export async function hideMarks(page: Page): Promise<void> {
    for (const name of ["Points", "Forces", "Names", "Grid"]) await page.getByLabel(name, { exact: true }).uncheck();
    await page.addStyleTag({ content: ".triad, .scale { display: none; }" });
}
