// The state of the page, which is its address: who copies that has copied everything.

import type { Ask } from "./answers.js";

export interface State {
  plan: string;
  text: string | undefined;
  set: Map<string, string>;
  point: string | undefined;
  config: { text: string; end: string } | undefined;
  over: string | undefined;
}

/** Name of a plan that is not shipped. */
export const OWN = "plan.toml";

export const begin = (plan: string): State => ({
  plan, text: undefined, set: new Map(), point: undefined, config: undefined, over: undefined,
});

export function read(hash: string): State {
  const words = new URLSearchParams(hash.replace(/^#/, ""));
  const state = begin(words.get("plan") ?? "coc-nrf");
  state.text = words.get("text") ?? undefined;
  state.point = words.get("point") ?? undefined;
  state.over = words.get("over") ?? undefined;
  const config = words.get("config");
  if (config) state.config = { text: config, end: words.get("end") ?? "" };
  for (const set of words.getAll("set")) {
    const equals = set.indexOf("=");
    if (equals > 0) state.set.set(set.slice(0, equals), set.slice(equals + 1));
  }
  return state;
}

export function written(state: State): string {
  const words = new URLSearchParams({ plan: state.plan });
  if (state.text !== undefined) words.set("text", state.text);
  if (state.point !== undefined) words.set("point", state.point);
  if (state.over !== undefined) words.set("over", state.over);
  if (state.config) {
    words.set("config", state.config.text);
    if (state.config.end) words.set("end", state.config.end);
  }
  for (const [key, value] of state.set) words.append("set", `${key}=${value}`);
  return `#${words}`;
}

/** The question that the state is, but for changes of `without`. */
export function ask(state: State, without?: string): Ask {
  const found: Ask = { plan: state.plan, set: [...state.set].filter(([key]) => key !== without) };
  if (state.text !== undefined) found.text = state.text;
  if (state.point !== undefined) found.point = state.point;
  if (state.config) found.config = state.config;
  return found;
}
