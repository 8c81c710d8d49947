// What is taken along: command, plan, address, figure, record; and lines of a build configuration, which are brought.

import type { Answer, Rest } from "./answers.js";
import { get, write } from "./dom.js";
import type { Lab } from "./lab.js";
import { type State, ask, written } from "./state.js";

interface Page {
  state: State;
  answer: Answer | undefined;
  rest: Rest | undefined;
  changed(): void;
}

export class Hand {
  constructor(page: Page, lab: Lab) {
    const on = (id: string, act: () => void) => get(id).addEventListener("click", act);
    on("copy-command", () => this.copy(page.answer?.command ?? "", "command"));
    on("copy-plan", () => this.copy(page.rest?.text ?? "", "plan"));
    on("copy-link", () => {
      history.replaceState(null, "", written(page.state));
      void this.copy(location.href, "link");
    });
    on("save-figure", () => {
      const svg = get("waterfall").querySelector("svg")?.cloneNode(true) as SVGElement | undefined;
      if (!svg) return;
      const style = document.createElementNS("http://www.w3.org/2000/svg", "style");
      style.textContent = [...(document.adoptedStyleSheets[0]?.cssRules ?? [])].map((rule) => rule.cssText).filter((rule) => !rule.startsWith("@") && !rule.includes(".plot")).join("");
      svg.prepend(style);
      save(`${page.answer?.plan ?? "airtime"}.svg`, new XMLSerializer().serializeToString(svg), "image/svg+xml");
    });
    on("save-record", () => {
      lab.ask<string>({ do: "record", ask: ask(page.state) }).then(
        (record) => save(`${page.answer?.plan ?? "airtime"}.json`, record, "application/json"),
        (error: Error) => write(get("copied"), error.message),
      );
    });
    on("config-use", () => {
      const text = get<HTMLTextAreaElement>("config-text").value;
      page.state.config = text.trim() ? { text, end: get<HTMLSelectElement>("config-end").value } : undefined;
      page.changed();
    });
    on("config-drop", () => {
      page.state.config = undefined;
      get<HTMLTextAreaElement>("config-text").value = "";
      page.changed();
    });
  }

  private async copy(text: string, what: string) {
    try {
      await navigator.clipboard.writeText(text);
      write(get("copied"), `${what} copied`);
    } catch {
      write(get("copied"), `the browser refuses to copy the ${what}`);
    }
    setTimeout(() => write(get("copied"), ""), 3000);
  }
}

function save(name: string, text: string, type: string) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
