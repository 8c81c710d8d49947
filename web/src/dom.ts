// Elements, made and found.

export function get<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no element is called ${id}`);
  return found as T;
}

type Child = Node | string;

export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Record<string, string> = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** Sets a text that is another one; what does not change is not drawn again. */
export function write(element: Element, text: string) {
  if (element.textContent !== text) element.textContent = text;
}

/** Puts figures into `place`. They are read as XML, in which nothing is a script. */
export function draw(place: HTMLElement, svg: string) {
  const parsed = new DOMParser().parseFromString(`<svg xmlns="http://www.w3.org/2000/svg">${svg}</svg>`, "image/svg+xml");
  const figures = [...parsed.documentElement.children].filter((child) => child.localName === "svg");
  place.replaceChildren(...figures.map((figure) => document.importNode(figure, true)));
}

/** Width of a column, in the units of text. */
export const columns = (place: HTMLElement): number => Math.min(Math.max(place.clientWidth, 280), 760);

export const option = (value: string, text = value): HTMLOptionElement => make("option", { value }, text);

/** `1196.3` as people read it. */
export function figure(kbps: number): string {
  const [whole = "", part = "0"] = kbps.toFixed(1).split(".");
  return `${whole.replace(/\B(?=(\d{3})+$)/g, "\u202f")}.${part}`;
}
