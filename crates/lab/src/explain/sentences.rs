//! Sentences of an explanation: how a mechanism limited a run, with the figures that its link counts and the keys that ease it.

use airtime_keys::Mechanism;

use super::rung::{Seen, Turned};
use crate::links;
use crate::plan::toml_text;
use crate::schema;

/// Share of the air in percent from which an account is worth a word, *assumed*.
const SHARE_MIN_PCT: f64 = 5.0;

/// Sentence on how `mechanisms` limited the run before a rung that frees most of an `account`: `each exchange carries 23 octets of payload,
/// and 243 fit: acl.size is 27, and 251 does (Octets of each)`.
pub fn rung(
    mechanisms: &[Mechanism],
    before: Seen<'_>,
    after: Seen<'_>,
    account: Option<&str>,
    turned: &[Turned],
) -> String {
    let link = links::find(&before.record.link);
    let mut spent = account.and_then(|account| share(before, account));
    let limited = |mechanism: &Mechanism| {
        let own = link.and_then(|link| link.limited(*mechanism, &before.record.told(), &after.record.told()));
        // What the link counts says more than its books; those say it once.
        own.unwrap_or_else(|| format!("{}{}", mechanism.limits(), spent.take().unwrap_or_default()))
    };
    let clauses: Vec<String> = mechanisms.iter().map(limited).collect();
    let keys: Vec<String> = turned.iter().map(of_key).collect();
    format!("{}: {}", clauses.join(", and "), keys.join("; "))
}

/// ` (97 % of the air is idle.credits: the sender waited for credits)`; none where it is little.
fn share(before: Seen<'_>, account: &str) -> Option<String> {
    let ledger = &before.record.steady_ledger_ns;
    let all: u64 = ledger.iter().map(|(_, ns)| *ns).sum();
    let percent = 100.0 * ledger.get(account).copied()? as f64 / all.max(1) as f64;
    let link = links::find(&before.record.link)?;
    let (_, meaning) = link.accounts().iter().find(|(word, _)| *word == account)?;
    (percent >= SHARE_MIN_PCT).then(|| format!(" ({percent:.0} % of the air is {account}: {meaning})"))
}

fn of_key(turned: &Turned) -> String {
    let doc = schema::find(&turned.key).map_or("", |key| first_sentence(key.doc));
    let now = if turned.from.is_null() { "not set".to_owned() } else { toml_text(&turned.from) };
    let then =
        if turned.to.is_null() { "need not be set".to_owned() } else { format!("{} does", toml_text(&turned.to)) };
    format!("{} ({doc}) is {now}, and {then}", turned.key)
}

/// The text up to what is beside the point, without its full stop.
fn first_sentence(doc: &str) -> &str {
    let end = [". ", "; ", ": ", " ("].iter().filter_map(|stop| doc.find(stop)).min().unwrap_or(doc.len());
    doc[..end].trim_end_matches('.')
}
