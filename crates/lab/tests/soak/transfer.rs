//! A long transfer over lossy radios, octet by octet.

use std::cell::RefCell;
use std::rc::Rc;

use airtime_net::Watch;
use airtime_net::payload::pattern;
use airtime_nrf24::run::run_watched;
use airtime_testing::whole_or_tenth;
use sha2::{Digest, Sha256};

use crate::support;

/// Hashes what a stream hands to its application.
#[derive(Clone, Default)]
struct Hashing(Rc<RefCell<(Sha256, u64)>>);

impl Watch for Hashing {
    fn octets(&mut self, _: u16, octets: &[u8]) {
        let (hash, count) = &mut *self.0.borrow_mut();
        hash.update(octets);
        *count += octets.len() as u64;
    }
}

/// Moves `size` octets over `mode` with these losses; the hash of what came, and of what was sent.
fn moved(mode: &str, loss: &str, size: u64) -> [Vec<u8>; 2] {
    let text = format!("{size}B");
    let (_, point) = support::plan(&[
        ("link", "nrf24-ip"),
        ("nrf24.mode", mode),
        ("nrf24.loss", loss),
        ("traffic.kind", "tcp"),
        ("traffic.size", &text),
        ("run.duration", "7200s"),
    ]);
    let (sender, receiver) = (Hashing::default(), Hashing::default());
    let scenario = point.scenario.of::<airtime_nrf24::plan::Scenario>().expect("it is a link of the nRF24L01+");
    let outcome = run_watched(scenario, 1, (), [sender, receiver.clone()], &|| false);
    assert!(outcome.finished, "{mode} {loss}: {:?}", outcome.flows);
    let (hash, count) = receiver.0.replace(Default::default());
    assert_eq!(count, size);
    let mut sent = Sha256::new();
    let mut piece = vec![0; 1 << 16];
    let mut at = 0;
    while at < size {
        let len = (size - at).min(piece.len() as u64) as usize;
        pattern(at, &mut piece[..len]);
        sent.update(&piece[..len]);
        at += len as u64;
    }
    [hash.finalize().to_vec(), sent.finalize().to_vec()]
}

#[test]
fn a_megabyte_arrives_whole_over_lossy_radios() {
    for (mode, loss) in
        [("stream", "{ per = 0.03 }"), ("auto-ack", "{ per = 0.05 }"), ("ack-payload", "{ ber = 0.00003 }")]
    {
        let [came, sent] = moved(mode, loss, 1_000_000);
        assert_eq!(came, sent, "{mode} {loss}");
    }
}

/// Ten minutes of virtual time in each of two modes, or one.
#[test]
#[ignore = "a soak: run it on one thread"]
fn a_hundred_megabytes_arrive_whole_over_lossy_radios() {
    for mode in ["stream", "auto-ack"] {
        let [came, sent] =
            moved(mode, "{ good = 0.01, bad = 0.5, every = \"200ms\", burst = \"5ms\" }", whole_or_tenth(100_000_000));
        assert_eq!(came, sent, "{mode}");
    }
}
