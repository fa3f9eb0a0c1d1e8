// The plots belong together: one span of time, one cursor, clicks that move the replay; and they show what was recorded.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { frameOf, keep, open, settle, useBrowser } from "../support/browser";
import { recordedRun, twoSpheres } from "../support/samples";

useBrowser();

interface Box {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
}
async function plotBox(page: Page, key: string): Promise<Box> {
    const over = page.locator(`.one-plot[data-plot="${key}"] .u-over`);
    await over.scrollIntoViewIfNeeded();
    const box = await over.boundingBox();
    assert.ok(box);
    return box;
}
/** Where the line of the replay stands in each plot, as a part of its width. */
async function lines(page: Page): Promise<number[]> {
    return page.evaluate(`[...document.querySelectorAll(".one-plot")].map((plot) => {
        const line = plot.querySelector(".replay-line").getBoundingClientRect();
        const over = plot.querySelector(".u-over").getBoundingClientRect();
        return (line.left + line.width / 2 - over.left) / over.width;
    })`);
}
function legend(page: Page, key: string): Promise<string> {
    return page.evaluate(`document.querySelector('.one-plot[data-plot="${key}"] .u-legend').textContent`);
}

test("plot and scene agree with the recorded numbers", async () => {
    const sample = twoSpheres();
    const { page, complaints } = await open(sample.texts);
    const rows = sample.texts.contacts.trim().split("\n").slice(1).map((row) => row.split(","));
    for (const frame of [255, 270, 285]) {
        await page.evaluate(`window.fender.setFrame(${frame})`);
        await settle(page);
        const row = rows.find((cells) => Number(cells[0]) === sample.times[frame]);
        assert.ok(row, `a contact at frame ${frame}`);
        // Four digits stand in the legend.
        for (const [key, column] of [["normal_force", 3], ["friction_force", 4], ["depth", 2]] as const) {
            const text = (await legend(page, key)).replace("\u2212", "-");
            const shown = Number(/veh1\.hull:veh2\.hull:?\s*([\d.e-]+) /.exec(text)?.[1]);
            const recorded = Number(row[column]);
            assert.ok(Math.abs(shown - recorded) <= 6e-4 * Math.abs(recorded), `${key} at frame ${frame}: ${text}, recorded ${recorded}`);
        }
        assert.match((await page.locator("table.contacts tr.touching").textContent()) ?? "", /touching/);
    }
    assert.deepEqual(complaints, []);
    await page.context().close();
});

test("zooming one plot zooms all, a click goes there in every plot, double click shows all", async () => {
    const { page, complaints } = await open(twoSpheres().texts, { viewport: { width: 1400, height: 900 } });
    const box = await plotBox(page, "depth");
    await page.mouse.move(box.x + 0.4 * box.width, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + 0.6 * box.width, box.y + 30, { steps: 4 });
    await page.mouse.up();
    // From 4 s to 6 s now: the middle is 5 s.
    await page.evaluate("window.fender.setFrame(250)");
    await settle(page);
    for (const at of await lines(page)) assert.ok(Math.abs(at - 0.5) < 0.01, `${at}`);
    const force = await plotBox(page, "normal_force");
    await page.mouse.click(force.x + 0.25 * force.width, force.y + 10);
    assert.ok(Math.abs((await frameOf(page)) - 225) <= 1, "a click between 4 s and 6 s");
    const cursors = await page.evaluate<number[]>('[...document.querySelectorAll(".one-plot .u-cursor-x")].map((line) => line.getBoundingClientRect().left)');
    assert.equal(cursors.length, 4);
    for (const cursor of cursors) assert.ok(Math.abs(cursor - (force.x + 0.25 * force.width)) < 2, "the cursor stands in all plots");
    await page.mouse.dblclick(force.x + 0.5 * force.width, force.y + 10);
    await page.evaluate("window.fender.setFrame(250)");
    await page.mouse.move(5, 5);
    await settle(page);
    for (const at of await lines(page)) assert.ok(Math.abs(at - 0.5) < 0.01, `${at}`);
    await page.evaluate("window.fender.setFrame(0)");
    for (const at of await lines(page)) assert.ok(Math.abs(at) < 0.01, "from the start again");
    await page.getByRole("button", { name: "Contact", exact: true }).click();
    await page.evaluate("window.fender.setFrame(270)");
    await settle(page);
    for (const at of await lines(page)) assert.ok(Math.abs(at - 0.5) < 0.02, "the contact fills the plots");
    assert.deepEqual(complaints, []);
    await page.context().close();
});

test("recorded tables, modes, links, masses, parameters and the scenario are shown", async () => {
    const { page, complaints } = await open(recordedRun().texts);
    await page.evaluate("window.fender.setFrame(270)");
    await settle(page);
    const energy = await page.evaluate<string>(`[...document.querySelectorAll(".one-plot")].find((plot) => plot.ariaLabel === "Energy ledger").textContent`);
    assert.match(energy, /log\.csv/);
    assert.match(energy, /kinetic:?\s*5\.4 J/, "the row at the time of the replay, whose times are others");
    await page.getByLabel("Add a plot").selectOption({ label: "links.*.force" });
    await settle(page);
    assert.match(await page.evaluate<string>(`[...document.querySelectorAll(".one-plot")].pop().textContent`), /strut\.force:?\s*54 N/);
    // From 5 s on it sticks, at 5.3 s it slips.
    const mode = async (frame: number): Promise<string | null> => {
        await page.evaluate(`window.fender.setFrame(${frame})`);
        return page.locator("table.contacts tbody td").nth(1).textContent();
    };
    assert.equal(await mode(260), "sticking");
    assert.equal(await mode(270), "slipping");
    assert.equal(await mode(100), "\u2013");
    const bodies = (await page.locator("table.bodies").textContent()) ?? "";
    assert.match(bodies, /100/);
    assert.match(bodies, /diagonal 40, 41, 42/);
    const parameters = (await page.locator("section[aria-labelledby=parameters-title]").textContent()) ?? "";
    assert.match(parameters, /stiffness40000 N\/m\^1\.5/, "a unit with the value of another parameter in it");
    assert.match(parameters, /limitno limit/);
    assert.match((await page.locator("pre.scenario").textContent()) ?? "", /^fender: 1\ntitle: <two> spheres/);
    const episode = page.locator("table.episodes tbody td").nth(2);
    assert.match((await episode.getAttribute("title")) ?? "", /\u00b1 0\.5 N/);
    await keep(page, "recorded");
    assert.deepEqual(complaints, []);
    await page.context().close();
});

test("keys, names and roles for those who do not see or do not point", async () => {
    const { page, complaints } = await open(recordedRun().texts);
    for (const name of ["Replay", "Plots", "Contacts", "Touches", "Events", "Bodies and mass properties", "Parameters", "Scenario"])
        assert.equal(await page.getByRole("region", { name, exact: true }).count() > 0, true, `a region called ${name}`);
    const nameless = await page.evaluate(`[...document.querySelectorAll("button, select, input, [role=img]")].filter((element) => {
        const labels = element.labels ? [...element.labels].map((label) => label.textContent).join("") : "";
        return !(element.ariaLabel || labels || element.textContent || "").trim();
    }).map((element) => element.outerHTML)`);
    assert.deepEqual(nameless, [], "everything that can be used or looked at has a name");
    assert.equal(await page.evaluate("document.documentElement.lang"), "en");
    assert.match((await page.getByLabel("Time", { exact: true }).getAttribute("aria-valuetext")) ?? "", /0\.00 seconds/);

    await page.locator("h1").click();
    for (const [key, frame] of [["]", 250], ["]", 265], ["]", 290], ["]", 290], ["[", 265], ["[", 250], ["[", 250]] as const) {
        await page.keyboard.press(key);
        assert.equal(await frameOf(page), frame, `${key} goes to the event`);
    }
    await page.keyboard.press("-");
    assert.equal(await page.getByLabel("Speed of the replay").inputValue(), "0.5");
    await page.keyboard.press("+");
    assert.equal(await page.getByLabel("Speed of the replay").inputValue(), "1");
    // By tabulator alone to the slider, with a ring that can be seen about it.
    await page.evaluate("document.activeElement.blur()");
    for (let press = 0; press < 60; press++) {
        await page.keyboard.press("Tab");
        if ((await page.evaluate("document.activeElement.ariaLabel")) === "Time") break;
    }
    assert.equal(await page.evaluate("document.activeElement.ariaLabel"), "Time");
    assert.equal(await page.evaluate("getComputedStyle(document.activeElement).outlineStyle"), "solid");
    assert.deepEqual(complaints, []);
    await page.context().close();
});

/** Contrast of WCAG 2: from 1 to 21. */
const contrastScript = `(() => {
    const light = (text) => {
        const parts = text.match(/[\\d.]+/g).slice(0, 3).map((part) => { const value = part / 255; return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4; });
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
    };
    const behind = (element) => {
        for (let at = element; at; at = at.parentElement) {
            const colour = getComputedStyle(at).backgroundColor;
            if (colour !== "rgba(0, 0, 0, 0)") return colour;
        }
        return "rgb(255, 255, 255)";
    };
    const faint = [];
    for (const element of document.querySelectorAll("h1, h2, h3, h4, p, dt, dd, th, td, button, summary, .clock, .count")) {
        if (!element.textContent.trim() || element.closest(".stage, [hidden], details:not([open]) > :not(summary)")) continue;
        const [a, b] = [light(getComputedStyle(element).color), light(behind(element))];
        const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        if (contrast < 4.5 && !element.disabled) faint.push(element.className + " " + element.textContent.slice(0, 30) + " " + contrast.toFixed(2));
    }
    return faint;
})()`;

test("dark and light: both can be read", async () => {
    const { page, complaints } = await open(recordedRun().texts);
    await page.evaluate("window.fender.setFrame(270)");
    const backgrounds: string[] = [];
    const legends: unknown[] = [];
    for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await settle(page);
        assert.deepEqual(await page.evaluate(contrastScript), [], colorScheme);
        legends.push(await page.evaluate('[...document.querySelectorAll(".u-legend")].map((legend) => legend.textContent)'));
        backgrounds.push(await page.evaluate("getComputedStyle(document.body).backgroundColor"));
    }
    assert.notEqual(backgrounds[0], backgrounds[1]);
    assert.deepEqual(legends[0], legends[1], "the legends keep the values of the time that is shown");
    assert.deepEqual(complaints, []);
    await page.context().close();
});
