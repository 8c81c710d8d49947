//! Rules between keys, and between keys and personalities.

use airtime_core::Duration;
use airtime_core::loss::Loss;
use airtime_keys::{Fault, Key, Run, Source, Words};

use super::coc::Coc;
use super::device::{Device, Initiator};
use super::gatt::{Gatt, Method, VALUE_HEADER};
use super::host::{Host, PeerHost};
use super::link::{
    Carrier, ChangeInterval, ChangePhy, Connection, Direction, INTERVAL_GRID, INTERVAL_MIN, Intervals, LengthBy,
};
use super::pacing::Pacing;
use super::rpc;
use super::scenario::Scenario;
use super::subrate;
use super::upload::Upload;
use airtime_ble::air::Phy;
use airtime_ble::host::TRANSACTION_TIMEOUT;
use airtime_ble::personality::WriteOverflow;
use airtime_ble::words::Role;

/// Supervision timeouts are multiples of this. Core 6.0, Vol 6, Part B, 4.5.2.
pub(super) const TIMEOUT_GRID: Duration = Duration::from_millis(10);

/// Shorter connection intervals are multiples of this. Core 6.2, Vol 6, Part B, 4.5.1.
const SHORT_GRID: Duration = Duration::from_micros(125);

type Rule = fn(&Scenario) -> Result<(), Fault>;

const RULES: &[Rule] = &[
    on_grid,
    rpc::check::check,
    supervision,
    beside,
    phy,
    frame_space,
    length_by,
    sdu,
    gatt_payload,
    answered,
    offered,
    blind,
    mbufs,
    level,
    latency,
    run,
    asker,
    buses,
    upload,
    subrate::check,
    priority,
];

/// A connection priority is Android's, and a central asks for it.
fn priority(scenario: &Scenario) -> Result<(), Fault> {
    let Some(priority) = scenario.intervals.priority else { return Ok(()) };
    let key = Intervals::PRIORITY;
    let fault = |what: &str| Err(Fault::new(format!("`{}`: {what}", key.name)).about([key, Initiator::PERSONALITY]));
    if scenario.priority().is_none() {
        return fault(&format!("`{}` has no connection priorities, which are Android's", scenario.central.name));
    }
    if !scenario.central.program.is_model() {
        return fault(&format!("{} does not ask for this; let the other end ask", scenario.central.program.known_as()));
    }
    if scenario.intervals.request_interval.is_some() || scenario.intervals.auto_interval {
        let what = format!(
            "`{}`: `{}` is what the central asks for, and the peripheral asks for something else",
            key.name,
            priority.word()
        );
        return Err(Fault::new(what).about([key, Intervals::REQUEST_INTERVAL, Intervals::AUTO_INTERVAL]));
    }
    Ok(())
}

/// An upload goes to the peripheral in write commands, between the lab's own hosts.
fn upload(scenario: &Scenario) -> Result<(), Fault> {
    if scenario.link != Carrier::BleGatt || scenario.upload.request.is_none() {
        return Ok(());
    }
    let key = Upload::REQUEST;
    if scenario.gatt.method != Some(Method::WriteCommand) {
        let what = format!("`{}`: its octets go in write commands, `ble.direction` c2p", key.name);
        return Err(Fault::new(what).about([key, Gatt::METHOD, Connection::DIRECTION]));
    }
    if let Some(offered) = scenario.gatt.offered {
        let what = format!(
            "`{}`: an upload goes as fast as it is answered, and is offered no rate such as {offered}",
            key.name
        );
        return Err(Fault::new(what).about([key, Gatt::OFFERED]));
    }
    let room = scenario.att_mtu() - VALUE_HEADER;
    if scenario.upload.answer > room {
        let what = format!("`{}`: a notification has room for {room} octets", Upload::ANSWER.name);
        return Err(Fault::new(what).about([Upload::ANSWER, Gatt::MTU]));
    }
    if [&scenario.central, &scenario.peripheral].iter().any(|end| !end.program.is_model()) {
        let what = format!("`{}` needs the lab's own host at both ends", key.name);
        return Err(Fault::new(what).about([key, Initiator::HOST]));
    }
    Ok(())
}

/// Keys of a bus are of the bus that there is.
fn buses(scenario: &Scenario) -> Result<(), Fault> {
    scenario.initiator.check_bus()?;
    scenario.advertiser.check_bus()
}

/// A scan beside the links has an interval, and a window that is no longer.
fn beside(scenario: &Scenario) -> Result<(), Fault> {
    let Initiator { scan_interval, scan_window, advertising_interval, .. } = scenario.initiator;
    let own = scan_interval.map(|_| Initiator::SCAN_INTERVAL);
    if let Some(key) = own.or(advertising_interval.map(|_| Initiator::ADVERTISING_INTERVAL))
        && (!scenario.central.program.is_model() || scenario.rpc.is_some())
    {
        let what = format!("`{}`: only beside a stream of the lab's own host", key.name);
        return Err(Fault::new(what).about([key, Initiator::HOST]));
    }
    let Some(window) = scan_window else { return Ok(()) };
    let (keys, what) = match scan_interval {
        Some(interval) if window <= interval => return Ok(()),
        Some(interval) => {
            ([Initiator::SCAN_WINDOW, Initiator::SCAN_INTERVAL], format!("longer than its interval of {interval}"))
        }
        None => {
            ([Initiator::SCAN_WINDOW, Initiator::SCAN_INTERVAL], format!("without `{}`", Initiator::SCAN_INTERVAL.name))
        }
    };
    Err(Fault::new(format!("`{}`: {window} is a scan window {what}", keys[0].name)).about(keys))
}

/// Refuses what a plan says about something that follows from its other keys.
pub(super) fn said(scenario: &Scenario, from: &dyn Source) -> Result<(), Fault> {
    if let Some(rpc) = &scenario.rpc {
        rpc::check::said(rpc, from)?;
    } else if scenario.connection.direction == Direction::Both {
        let mut peer = [PeerHost::LATENCY, PeerHost::LATENCY_P99, PeerHost::PACKET_TIME].into_iter();
        if let Some(key) = peer.find(|key| from.value(key).is_some()) {
            let what = format!("`{}`: with direction both each end is a sender; set `host` instead", key.name);
            return Err(Fault::new(what).about([key]));
        }
    }
    method(scenario)
}

/// Refuses a level beside a loss: what an end loses follows from one of them.
fn level(scenario: &Scenario) -> Result<(), Fault> {
    let connection = &scenario.connection;
    for end in [Role::Central, Role::Peripheral] {
        if connection.level_at(end).is_some() && connection.loss_at(end) != Loss::None {
            let what = format!(
                "`{}` and `{}`: what is lost follows from one of them",
                Connection::LEVEL.name,
                Connection::LOSS.name
            );
            return Err(Fault::new(what).about([Connection::LEVEL, Connection::LOSS]));
        }
    }
    Ok(())
}

/// Refuses a scenario with the first rule that it breaks.
pub(super) fn check(scenario: &Scenario) -> Result<(), Fault> {
    RULES.iter().try_for_each(|rule| rule(scenario))
}

/// Every interval the scenario asks for, with its key.
pub(super) fn intervals(scenario: &Scenario) -> impl Iterator<Item = (&'static Key, Duration)> {
    [
        (Intervals::CONN_INTERVAL, Some(scenario.conn_interval())),
        (Intervals::FURTHER_INTERVAL, scenario.intervals.further_interval),
        (Intervals::REQUEST_INTERVAL, scenario.intervals.request_interval),
        (ChangeInterval::TO, scenario.change_interval.to),
        (Intervals::PRIORITY, scenario.priority().map(|(_, longest, _)| longest)),
    ]
    .into_iter()
    .filter_map(|(key, interval)| Some((key, interval?)))
}

/// The intervals that the specification has; which of them the central grants is for the run to show.
fn on_grid(scenario: &Scenario) -> Result<(), Fault> {
    intervals(scenario).try_for_each(|(key, interval)| {
        let fault = if interval >= INTERVAL_MIN { usual(key, interval) } else { short(key, interval, scenario) };
        fault.map_err(|fault| fault.about([key, Initiator::PERSONALITY]))
    })
}

/// Values of an interval without shorter connection intervals.
const USUAL: &str = "multiples of 1.25ms from 7.5ms to 4s";

fn usual(key: &Key, interval: Duration) -> Result<(), Fault> {
    if (interval % INTERVAL_GRID).is_zero() {
        return Ok(());
    }
    let below = (INTERVAL_GRID * (interval / INTERVAL_GRID)).max(INTERVAL_MIN);
    let fault = Fault::new(format!("`{}`: {interval} is not a multiple of 1.25ms", key.name));
    Err(fault.allowing(USUAL).near(format!("{below}")))
}

fn short(key: &Key, interval: Duration, scenario: &Scenario) -> Result<(), Fault> {
    for device in [&scenario.central, &scenario.peripheral] {
        let shortest = device.controller.interval_min;
        if shortest > interval {
            let what =
                format!("`{}`: {interval} is shorter than the {shortest} that `{}` can do", key.name, device.name);
            return Err(Fault::new(what).allowing(USUAL));
        }
    }
    if (interval % SHORT_GRID).is_zero() {
        return Ok(());
    }
    let fault = Fault::new(format!("`{}`: {interval} is not a multiple of 125us", key.name));
    Err(fault.allowing("multiples of 125us below 7.5ms, multiples of 1.25ms from there"))
}

/// Notifications, indications and reads go from the server, which is the peripheral; writes go to it.
fn method(scenario: &Scenario) -> Result<(), Fault> {
    let direction = scenario.connection.direction;
    let Some(method) = scenario.gatt.method else { return Ok(()) };
    let Some(natural) = Method::of(direction) else {
        let what = "`gatt.method`: with direction both each way has its own method";
        return Err(Fault::new(what).about([Gatt::METHOD]));
    };
    if method.direction() == direction {
        return Ok(());
    }
    let what = format!("`gatt.method`: `{}` does not go {}", method.word(), direction.name());
    Err(Fault::new(what).near(natural.word()).about([Gatt::METHOD]))
}

/// Core 6.0, Vol 6, Part B, 4.5.2: more than (1 + latency) * interval * 2.
fn supervision(scenario: &Scenario) -> Result<(), Fault> {
    let about = [
        Connection::SUPERVISION_TIMEOUT,
        Connection::LATENCY,
        ChangeInterval::TO,
        Intervals::REQUEST_INTERVAL,
        Intervals::CONN_INTERVAL,
    ];
    let timeout = scenario.supervision_timeout();
    if !(timeout % TIMEOUT_GRID).is_zero() {
        let what = format!("`ble.supervision_timeout`: {timeout} is not a multiple of 10ms");
        return Err(Fault::new(what).about(about));
    }
    for (_, interval) in intervals(scenario) {
        let needed = interval * 2 * (u64::from(scenario.latency()) + 1);
        if timeout <= needed {
            let what = format!(
                "`ble.supervision_timeout`: {timeout} is not more than 2 * (1 + latency) * interval = {needed}"
            );
            return Err(Fault::new(what).allowing(format!("more than {needed}, up to 32s")).about(about));
        }
    }
    Ok(())
}

fn phy(scenario: &Scenario) -> Result<(), Fault> {
    let changed = scenario.change_phy.to.map(|phy| (ChangePhy::TO, phy));
    [(Connection::PHY, scenario.phy())].into_iter().chain(changed).try_for_each(|(key, phy)| {
        let can = |device: &Device| match phy {
            Phy::Le1M => true,
            Phy::Le2M => device.controller.phy_2m,
            Phy::LeCodedS2 | Phy::LeCodedS8 => device.controller.phy_coded,
        };
        match [&scenario.central, &scenario.peripheral].into_iter().find(|device| !can(device)) {
            None => Ok(()),
            Some(device) => {
                let what = format!("`{}`: `{}` does not support {phy}", key.name, device.name);
                Err(Fault::new(what).about([key]))
            }
        }
    })
}

fn frame_space(scenario: &Scenario) -> Result<(), Fault> {
    let Some(space) = scenario.connection.negotiated_frame_space() else { return Ok(()) };
    for device in [&scenario.central, &scenario.peripheral] {
        let what = match device.controller.frame_space_min {
            Some(min) if space >= min => continue,
            Some(min) => format!("`ble.frame_space`: {space} is shorter than the {min} that `{}` can do", device.name),
            None => format!("`ble.frame_space`: `{}` has no frame space update; it stays at 150us", device.name),
        };
        return Err(Fault::new(what).about([Connection::FRAME_SPACE]));
    }
    Ok(())
}

/// TrouBLE asks for the data length as a central, and for nothing by itself; so do images, which have it.
fn length_by(scenario: &Scenario) -> Result<(), Fault> {
    let by = scenario.connection.data_length_by;
    let is_foreign = |device: &Device| !device.program.is_model();
    let unable = match by {
        LengthBy::Both | LengthBy::Central => false,
        LengthBy::Peripheral => is_foreign(&scenario.peripheral),
        LengthBy::Devices => is_foreign(&scenario.central) || is_foreign(&scenario.peripheral),
    };
    if !unable {
        return Ok(());
    }
    let what = format!(
        "`ble.data_length_by`: with a host that is not the lab's own it is the central that asks, not `{}`",
        by.word()
    );
    Err(Fault::new(what).near(LengthBy::Central.word()).about([Connection::DATA_LENGTH_BY]))
}

fn sdu(scenario: &Scenario) -> Result<(), Fault> {
    if scenario.link != Carrier::BleCoc {
        return Ok(());
    }
    let (sdu, direction) = (scenario.sdu(), scenario.connection.direction);
    let ends = [(&scenario.central, direction.peripheral_sends()), (&scenario.peripheral, direction.central_sends())];
    for (device, receives) in ends {
        let mtu = device.host.coc_mtu;
        if receives && sdu > mtu {
            let what = format!("`coc.sdu`: {sdu} is above the MTU of the receiver `{}`, {mtu}", device.name);
            return Err(Fault::new(what).allowing(format!("1 to {mtu}")).about([Coc::SDU, Coc::MTU]));
        }
    }
    Ok(())
}

fn gatt_payload(scenario: &Scenario) -> Result<(), Fault> {
    let (payload, mtu, room) = (scenario.value(), scenario.att_mtu(), scenario.value_room());
    if scenario.link != Carrier::BleGatt {
        return Ok(());
    }
    if let Some((method, least)) = scenario.gatt.method.map(|method| (method, method.octets_min()))
        && payload < least
    {
        let what = format!("`gatt.payload`: {payload} octets of `{}` are what ATT itself sends", method.word());
        return Err(Fault::new(what).allowing(format!("{least} to {room}")).about([Gatt::PAYLOAD, Gatt::METHOD]));
    }
    if payload <= room {
        return Ok(());
    }
    let least = scenario.gatt.method.map_or(1, Method::octets_min);
    let what = format!("`gatt.payload`: {payload} does not fit an ATT MTU of {mtu}, which leaves {room}");
    Err(Fault::new(what).allowing(format!("{least} to {room}")).about([Gatt::PAYLOAD, Gatt::MTU]))
}

/// Longest time between two units of what is offered, as long as an application may sleep.
const EVERY_MAX: Duration = Duration::from_secs(60);

/// A rate that is offered, which is no pacing besides and comes to a unit now and then.
fn offered(scenario: &Scenario) -> Result<(), Fault> {
    let Some(every) = scenario.every() else { return Ok(()) };
    let [offered, pacing] = match scenario.link {
        Carrier::BleCoc => [Coc::OFFERED, Coc::PACING],
        Carrier::BleGatt | Carrier::BleRpc => [Gatt::OFFERED, Gatt::PACING],
    };
    if scenario.pacing() != Pacing::Semaphore {
        let what = format!("`{}` and `{}`: the application keeps to one of them", offered.name, pacing.name);
        return Err(Fault::new(what).about([offered, pacing]));
    }
    if every.is_zero() || every > EVERY_MAX {
        let what = format!("`{}`: {} octets each {every} are out of range", offered.name, scenario.payload());
        return Err(Fault::new(what).allowing(format!("one each 1ns to {EVERY_MAX}")).about([offered]));
    }
    Ok(())
}

/// A pace without a look at the room for a value, which is for values that wait for nothing.
fn blind(scenario: &Scenario) -> Result<(), Fault> {
    let is_asked = |pacing| matches!(pacing, Pacing::Ready | Pacing::Retry(_) | Pacing::Blind(_));
    if scenario.link != Carrier::BleGatt || !is_asked(scenario.gatt.pacing) {
        return Ok(());
    }
    let pacing = scenario.gatt.pacing;
    if let Some(method) = scenario.gatt.method.filter(|method| method.unanswered().is_some()) {
        let what = format!(
            "`gatt.pacing`: `{pacing}` is about room in the stack, and `{}` waits for its answer",
            method.word()
        );
        return Err(Fault::new(what).near("semaphore").about([Gatt::PACING, Gatt::METHOD]));
    }
    if matches!(pacing, Pacing::Retry(_)) {
        retried(scenario)?;
    }
    if scenario.upload.request.is_some() && pacing != Pacing::Ready {
        let what = format!(
            "`gatt.pacing`: an upload that loses values is never answered, and `{pacing}` does not wait for room"
        );
        return Err(Fault::new(what).near("ready").about([Gatt::PACING, Upload::REQUEST]));
    }
    Ok(())
}

/// A pool of mbufs, which has a count and a size.
fn mbufs(scenario: &Scenario) -> Result<(), Fault> {
    let gatt = &scenario.gatt;
    let (given, missing) = match (gatt.mbufs, gatt.mbuf_octets) {
        (Some(_), None) => (Gatt::MBUFS, Gatt::MBUF_OCTETS),
        (None, Some(_)) => (Gatt::MBUF_OCTETS, Gatt::MBUFS),
        _ => return Ok(()),
    };
    let what =
        format!("`{}`: a pool has `{}` as well, and the sender's personality has no pool", given.name, missing.name);
    Err(Fault::new(what).about([given, missing]))
}

/// Values that are given again once they were refused, for which somebody has to refuse them.
fn retried(scenario: &Scenario) -> Result<(), Fault> {
    let (central, peripheral) =
        (scenario.connection.direction.central_sends(), scenario.connection.direction.peripheral_sends());
    let senders = [(&scenario.central, central), (&scenario.peripheral, peripheral)];
    let mut senders = senders.into_iter().filter(|(_, sends)| *sends).map(|(device, _)| device);
    let takes_all = |device: &Device| {
        matches!(device.host.write_overflow, WriteOverflow::Waits | WriteOverflow::Drops) || !device.program.is_model()
    };
    if senders.any(takes_all) {
        let what = format!(
            "`gatt.pacing`: `{}` is about values that were refused, and the sender's stack refuses none",
            scenario.gatt.pacing
        );
        return Err(Fault::new(what).near("ready").about([Gatt::PACING, Gatt::WRITE_OVERFLOW]));
    }
    Ok(())
}

/// Values that are answered, which only the lab's own host sends.
fn answered(scenario: &Scenario) -> Result<(), Fault> {
    let pause = match (scenario.every(), scenario.pacing()) {
        (Some(every), _) => every,
        (None, Pacing::Sleep(pause)) => pause,
        _ => Duration::ZERO,
    };
    // Who reads a value is answered when there is one. Core 6.0, Vol 3, Part F, 3.3.3.
    if scenario.link == Carrier::BleGatt && scenario.gatt.method == Some(Method::Read) && pause >= TRANSACTION_TIMEOUT {
        let what = format!(
            "`gatt.method`: a read that waits {pause} for its value ends the bearer after {TRANSACTION_TIMEOUT}"
        );
        return Err(Fault::new(what).about([Gatt::METHOD, Gatt::PACING, Gatt::OFFERED]));
    }
    let is_foreign = [&scenario.central, &scenario.peripheral].iter().any(|end| !end.program.is_model());
    let Some(method) = scenario.gatt.method.filter(|method| is_foreign && method.unanswered().is_some()) else {
        return Ok(());
    };
    let what = format!("`gatt.method`: `{}` needs the lab's own host at both ends", method.word());
    Err(Fault::new(what).about([Gatt::METHOD, Initiator::HOST]))
}

/// A percentile above the median.
fn latency(scenario: &Scenario) -> Result<(), Fault> {
    let (own, peer) = (&scenario.host, &scenario.peer_host);
    for (median, p99, about) in [
        (own.latency, own.latency_p99, [Host::LATENCY_P99, Host::LATENCY]),
        (peer.latency, peer.latency_p99, [PeerHost::LATENCY_P99, PeerHost::LATENCY]),
    ] {
        if let Some((median, p99)) = median.zip(p99).filter(|(median, p99)| p99 < median) {
            let what = format!("`{}`: {p99} is less than the median of {median}", about[0].name);
            return Err(Fault::new(what).allowing(format!("{median} to 1s")).about(about));
        }
    }
    Ok(())
}

fn run(scenario: &Scenario) -> Result<(), Fault> {
    // Calls have a warm-up of their own.
    if scenario.rpc.is_none() {
        scenario.run.check()?;
    }
    let duration = scenario.run.duration;
    let changes = [
        (ChangeInterval::AT, scenario.change_interval.change().map(|change| change.at)),
        (ChangePhy::AT, scenario.change_phy.change().map(|change| change.at)),
    ];
    match changes.into_iter().find_map(|(key, at)| Some((key, at.filter(|at| *at >= duration)?))) {
        Some((key, at)) => {
            let what = format!("`{}`: {at} is not before the end at {duration}", key.name);
            Err(Fault::new(what).about([key, Run::DURATION]))
        }
        None => Ok(()),
    }
}

/// Changes that TrouBLE makes: of the interval, as a peripheral. An image makes those that it was built to make.
fn asker(scenario: &Scenario) -> Result<(), Fault> {
    let program = |role| match role {
        Role::Central => &scenario.central.program,
        Role::Peripheral => &scenario.peripheral.program,
    };
    let interval = scenario.change_interval.change().filter(|change| change.by == Role::Central);
    let unable = [
        (ChangeInterval::BY, interval.map(|change| change.by)),
        (ChangePhy::BY, scenario.change_phy.change().map(|change| change.by)),
        (Intervals::AUTO_INTERVAL, scenario.intervals.auto_interval.then_some(Role::Peripheral)),
    ];
    let unable = unable.into_iter().filter_map(|(key, by)| Some((key, program(by?))));
    match unable.into_iter().find(|(_, program)| !program.is_model()) {
        Some((key, program)) => {
            let what = format!("`{}`: {} does not ask for this; let the other end ask", key.name, program.known_as());
            Err(Fault::new(what).about([key]))
        }
        None => Ok(()),
    }
}
