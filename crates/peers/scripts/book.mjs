// Pages of the book in a browser, as whoever reads them would find them: book.mjs WEB-FOLDER SCREENSHOT-FOLDER|- BOOK-FOLDER PAGE…
// Prints what was found as JSON; what may be is for the test to say.

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { basename, extname, join } from "node:path";

import { browsing, looks } from "./page.mjs";

const [web, pictures, folder, ...pages] = process.argv.slice(2);
const found = { looked: 0, errors: [], requests: [], serious: [], wide: [], missing: [] };

// From a file a browser would load neither fonts nor what the search needs: any static host serves the book, and so does this one.
const types = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".png": "image/png", ".woff2": "font/woff2" };
const server = createServer(async ({ url }, answer) => {
  const path = new URL(url, "http://localhost").pathname;
  try {
    const octets = await readFile(join(folder, decodeURIComponent(path)));
    answer.writeHead(200, { "content-type": types[extname(path)] ?? "application/octet-stream" }).end(octets);
  } catch {
    found.missing.push(path);
    answer.writeHead(404).end();
  }
});
await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
found.address = `http://127.0.0.1:${server.address().port}/`;

const { browser, heard, looked } = await browsing(web, pictures === "-" ? undefined : pictures, found);
for (const [look, options] of Object.entries(looks)) {
  const context = await browser.newContext(options);
  for (const path of pages) {
    const name = `book-${basename(path, ".html")}-${look}`;
    const page = await context.newPage();
    heard(page, name);
    if (look === "print") await page.emulateMedia({ media: "print" });
    await page.goto(found.address + path);
    await looked(page, name);
    found.looked++;
    await page.close();
  }
  await context.close();
}
await browser.close();
server.close();
console.log(JSON.stringify(found, null, 2));
