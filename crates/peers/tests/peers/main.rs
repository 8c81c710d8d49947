//! The harness: one test per line, each with the peer it needs.

mod book;
mod bumble;
mod captures;
mod columns;
mod command;
mod explorer;
mod faults;
mod firmware;
mod foreign;
mod h4;
mod hosted;
mod hw_ble;
mod ieee802154;
mod linux;
mod namespaces;
mod nrf24;
mod peer;
mod perf;
mod program;
mod report;
mod rpc;
mod rpc_bytes;
mod server;
mod wifi;
mod wifi_capture;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};
use peer::{BESIDE, Peer, trial};

/// Peers of a test of Bumble on our controllers.
const BUMBLE: &[Peer] = &[Peer::Airtime, Peer::Bumble];

fn trials() -> Vec<Trial> {
    let mut trials = vec![
        trial("bumble streams at 7.5 ms as predicted", BUMBLE, || bumble::streams_as_predicted(7.5)),
        trial("bumble streams at 15 ms as predicted", BUMBLE, || bumble::streams_as_predicted(15.0)),
        trial("bumble streams at 30 ms as predicted", BUMBLE, || bumble::streams_as_predicted(30.0)),
        trial("three buffers cost what the host's latency predicts", BUMBLE, bumble::few_buffers),
        trial("one credit collapses to two events a K-frame", BUMBLE, bumble::one_credit),
        trial("bumble pairs and the link is encrypted", BUMBLE, bumble::pairs),
        trial("bumble-bench runs", BUMBLE, bumble::bench),
    ];
    trials.extend(linux::trials());
    trials.extend(book::trials());
    trials.extend(captures::trials());
    trials.extend(columns::trials());
    trials.extend(explorer::trials());
    trials.extend(report::trials());
    trials.extend(faults::trials());
    trials.extend(firmware::trials());
    trials.extend(hosted::trials());
    trials.extend(foreign::trials());
    trials.extend(hw_ble::trials());
    trials.extend(ieee802154::trials());
    trials.extend(nrf24::trials());
    trials.extend(perf::trials());
    trials.extend(rpc::trials());
    trials.extend(rpc_bytes::trials());
    trials.extend(wifi::trials());
    trials.extend(wifi_capture::trials());
    // Those that run beside each other go first, or one that is alone would part them.
    trials.sort_by_key(|trial| trial.kind() != BESIDE);
    trials
}

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    // They share two cores with what they measure: one at a time, but for those that measure nothing.
    arguments.test_threads = Some(arguments.test_threads.unwrap_or(2).min(2));
    libtest_mimic::run(&arguments, trials()).exit_code()
}
