// The page of a study in a real browser: choices, a click on a point and on a row, keys, light and dark.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { keep, openText, settle, useBrowser } from "../support/browser";

const program = process.env["FENDER"] ?? "";
const source = process.env["FENDER_SOURCE_DIR"] ?? "";
const skip = program === "" || source === "" ? "FENDER and FENDER_SOURCE_DIR name no program and no source tree" : false;

useBrowser();
let folder = "";
let html = "";
before(async () => {
    folder = await mkdtemp(join(tmpdir(), "fender-study-"));
    if (skip) return;
    const study = join(source, "samples", "studies", "landing.yaml");
    const run = (...words: string[]): void => void execFileSync(program, ["study", ...words], { stdio: "pipe", cwd: folder });
    run("run", study, "--runs", "120", "--quiet", "-o", "landing.study.db");
    run("run", study, "--runs", "120", "--only", "7", "--keep", "--quiet");
    run("report", "landing.study.db", "--html", "page.html");
    html = await readFile(join(folder, "page.html"), "utf8");
});
after(() => rm(folder, { recursive: true, force: true }));

interface Data {
    readonly run: readonly number[];
    readonly columns: readonly { readonly name: string; readonly values: readonly (number | null)[] }[];
}
const dataOf = (): Data => JSON.parse(/id="fender-study">(.*?)<\/script>/s.exec(html)?.[1] ?? "") as Data;
const valuesOf = (name: string): readonly (number | null)[] => dataOf().columns.find((column) => column.name === name)?.values ?? [];
const placeOf = (page: Page, run: number): Promise<{ x: number; y: number }> => page.evaluate(`window.fender.placeOf(${run})`);

test("the page of a study: figures, choices, the table", { skip }, async () => {
    const { page, complaints } = await openText(html, { viewport: { width: 1400, height: 900 } });
    assert.equal(await page.title(), "How often does the lander stay upright?");
    assert.equal(await page.locator("#probabilities tbody tr").count(), 3);
    assert.equal(await page.locator("#convergence figure").count(), 3);
    assert.ok((await page.locator("#histograms figure").count()) >= 10);
    assert.ok((await page.locator("#sensitivities figure").count()) >= 5);
    for (const figure of await page.locator("svg[role]").all()) assert.ok((await figure.getAttribute("aria-label")) ?? "", "every figure has a name");
    await keep(page, "study-light");

    await page.getByLabel("across").selectOption({ label: "side" });
    await page.getByLabel("up", { exact: true }).selectOption({ label: "mu" });
    const texts = await page.locator("#outcomes svg text").allTextContents();
    assert.ok(texts.includes("side [m/s]") && texts.includes("mu"), texts.join());
    // Places follow the data: linear in the values of both axes.
    const [side, mu] = [valuesOf("side"), valuesOf("mu")];
    const at = await Promise.all([0, 1, 2].map((run) => placeOf(page, run)));
    const ratio = (values: readonly (number | null)[]): number => ((values[2] ?? 0) - (values[0] ?? 0)) / ((values[1] ?? 0) - (values[0] ?? 0));
    const seen = (axis: "x" | "y"): number => ((at[2]?.[axis] ?? 0) - (at[0]?.[axis] ?? 0)) / ((at[1]?.[axis] ?? 0) - (at[0]?.[axis] ?? 0));
    assert.ok(Math.abs(ratio(side) - seen("x")) < 1e-3 * Math.abs(ratio(side)) + 1e-3 && Math.abs(ratio(mu) - seen("y")) < 1e-3 * Math.abs(ratio(mu)) + 1e-3);

    await page.getByLabel("then by").selectOption({ label: "touches" });
    await page.getByLabel("order").selectOption("least");
    const touches = valuesOf("touches");
    const rows = await page.locator("#worst tbody tr:has(td:text-is('ok')) th").allTextContents();
    const listed = rows.map((run) => touches[Number(run)] ?? NaN);
    assert.deepEqual(listed, [...listed].sort((a, b) => a - b));
    assert.equal(listed[0], Math.min(...touches.flatMap((value) => value ?? [])));
    assert.deepEqual(complaints, []);
    await page.context().close();
});

test("a click and the keys lead to a run's replay, or to the command that makes it", { skip }, async () => {
    const { page, complaints } = await openText(html, { viewport: { width: 1400, height: 900 } });
    const card = page.locator(".run-card");
    const third = await placeOf(page, 3);
    await page.mouse.click(third.x, third.y);
    await settle(page);
    // Another point may lie over it.
    const clicked = /Run (\d+):/.exec((await card.locator("h3").textContent()) ?? "")?.[1] ?? "";
    assert.match((await card.textContent()) ?? "", new RegExp(`fender study run landing\\.yaml --only ${clicked} --keep`));

    await page.locator("svg.points").first().focus();
    await page.keyboard.press("ArrowRight");
    const right = /Run (\d+):/.exec((await card.locator("h3").textContent()) ?? "")?.[1] ?? "";
    assert.notEqual(right, clicked);
    assert.ok((await placeOf(page, Number(right))).x >= (await placeOf(page, Number(clicked))).x, "the next run is to the right");
    await keep(page, "study-picked");

    // Run 7 was kept: Enter on its point opens the report beside the page.
    await writeFile(join(folder, "beside.html"), html);
    await page.goto(`file://${join(folder, "beside.html")}`);
    const report = page.context().waitForEvent("page");
    const heading = async (): Promise<string> => (await card.locator("h3").textContent()) ?? "";
    await page.locator("svg.points").first().focus();
    for (let step = 0; step < 120 && !(await heading()).startsWith("Run 7:"); step++) await page.keyboard.press("ArrowRight");
    assert.match(await heading(), /^Run 7:/);
    assert.equal(await card.getByRole("link").getAttribute("href"), "landing_7.run/report.html");
    await page.keyboard.press("Enter");
    const opened = await report;
    await opened.waitForLoadState();
    assert.match(opened.url(), /landing_7\.run\/report\.html$/);
    assert.equal(await opened.locator("h1").textContent(), "Four-legged lander on flat ground");
    assert.deepEqual(complaints.filter((complaint) => !complaint.startsWith("request file:")), []);
    await page.context().close();
});

test("dark, narrow and without scripts", { skip }, async () => {
    const { page, complaints } = await openText(html, { viewport: { width: 700, height: 900 }, colorScheme: "dark" });
    assert.equal(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), true, "the page is as wide as the window");
    const ground = await page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
    assert.equal(ground, "rgb(15, 18, 22)");
    await keep(page, "study-dark");
    assert.deepEqual(complaints, []);
    await page.context().close();
});
