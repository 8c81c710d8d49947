//! The sentence about a bottleneck of Wi-Fi through an ESP-hosted co-processor.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::hosted::wire::Header;
use crate::ledger::Account;
use crate::plan::{Scenario, Transport};
use crate::trace::ETHERNET_HEADER;
use airtime_core::Duration;
use airtime_net::traffic::{Direction, Transport as Carrier};

use super::busy;
use super::doze;
use super::outcome::{Outcome, STUCK};

/// lwIP's slow timer: `TCP_SLOW_INTERVAL`.
const TICK: Duration = Duration::from_millis(500);

/// Sentence on what the largest account outside the payload means for this run.
pub fn says(account: Account, outcome: &Outcome, scenario: &Scenario) -> String {
    if let Some(says) = outcome.unmeasured() {
        return says;
    }
    let stuck = stuck(outcome);
    if outcome.octets() == 0 {
        return format!("Nothing arrived: {}.", stuck.map_or_else(|| silence(outcome), Into::into));
    }
    if let Some(stuck) = stuck {
        return format!("Nothing arrives any more: {stuck}.");
    }
    let share = percent(outcome, account);
    let why = why(account, outcome, scenario);
    let timer = spurious_timeouts(outcome, scenario);
    let dozing = doze::held(outcome, scenario);
    if let Some(cause) = short_feed(account, outcome, scenario) {
        return format!("{cause}; {share:.0} % of the air: {}{timer}{dozing}.", account.meaning());
    }
    format!("{share:.0} % of the air: {why}{timer}{dozing}.")
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
    let stages = stages(scenario);
    let (name, stage, cost, beside) = stages.into_iter().find(|(name, ..)| busy_pct(outcome, name) >= ALWAYS_PCT)?;
    Some(format!(
        "{stage} is busy {:.0} % of the time, {cost} a frame{beside}: the air gets {aggregated:.1} MPDUs per PPDU of {allowed} \
         allowed",
        busy_pct(outcome, name)
    ))
}

/// Stages with a counter of how busy they are, from the air backwards, each with its time for a frame and what comes to it.
fn stages(scenario: &Scenario) -> [(&'static str, &'static str, Duration, &'static str); 3] {
    let costs = scenario.costs();
    let stack = scenario.stack_costs();
    let bus = if scenario.bus_name() == "SPI" { "the SPI bus" } else { "the SDIO bus" };
    [
        (busy::COPROCESSOR, "the co-processor", cost(scenario, costs.to_air, costs.from_air), ""),
        (busy::BUS, bus, beside_the_wire(scenario), " beside the wire"),
        (busy::HOST_CPU, "the host's CPU", stack.call + stack.segment, " and its copy"),
    ]
}

fn busy_pct(outcome: &Outcome, name: &str) -> f64 {
    100.0 * outcome.counted.of(name) as f64 / outcome.steady.as_nanos().max(1) as f64
}

/// Payload that came by air and did not come further: where it was dropped, and the stage behind the air that takes longest.
fn behind_the_air(outcome: &Outcome, scenario: &Scenario) -> String {
    let up = scenario.traffic.direction.sends(0);
    let behind = |name: &str| match name {
        "drops.path_queue" => up,
        name => BEHIND_THE_AIR.contains(&name),
    };
    let dropped: Vec<String> = drops(outcome, behind).collect();
    let places = if dropped.is_empty() { String::new() } else { format!(": {}", dropped.join(", ")) };
    let (name, stage, each, beside) = stages(scenario)
        .into_iter()
        .filter(|_| scenario.traffic.direction.sends(1))
        .max_by(|a, b| busy_pct(outcome, a.0).total_cmp(&busy_pct(outcome, b.0)))
        .unwrap_or(("", "the wired hop", Duration::ZERO, ""));
    let busy = match name {
        "" => String::new(),
        name => {
            format!(", which is busy {:.0} % of the time and takes {each} a frame{beside}", busy_pct(outcome, name))
        }
    };
    let wire = wire(scenario).filter(|_| name == busy::BUS);
    let wire = wire.map_or_else(String::new, |wire| format!(" of {wire}"));
    format!("the air brings more than {stage} takes{busy}{wire}{places}")
}

/// Counters of drops on the way from the air to the host's application.
const BEHIND_THE_AIR: [&str; 11] = [
    "drops.wifi_rx",
    "drops.wifi_reset",
    "drops.slave_reset",
    "drops.rx_burst",
    "drops.rx_failed",
    "drops.rx_invalid",
    "drops.rx_checksum",
    "drops.host_pool",
    "drops.host_down",
    "drops.tcpip_mbox",
    "drops.udp_recvmbox",
];

/// Time of the host for a frame beside its time on the wire; over SPI with the turn between two transactions.
fn beside_the_wire(scenario: &Scenario) -> Duration {
    let costs = scenario.costs();
    if scenario.is_half_duplex() {
        // Two reads of a register and two transactions of a frame, and the command between them for one that is read.
        cost(scenario, costs.write_frame + costs.command * 4, costs.read_frame + costs.command * 5)
    } else if scenario.is_spi() {
        cost(scenario, costs.turn + costs.exchange_frame, costs.turn)
    } else {
        cost(scenario, costs.write_frame, costs.read_frame)
    }
}

/// Time of a full frame on the wire.
fn wire(scenario: &Scenario) -> Option<Duration> {
    let packet = match scenario.traffic.transport() {
        Carrier::Udp { payload, .. } => u32::from(payload) + IP_UDP,
        Carrier::Tcp { .. } => MTU,
    };
    let octets = packet + ETHERNET_HEADER as u32 + Header::OCTETS as u32;
    scenario.chips().map(|hosted| match scenario.bus.bus {
        Transport::Spi => hosted.spi().transaction(),
        Transport::SpiHd => hosted.half_duplex().data(octets, Duration::ZERO),
        Transport::Sdio | Transport::None => hosted.timing().data(octets),
    })
}

/// Octets of the headers of IPv4 and UDP.
const IP_UDP: u32 = 28;

/// Octets of a full segment with its headers.
const MTU: u32 = 1_500;

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

/// Reason that nothing will arrive any more, if there is one. Source: `find_wifi_tx_throttling_to_be_set` and `process_spi_rx_buf`, the same in
/// esp-hosted-mcu 2.11 and 2.12.
fn stuck(outcome: &Outcome) -> Option<&'static str> {
    (outcome.counted.of(STUCK) > 0).then_some(
        "the co-processor has throttled the host, and nothing ends that: over SPI a throttle is told in dummies, the last of which said to stop, \
         and it ends with the next frame to this host, of which there is none; hosted.throttle_high=0 never throttles",
    )
}

/// Reason that nothing arrives at all.
fn silence(outcome: &Outcome) -> String {
    let dropped: Vec<String> = drops(outcome, |_| true).collect();
    match (outcome.counted.of("ppdus"), dropped.is_empty()) {
        (0, true) => "nothing was sent by air".into(),
        (ppdus, true) => format!("{ppdus} PPDUs were sent by air"),
        (ppdus, false) => format!("{ppdus} PPDUs were sent by air; {}", dropped.join(", ")),
    }
}

/// Those of `places` that dropped something, each with its count.
fn drops(outcome: &Outcome, places: impl Fn(&str) -> bool) -> impl Iterator<Item = String> {
    let counted = &outcome.counted;
    let counts = counted.link.iter().chain(counted.stack.iter());
    counts
        .filter(move |(name, count)| name.starts_with("drops.") && **count > 0 && places(name))
        .map(|(name, count)| format!("{name} {count}"))
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
            let cost = beside_the_wire(scenario);
            match (wire(scenario), scenario.chips()) {
                (Some(wire), Some(hosted)) if scenario.is_spi() => format!(
                    "a transaction of SPI is {wire} on the wire at {}, whatever is in it, and {cost} pass before the next",
                    hosted.spi_clock
                ),
                (Some(wire), Some(hosted)) if scenario.is_half_duplex() => format!(
                    "a frame is {wire} on the wire of SPI at {} over {} data lines, and its transactions and registers take the host {cost} beside that",
                    hosted.spi_clock,
                    hosted.half_duplex().lines
                ),
                (Some(wire), Some(hosted)) if wire > cost => format!(
                    "a frame is {wire} on the wire of SDIO at {} over {}, and takes the host {cost} beside that",
                    hosted.sdio_clock,
                    if hosted.timing().lines == 1 { "one line" } else { "four lines" }
                ),
                _ => format!("a frame takes the host {cost} beside its time on the wire of SDIO"),
            }
        }
        Account::Dropped | Account::Undelivered => behind_the_air(outcome, scenario),
        Account::IdleCpu => {
            let cost = scenario.stack_costs();
            format!("calls and the stack take the sender {} and more for a packet", cost.call + cost.segment)
        }
        Account::IdleWindow => match (scenario.traffic.transport(), scenario.traffic.direction) {
            (Carrier::Tcp { .. }, Direction::Up) if !scenario.is_linux() => format!(
                "all of the send buffer of {} octets is under way, and a round trip takes {}",
                scenario.lwip.snd_buf,
                round_trip(outcome, scenario)
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

/// The loaded round trip of TCP: the time in which the send buffer goes round once.
fn round_trip(outcome: &Outcome, scenario: &Scenario) -> String {
    let buffer = scenario.lwip.snd_buf as f64;
    let rate = outcome.octets() as f64 / outcome.steady.as_millis_f64().max(1e-3);
    format!("about {:.1} ms", buffer / rate.max(1e-3))
}

/// lwIP counts RTO_TIME in whole ticks of 500 ms: below two of them every tick with data under way is a timeout.
fn spurious_timeouts(outcome: &Outcome, scenario: &Scenario) -> String {
    let tcp_up = matches!(scenario.traffic.transport(), Carrier::Tcp { .. }) && scenario.traffic.direction.sends(0);
    let timeouts = outcome.counted.of_stack("timeouts");
    if !tcp_up || timeouts == 0 {
        return String::new();
    }
    if scenario.is_linux() || scenario.lwip.rto_time >= TICK * 2 {
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
