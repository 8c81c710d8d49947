// Reports in a browser, as whoever is sent one would open them: report.mjs WEB-FOLDER SCREENSHOT-FOLDER|- FILE…
// Prints what was found as JSON; what may be is for the test to say.

import { basename } from "node:path";
import { pathToFileURL } from "node:url";

import { browsing, looks } from "./page.mjs";

const [web, pictures, ...files] = process.argv.slice(2);
const found = { looked: 0, errors: [], requests: [], serious: [], wide: [], dialogs: 0, images: 0, opened: 0, folded: 0 };
const { browser, heard, looked } = await browsing(web, pictures === "-" ? undefined : pictures, found);

async function visited(file, look, options) {
  const name = `${basename(file, ".html")}-${look}`;
  const context = await browser.newContext(options);
  const page = await context.newPage();
  heard(page, name);
  page.on("dialog", async (dialog) => { found.dialogs++; await dialog.dismiss(); });
  if (look === "print") await page.emulateMedia({ media: "print" });
  await page.goto(pathToFileURL(file).href);
  await looked(page, name);
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
  found.folded += folded;
}

for (const file of files) for (const [look, options] of Object.entries(looks)) await visited(file, look, options);
await browser.close();
console.log(JSON.stringify(found, null, 2));
