//! Sentences of an explanation: what was short, in the words of its mechanism and of its link.

use airtime_keys::Mechanism;

use super::rung::{Seen, Turned};
use crate::links;
use crate::plan::toml_text;
use crate::schema;

/// Sentence on what was short before a rung: by its link, or else by the keys that were changed.
pub fn rung(mechanisms: &[Mechanism], before: Seen<'_>, after: Seen<'_>, turned: &[Turned]) -> String {
    let keys: Vec<&str> = turned.iter().map(|turned| turned.key.as_str()).collect();
    let link = links::find(&before.record.link);
    let own = |mechanism: &Mechanism| {
        let told = (before.record.told(), after.record.told());
        link.and_then(|link| link.short_of(*mechanism, &told.0, &told.1, &keys))
    };
    match mechanisms {
        [one] => own(one).unwrap_or_else(|| plain(&[*one], turned)),
        several => {
            let parts: Vec<String> = several.iter().filter_map(own).collect();
            if parts.len() == several.len() { parts.join("; and ") } else { plain(several, turned) }
        }
    }
}

/// Sentence by the keys: `what may be under way: acl.count is 1, where 6 do (ACL packets the sender's controller buffers)`.
fn plain(mechanisms: &[Mechanism], turned: &[Turned]) -> String {
    let phrases: Vec<&str> = mechanisms.iter().map(|mechanism| mechanism.phrase()).collect();
    let keys: Vec<String> = turned.iter().map(of_key).collect();
    format!("{}: {}", phrases.join(" and "), keys.join("; "))
}

fn of_key(turned: &Turned) -> String {
    let doc = schema::find(&turned.key).map_or("", |key| first_sentence(key.doc));
    let now = if turned.from.is_null() { "not set".to_owned() } else { toml_text(&turned.from) };
    let then = if turned.to.is_null() { "none".to_owned() } else { toml_text(&turned.to) };
    format!("{} is {now}, not {then} ({doc})", turned.key)
}

/// The text up to what is beside the point, without its full stop.
fn first_sentence(doc: &str) -> &str {
    let end = [". ", "; ", ": ", " ("].iter().filter_map(|stop| doc.find(stop)).min().unwrap_or(doc.len());
    doc[..end].trim_end_matches('.')
}
