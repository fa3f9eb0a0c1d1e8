// A screenshot of a report: node picture.mjs REPORT.html OUT.png TIME. FENDER_CHROMIUM names another browser.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [, , report, out, time] = process.argv;
if (!report || !out || !time) throw new Error("usage: node picture.mjs REPORT.html OUT.png TIME");
const places = ["chromium", "chromium-browser", "google-chrome"].map((name) => `/usr/bin/${name}`);
const executablePath = process.env.FENDER_CHROMIUM ?? places.find((path) => existsSync(path));
if (!executablePath) throw new Error("no Chromium found: apt-get install chromium");

const browser = await chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-first-run"],
});
const page = await browser.newPage({ viewport: { width: 1080, height: 720 }, colorScheme: "light" });
await page.goto(pathToFileURL(resolve(report)).href);
for (let attempt = 0; !(await page.evaluate("Boolean(window.fender && window.fender.ready)")); attempt++) {
    if (attempt > 600) throw new Error("the page never became ready");
    await page.waitForTimeout(50);
}
// The first frame at or behind the time.
await page.evaluate(`(() => {
    for (let frame = 0; frame < window.fender.frames; frame++) {
        window.fender.setFrame(frame);
        if (parseFloat(document.querySelector(".clock").textContent) >= ${Number(time)}) break;
    }
    const contact = [...document.querySelectorAll(".plot-panel button")].find((button) => button.textContent === "Contact");
    if (contact && !contact.hidden) contact.click();
})()`);
// The grid is what makes a file large.
await page.getByLabel("Grid", { exact: true }).setChecked(false);
await page.waitForTimeout(300);
await page.screenshot({ path: out });
await browser.close();
