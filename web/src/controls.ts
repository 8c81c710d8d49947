// The keys that somebody can turn, by owner: sliders, menus and switches, made of what the laboratory says of each.

import type { Control } from "./answers.js";
import { get, make, option, write } from "./dom.js";

/** Owners in the order in which they are shown; nobody comes last. */
const OWNERS = [
  "firmware", "central's application", "application", "daemon", "host's sdkconfig", "co-processor's firmware", "access point",
  "host machine", "operating system", "nobody",
];
const TITLES: Record<string, string> = {
  "nobody": "the environment, and the experiment",
  "operating system": "the other end's operating system",
};

export interface Turns {
  /** Somebody turns `key` to `value`; `settled` once the hand is off. */
  turn(key: string, value: string, settled: boolean): void;
  /** Somebody puts `key` back to what the plan says. */
  back(key: string): void;
}

interface Row {
  element: HTMLElement;
  output: HTMLElement;
  input: HTMLInputElement | HTMLSelectElement;
  back: HTMLButtonElement;
  control: Control;
}

export class Controls {
  private readonly place = get("controls");
  private readonly about = get("about");
  private readonly rows = new Map<string, Row>();
  private shape = "";
  /** Key that is under somebody's hand; empty where none is. */
  held = "";

  constructor(private readonly turns: Turns) {
    const find = get<HTMLInputElement>("find");
    find.addEventListener("input", () => this.filter(find.value));
    addEventListener("pointerup", () => (this.held = ""));
  }

  show(controls: Control[], changed: Map<string, string>) {
    const shape = controls.map((control) => `${control.key}/${control.who}/${control.form}`).join();
    if (shape !== this.shape) {
      this.shape = shape;
      this.build(controls);
    }
    for (const control of controls) {
      const row = this.rows.get(control.key);
      if (row) this.follow(row, control, changed.has(control.key));
    }
  }

  /** Keys with numbers or words to go over. */
  keys(): Control[] {
    return [...this.rows.values()].map((row) => row.control).filter((control) => control.stops.length > 1);
  }

  private build(controls: Control[]) {
    const open = new Set([...this.place.querySelectorAll<HTMLDetailsElement>("details[open]")].map((group) => group.dataset.who));
    this.rows.clear();
    const groups = new Map<string, Control[]>();
    for (const control of controls) groups.set(control.who, [...(groups.get(control.who) ?? []), control]);
    const owners = [...groups.keys()].sort((a, b) => OWNERS.indexOf(a) - OWNERS.indexOf(b));
    const first = owners[0];
    this.place.replaceChildren(...owners.map((who) => {
      // What has a part in the throughput comes first.
      const own = (groups.get(who) ?? []).toSorted((a, b) => Number(!a.mechanism) - Number(!b.mechanism));
      const group = make("details", { "data-who": who, class: "group" },
        make("summary", {}, TITLES[who] ?? who, make("span", { class: "soft" }, ` ${own.length}`)),
        ...own.map((control) => this.row(control).element));
      group.open = open.size ? open.has(who) : who === first;
      return group;
    }));
    this.filter(get<HTMLInputElement>("find").value);
  }

  private row(control: Control): Row {
    const id = `key-${control.key}`;
    const [table, last] = [control.key.slice(0, control.key.lastIndexOf(".") + 1), control.key.slice(control.key.lastIndexOf(".") + 1)];
    const output = make("span", { class: "now" });
    const back = make("button", { type: "button", class: "back", "aria-label": `Put ${control.key} back`, title: "put back" }, "×");
    const input = made(control, id);
    const element = make("div", { class: "control" },
      make("label", { for: id }, make("span", { class: "table" }, table), last),
      output, back, input);
    const row: Row = { element, output, input, back, control };
    this.rows.set(control.key, row);
    this.listen(row);
    return row;
  }

  private listen(row: Row) {
    const { input, element, back } = row;
    const turn = (settled: boolean) => {
      const value = this.value(row);
      write(row.output, row.input instanceof HTMLSelectElement ? "" : value);
      if (row.control.form === "slider") input.setAttribute("aria-valuetext", value);
      this.turns.turn(row.control.key, value, settled);
    };
    input.addEventListener("pointerdown", () => (this.held = row.control.key));
    input.addEventListener("input", () => { if (row.control.form !== "text") turn(false); });
    input.addEventListener("change", () => { this.held = ""; turn(true); });
    back.addEventListener("click", () => { this.turns.back(row.control.key); input.focus(); });
    for (const event of ["focusin", "pointerenter"]) element.addEventListener(event, () => this.tell(row.control));
  }

  private value({ control, input }: Row): string {
    if (control.form === "slider") return control.stops[Number(input.value)] ?? control.now;
    return input instanceof HTMLInputElement && input.type === "checkbox" ? String(input.checked) : input.value;
  }

  private follow(row: Row, control: Control, changed: boolean) {
    const { input, element } = row;
    element.classList.toggle("changed", changed);
    row.back.hidden = !changed;
    // What is under somebody's hand stays there.
    if (this.held === control.key) return;
    row.control = control;
    if (control.form === "slider") {
      const at = control.stops.indexOf(control.now);
      input.setAttribute("max", String(Math.max(control.stops.length - 1, 0)));
      input.value = String(Math.max(at, 0));
      input.setAttribute("aria-valuetext", control.now || "not set");
      element.classList.toggle("unset", at < 0);
    } else if (input instanceof HTMLSelectElement) {
      const words = control.stops.includes(control.now) ? control.stops : [control.now, ...control.stops];
      if (input.options.length !== words.length || words.some((word, at) => input.options[at]?.value !== word)) {
        input.replaceChildren(...words.map((word) => option(word, word || "not set")));
      }
      input.value = control.now;
    } else if (input.type === "checkbox") {
      (input as HTMLInputElement).checked = control.now === "true";
    } else if (document.activeElement !== input) {
      input.value = control.now;
    }
    const unit = control.form === "slider" && control.now && control.unit ? ` ${control.unit}` : "";
    write(row.output, control.form === "slider" ? (control.now || "not set") + unit : "");
  }

  private tell(control: Control) {
    this.about.hidden = false;
    const part = (name: string, text: string) => (text ? [make("dt", {}, name), make("dd", {}, text)] : []);
    this.about.replaceChildren(
      make("p", {}, make("strong", {}, control.key), ` ${control.about}`),
      make("dl", {},
        ...part("turned by", control.who),
        ...part("values", control.allowed),
        ...part("by itself", control.default),
        ...part("eases", control.mechanism),
        ...part("options", control.options.join(", "))));
  }

  private filter(text: string) {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    for (const group of this.place.querySelectorAll<HTMLDetailsElement>("details")) {
      let shown = 0;
      for (const { element, control } of this.rows.values()) {
        if (element.parentElement !== group) continue;
        const all = `${control.key} ${control.about} ${control.options.join(" ")}`.toLowerCase();
        element.hidden = !words.every((word) => all.includes(word));
        shown += Number(!element.hidden);
      }
      group.hidden = shown === 0;
      if (words.length) group.open = true;
    }
  }
}

function made(control: Control, id: string): HTMLInputElement | HTMLSelectElement {
  switch (control.form) {
    case "slider":
      return make("input", { id, type: "range", min: "0", step: "1" });
    case "switch":
      return make("input", { id, type: "checkbox", role: "switch" });
    case "menu":
      return make("select", { id });
    case "text":
      return make("input", { id, type: "text", spellcheck: "false", autocomplete: "off", placeholder: control.allowed });
  }
}
