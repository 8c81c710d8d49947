// The page: its state is its address, the laboratory answers from a thread of its own, and the newest question wins.

import type { Answer, Ask, Catalogue, Found, Rest } from "./answers.js";
import { Captures } from "./capture.js";
import { Controls } from "./controls.js";
import { columns, draw, figure, get, make, option, write } from "./dom.js";
import { Gains } from "./gains.js";
import { Hand } from "./hand.js";
import { Lab, Overtaken } from "./lab.js";
import { OWN, type State, ask, begin, read, written } from "./state.js";

/** Time after the last change from which on the page looks for what would gain, in ms. */
const IDLE_MS = 700;
/** Time after the last answer from which on its rest is asked for, in ms: a hand that moves on is not to wait for that. */
const REST_MS = 60;
/** Time after the last answer from which on it is told to screen readers, in ms. */
const TELL_MS = 600;

class Page {
  state: State = read(location.hash);
  answer: Answer | undefined;
  rest: Rest | undefined;
  private base: { of: string; kbps: number } | undefined;
  private latest: Ask | undefined;
  private idle = 0;
  private telling = 0;
  private resting = 0;
  private readonly gains = new Gains((set) => this.take(set));
  private readonly controls = new Controls({
    turn: (key, value, settled) => this.turn(key, value, settled),
    back: (key) => this.back(key),
  });

  constructor(
    private readonly runs: Lab,
    private readonly curves: Lab,
    private readonly events: Lab,
    private readonly searches: Lab,
    private readonly catalogue: Catalogue,
  ) {
    this.pickers();
    new Hand(this, this.runs);
    addEventListener("hashchange", () => {
      if (location.hash === written(this.state)) return;
      this.state = read(location.hash);
      this.pick();
      this.changed();
    });
    let width = columns(get("waterfall"));
    addEventListener("resize", () => {
      if (columns(get("waterfall")) === width) return;
      width = columns(get("waterfall"));
      this.changed();
    });
  }

  /** Asks for everything anew. */
  changed(settled = true) {
    clearTimeout(this.idle);
    this.searches.stop();
    this.gains.clear();
    write(get("gain-state"), "");
    this.idle = setTimeout(() => {
      history.replaceState(null, "", written(this.state));
      if (settled) this.search();
    }, IDLE_MS);
    this.chips();
    this.run();
  }

  private run() {
    const asked = ask(this.state);
    this.latest = asked;
    clearTimeout(this.resting);
    this.runs.ask<Answer>({ do: "run", ask: asked, width: columns(get("waterfall")) }).then(
      (answer) => this.show(answer, asked),
      (error: Error) => { if (!(error instanceof Overtaken)) this.fault(error.message); },
    );
  }

  private fault(message: string) {
    const place = get("fault");
    place.hidden = false;
    write(place, message);
    document.body.classList.add("faulty");
  }

  /** Shows the answer to `asked`; what follows from it waits for the latest question. */
  private show(answer: Answer, asked: Ask) {
    this.answer = answer;
    get("fault").hidden = true;
    document.body.classList.remove("faulty");
    reading(answer);
    this.beside(answer);
    const remarks = [...answer.asked, ...(answer.outcome === "ok" ? [] : [answer.outcome])];
    get("remarks").replaceChildren(...remarks.map((remark) => make("li", {}, remark)));
    document.body.dataset.answers = String(Number(document.body.dataset.answers ?? 0) + 1);
    clearTimeout(this.telling);
    this.telling = setTimeout(() => write(get("status"), `${answer.goodput.median.toFixed(1)} kbps. ${answer.says}`), TELL_MS);
    this.event(asked);
    if (asked !== this.latest) return;
    write(get("command"), answer.command);
    if (this.controls.held) this.over();
    this.resting = setTimeout(() => this.settle(asked), REST_MS);
  }

  /** Shows the rest of the answer to `asked`. */
  private settle(asked: Ask) {
    this.runs.ask<Rest>({ do: "rest", ask: asked, width: columns(get("more-figures")) }).then(
      (rest) => {
        if (asked !== this.latest) return;
        this.rest = rest;
        this.controls.show(rest.controls, this.state.set);
        this.points(rest);
        this.lines(rest);
        get("more").hidden = !rest.figures;
        draw(get("more-figures"), rest.figures);
        this.over();
        document.body.dataset.settled = document.body.dataset.answers;
      },
      (error: Error) => { if (!(error instanceof Overtaken)) this.fault(error.message); },
    );
  }

  /** A connection event, an exchange, a cycle of the run to scale. */
  private event(asked: Ask) {
    const place = get("event");
    this.events.ask<string>({ do: "event", ask: asked, width: columns(place) }).then(
      (svg) => draw(place, svg),
      (error: Error) => { if (!(error instanceof Overtaken)) place.replaceChildren(); },
    );
  }

  /** What the figure is beside the plan as it is, and beside what was published. */
  private beside(answer: Answer) {
    const words: string[] = [];
    const { median, low, high, runs } = answer.goodput;
    const of = JSON.stringify([this.state.plan, this.state.text, this.state.point]);
    if (!this.state.set.size && !this.state.config) this.base = { of, kbps: median };
    if (this.base?.of === of && this.base.kbps > 0 && (this.state.set.size || this.state.config)) {
      const gain = 100 * (median / this.base.kbps - 1);
      words.push(`${gain >= 0 ? "+" : "−"}${Math.abs(gain).toFixed(1)} % beside the plan as it is`);
    }
    if (runs > 1) words.push(`${figure(low)} to ${figure(high)} in ${runs} runs`);
    if (answer.measured) {
      const [{ value, unit }, error] = answer.measured;
      words.push(`published: ${value} ${unit}${error === null ? "" : `, error ${error > 0 ? "+" : ""}${error} %`}`);
    }
    const p99 = answer.latency_ms?.["p99"];
    if (p99 !== undefined) words.push(`latency p99 ${p99} ms`);
    write(get("beside"), words.join(" · "));
  }

  /** The curve over a key, which stays while that key is turned. */
  private over() {
    const keys = this.controls.keys();
    const menu = get<HTMLSelectElement>("over");
    if (menu.options.length !== keys.length || keys.some(({ key }, at) => menu.options[at]?.value !== key)) {
      menu.replaceChildren(...keys.map(({ key }) => option(key)));
    }
    const known = (key: string | undefined) => keys.find((control) => control.key === key);
    const control = known(this.state.over) ?? known("ble.conn_interval") ?? keys.find((found) => found.mechanism) ?? keys[0];
    if (!control) return;
    menu.value = control.key;
    const place = get("curve");
    const drawn = (svg: string) => { if (svg) draw(place, svg); };
    const request = { do: "sweep", ask: ask(this.state, control.key), key: control.key, value: this.state.set.get(control.key) ?? control.now, width: columns(place) } as const;
    write(get("curve-state"), "running");
    this.curves.ask<string>(request, drawn).then(
      (svg) => { drawn(svg); write(get("curve-state"), ""); },
      (error: Error) => { if (!(error instanceof Overtaken)) write(get("curve-state"), error.message); },
    );
  }

  /** Looks for what would gain, in the background. */
  private search() {
    const told = (runs: number) => write(get("gain-state"), `${runs} runs so far`);
    write(get("gain-state"), "looking");
    this.searches.ask<Found, number>({ do: "explain", ask: ask(this.state), width: columns(get("gains")) }, told).then(
      (found) => { this.gains.show(found); write(get("gain-state"), `from ${found.explanation.runs} runs`); },
      (error: Error) => { if (!(error instanceof Overtaken)) write(get("gain-state"), error.message); },
    );
  }

  private turn(key: string, value: string, settled: boolean) {
    if (value === "") this.state.set.delete(key);
    else this.state.set.set(key, value);
    this.state.over = key;
    this.changed(settled);
  }

  private back(key: string) {
    this.state.set.delete(key);
    this.changed();
  }

  private take(set: string[]) {
    for (const change of set) {
      const equals = change.indexOf("=");
      this.state.set.set(change.slice(0, equals), change.slice(equals + 1));
    }
    this.changed();
    get("goodput").scrollIntoView({ block: "nearest" });
  }

  private chips() {
    const chip = ([key, value]: [string, string]) => {
      const button = make("button", { type: "button", "aria-label": `${key} = ${value} ×, put back` }, `${key} = ${value} ×`);
      button.addEventListener("click", () => this.back(key));
      return make("li", {}, button);
    };
    get("changes").replaceChildren(...[...this.state.set].map(chip));
  }

  private pickers() {
    const { links, plans } = this.catalogue;
    const used = links.filter(({ link }) => plans.some((plan) => plan.link === link));
    get("link").replaceChildren(...used.map(({ link }) => option(link)));
    get("link").addEventListener("change", () => {
      const link = get<HTMLSelectElement>("link").value;
      this.begin(plans.find((plan) => plan.link === link)?.name ?? "coc-nrf");
    });
    get("plan").addEventListener("change", () => this.begin(get<HTMLSelectElement>("plan").value));
    get("point").addEventListener("change", () => {
      this.state.point = get<HTMLSelectElement>("point").value;
      this.changed();
    });
    get("over").addEventListener("change", () => {
      this.state.over = get<HTMLSelectElement>("over").value;
      this.over();
    });
    const text = get<HTMLTextAreaElement>("own-text");
    text.addEventListener("input", () => { this.state.text = text.value; this.changed(); });
    this.pick();
  }

  /** Begins with a plan as it is; one of one's own begins with every key of the link. */
  private async begin(plan: string) {
    const link = get<HTMLSelectElement>("link").value;
    this.state = begin(plan);
    if (plan === OWN) {
      this.state.text = await this.runs.ask<string>({ do: "template", link });
      get<HTMLTextAreaElement>("own-text").value = this.state.text;
    }
    this.pick();
    this.changed();
  }

  /** Shows which plan is picked. */
  private pick() {
    const own = this.state.text !== undefined;
    const plan = this.catalogue.plans.find(({ name }) => name === this.state.plan);
    const menu = get<HTMLSelectElement>("link");
    if (plan) menu.value = plan.link;
    else if (this.answer) menu.value = this.answer.link;
    const names = this.catalogue.plans.filter(({ link }) => link === menu.value).map(({ name }) => option(name));
    get("plan").replaceChildren(...names, option(OWN, "one of your own …"));
    get<HTMLSelectElement>("plan").value = own ? OWN : this.state.plan;
    write(get("plan-about"), plan ? `${plan.about}` : "");
    get("own").hidden = !own;
    if (own) get<HTMLTextAreaElement>("own-text").value = this.state.text ?? "";
    get<HTMLTextAreaElement>("config-text").value = this.state.config?.text ?? "";
    get<HTMLSelectElement>("config-end").value = this.state.config?.end ?? "";
  }

  private points(rest: Rest) {
    const menu = get<HTMLSelectElement>("point");
    get("point-label").hidden = rest.points.length < 2;
    if (menu.options.length !== rest.points.length || menu.options[0]?.value !== rest.points[0]) {
      menu.replaceChildren(...rest.points.map((id) => option(id)));
    }
    menu.value = this.answer?.point ?? "";
  }

  private lines(rest: Rest) {
    const place = get("config-lines");
    place.hidden = rest.lines.length === 0;
    const row = ({ option: name, value, fate, sets, why }: Rest["lines"][number]) =>
      make("tr", {}, make("td", {}, `${name}=${value}`), make("td", {}, fate), make("td", {}, sets.join(", ")), make("td", {}, why));
    const heads = ["line", "status", "sets", "why"].map((head) => make("th", { scope: "col" }, head));
    place.replaceChildren(make("table", {}, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...rest.lines.map(row))));
  }
}

/** The figure of an answer, and the waterfall that it comes of. */
function reading(answer: Answer) {
  write(get("goodput"), figure(answer.goodput.median));
  draw(get("waterfall"), answer.figure);
}

async function compiled(): Promise<WebAssembly.Module> {
  const fetched = fetch("lab_bg.wasm");
  // A host may not know the type of the file.
  return WebAssembly.compileStreaming(fetched).catch(async () => WebAssembly.compile(await (await fetch("lab_bg.wasm")).arrayBuffer()));
}

async function main() {
  const module = compiled();
  const [runs, curves] = [new Lab(module).begin(), new Lab(module, true).begin()];
  // Every shipped plan is read for the list of them: the first figure does not wait for it.
  const listed = curves.ask<Catalogue>({ do: "catalogue" });
  const [light, dark] = await runs.ask<[string, string]>({ do: "rules" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`${light}\n@media (prefers-color-scheme:dark){${dark}}\n.plot .figure .paper{fill:none}`);
  document.adoptedStyleSheets = [sheet];
  const first = ask(read(location.hash));
  runs.ask<Answer>({ do: "run", ask: first, width: columns(get("waterfall")) }).then(reading, () => undefined);
  const catalogue = await listed;
  write(get("version"), `airtime ${catalogue.airtime}`);
  new Captures(new Lab(module));
  new Page(runs, curves, new Lab(module), new Lab(module), catalogue).changed();
}

main().catch((error: unknown) => {
  const place = get("fault");
  place.hidden = false;
  write(place, `The laboratory does not start: ${error instanceof Error ? error.message : String(error)}`);
});
