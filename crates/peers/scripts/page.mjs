// A browser and what is looked for on any page of ours, for the scripts beside this one.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

/** Screens and paper that a page is looked at on. A4 is 210 mm wide: 794 pixels of 1/96 inch. */
export const looks = {
  light: { viewport: { width: 1280, height: 900 }, colorScheme: "light" },
  dark: { viewport: { width: 1280, height: 900 }, colorScheme: "dark" },
  phone: { viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true },
  print: { viewport: { width: 794, height: 1123 } },
};

/** A browser that the folder `web` has the driver of, and a look at its pages that notes what it finds in `found`. */
export async function browsing(web, pictures, found) {
  const require = createRequire(join(web, "package.json"));
  const { chromium } = require("playwright-core");
  const axe = readFileSync(require.resolve("axe-core"), "utf8");
  const browser = await chromium.launch({ executablePath: process.env.AIRTIME_CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });

  /** Notes every error of `page`, and every request that it makes. */
  function heard(page, name) {
    page.on("console", (message) => { if (message.type() === "error") found.errors.push(`${name}: ${message.text()}`); });
    page.on("pageerror", (error) => found.errors.push(`${name}: ${error.message}`));
    page.on("request", (request) => found.requests.push(request.url()));
  }

  /** Notes what is wider than the page, and what is serious for whoever cannot see; takes a picture where pictures are wanted. */
  async function looked(page, name) {
    found.wide.push(...(await page.evaluate((name) => {
      const page = document.scrollingElement;
      return page.scrollWidth > page.clientWidth ? [`${name}: ${page.scrollWidth} of ${page.clientWidth}`] : [];
    }, name)));
    // The policy of the page lets nothing be added to it but by whoever drives the browser.
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => globalThis.axe.run());
    const grave = violations.filter(({ impact }) => ["serious", "critical"].includes(impact));
    found.serious.push(...grave.map(({ id, nodes }) => `${name}: ${id}: ${nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)).join(" | ")}`));
    if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
  }

  return { browser, heard, looked };
}
