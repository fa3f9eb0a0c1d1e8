// The replay's own clock, and how numbers are written.
import assert from "node:assert/strict";
import { test } from "node:test";
import { indexedColour, indexedDash } from "../../src/colours";
import { formatNumber, formatTime, timeDecimals } from "../../src/format";
import { Player, suggestSpeed } from "../../src/player";

const times = Float64Array.of(0, 0.1, 0.2, 0.3);

test("frames are clamped and steps stop the replay", () => {
    const player = new Player(times);
    player.setFrame(99);
    assert.equal(player.frame, 3);
    player.setFrame(-1);
    assert.equal(player.frame, 0);
    player.setFrame(NaN);
    assert.equal(player.frame, 0);
    player.play();
    player.step(2);
    assert.equal(player.playing, false);
    assert.equal(player.frame, 2);
    player.step(Infinity);
    assert.equal(player.frame, 3);
    player.seek(0.19);
    assert.equal(player.frame, 1);
});

test("playing follows the wall clock at the chosen speed, shows earlier frames only and stops at the end", () => {
    const player = new Player(times);
    player.speed = 0.5;
    player.play();
    player.tick(1000);
    player.tick(1150);
    assert.equal(player.frame, 0);
    player.tick(1250);
    assert.equal(player.frame, 1);
    player.tick(60000);
    assert.equal(player.frame, 2, "a page that slept does not leap to the end");
    player.tick(60240);
    assert.equal(player.frame, 3);
    assert.equal(player.playing, false);
    player.play();
    assert.equal(player.frame, 0, "play at the end starts over");
});

test("no frames and one frame do nothing and break nothing", () => {
    const none = new Player(new Float64Array(0));
    none.play();
    none.setFrame(3);
    none.step(1);
    none.tick(1);
    assert.deepEqual([none.frame, none.playing, none.time], [-1, false, 0]);
    const one = new Player(Float64Array.of(7));
    one.toggle();
    assert.deepEqual([one.frame, one.playing, one.time], [0, false, 7]);
});

test("speeds suit the length of the run", () => {
    assert.equal(suggestSpeed(10), 1);
    assert.equal(suggestSpeed(0.02), 0.002);
    assert.equal(suggestSpeed(5000), 1000);
    assert.equal(suggestSpeed(0), 1);
});

test("numbers read well and say when there is none", () => {
    assert.equal(formatNumber(0), "0");
    assert.equal(formatNumber(null), "\u2013");
    assert.equal(formatNumber(NaN), "\u2013");
    assert.equal(formatNumber(12.34567), "12.35");
    assert.equal(formatNumber(9.99996), "10");
    assert.equal(formatNumber(-0.0012345), "\u22120.001234");
    assert.equal(formatNumber(3.1e-13), "3.1e\u221213");
    assert.equal(formatNumber(1.5e9), "1.5e9");
    assert.equal(formatNumber(20000), "20000");
    assert.equal(timeDecimals(times), 2);
    assert.equal(timeDecimals(Float64Array.of(0, 0.001)), 3);
    assert.equal(formatTime(5, 2), "5.00");
});

test("thirty bodies get thirty colours, and repeated hues other dashes", () => {
    assert.equal(new Set(Array.from({ length: 30 }, (_, index) => indexedColour(index))).size, 30);
    assert.notDeepEqual(indexedDash(0), indexedDash(8));
});
