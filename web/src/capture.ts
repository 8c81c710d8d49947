// A capture that somebody drops or chooses: read in a thread of its own, and shown in front of the answer.

import type { Heard, Rows } from "./answers.js";
import { columns, draw, get, make, write } from "./dom.js";
import { type Lab, Overtaken } from "./lab.js";

export class Captures {
  private readonly place = get("heard");

  constructor(private readonly lab: Lab) {
    const choose = get<HTMLInputElement>("capture-file");
    choose.addEventListener("change", () => {
      const file = choose.files?.[0];
      // The same file can be chosen again.
      choose.value = "";
      if (file) this.read(file);
    });
    get("heard-close").addEventListener("click", () => {
      this.lab.stop();
      this.place.hidden = true;
      choose.focus();
    });
    const drags = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    addEventListener("dragover", (event) => {
      if (!drags(event)) return;
      event.preventDefault();
      document.body.classList.add("dropping");
    });
    addEventListener("dragleave", (event) => { if (!event.relatedTarget) document.body.classList.remove("dropping"); });
    addEventListener("drop", (event) => {
      document.body.classList.remove("dropping");
      const file = drags(event) ? event.dataTransfer?.files[0] : undefined;
      if (!file) return;
      event.preventDefault();
      this.read(file);
    });
  }

  private read(file: File) {
    // What is read of another one is of no use any more.
    this.lab.stop();
    this.place.hidden = false;
    write(get("heard-name"), file.name);
    write(get("heard-state"), "reading");
    get("heard-fault").hidden = true;
    get("heard-tables").replaceChildren();
    const plot = get("heard-figures");
    plot.replaceChildren();
    this.place.scrollIntoView({ block: "nearest" });
    const told = (share: number) => write(get("heard-state"), `${Math.round(100 * share)} % read`);
    this.lab.ask<Heard, number>({ do: "capture", file, width: columns(this.place) }, told).then(
      (heard) => {
        write(get("heard-state"), heard.cut ? `${heard.cut}; what is in front of it was read` : "");
        draw(plot, heard.figures);
        get("heard-tables").replaceChildren(...heard.tables.flatMap(shown));
      },
      (error: Error) => {
        if (error instanceof Overtaken) return;
        write(get("heard-state"), "");
        const fault = get("heard-fault");
        fault.hidden = false;
        write(fault, `${file.name}: ${error.message}`);
      },
    );
  }
}

/** A table, with what there is to say below it. */
function shown({ title, headings, rows, remarks }: Rows): HTMLElement[] {
  const cell = (text: string, at: number) => make("td", headings[at]?.[1] ? { class: "number" } : {}, text);
  const heads = headings.map(([heading, number]) => make("th", { scope: "col", ...(number ? { class: "number" } : {}) }, heading));
  const table = make("table", {},
    ...(title ? [make("caption", {}, title)] : []),
    make("thead", {}, make("tr", {}, ...heads)),
    make("tbody", {}, ...rows.map((row) => make("tr", {}, ...row.map(cell)))));
  const region = { class: "wide", tabindex: "0", role: "region", "aria-label": title || "Table of the capture" };
  return [
    ...(rows.length ? [make("div", region, table)] : title && remarks.length ? [make("p", { class: "caption" }, title)] : []),
    ...remarks.map((remark) => make("p", { class: "soft" }, remark)),
  ];
}
