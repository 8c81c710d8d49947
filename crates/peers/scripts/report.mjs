// Reports in a browser, as whoever is sent one would open them: report.mjs WEB-FOLDER SCREENSHOT-FOLDER|- FILE…
// Prints what was found as JSON; what may be is for the test to say.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";

const [web, pictures, ...files] = process.argv.slice(2);
const require = createRequire(join(web, "package.json"));
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core"), "utf8");

const browser = await chromium.launch({ executablePath: process.env.AIRTIME_CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
const found = { looked: 0, errors: [], requests: [], serious: [], wide: [], dialogs: 0, images: 0, opened: 0 };

/** A4 is 210 mm wide: 794 pixels of 1/96 inch. */
const looks = {
  light: { viewport: { width: 1280, height: 900 }, colorScheme: "light" },
  dark: { viewport: { width: 1280, height: 900 }, colorScheme: "dark" },
  phone: { viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true },
  print: { viewport: { width: 794, height: 1123 } },
};

async function looked(file, look, options) {
  const name = `${basename(file, ".html")}-${look}`;
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.on("console", (message) => { if (message.type() === "error") found.errors.push(`${name}: ${message.text()}`); });
  page.on("pageerror", (error) => found.errors.push(`${name}: ${error.message}`));
  page.on("request", (request) => found.requests.push(request.url()));
  page.on("dialog", async (dialog) => { found.dialogs++; await dialog.dismiss(); });
  if (look === "print") await page.emulateMedia({ media: "print" });
  await page.goto(pathToFileURL(file).href);
  found.wide.push(...(await page.evaluate((name) => {
    const page = document.scrollingElement;
    return page.scrollWidth > page.clientWidth ? [`${name}: ${page.scrollWidth} of ${page.clientWidth}`] : [];
  }, name)));
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  const grave = violations.filter(({ impact }) => ["serious", "critical"].includes(impact));
  found.serious.push(...grave.map(({ id, nodes }) => `${name}: ${id}: ${nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)).join(" | ")}`));
  if (pictures !== "-") await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
  found.images += await page.locator("img").count();
  if (look === "light") await opened(page);
  found.looked++;
  await context.close();
}

/** By keyboard alone: whatever is folded up is reached and opens. */
async function opened(page) {
  const folded = await page.locator("details:not([open])").count();
  for (let presses = 0; presses < 40 * (folded + 1); presses++) {
    if ((await page.locator("details:not([open])").count()) === 0) break;
    await page.keyboard.press("Tab");
    const closed = await page.evaluate(() => document.activeElement.matches("details:not([open]) > summary"));
    if (closed) await page.keyboard.press("Enter");
  }
  found.opened += folded - (await page.locator("details:not([open])").count());
  found.folded = (found.folded ?? 0) + folded;
}

for (const file of files) for (const [look, options] of Object.entries(looks)) await looked(file, look, options);
await browser.close();
console.log(JSON.stringify(found, null, 2));
