// A laboratory in a thread of its own. It does what it is told last: of a curve, whatever is left is dropped for what is newer.

import { Sweep, catalogue, explain, initSync, record, rules, run, template } from "../generated/lab.js";
import type { Reply, Request } from "./answers.js";

const say = (reply: Reply) => postMessage(reply);

let newest = 0;
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
      return JSON.parse(run(JSON.stringify(request.ask), request.width));
    case "record":
      return record(JSON.stringify(request.ask));
    case "explain":
      explaining = id;
      return JSON.parse(explain(JSON.stringify(request.ask), request.width));
    case "sweep":
      return swept(id, request);
  }
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
