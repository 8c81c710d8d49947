//! Links that are lost in the middle: what was under way ends once, and what can go on does.

use std::cell::RefCell;
use std::rc::Rc;

use airtime_ble::hci::Status;
use airtime_ble_link::station::AnyScript;
use airtime_core::Duration;
use airtime_rpc::CallError;
use airtime_rpc::extended::{Direction, Object, Transfer, TransferConfig};
use airtime_rpc::service::pattern;

use super::bench::Bench;
use super::calls::{Calls, flash_read};

const LENGTH: u32 = 200_000;
const ADDRESS: u32 = 4_096;

fn keys<'a>(transport: &'a str, mode: &'a str, sealed: &'a str) -> [(&'a str, &'a str); 7] {
    [
        ("central.personality", "zephyr-ll"),
        ("peripheral.personality", "zephyr-ll"),
        ("rpc.transport", transport),
        ("rpc.mode", mode),
        ("rpc.encrypted", sealed),
        ("ble.conn_interval", "15ms"),
        // Shorter than the patience of a client, so that it is the lost link that ends a call.
        ("ble.supervision_timeout", "1s"),
    ]
}

/// Cuts the air once `octets` have arrived at one end, for as long as it takes both to notice.
fn lose_the_link(bench: &mut Bench, end: usize, octets: u64) {
    let lost = bench.network.observer.lost.len();
    bench.until(|bench| bench.network.observer.octets[end] >= octets);
    bench.lose(1.0);
    bench.until(|bench| bench.network.observer.lost.len() > lost);
    bench.lose(0.0);
}

#[test]
fn calls_under_way_end_once_and_those_behind_them_are_made_after_it() {
    for (mode, outstanding) in [("compatible", 1), ("extended", 4)] {
        for (transport, host) in [("gatt", "model"), ("coc", "model"), ("gatt", "trouble")] {
            let (script, log) = Calls::new(flash_read(8_192).times(12, outstanding));
            let keys = [&keys(transport, mode, "false")[..], &[("peripheral.host", host)]].concat();
            let mut bench = Bench::with(&keys, AnyScript::new(script));
            lose_the_link(&mut bench, 0, 44_000);
            bench.until(|_| log.borrow().len() == 12);
            let results: Vec<_> = log.borrow().iter().map(|one| one.result).collect();
            let lost = results.iter().filter(|result| **result == Err(CallError::Lost)).count();
            assert!((1..=outstanding).contains(&lost), "{mode} {transport} {host}: {results:?}");
            assert_eq!(results.iter().filter(|result| result.is_ok()).count(), 12 - lost);
            let whole = |octets: &Vec<u8>| octets.ends_with(&(0..8_192).map(pattern).collect::<Vec<_>>());
            assert!(log.borrow().iter().filter(|one| one.result.is_ok()).all(|one| one.responses.iter().all(whole)));
            let seen = &bench.network.observer;
            assert_eq!((seen.lost.as_slice(), seen.ready.len(), seen.gaps), (&[Status::CONNECTION_TIMEOUT][..], 2, 0));
            // What was under way is nobody's any more: a packet that TrouBLE had kept would be missing for the next connection.
            if let Some(trouble) = bench.network.devices[1].station.called_trouble() {
                assert_eq!((trouble.guest().node().packets_in_use(), trouble.not_sent()), (0, 0), "{mode}");
            }
        }
    }
}

/// The client's side of an object: what has come, in order and once.
#[derive(Clone, Debug, Default)]
struct Sink(Rc<RefCell<Vec<u8>>>);

impl Object for Sink {
    fn read(&mut self, offset: u32, into: &mut [u8]) {
        for (octet, address) in into.iter_mut().zip(ADDRESS + offset..) {
            *octet = pattern(address);
        }
    }

    fn write(&mut self, offset: u32, octets: &[u8]) {
        let mut came = self.0.borrow_mut();
        assert_eq!(came.len() as u32, offset, "every octet comes once, and in order");
        came.extend_from_slice(octets);
    }
}

fn transfer(direction: Direction, sink: &Sink) -> AnyScript {
    let patience = Duration::from_secs(10);
    let config = TransferConfig { direction, address: ADDRESS, length: LENGTH, patience, attempts: 3 };
    AnyScript::new(Transfer::new(config, sink.clone()))
}

/// What the air may carry towards the receiver for an object that is carried once: 3 % of headers and of set-up.
const CARRIED_MAX: u64 = LENGTH as u64 * 103 / 100;

#[test]
fn a_download_goes_on_where_it_stopped() {
    for (transport, sealed, host) in [
        ("gatt", "false", "model"),
        ("coc", "false", "model"),
        ("gatt", "true", "model"),
        ("gatt", "false", "trouble"),
        ("gatt", "true", "trouble"),
    ] {
        let sink = Sink::default();
        let keys = [&keys(transport, "extended", sealed)[..], &[("peripheral.host", host)]].concat();
        let mut bench = Bench::with(&keys, transfer(Direction::Download, &sink));
        lose_the_link(&mut bench, 0, 50_000);
        assert!(sink.0.borrow().len() > 45_000, "{}", sink.0.borrow().len());
        lose_the_link(&mut bench, 0, 120_000);
        bench.until(|bench| bench.is_over());
        let content: Vec<u8> = (ADDRESS..ADDRESS + LENGTH).map(pattern).collect();
        assert!(*sink.0.borrow() == content);
        let seen = &bench.network.observer;
        assert_eq!((seen.lost.len(), seen.gaps), (2, 0));
        // Sealing costs 20 octets a frame where 2 would do.
        let most = if sealed == "true" { CARRIED_MAX + u64::from(LENGTH) * 18 / 200 } else { CARRIED_MAX };
        assert!(seen.octets[0] <= most, "{transport}: {}", seen.octets[0]);
    }
}

#[test]
fn an_upload_goes_on_where_it_stopped() {
    for transport in ["gatt", "coc"] {
        let mut bench =
            Bench::with(&keys(transport, "extended", "false"), transfer(Direction::Upload, &Sink::default()));
        lose_the_link(&mut bench, 1, 50_000);
        lose_the_link(&mut bench, 1, 120_000);
        bench.until(|bench| bench.is_over());
        let station = bench.network.devices[1].station.called().expect("a peripheral that is called");
        let flash = station.application().service().flash();
        assert_eq!((flash.written(), flash.differing()), (u64::from(LENGTH), 0), "every octet once");
        let seen = &bench.network.observer;
        assert_eq!((seen.lost.len(), seen.gaps), (2, 0));
        assert!(seen.octets[1] <= CARRIED_MAX, "{transport}: {}", seen.octets[1]);
    }
}
