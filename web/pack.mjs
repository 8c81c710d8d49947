// Packs the files of a folder beside themselves, for servers that give a browser what it unpacks: pack.mjs FOLDER
// Prints the octets of all files as they are, as gzip and as Brotli, as one line of JSON.

import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const [folder] = process.argv.slice(2);
const sum = { plain: 0, gzip: 0, brotli: 0 };
for (const name of readdirSync(folder)) {
  const path = join(folder, name);
  const octets = readFileSync(path);
  const { BROTLI_PARAM_LGWIN, BROTLI_PARAM_SIZE_HINT, BROTLI_MAX_WINDOW_BITS } = constants;
  const params = { [BROTLI_PARAM_LGWIN]: BROTLI_MAX_WINDOW_BITS, [BROTLI_PARAM_SIZE_HINT]: octets.length };
  const packed = { gz: gzipSync(octets, { level: 9 }), br: brotliCompressSync(octets, { params }) };
  for (const [end, smaller] of Object.entries(packed)) writeFileSync(`${path}.${end}`, smaller);
  sum.plain += octets.length;
  sum.gzip += packed.gz.length;
  sum.brotli += packed.br.length;
}
console.log(JSON.stringify(sum));
