//! Sentences of an explanation: how a mechanism limited a run, with the figures that its link counts and the keys that ease it.

use airtime_keys::Mechanism;

use super::rung::{Seen, Turned};
use crate::links;
use crate::plan::toml_text;
use crate::schema;

/// Sentence on how `mechanisms` limited the run before a rung: `each exchange carries 23 octets of payload, and 243 fit: acl.size is 27, and
/// 251 does (Octets of each)`.
pub fn rung(mechanisms: &[Mechanism], before: Seen<'_>, after: Seen<'_>, turned: &[Turned]) -> String {
    let link = links::find(&before.record.link);
    let limited = |mechanism: &Mechanism| {
        let own = link.and_then(|link| link.limited(*mechanism, &before.record.told(), &after.record.told()));
        own.unwrap_or_else(|| mechanism.limits().to_owned())
    };
    let clauses: Vec<String> = mechanisms.iter().map(limited).collect();
    let keys: Vec<String> = turned.iter().map(of_key).collect();
    format!("{}: {}", clauses.join(", and "), keys.join("; "))
}

fn of_key(turned: &Turned) -> String {
    let doc = schema::find(&turned.key).map_or("", |key| first_sentence(key.doc));
    let now = if turned.from.is_null() { "not set".to_owned() } else { toml_text(&turned.from) };
    let then = if turned.to.is_null() { "nothing".to_owned() } else { toml_text(&turned.to) };
    format!("{} ({doc}) is {now}, and {then} does", turned.key)
}

/// The text up to what is beside the point, without its full stop.
fn first_sentence(doc: &str) -> &str {
    let end = [". ", "; ", ": ", " ("].iter().filter_map(|stop| doc.find(stop)).min().unwrap_or(doc.len());
    doc[..end].trim_end_matches('.')
}
