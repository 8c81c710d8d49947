//! Meanings of the words in tables that are no accounts and no keys: headings of columns, and verdicts.

/// Heading of a column, and what stands below it.
pub const COLUMNS: &[(&str, &str)] = &[
    ("plan", "name of the plan; `airtime plans` lists those that are shipped"),
    ("link", "kind of link, or the far end of one of several links"),
    ("point", "what tells a run from the others of its plan; `--point` takes its id"),
    ("row", "name of a published experiment, a row of its plan"),
    (
        "goodput kbps",
        "payload of the application that arrived in the steady state, 1000 bit/s; the median of all repeats",
    ),
    ("all links", "goodput of all links that share the radio together"),
    ("fairness", "1 if all links got the same, 1/n if one of n got everything (Jain)"),
    ("ms/call", "time of the calls by their number"),
    ("ms/item", "time of a stream by its items"),
    ("KiB/s", "payload of the calls in 1024 octets per second"),
    ("calls/s", "calls in a second"),
    ("call ms p50, p99", "time that half of the calls, and 99 % of them, stay within, and their scatter"),
    ("events/call", "connection events that a call takes"),
    ("accepted", "goodput that the sender's stack took, where less of it arrived"),
    ("low–high", "lowest and highest goodput of the repeats"),
    ("delay ms p50, p99", "delay that half of the IP packets, and 99 % of them, stay within"),
    ("overrun s", "time by which the last packet came after the end of the test"),
    ("headroom", "goodput beyond what the application needs (need.rate)"),
    ("measured", "figure that was published"),
    (
        "lab",
        "airtime's figure for the same; in brackets, from the lowest to the highest that what was not logged allows",
    ),
    ("option", "name of an option of a build configuration"),
    ("value", "value that the file gives it"),
    ("instead", "line to write instead"),
    ("sets", "keys that a line sets, with their values"),
    ("line", "place of a line in its file, or that it is missing"),
    ("status", "fate of a line of a configuration: used, default, ignored or contradicting"),
    ("error", "airtime's figure against the published one"),
    ("verdict", "judgement on a published row: predicted, candidate, contradicts, not predicted, not modelled, missed"),
    ("exchanges/event", "packets there and back in a connection event, the mean"),
    ("RAM kB host, co-processor", "memory that the buffers of both chips take, 1000 octets"),
    ("what limits it", "the account that costs most, in a sentence; or how the run failed"),
    ("finding", "error of the lab, or its interval, beside the published figure: within 6 % or off by how much"),
    ("asked: granted", "value that was asked for and the one in effect, with who did not grant it"),
    ("against", "row that an experiment is compared with: the one it changed"),
    ("checks", "checks of a suite that passed, of how many"),
    ("note", "what else is known of the row"),
    ("iteration", "number of the experiment in the log that it was published in"),
    ("what changed", "what the experiment changed"),
    ("was", "change of the published figure"),
    ("is", "change of airtime's figure"),
    ("interval", "connection interval that was granted"),
    ("outcome", "ok, or how the link ended"),
    ("call", "name of the remote call"),
    ("payload", "octets of payload in a call"),
    ("calls", "number of calls"),
    ("check", "name of the check"),
    ("result", "PASS or FAIL"),
    ("why", "reason that a check failed"),
    ("account", "name under which time of the air is booked; `airtime accounts` has them all"),
    ("kbps", "rate of the PHY, what an account takes of it, and the goodput that is left"),
    ("share", "part of the air that an account takes"),
    ("side", "end of the link that a rule is of"),
    ("rule", "rule by which a controller ends its events"),
    ("at least", "lowest value of a rule that agrees with the capture"),
    ("at most", "highest value of a rule that agrees with the capture"),
    ("stops", "events that the rule explains the end of"),
];

/// Other words of a table, and what each says.
pub const WORDS: &[(&str, &str)] = &[
    ("PHY rate", "what the link would carry if payload were on the air all the time"),
    ("goodput", "what is left of it: payload of the application that arrived"),
    ("* best", "the row, or rows, with the most goodput; of a sweep that was stopped, the best so far"),
    ("to paste", "lines for a configuration or a command, with the gain of a run with all of them"),
];

/// Verdict on a published row, and what it says.
pub const VERDICTS: &[(&str, &str)] = &[
    (
        "predicted",
        "all conditions of the row are known: its figure stands beside the published one, and its error counts",
    ),
    ("missed", "predicted by the row's author, and off by more than the limit, from its figure or from its interval"),
    ("candidate", "a condition was not logged, and this is one of its possible values: its error does not count"),
    ("contradicts", "the row does not agree with another one of the same source"),
    ("not predicted", "what was not logged allows figures so far apart that they predict nothing"),
    ("not modelled", "what made the figure is not modelled"),
    ("note", "a line of a configuration worth a look, that need not cost anything"),
    ("hazard", "a line of a configuration that costs throughput, by rule"),
];

#[cfg(test)]
mod tests {
    use airtime_lab::{Library, Plan, links, run};

    #[test]
    fn every_account_that_a_link_books_has_a_line() {
        for link in links::ALL {
            for name in link.names() {
                // Books list every account, with nothing booked to it or something.
                let text = format!("link = \"{name}\"\n[run]\nduration = \"300ms\"\nwarmup = \"100ms\"\nrepeat = 1\n");
                let plan = Plan::parse("x.toml", &text, &Library::builtin(), &[]).unwrap();
                let record = run::record(&plan, &plan.point(0).unwrap());
                let booked: Vec<&str> = record.ledger_ns.iter().map(|(account, _)| account).collect();
                assert!(booked.len() > 10, "{name}");
                for account in booked.into_iter().chain([record.bottleneck.account.as_str()]) {
                    let line = link.accounts().iter().find(|(known, _)| *known == account);
                    assert!(line.is_some_and(|(_, meaning)| !meaning.is_empty()), "{name}: {account}");
                }
            }
        }
    }
}
