//! Sentences about the published gateway.

use alloc::format;
use alloc::string::String;

use crate::ledger::Account;
use crate::plan::Scenario;
use crate::rf24::gateway::{FRAGMENT_MAX, HEADER};

use super::outcome::Outcome;

/// Reasons of the published gateway, whatever weighs most: its header, the receiver's FIFO while its loop sleeps, two ends that send.
pub fn reasons(outcome: &Outcome, scenario: &Scenario) -> String {
    let (counted, ledger) = (&outcome.counted, &outcome.steady_ledger);
    let total = |counts: [u64; 2]| counts.iter().sum::<u64>();
    let (all, full, missed) = (total(counted.frames), counted.fifo_full, total(counted.frames_missed));
    let share = |part: u64| 100 * part / all.max(1);
    let waited = [Account::FifoFull, Account::ArdWait, Account::Loss]
        .map(|account| ledger.of(account).as_nanos())
        .iter()
        .sum::<u64>();
    format!(
        "; a frame carries {FRAGMENT_MAX} octets behind a header of {HEADER}; {} % of {all} frames found the receiver's FIFO of three full, because its \
         host {}, and {} % were sent while the other end sent as well or had its radio elsewhere; with {} of retransmission delay \
         that and waiting take {:.0} % of the air",
        share(full),
        late(scenario),
        share(missed),
        scenario.radio.ard(),
        100.0 * waited as f64 / ledger.elapsed().as_nanos().max(1) as f64,
    )
}

/// Reason that the host of a gateway is late.
pub fn late(scenario: &Scenario) -> String {
    let sleep = scenario.radio.loop_sleep() + scenario.host.sleep_slack;
    match scenario.radio.interrupts {
        false => format!("sleeps for {sleep} behind each pass of its loop (nrf24.loop_sleep)"),
        true => format!(
            "sleeps for {sleep} when no interrupt came behind its last look (nrf24.loop_sleep), and writes to its TUN device before it reads on"
        ),
    }
}
