// The page in a real browser: it loads, plays and scrubs, and the picture agrees with the recorded numbers.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { CameraState } from "../../src/view/stage";
import { blindBrowser, checkPositions, frameOf, hideMarks, hueCentroid, keep, open, pixelDifference, project, settle, until, useBrowser } from "../support/browser";
import { capsuleRing, contactHeader, pageJson, twoSpheres } from "../support/samples";

useBrowser();

test("two spheres: page, plot, tables and no complaints", async () => {
    const sample = twoSpheres();
    const { page, complaints } = await open(sample.texts);
    assert.equal(await page.locator("h1").textContent(), "Two spheres");
    assert.equal(await page.locator(".about b").count(), 0, "text of the scenario stays text");
    assert.equal(await page.evaluate("window.fender.frames"), 501);
    assert.deepEqual(await page.evaluate('[...document.querySelectorAll(".one-plot")].map((plot) => plot.dataset.plot)'), ["normal_force", "friction_force", "depth", "modes"]);
    assert.equal(await page.locator("table.contacts tbody tr").count(), 1);
    assert.equal(await page.locator("table.episodes tbody tr").count(), 1);
    assert.equal(await page.locator("table.events tbody tr").count(), 2);
    assert.equal(await page.locator(".timeline .event").count(), 2);
    assert.match((await page.locator(".balance").textContent()) ?? "", /residual3\.1e\u221213 J/);
    await page.evaluate("window.fender.setFrame(270)");
    await settle(page);
    assert.equal(await page.locator("table.contacts tr.touching").count(), 1);
    for (const plot of await page.locator(".one-plot").all()) {
        const line = await plot.locator(".replay-line").boundingBox();
        const over = await plot.locator(".u-over").boundingBox();
        assert.ok(line && over);
        assert.ok(Math.abs(line.x + line.width / 2 - (over.x + over.width * 0.54)) < 1, "the line in every plot stands at the time of the replay");
    }
    await keep(page, "two-spheres-light");
    await page.getByLabel("Add a plot").selectOption("speed");
    await settle(page);
    assert.equal(await page.locator(".one-plot .uplot canvas").count(), 5);
    assert.equal(await page.getByLabel("Add a plot").isDisabled(), true, "nothing is left to add");
    await page.getByLabel("Close the plot of Speed of the bodies").click();
    assert.equal(await page.locator(".one-plot").count(), 4);
    await page.emulateMedia({ colorScheme: "dark" });
    await keep(page, "two-spheres-dark");
    assert.deepEqual(complaints, []);
    await page.context().close();
});

test("two spheres: places on the screen follow the data, and the pixels follow too", async () => {
    const sample = twoSpheres();
    const { page, complaints } = await open(sample.texts);
    const frames = [0, 270, 500];
    await checkPositions(page, sample, frames);
    await hideMarks(page);
    for (const frame of frames.filter((frame) => frame !== 270)) {
        await page.evaluate(`window.fender.setFrame(${frame})`);
        const camera = await page.evaluate<CameraState>("window.fender.camera()");
        for (const [index, hue] of [202, 41].entries()) {
            const expected = project(camera, sample.poses[frame]?.[index]?.position ?? []);
            const seen = await hueCentroid(page, hue);
            assert.ok(seen.count > 2000, `${sample.names[index] ?? ""} covers ${seen.count} pixels`);
            const miss = Math.hypot(seen.x - expected.x, seen.y - expected.y);
            assert.ok(miss < 3, `${sample.names[index] ?? ""} at frame ${frame} is drawn ${miss.toFixed(2)} pixels off`);
        }
    }
    assert.deepEqual(complaints, []);
    await page.context().close();
});

test("play, pause, scrub, keys, marks and a click on the plot", async () => {
    const { page, complaints } = await open(twoSpheres().texts);
    await page.getByLabel("Play", { exact: true }).click();
    await until(page, "window.fender.frame > 5");
    await page.getByLabel("Pause", { exact: true }).click();
    const paused = await frameOf(page);
    await page.waitForTimeout(200);
    assert.equal(await frameOf(page), paused);

    await page.getByLabel("Time", { exact: true }).fill("123");
    assert.equal(await frameOf(page), 123);
    await page.locator("h1").click();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Shift+ArrowRight");
    await page.keyboard.press("ArrowLeft");
    assert.equal(await frameOf(page), 133);
    await page.keyboard.press("End");
    assert.equal(await frameOf(page), 500);
    await page.keyboard.press("Home");
    assert.equal(await frameOf(page), 0);
    await page.keyboard.press("Space");
    assert.equal(await page.evaluate("window.fender.playing"), true);
    await page.keyboard.press("Space");
    assert.equal(await page.evaluate("window.fender.playing"), false);
    await page.getByLabel("Time", { exact: true }).focus();
    await page.evaluate("window.fender.setFrame(10)");
    await page.keyboard.press("ArrowRight");
    assert.equal(await frameOf(page), 11, "the slider takes the arrow once");
    await page.getByLabel("Play", { exact: true }).focus();
    await page.keyboard.press("Space");
    assert.equal(await page.evaluate("window.fender.playing"), true, "space on the button toggles once");
    await page.keyboard.press("Space");

    await page.locator("table.events .jump").first().click();
    assert.equal(await frameOf(page), 250);
    await page.locator(".timeline .event").nth(1).click();
    assert.equal(await frameOf(page), 290);
    await page.locator(".u-over").first().scrollIntoViewIfNeeded();
    const over = await page.locator(".u-over").first().boundingBox();
    assert.ok(over);
    await page.mouse.click(over.x + over.width / 2, over.y + over.height / 2);
    assert.ok(Math.abs((await frameOf(page)) - 250) <= 2);

    await page.getByLabel("Speed of the replay").selectOption("10");
    await page.locator("h1").click();
    await page.keyboard.press("Home");
    await page.keyboard.press("Space");
    await until(page, "window.fender.frame === 500 && !window.fender.playing");
    assert.deepEqual(complaints, []);
    await page.context().close();
});

test("orbit, zoom and follow change the view and keep it true", async () => {
    const sample = twoSpheres();
    const { page, complaints } = await open(sample.texts);
    const first = await page.evaluate<CameraState>("window.fender.camera()");
    const box = await page.locator(".stage canvas").boundingBox();
    assert.ok(box);
    await page.mouse.move(box.x + 200, box.y + 150);
    await page.mouse.down();
    await page.mouse.move(box.x + 330, box.y + 210, { steps: 4 });
    await page.mouse.up();
    await page.mouse.wheel(0, -300);
    await settle(page);
    const second = await page.evaluate<CameraState>("window.fender.camera()");
    assert.notDeepEqual(second.viewMatrix, first.viewMatrix);
    await checkPositions(page, sample, [0, 300]);

    await page.getByLabel("Body to follow").selectOption("veh2");
    const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    for (const frame of [0, 250, 500]) {
        await page.evaluate(`window.fender.setFrame(${frame})`);
        const shown = await page.evaluate<{ x: number; y: number }>('window.fender.bodyScreenPosition("veh2")');
        assert.ok(Math.hypot(shown.x - middle.x, shown.y - middle.y) < 0.5, "the followed body stays in the middle");
    }
    await checkPositions(page, sample, [0, 250, 500]);
    const held = await page.evaluate<{ x: number; y: number }>('window.fender.bodyScreenPosition("veh1")');
    await page.getByLabel("Body to follow").selectOption("");
    const free = await page.evaluate<{ x: number; y: number }>('window.fender.bodyScreenPosition("veh1")');
    assert.ok(Math.hypot(held.x - free.x, held.y - free.y) < 0.5, "letting go keeps the view");
    await page.getByRole("button", { name: "Fit run" }).click();
    await checkPositions(page, sample, [0, 500]);
    assert.deepEqual(complaints, []);
    await page.context().close();
});

test("to the contact: its frame, its place in the middle, arrows as large on the screen as before", async () => {
    const sample = twoSpheres();
    const { page, complaints } = await open(sample.texts);
    await page.locator("h1").click();
    const scale = page.locator(".scale");
    const arrows = /arrow of a tenth.*/.exec((await scale.textContent()) ?? "")?.[0];
    assert.ok(arrows);
    await page.keyboard.press("c");
    await settle(page);
    assert.equal(await frameOf(page), 270, "the frame of the largest force");
    const camera = await page.evaluate<CameraState>("window.fender.camera()");
    const middle = project(camera, [0, 0, 0]);
    const { canvas } = camera;
    assert.ok(Math.hypot(middle.x - canvas.left - canvas.width / 2, middle.y - canvas.top - canvas.height / 2) < 1);
    const before = camera.viewMatrix;
    assert.match((await scale.textContent()) ?? "", new RegExp(arrows.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")));
    await page.getByRole("button", { name: "Fit", exact: true }).click();
    await settle(page);
    assert.notDeepEqual((await page.evaluate<CameraState>("window.fender.camera()")).viewMatrix, before);
    await page.getByRole("button", { name: "To the contact" }).click();
    await settle(page);
    const again = (await page.evaluate<CameraState>("window.fender.camera()")).viewMatrix;
    assert.ok(again.every((value, index) => Math.abs(value - (before[index] ?? NaN)) < 1e-9));
    assert.deepEqual(complaints, []);
    await page.context().close();
});

test("bodies can be seen through and hidden, curves can be picked", async () => {
    const sample = twoSpheres();
    const { page, complaints } = await open(sample.texts);
    await hideMarks(page);
    // The boxes lie below the picture: the page scrolls to them, and back.
    const blue = async (): Promise<number> => {
        await page.evaluate("scrollTo(0, 0)");
        await settle(page);
        return (await hueCentroid(page, 202)).count;
    };
    const solid = await blue();
    assert.ok(solid > 2000);
    await page.getByLabel("See through veh1", { exact: true }).check();
    const clear = await blue();
    assert.notEqual(clear, solid, "a clear body has other colours");
    await page.getByLabel("Show veh1", { exact: true }).uncheck();
    assert.ok((await blue()) < 0.02 * solid, "a hidden body has none");
    await page.getByLabel("Show veh1", { exact: true }).check();
    assert.equal(await blue(), clear);
    await page.getByLabel("See through veh1", { exact: true }).uncheck();
    assert.equal(await blue(), solid);
    await page.getByLabel("Add a plot").selectOption("speed");
    await settle(page);
    const plot = page.locator('.one-plot[data-plot="speed"]');
    assert.equal(await plot.locator(".u-series").count(), 3, "the time and two bodies");
    await plot.locator("summary").click();
    await plot.locator("label", { hasText: "veh2" }).locator("input").uncheck();
    await settle(page);
    assert.equal(await plot.locator(".u-series").count(), 2);
    await plot.getByRole("button", { name: "As at first" }).click();
    assert.equal(await plot.locator(".u-series").count(), 3);
    assert.deepEqual(complaints, []);
    await page.context().close();
});

test("the first view shows the bodies where they begin, however far they go", async () => {
    const apart = await Promise.all(
        [0, 4].map(async (drift) => {
            const { page } = await open(twoSpheres([0, 0, 0], [drift, 0, 0]).texts);
            await page.evaluate("window.fender.setFrame(0)");
            const [a, b] = await page.evaluate<{ x: number; y: number }[]>('["veh1", "veh2"].map((name) => window.fender.bodyScreenPosition(name))');
            await page.context().close();
            return a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
        }),
    );
    assert.ok((apart[0] ?? 0) > 100, `${apart[0]} pixels between two bodies that fill the view`);
    assert.ok((apart[1] ?? 0) > 0.8 * (apart[0] ?? 0), `${apart[1]} pixels instead of ${apart[0]}`);
});

test("ten thousand kilometres away the picture is the same", async () => {
    const near = await open(twoSpheres().texts);
    const far = await open(twoSpheres([1e7, -1e7, 1e7]).texts);
    for (const frame of [1, 270]) {
        const [a, b] = await Promise.all(
            [near, far].map(async ({ page }) => {
                await page.evaluate(`window.fender.setFrame(${frame})`);
                await settle(page);
                const places = await page.evaluate<{ x: number; y: number }[]>('["veh1", "veh2"].map((name) => window.fender.bodyScreenPosition(name))');
                return { places, image: await page.locator(".stage canvas").screenshot() };
            }),
        );
        assert.ok(a && b);
        a.places.forEach((place, index) => {
            const other = b.places[index];
            assert.ok(other && Math.hypot(place.x - other.x, place.y - other.y) < 1e-3);
        });
        const different = await pixelDifference(near.page, a.image, b.image);
        assert.ok(different < 20, `${different} pixels differ at frame ${frame}`);
    }
    await hideMarks(far.page);
    const camera = await far.page.evaluate<CameraState>("window.fender.camera()");
    const expected = project(camera, [1e7 - 2, -1e7, 1e7 - 0.25]);
    await far.page.evaluate("window.fender.setFrame(0)");
    const seen = await hueCentroid(far.page, 202);
    assert.ok(Math.hypot(seen.x - expected.x, seen.y - expected.y) < 3);
    assert.deepEqual([...near.complaints, ...far.complaints], []);
    await near.page.context().close();
    await far.page.context().close();
});

test("a pair in orbit is followed from the start", async () => {
    const sample = twoSpheres([7e6, 0, 0], [0, 7500, 300]);
    const { page, complaints } = await open(sample.texts);
    assert.equal(await page.getByLabel("Body to follow").inputValue(), "0");
    await page.evaluate("window.fender.setFrame(270)");
    await keep(page, "orbit");
    await checkPositions(page, sample, [0, 270, 500]);
    await hideMarks(page);
    for (const frame of [0, 400]) {
        await page.evaluate(`window.fender.setFrame(${frame})`);
        const camera = await page.evaluate<CameraState>("window.fender.camera()");
        for (const [index, hue] of [202, 41].entries()) {
            const expected = project(camera, sample.poses[frame]?.[index]?.position ?? []);
            const seen = await hueCentroid(page, hue);
            assert.ok(Math.hypot(seen.x - expected.x, seen.y - expected.y) < 3, `${sample.names[index] ?? ""} at frame ${frame}`);
        }
    }
    assert.deepEqual(complaints, []);
    await page.context().close();
});

test("thirty capsules over two thousand frames: loads, follows the data and stays quick", async () => {
    const sample = capsuleRing();
    const { page, complaints } = await open(sample.texts);
    assert.equal(await page.evaluate("window.fender.frames"), 2000);
    assert.equal(await page.locator("table.contacts tbody tr").count(), 30);
    assert.equal(await page.locator("table.episodes tbody tr").count(), 60);
    assert.equal(await page.locator("table.bodies tbody tr").count(), 30);
    assert.equal(await page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), true, "long names do not widen the page");
    await checkPositions(page, sample, [0, 777, 1999]);
    // Fifty frames change places and figures; tables and plots are not built anew for each.
    const built = await page.evaluate<number>(`(async () => {
        let added = 0;
        const watch = new MutationObserver((list) => { for (const { addedNodes } of list) for (const node of addedNodes) added += node.nodeType === Node.ELEMENT_NODE ? 1 : 0; });
        watch.observe(document.body, { childList: true, subtree: true });
        for (let frame = 400; frame < 450; frame++) window.fender.setFrame(frame);
        await new Promise((done) => setTimeout(done));
        watch.disconnect();
        return added;
    })()`);
    assert.ok(built < 20, `${built} elements were added`);
    await page.evaluate("window.fender.setFrame(500)");
    await settle(page);
    await keep(page, "ring-light");
    await page.emulateMedia({ colorScheme: "dark" });
    await keep(page, "ring-dark");
    assert.deepEqual(complaints, []);
    await page.context().close();
});

test("no frames, one frame, no contacts, unknown shapes: a readable page each time", async () => {
    const sample = twoSpheres();
    const header = sample.texts.replay.split("\n")[0] ?? "";
    const none = await open({ ...sample.texts, replay: `${header}\n`, contacts: `${contactHeader}\n`, summary: "{}" });
    assert.match((await none.page.locator(".no-picture").textContent()) ?? "", /No frames were recorded/);
    assert.equal(await none.page.evaluate("window.fender.frames"), 0);
    assert.match((await none.page.locator(".clock").textContent()) ?? "", /no frames/);
    assert.deepEqual(none.complaints, []);

    const one = await open({ ...sample.texts, replay: sample.texts.replay.split("\n").slice(0, 2).join("\n"), contacts: `${contactHeader}\n`, summary: "{}" });
    assert.equal(await one.page.evaluate("window.fender.frames"), 1);
    await checkPositions(one.page, sample, [0]);
    assert.match((await one.page.locator(".plot-panel > .note").textContent()) ?? "", /No contact was recorded/);
    await one.page.keyboard.press("Space");
    await one.page.keyboard.press("End");
    assert.equal(await frameOf(one.page), 0);
    assert.deepEqual(one.complaints, []);

    const odd = await open({
        ...sample.texts,
        scene: pageJson({
            format: "fender-scene",
            version: 1,
            bodies: [
                { name: "veh1", shapes: [{ name: "hull", geometry: { type: "mesh" } }] },
                { name: "absent", shapes: [] },
            ],
        }),
    });
    const problems = (await odd.page.locator(".problems").textContent()) ?? "";
    assert.match(problems, /shapes not drawn: veh1\.hull \(mesh\)/);
    assert.match(problems, /no recorded pose of absent/);
    assert.deepEqual(odd.complaints, []);

    const bare = await open({ scene: "", replay: "", contacts: "", summary: "" });
    assert.match((await bare.page.locator(".problems").textContent()) ?? "", /the scene is missing/);
    assert.deepEqual(bare.complaints, []);
    for (const { page } of [none, one, odd, bare]) await page.context().close();
});

test("without WebGL plot and tables still work", async () => {
    const blind = await blindBrowser();
    try {
        const { page, complaints } = await open(twoSpheres().texts, {}, blind);
        assert.match((await page.locator(".no-picture").textContent()) ?? "", /no WebGL/);
        assert.equal(await page.evaluate('window.fender.bodyScreenPosition("veh1")'), null);
        await page.keyboard.press("End");
        assert.equal(await frameOf(page), 500);
        assert.equal(await page.locator(".uplot canvas").count(), 4);
        assert.equal(await page.locator("table.contacts tbody tr").count(), 1);
        await keep(page, "no-webgl");
        assert.deepEqual(complaints, []);
    } finally {
        await blind.close();
    }
});

test("a narrow screen", async () => {
    const { page, complaints } = await open(twoSpheres().texts, { viewport: { width: 420, height: 860 }, colorScheme: "dark" });
    assert.equal(await page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), true);
    await page.evaluate("window.fender.setFrame(270)");
    await keep(page, "narrow-dark");
    assert.deepEqual(complaints, []);
    await page.context().close();
});
