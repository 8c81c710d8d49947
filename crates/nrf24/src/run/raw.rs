//! Sentences about raw frames.

use alloc::format;
use alloc::string::String;

use airtime_core::Duration;

use crate::ledger::Account;
use crate::plan::Scenario;
use crate::rf24::{BUFFER, Write};

use super::observe::OVERRUN;
use super::outcome::Outcome;

/// Octets of a raw frame; none where there is a tunnel.
pub fn octets(scenario: &Scenario) -> Option<usize> {
    scenario.is_raw().then(|| scenario.traffic.payload.unwrap_or(0).into())
}

/// Clause on the serial port that brings less than the link carries.
pub fn serial(scenario: &Scenario) -> String {
    let baud = scenario.radio.serial.unwrap_or(0);
    format!("the serial port: {baud} bit/s are {} octets a second, less than the link carries", baud / 10)
}

/// Remark on octets that found the receive buffer of the serial port full.
fn overrun(outcome: &Outcome) -> String {
    match outcome.counted.named.get(OVERRUN) {
        Some(&lost) if lost > 0 => format!(
            "; {lost} octets found the {BUFFER} places of the serial port's receive buffer full, because the loop waited for the radio"
        ),
        _ => String::new(),
    }
}

/// Reasons for the time that a frame takes, whatever weighs most: the closed form of the air, pauses, the host between frames.
pub fn reasons(outcome: &Outcome, scenario: &Scenario) -> String {
    let frames = outcome.counted.frames.iter().max().copied().unwrap_or(0).max(1);
    let (framing, payload) = (scenario.framing(), octets(scenario).unwrap_or(0));
    let each = outcome.steady_ledger.elapsed() / frames;
    let air = match scenario.radio.auto_ack {
        true => framing.acked_cycle(payload, 0),
        false => framing.time(payload),
    };
    let ledger = &outcome.steady_ledger;
    let host =
        [Account::IdleSpi, Account::IdleCpu].map(|account| ledger.of(account)).into_iter().sum::<Duration>() / frames;
    let how = match (scenario.radio.write, scenario.radio.auto_ack) {
        (Write::Blocking, _) => {
            "; write() fills the FIFO again only when the frame is out, so SPI, polls of STATUS and settling are paid for each"
        }
        (Write::Fast, true) => "",
        (Write::Fast, false) if scenario.radio.pll_break => {
            "; txStandBy() every 4 ms empties the FIFO, and its refill and a settling follow"
        }
        (Write::Fast, false) => "",
    };
    format!(
        "; a frame takes {} us, of which its air alone is {air}, and SPI and CPU {} us{how}{}",
        micros(each),
        micros(host),
        overrun(outcome)
    )
}

fn micros(span: Duration) -> u64 {
    (span.as_nanos() + 500) / 1_000
}
