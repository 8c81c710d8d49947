// Records of shipped plans as the laboratory in WebAssembly makes them: explorer_records.mjs EXPLORER-FOLDER OUT-FOLDER PLAN…
// Writes OUT-FOLDER/N.json for the plan of number N, or N.refused with the reason why it is none.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [bindings, folder, out, ...plans] = process.argv.slice(2);
const lab = await import(pathToFileURL(bindings));
lab.initSync({ module: new WebAssembly.Module(readFileSync(join(folder, "lab_bg.wasm"))) });
plans.forEach((plan, number) => {
  try {
    writeFileSync(join(out, `${number}.json`), lab.record(JSON.stringify({ plan })));
  } catch (error) {
    writeFileSync(join(out, `${number}.refused`), error.message);
  }
});
