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
    // Of what did not happen there is no reason.
    let share = |part: u64, all: u64| Some(100 * part / all.max(1)).filter(|share| *share > 0);
    let all = total(counted.frames);
    let full = share(counted.fifo_full, all).map(|share| {
        let late = late(scenario);
        format!("; {share} % of {all} frames found the receiver's FIFO of three full, because its host {late}")
    });
    let missed = share(total(counted.frames_missed), all).map(|share| {
        format!("; {share} % of {all} frames were sent while the other end sent as well or had its radio elsewhere")
    });
    let waits = [Account::FifoFull, Account::ArdWait, Account::Loss].map(|account| ledger.of(account).as_nanos());
    let waited = share(waits.iter().sum(), ledger.elapsed().as_nanos()).map(|share| {
        format!("; with {} of retransmission delay that and waiting take {share} % of the air", scenario.radio.ard())
    });
    let head = format!("; a frame carries {FRAGMENT_MAX} octets behind a header of {HEADER}");
    [Some(head), full, missed, waited].into_iter().flatten().collect()
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
