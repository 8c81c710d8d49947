//! The sentence about a bottleneck.

use crate::plan::{Device, Method, Pacing, Program, Scenario, Transport, Upload};
use airtime_ble::air::DATA_OCTETS_MIN;
use airtime_ble::hci::{ACL_DATA, Status};
use airtime_ble::host::Role;
use airtime_ble::ledger::{Account, Counts};
use airtime_ble::ll::length;
use airtime_ble::personality::WriteOverflow;
use airtime_ble::transport::Bus;
use airtime_core::Duration;
use airtime_core::loss::Loss;

use super::cpu;
use super::outcome::{LinkOutcome, Outcome};

/// Octets of H4 and of HCI before the data of an ACL packet. Core 6.0, Vol 4, Part A, 2 and Part E, 5.4.2.
const ACL_HEAD: u64 = 5;

/// The account to name, and what it means for this run: the largest outside the payload, where there was a stream.
pub fn says(account: Account, outcome: &Outcome, scenario: &Scenario) -> (Account, String) {
    let ended = outcome.ended.map(|ended| ended.to_string());
    let lost = || outcome.lost.last().map(ToString::to_string);
    match ended.or_else(lost) {
        Some(ended) if outcome.octets(0) == 0 => return (Account::Setup, format!("No stream: {ended}.")),
        _ => {}
    }
    match outcome.links.first() {
        Some(link) => (account, of_link(account, link, outcome, scenario)),
        None => (account, String::new()),
    }
}

/// Sentence about the account of one link; nothing about one that never streamed, whose outcome says why.
pub fn of_link(account: Account, link: &LinkOutcome, outcome: &Outcome, scenario: &Scenario) -> String {
    if account == Account::Setup {
        return String::new();
    }
    let share = link.steady_ledger.as_ref().map_or(0.0, |ledger| {
        let all = ledger.elapsed().as_nanos().max(1);
        100.0 * ledger.of(account).as_nanos() as f64 / all as f64
    });
    let counts = &link.counts;
    let per_event = counts.exchanges as f64 / counts.events.max(1) as f64;
    let interval = link.negotiated.map_or_else(|| scenario.conn_interval(), |(central, _)| central.interval);
    let why = match account {
        Account::IdleCredits if counts.k_frames == 0 && is_trouble(scenario) => format!(
            "TrouBLE sends an SDU when it has credits for all of its {} K-frames, and the peer grants more only \
             when it has seen some of them: neither moves",
            frames(scenario)
        ),
        Account::IdleCredits => format!(
            "the sender waits for credits: {} credit indications for {} K-frames{}",
            counts.credit_indications,
            counts.k_frames,
            lone_credit(link, scenario)
        ),
        Account::Cap => format!(
            "the {} controller ends each event at its own limit, after {per_event:.1} exchanges, and idles until the next {interval} anchor",
            capped(per_event, scenario)
        ),
        Account::Tail => {
            format!("{per_event:.1} exchanges fit into {interval}; the rest of the interval is too short for another")
        }
        Account::Loss if corrects_twice(scenario) => format!(
            "the peripheral lost {} anchors, because it corrects its timer twice where its event was cut, as Zephyr did before 2025: a \
             newer build has peripheral.drift_skip",
            counts.missed
        ),
        Account::Loss => lost(link, counts),
        Account::Cut => "what was on the air was switched off at the end of each event, and sent again".into(),
        Account::IdleHost => cpu::late(&outcome.cpus, scenario),
        Account::IdleHci => format!(
            "data and the reports of what was sent are on their way between the sender's host and its controller: {}",
            bus(scenario.sender())
        ),
        Account::Backpressure if scenario.receiver().bus != Bus::Memory => format!(
            "the receiver's controller refuses what it has no room for, while it hands over what came before: {}",
            bus(scenario.receiver())
        ),
        Account::IdleBuffers | Account::IdlePool | Account::IdleWindow | Account::IdleSleep => {
            of_the_sender(account, scenario)
        }
        Account::IdleResponse => answered(counts, scenario, interval),
        Account::IdlePeer => {
            "the sender waits for credits, and the receiver's host is late to take in what would free them".into()
        }
        Account::Undelivered => undelivered(link, scenario),
        Account::IdleApp => match scenario.offered() {
            Some(rate) => format!("the application offers {rate}, which is less than the link carries"),
            None => "the application offers less than the link carries".into(),
        },
        Account::OtherLink => "the radio serves another link, a scan or a beacon".into(),
        Account::Disconnected if scenario.connection.peripherals > 1 && was_starved(link) => {
            "after the connection was lost: the radio had served another link at most of its events. A wider central.link_spacing keeps \
             their events apart"
                .into()
        }
        Account::Latency if scenario.subrate.subrate_factor.is_some() => unused(link, scenario, interval),
        Account::Ifs => format!("the {} gaps between packets are the largest cost: {}", gap(link), filled(link)),
        other => other.meaning().into(),
    };
    format!("{share:.0} % of the air: {why}.{}", remarks(link, scenario))
}

/// Sentences about what else costs goodput, or values.
fn remarks(link: &LinkOutcome, scenario: &Scenario) -> String {
    [unasked(link, scenario), timed(link, scenario), dropped(link, scenario)].concat()
}

/// Sentence about values for which the sender's stack had no room, with what prevents it.
fn dropped(link: &LinkOutcome, scenario: &Scenario) -> String {
    let ((taken, dropped), Pacing::Blind(every)) = (link.values, scenario.pacing()) else { return String::new() };
    if dropped == 0 {
        return String::new();
    }
    let sender = scenario.sender();
    let (fate, word) = match sender.host.write_overflow {
        // Apple, CBPeripheral and CBPeripheralDelegate, since iOS 11.
        WriteOverflow::Drops => (
            "dropped without a word",
            "that it is ready again (canSendWriteWithoutResponse and peripheralIsReady(toSendWriteWithoutResponse:) of CoreBluetooth)",
        ),
        _ => (
            "refused",
            "that there is room again (onCharacteristicWrite of Android, the event that a transmission is complete of a SoftDevice)",
        ),
    };
    format!(
        " {dropped} of {} values found all {} transmit buffers of the sender's stack taken and were {fate}: the application writes one each \
         {every} without a look. gatt.pacing = \"ready\" waits for the stack's word {word}, and loses none.",
        taken + dropped,
        sender.host.l2cap_tx_buffers
    )
}

/// Clause on the events of a subrated link that nobody uses.
fn unused(link: &LinkOutcome, scenario: &Scenario, interval: Duration) -> String {
    let (factor, continuation) = link.negotiated.map_or((1, 0), |(central, _)| central.subrate);
    let more = match continuation {
        0 => "and none behind it, whatever it carried: ble.continuation has some used".to_owned(),
        _ => format!("and {continuation} behind each that carried something"),
    };
    let turn = interval * u64::from(factor) * (u64::from(scenario.subrate.subrate_latency) + 1);
    format!(
        "of {factor} connection events one is used, {more}; the next turn of the peripheral comes after {turn} at the latest"
    )
}

/// Bus between the host and the controller of `device`, with the time of a full packet.
fn bus(device: &Device) -> String {
    let octets = u64::from(device.controller.acl_size) + ACL_HEAD;
    let each = device.bus.time(ACL_DATA, octets);
    let takes = format!("an ACL packet of {octets} octets takes {each}");
    match device.bus {
        Bus::Uart { baud } => format!("a UART of {baud} baud, where {takes}"),
        Bus::ThreeWire { baud, window, .. } => {
            // A frame of its own has no payload.
            let answer = Bus::ThreeWire { baud, window, crc: false }.time(0, 0);
            format!(
                "a three-wire UART of {baud} baud, where {takes}, longer by an octet for each that is escaped, and {window} may wait for an \
                 acknowledgement, of {answer} where nothing else goes back"
            )
        }
        Bus::Spi { hz, .. } => {
            format!("SPI at {hz} Hz, where {takes}, and what goes the other way waits for the same clock")
        }
        Bus::Ipc { .. } => format!("memory shared by two cores, where any packet takes {each} from one to the other"),
        _ => format!("USB, where {takes} and a report waits for the next millisecond"),
    }
}

/// Sentence about packets that are shorter than their octets may be, because of the time that they may take.
fn timed(link: &LinkOutcome, scenario: &Scenario) -> String {
    let Some((central, _)) = link.negotiated else { return String::new() };
    let (octets, time) = (u64::from(scenario.data_length()), scenario.sender().controller.data_time);
    let on_air = if central.phy.is_coded() { length::coded(time) } else { time };
    let fit = central.phy.octets_within(on_air, central.encrypted).max(DATA_OCTETS_MIN.into());
    if fit >= octets {
        return String::new();
    }
    format!(" The data length is {octets} octets in at most {time}, which leaves {fit} octets each on {}.", central.phy)
}

/// Sentence about a sender whose packets are short because nobody on its side asked for longer ones.
fn unasked(link: &LinkOutcome, scenario: &Scenario) -> String {
    let Some((central, peripheral)) = link.negotiated else { return String::new() };
    let direction = scenario.connection.direction;
    let ends = [
        ("peripheral", Role::Peripheral, direction.peripheral_sends(), peripheral.tx_octets),
        ("central", Role::Central, direction.central_sends(), central.tx_octets),
    ];
    let short = ends.into_iter().filter(|(_, role, sends, octets)| {
        *sends && *octets < scenario.data_length() && !scenario.asks_for_length(*role)
    });
    short
        .map(|(end, _, _, octets)| format!(" The {end} never asked for longer packets: {octets} octets each."))
        .collect()
}

/// Clause on values that wait for their answers, with the events that each takes, or on the requests that several of them make up.
fn answered(counts: &Counts, scenario: &Scenario, interval: Duration) -> String {
    if let Some(octets) = scenario.upload.request {
        return uploaded(octets, scenario, interval);
    }
    let method = scenario.gatt.method.unwrap_or(Method::WriteRequest);
    let [asked, answer] = method.exchange();
    let article = if asked.starts_with('i') { "an" } else { "a" };
    let each = counts.events as f64 / counts.k_frames.max(1) as f64;
    // Within a fiftieth it is the number that the protocol makes it.
    let words = ["one event", "two events", "three events", "four events"];
    let near = words.iter().zip(1..).find(|(_, number)| (each - f64::from(*number)).abs() < 0.02);
    let events = near.map_or_else(|| format!("{each:.1} events"), |(words, _)| (*words).to_owned());
    let value = if method == Method::LongWrite { "part" } else { "value" };
    format!("{article} {asked} waits for its {answer}: one {value} per {events}")
}

/// Clause on the requests of an upload, with what each waits for.
fn uploaded(octets: u16, scenario: &Scenario, interval: Duration) -> String {
    let Upload { outstanding, .. } = scenario.upload;
    let busy = scenario.upload.busy(octets);
    let under_way = match outstanding {
        1 => format!("a request of {octets} octets goes when the one before is answered"),
        _ => format!("{outstanding} requests of {octets} octets are under way, and the next goes when one is answered"),
    };
    if outstanding > 1 && !busy.is_zero() {
        let kbps = 8e6 * f64::from(octets) / busy.as_nanos() as f64;
        return format!(
            "{under_way}: the peripheral takes {busy} for each, one after the other, which are {kbps:.1} kbps at most"
        );
    }
    let busy = if busy.is_zero() { String::new() } else { format!("the peripheral takes {busy} for each, and ") };
    format!("{under_way}: {busy}its answer waits for the next of its events, {interval} apart")
}

/// Sentence about a stage of the sender's own, with its size.
fn of_the_sender(account: Account, scenario: &Scenario) -> String {
    let sender = scenario.sender();
    let all = |count: u8, what: &str, one: &str| match count {
        0 | 1 => format!("{one}, and the next waits until it is reported as sent"),
        _ => format!("all {count} {what} are under way, and the next waits until one is reported as sent"),
    };
    let unit = if scenario.transport() == Transport::Gatt { "value" } else { "SDU" };
    match (account, scenario.pacing()) {
        (Account::IdleSleep, Pacing::Retry(span)) => format!(
            "the stack has room for {} values at a time{}, and the application sleeps {span} when it refuses one. gatt.pacing = \"ready\" gives \
             the next as soon as there is room",
            sender.host.l2cap_tx_buffers,
            in_mbufs(sender)
        ),
        (Account::IdleSleep, Pacing::Sleep(span)) => format!("the application sleeps {span} after each {unit}"),
        (Account::IdleWindow, _) => all(
            scenario.in_flight(),
            &format!("{unit}s that the application allows itself"),
            &format!("the application gives one {unit} at a time"),
        ),
        (Account::IdlePool, _) => match sender.host.conn_tx_max {
            Some(most) if most < sender.host.l2cap_tx_buffers => all(
                most,
                "PDUs that the stack has under way for its connections",
                "the stack has one PDU under way for its connections",
            ),
            _ if sender.host.mbufs.is_some() => format!(
                "the stack has room for {} values at a time{}, and the next waits until one is gone",
                sender.host.l2cap_tx_buffers,
                in_mbufs(sender)
            ),
            _ => all(sender.host.l2cap_tx_buffers, "L2CAP buffers of the stack", "the stack has one L2CAP buffer"),
        },
        (Account::IdleBuffers, _) => {
            all(sender.controller.acl_count, "ACL buffers of the controller", "the controller has one ACL buffer")
        }
        (other, _) => other.meaning().into(),
    }
}

/// Clause on the pool of which values are made.
fn in_mbufs(sender: &Device) -> String {
    match (sender.host.mbufs, sender.host.mbuf_octets) {
        (Some(count), Some(octets)) => format!(" in {count} mbufs of {octets} octets (gatt.mbufs, gatt.mbuf_octets)"),
        _ => String::new(),
    }
}

/// Payload that came faster than the receiver's host took it in, and the time that it has for a packet.
fn undelivered(link: &LinkOutcome, scenario: &Scenario) -> String {
    let (end, host) = match scenario.connection.direction.peripheral_sends() {
        true => ("central", &scenario.central.host),
        false => ("peripheral", &scenario.peripheral.host),
    };
    let part = link.steady_ledger.as_ref().map_or(0.0, |ledger| {
        let of = |account| ledger.of(account).as_nanos() as f64;
        let left = of(Account::Undelivered);
        100.0 * left / (left + of(Account::PayloadP2c) + of(Account::PayloadC2p)).max(1.0)
    });
    let each = if host.packet_time.is_zero() { String::new() } else { format!(", at {} a packet", host.packet_time) };
    format!("the {end}'s host is slower than the air{each}: {part:.0} % of the payload that came waits there")
}

/// Most octets of an LL PDU with data. Core 6.0, Vol 6, Part B, 2.4.
const PDU_OCTETS_MAX: f64 = 251.0;

/// Part of the longest PDU from which on the packets are no cause, *assumed*.
const LONG: f64 = 0.75;

/// Remark on how well the packets are filled: with short ones the gaps are not what can be saved.
pub(super) fn filled(link: &LinkOutcome) -> String {
    match octets_each(link) {
        Some(octets) if octets < LONG * PDU_OCTETS_MAX => {
            format!("each exchange carries {octets:.0} of {PDU_OCTETS_MAX:.0} octets")
        }
        _ => "the link is saturated".into(),
    }
}

/// Octets of L2CAP in a PDU with data, on average.
fn octets_each(link: &LinkOutcome) -> Option<f64> {
    const CARRIED: [Account; 5] =
        [Account::PayloadP2c, Account::PayloadC2p, Account::Undelivered, Account::Frames, Account::L2capAtt];
    let (central, _) = link.negotiated?;
    let ledger = link.steady_ledger.as_ref()?;
    let carried: Duration = CARRIED.into_iter().map(|account| ledger.of(account)).sum();
    let octets = carried.as_nanos() as f64 / central.phy.octet().as_nanos() as f64;
    (link.counts.data_pdus > 0).then(|| octets / link.counts.data_pdus as f64)
}

/// Tells if a link ran into its supervision timeout with the radio at another one for nine tenths, *assumed*, of the time it had left.
fn was_starved(link: &LinkOutcome) -> bool {
    link.lost == Some(Status::CONNECTION_TIMEOUT)
        && link.steady_ledger.as_ref().is_some_and(|ledger| {
            let left = ledger.elapsed().saturating_sub(ledger.of(Account::Disconnected));
            ledger.of(Account::OtherLink).as_nanos() * 10 >= left.as_nanos() * 9
        })
}

/// Cost of the packets that were lost: a damaged one takes its exchange, a missed one the rest of the event. Core 6.0, Vol 6, Part B,
/// 4.5.6.
fn lost(link: &LinkOutcome, counts: &Counts) -> String {
    if 2 * counts.missed <= counts.lost {
        return format!("{} packets were lost, and each can cost the rest of its event", counts.lost);
    }
    let lost = link.steady_ledger.as_ref().map_or(Duration::ZERO, |ledger| ledger.of(Account::Loss));
    let each = lost.as_secs_f64() * 1e3 / counts.lost.max(1) as f64;
    format!(
        "{} packets were missed, and each ended its event for both sides and took {each:.1} ms with it; shorter intervals lose less to each",
        counts.missed
    )
}

/// Tells if nothing is lost on the air, and anchors only by the peripheral's own fault.
fn corrects_twice(scenario: &Scenario) -> bool {
    let controller = &scenario.peripheral.controller;
    let clean = [Role::Central, Role::Peripheral]
        .iter()
        .all(|role| scenario.connection.loss_at(*role) == Loss::None && scenario.connection.level_at(*role).is_none());
    clean && controller.prepare_lead.is_some() && !controller.drift_skip
}

/// Remark that the receiver gives its credits one by one.
fn lone_credit(link: &LinkOutcome, scenario: &Scenario) -> &'static str {
    let peripheral_sends = scenario.connection.direction.peripheral_sends();
    let sender = link.negotiated.map(|(central, peripheral)| if peripheral_sends { peripheral } else { central });
    if sender.and_then(|sender| sender.channel).is_some_and(|channel| channel.initial_credits == 1) {
        ", one credit at a time"
    } else {
        ""
    }
}

fn is_trouble(scenario: &Scenario) -> bool {
    scenario.sender().program == Program::Trouble
}

/// K-frames of an SDU, two octets of which are its length. Core 6.0, Vol 3, Part A, 3.4.3.
fn frames(scenario: &Scenario) -> u16 {
    (scenario.sdu() + 2).div_ceil(scenario.receiver().host.coc_mps.max(1))
}

/// Name of the device whose limit ends events of so many exchanges: a count that they come to, or else a time.
fn capped(per_event: f64, scenario: &Scenario) -> &str {
    let ends = [&scenario.central, &scenario.peripheral];
    let counts = |d: &&&Device| d.controller.event_pdu_cap.is_some_and(|cap| per_event > f64::from(cap) - 0.5);
    let times = |d: &&&Device| d.controller.time_cap().is_some();
    let has_count = |d: &&&Device| d.controller.event_pdu_cap.is_some();
    let found = ends.iter().find(counts).or_else(|| ends.iter().find(times)).or_else(|| ends.iter().find(has_count));
    found.map_or(&scenario.peripheral.name, |device| &device.name)
}

fn gap(link: &LinkOutcome) -> String {
    link.negotiated.map_or_else(|| "150us".into(), |(central, _)| central.frame_space.to_string())
}
