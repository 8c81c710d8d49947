// A laboratory in a thread of its own. It does what it is told last: of a curve, whatever is left is dropped for what is newer.

import { Capture, Ran, Sweep, catalogue, event, explain, initSync, record, rules, template } from "../generated/lab.js";
import type { Ask, Reply, Request } from "./answers.js";

const say = (reply: Reply) => postMessage(reply);

let newest = 0;
let last: { of: string; ran: Ran } | undefined;
let curve: { of: string; sweep: Sweep; done: boolean } | undefined;

/** Runs of an explanation, told while it goes on. */
let explaining = 0;
Object.assign(globalThis, { airtimeRuns: (runs: number) => say({ id: explaining, part: runs }) });

onmessage = ({ data: { id, request } }: MessageEvent<{ id: number; request: Request }>) => {
  newest = id;
  answer(id, request).then(
    (ok) => say({ id, ok }),
    (error: unknown) => say({ id, fault: error instanceof Error ? error.message : String(error) }),
  );
};

async function answer(id: number, request: Request): Promise<unknown> {
  switch (request.do) {
    case "open":
      initSync({ module: request.module });
      return null;
    case "catalogue":
      return JSON.parse(catalogue());
    case "rules":
      return [rules(false), rules(true)];
    case "template":
      return template(request.link);
    case "run":
      return JSON.parse(ran(request.ask).answer(request.width));
    case "rest":
      return JSON.parse(ran(request.ask).rest(request.width));
    case "event":
      return event(JSON.stringify(request.ask), request.width);
    case "capture":
      return JSON.parse(await heard(id, request.file, request.width));
    case "record":
      return record(JSON.stringify(request.ask));
    case "explain":
      explaining = id;
      return JSON.parse(explain(JSON.stringify(request.ask), request.width));
    case "sweep":
      return swept(id, request);
  }
}

/** The run of this question: the last one, where it is that. */
function ran(ask: Ask): Ran {
  const of = JSON.stringify(ask);
  if (last?.of !== of) {
    last?.ran.free();
    last = undefined;
    last = { of, ran: new Ran(of) };
  }
  return last.ran;
}

/** Octets of a file that are read at once. */
const PIECE = 1 << 20;

/** The capture, a piece at a time: a file can be larger than what a page may hold. */
async function heard(id: number, file: File, width: number): Promise<string> {
  const capture = new Capture(file.size);
  for (let at = 0; at < file.size; at += PIECE) {
    capture.take(new Uint8Array(await file.slice(at, at + PIECE).arrayBuffer()));
    say({ id, part: Math.min(at + PIECE, file.size) / file.size });
  }
  return capture.heard(width);
}

/** The curve, some runs at a time, with what there is of it in between. */
async function swept(id: number, request: Extract<Request, { do: "sweep" }>): Promise<string> {
  const of = JSON.stringify([request.ask, request.key]);
  if (curve?.of !== of) {
    curve?.sweep.free();
    curve = undefined;
    curve = { of, sweep: new Sweep(JSON.stringify(request.ask), request.key), done: false };
  }
  const own = curve;
  const drawn = () => own.sweep.figure(request.width, request.value);
  let told = performance.now();
  while (!own.done) {
    own.done = !own.sweep.step();
    if (performance.now() - told > 60) {
      say({ id, part: drawn() });
      await new Promise((later) => setTimeout(later));
      if (newest !== id) return "";
      told = performance.now();
    }
  }
  return drawn();
}
