//! Figures of each link, where a central has several.

use crate::plan::Scenario;
use airtime_ble::ledger::Books;
use airtime_core::ledger::Account as _;
use airtime_link::{Carried, LinkRan, booked};

use super::bottleneck;
use super::captured::devices;
use super::outcome::{LinkOutcome, Outcome};

/// Figures of the links of `outcome`, in the order of their peripherals; none of a single one, whose are those of the run.
pub fn links(scenario: &Scenario, outcome: &Outcome) -> Vec<LinkRan> {
    if outcome.links.len() < 2 {
        return Vec::new();
    }
    let names = devices(scenario).into_iter().skip(1);
    let of = |(name, link): (String, &LinkOutcome)| {
        // Of a link that never streamed the outcome says all there is.
        let streamed = link.octets > 0 || link.counts.events > 0;
        let account = link.steady_ledger.as_ref().filter(|_| streamed).map(Books::bottleneck);
        LinkRan {
            name,
            carried: Carried { octets: link.octets, time: outcome.steady },
            exchanges: Some((link.counts.exchanges, link.counts.events)),
            interval: link.negotiated.map(|(central, _)| central.interval),
            steady_books: link.steady_ledger.as_ref().map(booked).unwrap_or_default(),
            bottleneck: account.map(|account| (account.name(), bottleneck::of_link(account, link, outcome, scenario))),
            outcome: ended(link),
        }
    };
    names.zip(&outcome.links).map(of).collect()
}

/// `ok`, or how the link failed.
fn ended(link: &LinkOutcome) -> String {
    match link.lost {
        None if link.octets == 0 && link.counts.events == 0 => "the stream never started".to_owned(),
        None => "ok".to_owned(),
        Some(reason) if link.open => format!("ok after {reason}"),
        Some(reason) => reason.to_string(),
    }
}
