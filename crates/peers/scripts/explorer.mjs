// The explorer in a browser, as whoever uses it would find it: explorer.mjs WEB-FOLDER ADDRESS CAPTURE [SCREENSHOT-FOLDER]
// Prints what was found as JSON; what may be is for the test to say.

import { readFileSync } from "node:fs";

import { browsing } from "./page.mjs";

const [web, address, capture, pictures] = process.argv.slice(2);
const found = { errors: [], requests: [], serious: [], wide: [], figures: {} };
const { browser, heard, looked } = await browsing(web, pictures, found);

/** A page of this size and colour, at `hash`, once it has its first answer. */
async function opened(name, options, hash = "") {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  heard(page, name);
  const began = performance.now();
  await page.goto(address + hash);
  await page.waitForSelector("#waterfall svg text");
  found.figures[`${name} first figure ms`] = Math.round(performance.now() - began);
  return page;
}

const settled = (page) => page.waitForFunction(() => document.querySelector("#curve-state").textContent === "" && document.querySelector("#curve svg"), null, { timeout: 120_000 });
const explained = (page) => page.waitForFunction(() => document.querySelector("#gain-state").textContent.startsWith("from "), null, { timeout: 240_000 });

const rested = (page) => page.waitForFunction(() => document.body.dataset.settled === document.body.dataset.answers);
const answers = (page) => page.evaluate(() => Number(document.body.dataset.answers));
const figure = (page) => page.evaluate(() => document.querySelector("#waterfall").innerHTML);

const page = await opened("light", { viewport: { width: 1280, height: 900 }, colorScheme: "light" });
found.goodput = await page.textContent("#goodput");
await settled(page);
await explained(page);
await looked(page, "light");

// By keyboard alone: the slider has the focus, and an arrow turns it.
const before = { answers: await answers(page), figure: await figure(page) };
await page.focus("[id='key-coc.sdu']");
await page.keyboard.press("ArrowLeft");
await page.waitForFunction((before) => Number(document.body.dataset.answers) > before, before.answers);
found.moved = before.figure !== (await figure(page));
await page.waitForFunction(() => location.hash.includes("set=coc.sdu"));
found.hash = await page.evaluate(() => location.hash);
found.command = await page.textContent("#command");

// A change that would gain is taken.
await explained(page);
found.gains = await page.locator("#gains button").count();
if (found.gains > 0) {
  const old = await answers(page);
  await page.locator("#gains button").first().click();
  await page.waitForFunction((old) => Number(document.body.dataset.answers) > old, old);
}

// The event timeline and whatever waits follow a move of the interval.
// Its group is closed until the key is looked for.
await page.fill("#find", "ble.conn_interval");
await page.focus("[id='key-ble.conn_interval']");
await page.keyboard.press("Home");
await page.waitForFunction(() => document.querySelector("#event").textContent.includes("of 7.500 ms"));
await rested(page);
found.event = await page.textContent("#event");
await page.focus("#more summary");
await page.keyboard.press("Enter");
found.more = await page.locator("#more svg").count();

// A capture is chosen, another one is dropped, and what is none is told.
await page.setInputFiles("#capture-file", capture);
await page.waitForSelector("#heard-tables table");
await page.waitForSelector("#heard-figures svg text");
found.heard = await page.textContent("#heard-tables");
await explained(page);
await looked(page, "capture");
const drop = (name, octets) => page.evaluate(([name, octets]) => {
  const carried = new DataTransfer();
  carried.items.add(new File([new Uint8Array(octets)], name));
  for (const type of ["dragover", "drop"]) document.body.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: carried }));
}, [name, octets]);
const octets = [...readFileSync(capture)];
await drop("<img src=x onerror=alert(3)>.pcapng", octets.slice(0, octets.length - 3));
await page.waitForFunction(() => document.querySelector("#heard-state").textContent.includes("what is in front of it was read"));
found.dropped = { name: await page.textContent("#heard-name"), images: await page.locator("#heard img").count(), tables: await page.locator("#heard-tables table").count() };
await drop("archive.zip", [0x50, 0x4b, 3, 4, 20, 0]);
await page.waitForSelector("#heard-fault:not([hidden])");
found.refused = await page.textContent("#heard-fault");
// Bytes that are damaged in the middle are told, or read as far as they are sound; the page goes on either way.
await drop("damaged.pcapng", octets.map((octet, at) => (at > 400 && at % 97 === 0 ? octet ^ 0xff : octet)));
await page.waitForFunction(() => !document.querySelector("#heard-fault").hidden || document.querySelector("#heard-tables").children.length > 0);
await page.focus("#heard-close");
await page.keyboard.press("Enter");
found.closed = await page.isHidden("#heard");

// From a slider's move to the new figure, for 10 s of the link.
const quick = await opened("quick", { viewport: { width: 1280, height: 900 } }, "#plan=coc-nrf&set=run.duration%3D10s");
await settled(quick);
found.moves_ms = await quick.evaluate(async () => {
  const slider = document.getElementById("key-ble.conn_interval");
  const took = [];
  for (let move = 0; move < 40; move++) {
    const old = document.body.dataset.answers;
    const began = performance.now();
    slider.value = String(Number(slider.min) + ((Number(slider.value) + 7) % (Number(slider.max) + 1)));
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    while (document.body.dataset.answers === old) {
      if (performance.now() - began > 10_000) return took;
      await new Promise((later) => requestAnimationFrame(later));
    }
    took.push(Math.round(10 * (performance.now() - began)) / 10);
    // Whatever waits for the hand to rest has come before the next move.
    while (document.body.dataset.settled !== document.body.dataset.answers) await new Promise((later) => setTimeout(later, 10));
    await new Promise((later) => setTimeout(later, 150));
  }
  return took;
});

const dark = await opened("dark", { viewport: { width: 1280, height: 900 }, colorScheme: "dark" }, "#plan=wifi-udp-tx");
await settled(dark);
await looked(dark, "dark");

const phone = await opened("phone", { viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }, "#plan=coc-mac");
await settled(phone);
await explained(phone);
await looked(phone, "phone");

// Hostile text is shown, and never run.
const hostile = encodeURIComponent("name = \"<img src=x onerror=alert(1)><script>alert(2)</script>\"\nlink = \"ieee802154\"\nrun.duration = \"1s\"\nrun.warmup = \"0us\"\n");
const strange = await opened("strange", {}, `#plan=plan.toml&text=${hostile}`);
let alerted = false;
strange.on("dialog", () => (alerted = true));
found.hostile = { alerted, shown: (await strange.textContent("#waterfall")).includes("<img"), images: await strange.locator("#waterfall img").count() };
await strange.fill("#own-text", "link = \"nothing\"");
await strange.waitForSelector("#fault:not([hidden])");
found.fault = await strange.textContent("#fault");

await browser.close();
console.log(JSON.stringify(found, null, 2));
