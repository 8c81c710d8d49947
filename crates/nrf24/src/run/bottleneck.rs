//! The sentence about a bottleneck of IP over the nRF24L01+.

use alloc::format;
use alloc::string::String;

use airtime_core::ledger::Account as _;
use airtime_core::{Duration, Ledger};
use airtime_net::measure::Flow;
use airtime_net::traffic::Transport;

use crate::air::PAYLOAD_MAX;
use crate::ledger::Account;
use crate::rf24::Length;

use super::gateway;
use super::observe::Counted;
use super::outcome::Outcome;
use super::raw;
use crate::plan::{DYNAMIC_RAW, DYNAMIC_TUNNEL, Mode, Scenario};

/// Sentence on what the largest account outside the payload means for this run.
pub fn says(account: Account, outcome: &Outcome, scenario: &Scenario) -> String {
    if let Some(says) = outcome.unmeasured() {
        return says;
    }
    if outcome.octets() == 0 {
        return format!("Nothing arrived: {}.", silence(outcome, scenario));
    }
    of_channel(account, &outcome.steady_ledger, outcome, scenario)
}

/// The same of one of two channels, which carries `flow`.
pub fn says_of(
    account: Account,
    ledger: &Ledger<Account>,
    flow: &Flow,
    outcome: &Outcome,
    scenario: &Scenario,
) -> String {
    if flow.octets == 0 {
        return format!("Nothing arrived: {}.", silence(outcome, scenario));
    }
    of_channel(account, ledger, outcome, scenario)
}

fn of_channel(account: Account, ledger: &Ledger<Account>, outcome: &Outcome, scenario: &Scenario) -> String {
    let share = 100.0 * ledger.of(account).as_nanos() as f64 / ledger.elapsed().as_nanos().max(1) as f64;
    let why = why(account, outcome, scenario);
    let reasons = match scenario.mode() {
        _ if scenario.is_raw() => raw::reasons(outcome, scenario),
        Mode::Legacy => published(outcome, scenario),
        Mode::Gateway => gateway::reasons(outcome, scenario),
        Mode::AutoAck | Mode::AckPayload | Mode::Stream => String::new(),
    };
    format!("{share:.0} % of the air: {why}{}{reasons}.", stalls(ledger, scenario))
}

/// Remark on receiving hosts that stand still, and on the air that this costs.
fn stalls(ledger: &Ledger<Account>, scenario: &Scenario) -> String {
    let Some(period) = scenario.stall.period() else { return String::new() };
    let cost = [Account::FifoFull, Account::IdleWindow, Account::IdleStalled].map(|account| ledger.of(account));
    let cost = cost.into_iter().sum::<Duration>().as_nanos() as f64 / ledger.elapsed().as_nanos().max(1) as f64;
    format!(
        "; the receiving host stands still for {} every {}: {:.0} % of the air wait for it or find its FIFO full",
        period.length,
        period.every,
        100.0 * cost
    )
}

/// Reason that nothing arrives at all.
fn silence(outcome: &Outcome, scenario: &Scenario) -> String {
    let counted = &outcome.counted;
    if scenario.is_raw() && !scenario.radio.auto_ack && scenario.radio.payload_length == Length::Dynamic {
        return DYNAMIC_RAW.into();
    }
    if scenario.mode() == Mode::Legacy && !scenario.radio.auto_ack && !scenario.is_raw() {
        return DYNAMIC_TUNNEL.into();
    }
    let total = |counts: [u64; 2]| counts.iter().sum::<u64>();
    match total(counted.frames) {
        0 => "no frame was sent".into(),
        frames => format!(
            "{frames} frames were sent, {} of them for nobody{}, and {} came out whole{}",
            total(counted.frames_lost),
            full(counted, scenario),
            if scenario.is_raw() { "none" } else { "no IP packet" },
            waited(outcome)
        ),
    }
}

/// Remark on frames that found a FIFO full: its host is what is slow.
fn full(counted: &Counted, scenario: &Scenario) -> String {
    match counted.fifo_full {
        0 => String::new(),
        full => {
            let why = match scenario.stall.period() {
                Some(_) => "stalls".into(),
                None if scenario.mode() == Mode::Gateway && !scenario.is_raw() => gateway::late(scenario),
                None if scenario.is_raw() => "polls and reads more slowly than frames come".into(),
                None => format!("is late: an interrupt takes {} to its task", scenario.host.wake),
            };
            format!(" ({full} found the receiver's FIFO of three full, because its host {why})")
        }
    }
}

fn why(account: Account, outcome: &Outcome, scenario: &Scenario) -> String {
    let counted = &outcome.counted;
    let framing = scenario.framing();
    match account {
        Account::Headers => format!("IP and transport headers, {} of the octets on the air", fill(scenario)),
        Account::Ack => {
            let cycle = framing.acked_cycle(raw::octets(scenario).unwrap_or(PAYLOAD_MAX), 0);
            match scenario.mode() {
                // What its frames take on average is said behind.
                Mode::Legacy if !scenario.is_raw() => "every frame is acknowledged, with both turnarounds".into(),
                _ => format!("every frame is acknowledged, which with both turnarounds makes a cycle of {cycle}"),
            }
        }
        Account::PhyOverhead => format!(
            "preamble, address{} check around every {} octets{}",
            // ShockBurst has no control field.
            if framing.enhanced { ", control field and" } else { " and" },
            raw::octets(scenario).unwrap_or(PAYLOAD_MAX),
            saturated(outcome)
        ),
        Account::Loss | Account::ArdWait | Account::FifoFull => format!("{}{}", lost(counted), full(counted, scenario)),
        Account::Undelivered => {
            "the receiver is slower than the air: so much of the payload that came waits in its reassembly, its queues and its \
             stack, or was dropped there"
                .into()
        }
        Account::Incomplete => {
            let [up, down] = [0, 1].map(|d| counted.packets_in[d].saturating_sub(counted.packets_out[d]));
            format!(
                "parts of {} IP packets that never came out whole, reassembly lost its place {} times",
                up + down,
                counted.resyncs
            )
        }
        Account::IdleApp if scenario.is_raw() && scenario.radio.serial.is_some() => raw::serial(scenario),
        Account::IdleApp => "the applications offer less than the link carries".into(),
        other => other.meaning().into(),
    }
}

/// Part of the time that a radio is at work from which on it is saturated: 0.9, *assumed*.
const BUSY: f64 = 0.9;

/// Remark on a radio that has no time left, or on what it waited for most.
fn saturated(outcome: &Outcome) -> String {
    match waited(outcome) {
        waited if waited.is_empty() => "; the radio is saturated".into(),
        waited => waited,
    }
}

/// Remark on the longest wait of the radio, if it waited much.
fn waited(outcome: &Outcome) -> String {
    let (ledger, all) = (&outcome.steady_ledger, outcome.steady.as_nanos().max(1) as f64);
    let idle = || ledger.entries().filter(|(account, _)| account.name().starts_with("idle."));
    let waited: Duration = idle().map(|(_, time)| time).sum();
    let most = idle().max_by_key(|(_, time)| *time).filter(|_| waited.as_nanos() as f64 > (1.0 - BUSY) * all);
    most.map_or_else(String::new, |(account, time)| {
        format!("; {:.0} % of the air: {}", 100.0 * time.as_nanos() as f64 / all, account.meaning())
    })
}

/// Count of what was lost, and how. A chip says nothing about a wrong check (Product Specification 1.0, 7.5.2): to the sender a frame
/// that was missed, one that was damaged and one whose acknowledgement is lost are the same.
fn lost(counted: &Counted) -> String {
    let of = |counts: [u64; 2]| counts.iter().sum::<u64>();
    let frames = format!(
        "{} of {} frames were lost, {} missed and {} damaged",
        of(counted.frames_lost),
        of(counted.frames),
        of(counted.frames_missed),
        of(counted.frames_damaged)
    );
    match of(counted.acks_lost) {
        0 => frames,
        acks => format!("{frames}, and {acks} acknowledgements; to a sender all of them are alike"),
    }
}

/// Fill of packets with payload, for people.
fn fill(scenario: &Scenario) -> String {
    match scenario.traffic.transport() {
        Transport::Udp { payload, .. } => format!("28 of {}", payload + 28),
        Transport::Tcp { .. } => "40 of a segment and all of an acknowledgement".into(),
    }
}

/// Accounts of a frame and its acknowledgement with both turnarounds: together their cycle, shorter for one that is not full.
const ON_AIR: [Account; 9] = [
    Account::PayloadUp,
    Account::PayloadDown,
    Account::Undelivered,
    Account::TcpAgain,
    Account::Headers,
    Account::Chunk,
    Account::PhyOverhead,
    Account::Settling,
    Account::Ack,
];

/// The reasons of the published tunnel, whatever weighs most: packet size, acknowledged cycle, sleeps, queue.
fn published(outcome: &Outcome, scenario: &Scenario) -> String {
    let frames = outcome.counted.frames.iter().max().copied().unwrap_or(0).max(1);
    let per_frame = |span: Duration| (span / frames).as_nanos() / 1_000;
    let ledger = &outcome.steady_ledger;
    let size = match scenario.traffic.transport() {
        Transport::Udp { payload, .. } => {
            let chunks = u64::from(payload + 28).div_ceil(PAYLOAD_MAX as u64);
            let share = 100 * u64::from(payload) / (chunks * PAYLOAD_MAX as u64);
            format!("packet size: {payload} octets of payload fill {share} % of {chunks} frames")
        }
        Transport::Tcp { .. } => "packet size: acknowledgements take frames as data does".into(),
    };
    let asleep = [Account::IdleSleep, Account::IdleWake, Account::IdleDelay].map(|account| ledger.of(account));
    let asleep = asleep.into_iter().sum::<Duration>();
    let host = ledger.of(Account::IdleSpi) + ledger.of(Account::IdleCpu);
    let cycle = ON_AIR.map(|account| ledger.of(account)).into_iter().sum::<Duration>();
    format!(
        "; {size}; auto-ack cycle: {} us of the {} us a frame takes; sleeps of 360us that outlast it and waking up: {} us, SPI and system calls: {} us; \
         queue: without a bound, what is offered beyond the rate waits",
        per_frame(cycle),
        per_frame(ledger.elapsed()),
        per_frame(asleep),
        per_frame(host),
    )
}
