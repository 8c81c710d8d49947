// What would gain: the ladder, and its changes to be taken.

import type { Found, Rung } from "./answers.js";
import { draw, figure, get, make } from "./dom.js";

export class Gains {
  private readonly place = get("gains");

  /** `take` makes changes, as behind `--set`. */
  constructor(private readonly take: (set: string[]) => void) {}

  clear() {
    this.place.classList.add("old");
  }

  show({ explanation, figure: ladder }: Found) {
    this.place.classList.remove("old");
    const plot = make("div", { class: "plot" });
    draw(plot, ladder);
    const rungs = explanation.ladder.map((rung) => this.rung(rung));
    const all = explanation.together;
    const together = all
      ? [this.button(all.set, `Take all: ${figure(all.goodput_kbps)} kbps`, "strong")]
      : [];
    const paste = explanation.paste.map((block) =>
      make("div", {}, make("p", { class: "soft" }, block.to), make("pre", { tabindex: "0", "aria-label": `Lines for ${block.to}` }, block.lines.join("\n"))));
    this.place.replaceChildren(
      make("p", {}, explanation.conclusion),
      plot,
      ...(rungs.length ? [make("p", { class: "soft" }, "Each stands on those before it:"), make("ul", { class: "rungs" }, ...rungs)] : []),
      ...together,
      ...(paste.length ? [make("details", {}, make("summary", {}, "Lines to paste"), ...paste)] : []));
  }

  private rung(rung: Rung): HTMLElement {
    const gain = `${rung.gain_pct >= 0 ? "+" : ""}${rung.gain_pct.toFixed(1)} %`;
    const who = [...new Set(rung.changes.map((change) => change.who))].join(", ");
    const change = rung.changes.map(({ key, from, to }) => `${key} ${value(from)} → ${value(to)}`).join(", ");
    const costs = rung.costs.length ? make("span", { class: "soft" }, `; costs: ${rung.costs.join("; ")}`) : "";
    const words = make("span", {}, make("strong", {}, change), ` ${gain}, `, make("span", { class: "soft" }, who), costs);
    return make("li", {}, words, this.button(rung.set, "Take it", "", `Take it: ${rung.set.join(" and ")}`));
  }

  private button(set: string[], text: string, kind: string, label = ""): HTMLButtonElement {
    const button = make("button", { type: "button", class: kind, ...(label ? { "aria-label": label } : {}) }, text);
    button.addEventListener("click", () => this.take(set));
    return button;
  }
}

function value(of: unknown): string {
  if (of === null || of === undefined) return "none";
  return typeof of === "object" ? JSON.stringify(of) : String(of);
}
