// A terrain of a million triangles stays usable: the work of a picture is bounded while it moves, whole when it rests.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { checkPositions, hideMarks, keep, open, settle, until, useBrowser } from "../support/browser";
import { largeTerrain } from "../support/samples";

useBrowser();

interface Work {
    readonly triangles: number;
    readonly pictures: number;
}
function work(page: Page): Promise<Work> {
    return page.evaluate("window.fender.work()");
}

test("a million triangles: small page, few triangles while it moves, all of them at rest", async () => {
    const sample = largeTerrain(708);
    const million = 2 * 708 * 708;
    assert.ok(sample.texts.scene.length < 26e6, `${sample.texts.scene.length} bytes`);
    const started = performance.now();
    const { page, complaints } = await open(sample.texts, { viewport: { width: 700, height: 560 } });
    console.log(`# loaded in ${((performance.now() - started) / 1000).toFixed(2)} s, ${(sample.texts.scene.length / 1e6).toFixed(1)} MB of scene`);
    await hideMarks(page);
    await settle(page);
    assert.ok((await work(page)).triangles >= million, "at rest every triangle is drawn");
    await keep(page, "terrain");

    await page.getByLabel("Play", { exact: true }).click();
    const before = await work(page);
    await until(page, `window.fender.work().pictures >= ${before.pictures + 5}`);
    const playing = await work(page);
    assert.equal(await page.evaluate("window.fender.playing"), true);
    assert.ok(playing.triangles > 20000 && playing.triangles < 130000, `${playing.triangles} triangles while it plays`);
    await page.getByLabel("Pause", { exact: true }).click();
    await settle(page);
    assert.ok((await work(page)).triangles >= million, "all of them again");

    const box = await page.locator(".stage canvas").boundingBox();
    assert.ok(box);
    await page.mouse.move(box.x + 300, box.y + 200);
    await page.mouse.down();
    await page.mouse.move(box.x + 340, box.y + 210, { steps: 2 });
    await settle(page);
    assert.ok((await work(page)).triangles < 130000, "few while it is turned");
    await page.mouse.up();
    await settle(page);
    assert.ok((await work(page)).triangles >= million);
    await checkPositions(page, sample, [0, 2000]);
    assert.deepEqual(complaints, []);
    await page.context().close();
});
