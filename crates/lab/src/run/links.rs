//! Links of a run that share a radio, over the repeats.

use airtime_link::Ran;

use super::point::{books, middle};
use crate::record::{Bottleneck, Goodput, LinkFigures, kbps};

/// Figures of each link: those of the first run, with the goodput of all, and the books of the run in the middle.
pub fn links(runs: &[Ran]) -> Vec<LinkFigures> {
    let Some(first) = runs.first() else { return Vec::new() };
    let goodput = |index: usize| {
        let carried = runs.iter().filter_map(|run| run.links.get(index)).map(|link| link.carried);
        Goodput::of(&carried.map(|carried| kbps(carried.octets, carried.time)).collect::<Vec<_>>())
    };
    let booked = |index: usize| middle(runs, |run| run.links.get(index).map(|link| link.carried)).links.get(index);
    let of = |(index, link): (usize, &airtime_link::LinkRan)| LinkFigures {
        name: link.name.clone(),
        goodput_kbps: goodput(index).median,
        exchanges_per_event: link
            .exchanges
            .filter(|(_, events)| *events > 0)
            .map(|(exchanges, events)| (exchanges as f64 / events as f64 * 100.0).round() / 100.0),
        conn_interval: link.interval.map(|interval| interval.to_string()),
        // A link that failed in any run has failed.
        outcome: runs
            .iter()
            .filter_map(|run| run.links.get(index))
            .find(|link| link.outcome != "ok")
            .map_or_else(|| link.outcome.clone(), |failed| failed.outcome.clone()),
        bottleneck: booked(index)
            .and_then(|link| link.bottleneck.as_ref())
            .map(|(account, says)| Bottleneck { account: (*account).into(), says: says.clone() }),
        steady_ledger_ns: booked(index).map(|link| books(&link.steady_books)).unwrap_or_default(),
    };
    first.links.iter().enumerate().map(of).collect()
}
