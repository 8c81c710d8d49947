// What the laboratory answers, as crates/explorer writes it.

export interface Ask {
  plan: string;
  text?: string;
  set: [string, string][];
  point?: string;
  config?: { text: string; end: string };
}

export interface Control {
  key: string;
  about: string;
  who: string;
  form: "slider" | "menu" | "switch" | "text";
  unit: string | null;
  allowed: string;
  default: string;
  now: string;
  stops: string[];
  said: boolean;
  mechanism: string;
  options: string[];
}

export interface Line {
  option: string;
  value: string;
  line: number;
  fate: string;
  sets: string[];
  why: string;
}

/** What a hand on a slider wants to see at once. */
export interface Answer {
  plan: string;
  link: string;
  point: string;
  outcome: string;
  goodput: { median: number; low: number; high: number; runs: number };
  latency_ms: Record<string, number> | null;
  says: string;
  measured: [{ value: number; unit: string; source: string }, number | null] | null;
  asked: string[];
  figure: string;
  command: string;
}

/** What can wait until the hand rests. */
export interface Rest {
  points: string[];
  figures: string;
  controls: Control[];
  text: string;
  lines: Line[];
}

export interface Catalogue {
  airtime: string;
  plans: { name: string; about: string; link: string; points: number }[];
  links: { link: string; about: string }[];
}

export interface Rung {
  set: string[];
  says: string;
  changes: { key: string; set: string; from: unknown; to: unknown; who: string }[];
  turnable: boolean;
  applied: boolean;
  goodput_kbps: number;
  gain_pct: number;
  costs: string[];
}

export interface Found {
  explanation: {
    conclusion: string;
    verdict: string;
    runs: number;
    ladder: Rung[];
    together: { set: string[]; goodput_kbps: number; gain_pct: number } | null;
    paste: { to: string; lines: string[] }[];
  };
  figure: string;
}

/** Table of a capture; a heading is told with whether numbers stand below it. */
export interface Rows {
  title: string;
  headings: [string, boolean][];
  rows: string[][];
  remarks: string[];
}

/** What a capture comes to. */
export interface Heard {
  tables: Rows[];
  figures: string;
  cut: string | null;
}

/** What a page asks of a worker. */
export type Request =
  | { do: "open"; module: WebAssembly.Module }
  | { do: "rules" }
  | { do: "catalogue" }
  | { do: "template"; link: string }
  | { do: "run"; ask: Ask; width: number }
  | { do: "rest"; ask: Ask; width: number }
  | { do: "event"; ask: Ask; width: number }
  | { do: "record"; ask: Ask }
  | { do: "capture"; file: File; width: number }
  | { do: "explain"; ask: Ask; width: number }
  | { do: "sweep"; ask: Ask; key: string; value: string; width: number };

/** What a worker says; `part` is not the last word. */
export type Reply = { id: number; ok?: unknown; fault?: string; part?: unknown };
