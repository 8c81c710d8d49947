//! `docs/plan.md`, from the table.

use std::fmt::Write;

use super::{Default, KEYS, Key, LINKS, Scope, below, family, scope};

const HEAD: &str = "# Keys of a plan

This page is generated from the schema; `AIRTIME_BLESS=1 cargo test -p airtime-lab` writes it, and without the variable
the same test fails when it is out of date.

A plan is TOML. The shortest one is two lines:

```toml
link = \"ble-coc\"
peripheral.personality = \"zephyr-ll\"
```

It waits for credits, of which Zephyr's default is one at a time: `airtime run` says so, and what to set. `airtime new ble-coc` writes a plan with
every key, its value in effect, and who can turn it.

Quantities carry their unit in a text (`\"15ms\"`, `\"500kbps\"`); counts are whole numbers. `--set KEY=VALUE` overrides
any key with the same dotted name, and so do a row's `set` and the axes of `[sweep]`. What a key is in the end is in the
record's `params`. *Whose*: who can turn the key; *sender* and *receiver* are the two ends of the stream, and their knobs
belong to the firmware, to the central's application or to an operating system, as the personality says.

An editor with Taplo (Even Better TOML in Visual Studio Code) completes keys and words, and marks what is misspelt, in a file whose
first line names the schema, by its path from the file or by its address; `schemas/personality.schema.json` is the one of
personalities. What holds between keys is told by `airtime check PLAN`.

```toml
#:schema ../schemas/plan.schema.json
```
";

const TAIL: &str = "
## Sweeps

`[sweep]` names keys with a list of values, or a range of counts or times. The grid is every combination, the last axis
runs fastest, and it has at most 10,000,000 points with the rows. A key given by `--set` is no axis any more.

Up to 1,000 points are all checked before anything runs. Of a larger plan the corners of the grid and each of its axes are; a point that turns
out to be impossible when its turn comes is kept with the reason as its outcome, the others are run, and the program ends with code 2.
`airtime check` looks at every point.

```toml
[sweep]
\"coc.sdu\" = [247, 492, 741]
\"ble.conn_interval\" = { from = \"7.5ms\", to = \"50ms\", step = \"1.25ms\" }
```

## Rows

Each `[[row]]` is one experiment, as published.

| key | meaning |
|---|---|
| `id` | Identifier of the row; required, and no two rows share one. |
| `set` | Keys that differ from the plan's, by dotted name. |
| `measured` | `{ value, unit, approx, of, source }`: the published figure, `of` what was \"delivered\" (the default) or \"accepted\" by the sender. `unit` defaults to \"kbps\", `source` to the plan's. |
| `verdict` | `predicted`, `candidate`, `contradicts <row id>`, `not predicted: <why>` or `not modelled: <why>`. |
| `candidates` | A list of `set` tables, one for each possible value of what was not logged. |
| `unlogged` | A list of keys of which only a range is known, see below. |
| `iteration`, `changed` | The experiment's number in its log, and what was changed. |
| `against` | Row above whose configuration the experiment changed, with which a log compares it; the row before where nothing is said. |
| `ratios` | `[{ to, value }]`: ratios of its figure to those of rows above, as its source printed them; a log ends with them and the lab's. |
| `note` | Anything else. |

## What nobody logged

`[unlogged]` names keys with three values: the lowest, the middle and the highest that they can have had. Rows name those they
lack; a plan without rows lacks all of them. What a row, an axis or `--set` gives is no range any more. The point runs with the
middles; each corner of the ranges is run once, and `lab.low` and `lab.high` are the interval over all of them. `narrowed_by` is
the key whose measurement would narrow it most. An interval wider than a factor of two predicts nothing.

```toml
[unlogged]
\"path.rtt\" = [\"1ms\", \"2ms\", \"3ms\"]
\"wifi.mcs\" = [4, 6, 7]

[[row]]
id = \"tcp\"
unlogged = [\"path.rtt\", \"wifi.mcs\"]
measured = { value = 16.45, unit = \"Mbps\" }
```
";

/// The documentation of every key, as Markdown.
pub fn markdown() -> String {
    let mut page = String::from(HEAD);
    let _ = writeln!(page, "\nThis version has the links {}.", list(&LINKS));
    let mut sections = vec![("The plan", "")];
    sections.extend(below("").into_iter().filter(|name| super::is_table(name)).map(|name| ("", name)));
    for (title, table) in sections {
        let _ = match table {
            "" => writeln!(page, "\n## {title}\n"),
            _ => writeln!(page, "\n## `[{table}]`\n"),
        };
        page.push_str("| key | values | default | whose | meaning |\n|---|---|---|---|---|\n");
        for key in KEYS.iter().filter(|key| key.name.split_once('.').map_or("", |(first, _)| first) == table) {
            row(&mut page, key);
        }
    }
    page.push_str(TAIL);
    page
}

fn list(links: &[&str]) -> String {
    links.iter().map(|link| format!("`{link}`")).collect::<Vec<_>>().join(", ")
}

/// One line of a table.
fn row(page: &mut String, key: &Key) {
    let default = match key.default {
        Default::Count(n) => format!("`{n}`"),
        Default::Text(text) => format!("`\"{text}\"`"),
        Default::Flag(flag) => format!("`{flag}`"),
        Default::From(rule) => rule.to_owned(),
        Default::Absent => "-".to_owned(),
    };
    let whose = key.knob.name();
    let links = |links: &[&str]| links.iter().map(|link| format!("`{link}`")).collect::<Vec<_>>().join(", ");
    let only = match scope(key) {
        Scope::Of(names) => {
            let all = names.first().map_or(0, |first| family(first).len());
            if names.len() < all || all == 1 { format!(" Only {}.", links(names)) } else { String::new() }
        }
        Scope::Plan | Scope::Every => String::new(),
    };
    let unit = key.unit.map_or_else(String::new, |unit| format!(", {unit}"));
    let _ =
        writeln!(page, "| `{}` | {}{unit} | {default} | {whose} | {}{only} |", key.name, key.kind.allowed(), key.doc);
}
