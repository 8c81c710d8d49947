//! Packets and links that are lost.

use airtime_ble::hci::Status;
use airtime_ble::host::Role;
use airtime_ble::ledger::Account;
use airtime_core::Duration;
use airtime_lab::run::record;

use super::watch::Watch;
use crate::support::{outcome, plan};

const STREAM: [(&str, &str); 3] =
    [("ble.conn_interval", "15ms"), ("coc.credits", "zephyr-seg-recv"), ("run.duration", "20s")];

fn with<'a>(more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    STREAM.iter().chain(more).copied().collect()
}

#[test]
fn lost_packets_are_sent_again_and_everything_arrives() {
    let clear = outcome(&with(&[]));
    let lossy = outcome(&with(&[("ble.loss", "{ per = 0.05 }")]));
    assert_eq!((clear.counts.lost, clear.counts.duplicates, clear.random_draws), (0, 0, 0));
    assert!(lossy.counts.lost > 100 && lossy.counts.duplicates > 10, "{:?}", lossy.counts);
    let traffic = lossy.traffic[0][1];
    assert!(traffic.sdus > 100, "{traffic:?}");
    assert_eq!(traffic.gaps, 0);
    assert!(lossy.octets(0) < clear.octets(0));
    let books = lossy.steady_ledger.expect("it was connected");
    for account in [Account::Loss, Account::Retransmission] {
        assert!(!books.of(account).is_zero(), "{account:?}");
        assert!(clear.steady_ledger.as_ref().expect("it was connected").of(account).is_zero(), "{account:?}");
    }
}

/// Each packet lost costs the exchange it belongs to, and two in a row at one receiver the rest of the event
/// (Core 6.0, Vol 6, Part B, 4.5.6): with 1 % of the packets of either side, about 2 % of the exchanges.
#[test]
fn rare_losses_cost_an_exchange_each() {
    let clear = outcome(&with(&[]));
    let lossy = outcome(&with(&[("ble.loss", "{ per = 0.01 }")]));
    let ratio = lossy.octets(0) as f64 / clear.octets(0) as f64;
    assert!((0.965..0.99).contains(&ratio), "{ratio}");
}

#[test]
fn bursts_interrupt_and_nothing_is_missing() {
    let burst = "{ good = 0.0, bad = 1.0, every = \"300ms\", burst = \"60ms\" }";
    let outcome = outcome(&with(&[("ble.loss", burst)]));
    assert_eq!((outcome.ended, outcome.lost.len()), (None, 0));
    let traffic = outcome.traffic[0][1];
    assert!(traffic.sdus > 100, "{traffic:?}");
    assert_eq!(traffic.gaps, 0);
    // A sixth of the time is bad; what is left of the events that a burst begins or ends in is lost with it.
    let share = outcome.steady_ledger.expect("it was connected");
    let share = share.of(Account::Loss).as_secs_f64() / share.elapsed().as_secs_f64();
    assert!((0.08..0.40).contains(&share), "{share}");
}

#[test]
fn a_link_that_falls_silent_is_lost_after_its_timeout() {
    let mut watch = Watch::new(&with(&[("ble.supervision_timeout", "2s")]));
    watch.until(|seen| seen.delivered > 50);
    watch.cut_the_air();
    let seen = watch.until(|seen| seen.closed.len() == 2);
    for (when, role, reason) in &seen.closed {
        assert_eq!(*reason, Status::CONNECTION_TIMEOUT, "{role:?}");
        assert_eq!(reason.0, 0x08);
        let heard = seen.heard[usize::from(*role == Role::Peripheral)];
        let silent = *when - heard.expect("something was heard before");
        assert_eq!(silent, Duration::from_secs(2), "{role:?}");
    }
}

#[test]
fn a_connection_that_never_starts_ends_with_0x3e_after_six_intervals() {
    let mut watch = Watch::new(&with(&[("ble.conn_interval", "50ms")]));
    watch.until(|seen| seen.opened.len() == 2);
    watch.cut_the_air();
    let seen = watch.until(|seen| seen.closed.len() == 2);
    // The peripheral's side begins when the CONNECT_IND has ended, and so do six intervals for both. Core
    // 6.0, Vol 6, Part B, 4.5.2.
    let (created, _) = seen.opened.iter().find(|(_, role)| *role == Role::Peripheral).expect("both sides opened it");
    for (when, role, reason) in &seen.closed {
        assert_eq!(reason.0, 0x3e, "{role:?}");
        assert_eq!(*when - *created, Duration::from_millis(6 * 50), "{role:?}");
    }
}

#[test]
fn a_lost_link_is_shown_as_what_it_is() {
    let vanish = "{ good = 0.0, bad = 1.0, every = \"10s\", burst = \"86400s\" }";
    let (plan, point) = plan(&with(&[("ble.loss", vanish), ("run.repeat", "1"), ("run.duration", "120s")]));
    let record = record(&plan, &point);
    assert!(record.outcome.contains("0x08"), "{}", record.outcome);
    assert_eq!(record.counters.get("disconnected.0x08"), Some(&1));
}

#[test]
fn a_peripheral_that_is_not_heard_is_a_scan_timeout() {
    let (plan, point) = plan(&with(&[("ble.loss", "{ per = 1.0 }"), ("ble.scan_timeout", "2s"), ("run.repeat", "1")]));
    let record = record(&plan, &point);
    assert_eq!((record.negotiated.is_none(), record.delivered_bytes), (true, 0));
    assert_ne!(record.outcome, "ok");
    assert!(record.bottleneck.says.starts_with("No stream"), "{}", record.bottleneck.says);
}
