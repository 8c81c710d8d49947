//! The sentence about a bottleneck of Wi-Fi through an ESP-hosted co-processor.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::ledger::Account;
use crate::plan::Scenario;
use airtime_core::Duration;
use airtime_link::figures::Latency;
use airtime_net::traffic::{Direction, Transport};

use super::busy;
use super::outcome::Outcome;

/// lwIP's slow timer: `TCP_SLOW_INTERVAL`.
const TICK: Duration = Duration::from_millis(500);

/// Sentence on what the largest account outside the payload means for this run.
pub fn says(account: Account, outcome: &Outcome, scenario: &Scenario) -> String {
    if outcome.octets() == 0 {
        return format!("Nothing arrived: {}.", silence(outcome));
    }
    let share = percent(outcome, account);
    let why = why(account, outcome, scenario);
    let timer = spurious_timeouts(outcome, scenario);
    if let Some(cause) = short_feed(account, outcome, scenario) {
        return format!("{cause}; {share:.0} % of the air: {}{timer}.", account.meaning());
    }
    format!("{share:.0} % of the air: {why}{timer}.")
}

fn percent(outcome: &Outcome, account: Account) -> f64 {
    let ledger = &outcome.steady_ledger;
    100.0 * ledger.of(account).as_nanos() as f64 / ledger.elapsed().as_nanos().max(1) as f64
}

/// The share of the steady state from which on a stage counts as always busy. *Assumed*: what is left is a pause between two
/// frames now and then.
const ALWAYS_PCT: f64 = 97.0;

/// Stage that feeds the air with A-MPDUs shorter than they may be, where the air pays for that by the PPDU. Of several
/// busy stages the one nearest to the air: those behind it may only be busy with trying again.
fn short_feed(account: Account, outcome: &Outcome, scenario: &Scenario) -> Option<String> {
    let of_the_ppdu = by_the_ppdu(account) || account == Account::Mac;
    let (allowed, aggregated) = (scenario.radio.ampdu_max, aggregated(outcome));
    // Where transmit buffers overflow, now and then apart, the air is given more than it takes.
    let overflows = outcome.counted.of("drops.slave_no_buffer") * 100 > outcome.counted.of("mpdus");
    if overflows || !of_the_ppdu || !scenario.phy().aggregates() || aggregated >= f64::from(allowed) - 0.5 {
        return None;
    }
    let costs = scenario.costs();
    let stack = scenario.stack_costs();
    let stages = [
        (busy::COPROCESSOR, "the co-processor", cost(scenario, costs.to_air, costs.from_air), ""),
        (busy::BUS, "the SDIO bus", cost(scenario, costs.write_frame, costs.read_frame), " beside the wire"),
        (busy::HOST_CPU, "the host's CPU", stack.call + stack.segment, " and its copy"),
    ];
    let percent = |name: &str| 100.0 * outcome.counted.of(name) as f64 / outcome.steady.as_nanos().max(1) as f64;
    let (name, stage, cost, beside) = stages.into_iter().find(|(name, ..)| percent(name) >= ALWAYS_PCT)?;
    Some(format!(
        "{stage} is busy {:.0} % of the time, {cost} a frame{beside}: the air gets {aggregated:.1} MPDUs per PPDU of {allowed} \
         allowed",
        percent(name)
    ))
}

/// Tells if `account` is a cost of each PPDU, whatever it carries.
fn by_the_ppdu(account: Account) -> bool {
    use Account::{Backoff, BlockAck, Ifs, Preamble, RtsCts};
    matches!(account, Preamble | Ifs | Backoff | BlockAck | RtsCts)
}

/// MPDUs in a PPDU that is no RTS.
fn aggregated(outcome: &Outcome) -> f64 {
    let ppdus = outcome.counted.of("ppdus") - outcome.counted.of("ppdus.rts");
    outcome.counted.of("mpdus") as f64 / ppdus.max(1) as f64
}

/// Reason that nothing arrives at all.
fn silence(outcome: &Outcome) -> String {
    let counted = &outcome.counted;
    let dropped: Vec<String> = counted
        .link
        .iter()
        .chain(counted.stack.iter())
        .filter(|(name, count)| name.starts_with("drops.") && **count > 0)
        .map(|(name, count)| format!("{name} {count}"))
        .collect();
    match (outcome.counted.of("ppdus"), dropped.is_empty()) {
        (0, true) => "nothing was sent by air".into(),
        (ppdus, true) => format!("{ppdus} PPDUs were sent by air"),
        (ppdus, false) => format!("{ppdus} PPDUs were sent by air; {}", dropped.join(", ")),
    }
}

fn why(account: Account, outcome: &Outcome, scenario: &Scenario) -> String {
    let mpdus = outcome.counted.of("mpdus");
    let aggregated = aggregated(outcome);
    match account {
        account if by_the_ppdu(account) && scenario.phy().aggregates() => {
            format!("{}; a PPDU carries {aggregated:.1} MPDUs", account.meaning())
        }
        Account::Loss => format!("{} of {mpdus} MPDUs were lost", outcome.counted.of("mpdus.lost")),
        Account::Missed => format!("the PPDUs of {} of {mpdus} MPDUs were missed", outcome.counted.of("mpdus.missed")),
        Account::Collision => {
            format!("{} of {} PPDUs collided", outcome.counted.of("ppdus.collided"), outcome.counted.of("ppdus"))
        }
        Account::IdleCoprocessor => {
            let costs = scenario.costs();
            let cost = cost(scenario, costs.to_air, costs.from_air);
            format!("the co-processor's CPU takes {cost} for a packet{}", sharing(aggregated))
        }
        Account::IdleBus | Account::IdleQueue => {
            let costs = scenario.costs();
            let cost = cost(scenario, costs.write_frame, costs.read_frame);
            format!("a frame takes the host {cost} beside its time on the wire of SDIO")
        }
        Account::IdleCpu => {
            let cost = scenario.stack_costs();
            format!("calls and the stack take the sender {} and more for a packet", cost.call + cost.segment)
        }
        Account::IdleWindow => match (scenario.traffic.transport(), scenario.traffic.direction) {
            (Transport::Tcp { .. }, Direction::Up) => format!(
                "all of the send buffer of {} octets is under way, and a round trip takes {}",
                scenario.lwip.snd_buf,
                round_trip(outcome)
            ),
            _ => account.meaning().into(),
        },
        Account::IdleApp => "the applications offer less than the link carries".into(),
        other => other.meaning().into(),
    }
}

/// The cost of the direction that is measured.
fn cost(scenario: &Scenario, up: Duration, down: Duration) -> Duration {
    if scenario.traffic.direction == Direction::Down { down } else { up }
}

/// Effect of a slow feed on the air.
fn sharing(aggregated: f64) -> String {
    format!(", so that a PPDU finds {aggregated:.1} MPDUs to carry")
}

/// The loaded round trip of TCP: twice the median of one way is what the record has.
fn round_trip(outcome: &Outcome) -> String {
    outcome.latency.map_or("longer".into(), |latency| format!("about {:.1} ms up", Latency::from(latency).p50))
}

/// lwIP counts RTO_TIME in whole ticks of 500 ms: below two of them every tick with data under way is a timeout.
fn spurious_timeouts(outcome: &Outcome, scenario: &Scenario) -> String {
    let tcp_up = matches!(scenario.traffic.transport(), Transport::Tcp { .. }) && scenario.traffic.direction.sends(0);
    let timeouts = outcome.counted.of_stack("timeouts");
    if !tcp_up || timeouts == 0 {
        return String::new();
    }
    if scenario.lwip.rto_time >= TICK * 2 {
        return format!("; {timeouts} retransmission timeouts");
    }
    format!(
        "; lwip.rto_time {} is less than two ticks of 500 ms, so that every tick is a timeout: {timeouts} of them, {} \
         collapses of the congestion window, {} segments sent again",
        scenario.lwip.rto_time,
        outcome.counted.of_stack("cwnd_collapses"),
        outcome.counted.of_stack("retransmissions"),
    )
}
