//! Limits of a host that is not the lab's own: said when the plan is read, not found out in a run.

use airtime_ble::personality::{CreditPolicy, Credits};
use airtime_keys::{Fault, Key, Keys, Source};
use airtime_rpc::COMPATIBLE_FRAME_MAX;

use crate::plan::{
    Advertiser, Carrier, Coc, Connection, Device, Direction, Firmware, Gatt, Host, Initiator, Pacing, PeerHost,
    Program, Rpc, Scenario, Transport,
};

/// Octets of the packets that TrouBLE puts SDUs together in, as `airtime-guest` builds its pool.
#[cfg(not(target_family = "wasm"))]
const SDU_MAX: u16 = airtime_guest::pool::PACKET_OCTETS as u16;
#[cfg(target_family = "wasm")]
const SDU_MAX: u16 = 0;

/// Connections that TrouBLE has room for.
#[cfg(not(target_family = "wasm"))]
const LINKS: u8 = airtime_guest::trouble::LINKS as u8;
#[cfg(target_family = "wasm")]
const LINKS: u8 = 0;

/// Refuses the first thing asked of a foreign host that it cannot do.
pub fn check(scenario: &Scenario, set: &dyn Source) -> Result<(), Fault> {
    let direction = scenario.connection.direction;
    let ends = [
        (Initiator::HOST, &scenario.central, direction.central_sends()),
        (Advertiser::HOST, &scenario.peripheral, direction.peripheral_sends()),
    ];
    for (key, device, sends) in ends {
        let own = if sends { Host::KEYS } else { PeerHost::KEYS };
        let set_time = own.iter().find(|key| set.value(key).is_some());
        let refused = |key: &'static Key, what: &str| Err(Fault::new(format!("`{}`: {what}", key.name)).about([key]));
        match (&device.program, set_time) {
            (Program::Model, _) => {}
            (Program::Trouble, time) => {
                trouble(scenario, device, sends || direction == Direction::Both, key, set)?;
                if let Some(key) = time {
                    return refused(key, "TrouBLE takes no time of a CPU here; only the lab's own host does");
                }
            }
            (Program::Firmware(firmware), time) => {
                image(scenario, firmware, key)?;
                if let Some(key) = time {
                    return refused(key, "an image takes the time that its instructions take, by the clock of its CPU");
                }
            }
        }
    }
    clocks(scenario)
}

/// Refuses a clock of an end that executes nothing.
fn clocks(scenario: &Scenario) -> Result<(), Fault> {
    let ends = [
        (Initiator::HOST_CLOCK, scenario.initiator.host_clock, &scenario.central),
        (Advertiser::HOST_CLOCK, scenario.advertiser.host_clock, &scenario.peripheral),
    ];
    match ends.into_iter().find(|(_, clock, device)| clock.is_some() && !matches!(device.program, Program::Firmware(_)))
    {
        Some((key, ..)) => {
            let what = format!("`{}`: no image is executed there, so nothing has a clock", key.name);
            Err(Fault::new(what).about([key]))
        }
        None => Ok(()),
    }
}

/// Refuses what an image cannot be here, or is none; `host` is the key that names it.
fn image(scenario: &Scenario, firmware: &Firmware, host: &'static Key) -> Result<(), Fault> {
    let fault =
        |culprit: &'static Key, what: &str| Fault::new(format!("`{}`: {what}", culprit.name)).about([culprit, host]);
    is_executed(firmware).map_err(|what| fault(host, &format!("`{}`: {what}", firmware.path)))?;
    if scenario.rpc.is_some() {
        return Err(fault(host, "an image is an end of a stream here, and not of calls; `model` is of either"));
    }
    if scenario.connection.peripherals > 1 {
        return Err(fault(Connection::PERIPHERALS, "an image has one connection here").allowing("1"));
    }
    if scenario.connection.encrypted {
        return Err(fault(Connection::ENCRYPTED, "an image has no keys here; `model` on both ends has"));
    }
    Ok(())
}

/// Refuses an ELF that is no image.
#[cfg(not(target_family = "wasm"))]
fn is_executed(firmware: &Firmware) -> Result<(), String> {
    airtime_interpreted::check(&firmware.elf).map_err(|reason| reason.to_string())
}

#[cfg(target_family = "wasm")]
fn is_executed(_: &Firmware) -> Result<(), String> {
    Err("an image is not executed in WebAssembly; `model` is".into())
}

/// Refuses what TrouBLE cannot do of `scenario`; `host` is the key that asks for it.
fn trouble(
    scenario: &Scenario,
    device: &Device,
    sends: bool,
    host: &'static Key,
    set: &dyn Source,
) -> Result<(), Fault> {
    let fault =
        |culprit: &'static Key, what: &str| Fault::new(format!("`{}`: {what}", culprit.name)).about([culprit, host]);
    if cfg!(target_family = "wasm") {
        return Err(fault(host, "TrouBLE does not run in WebAssembly; `model` does"));
    }
    match &scenario.rpc {
        Some(calls) => called(calls, set, host)?,
        None if scenario.link == Carrier::BleGatt && sends => values(scenario, set, host)?,
        None => {}
    }
    if scenario.connection.peripherals > LINKS {
        let what = format!("TrouBLE has room for {LINKS} connections here");
        return Err(fault(Connection::PERIPHERALS, &what).allowing(format!("1 to {LINKS}")));
    }
    if scenario.connection.encrypted {
        return Err(fault(Connection::ENCRYPTED, "TrouBLE has no keys here; `model` on both ends has"));
    }
    if scenario.connection.negotiated_frame_space().is_some() {
        // It waits for a Command Complete that the command does not have. Core 6.0, Vol 4, Part E, 7.8.151.
        let what = "trouble-host 0.8 cannot carry the frame space update through";
        return Err(fault(Connection::FRAME_SPACE, what));
    }
    // What follows is about channels.
    if scenario.link != Carrier::BleCoc {
        return Ok(());
    }
    if scenario.sdu() > SDU_MAX {
        return Err(fault(Coc::SDU, &format!("TrouBLE's packets have room for {SDU_MAX} octets")));
    }
    let receives = !sends || scenario.connection.direction == Direction::Both;
    if receives && !grants(device.host.credits) {
        let allowed = "{ initial, on_connect, grant, every } with grant equal to every, { max }, { initial, below }";
        // What is a table was set by its parts.
        let about = [Coc::CREDITS].into_iter().chain(Credits::KEYS).chain([host]);
        let fault = fault(Coc::CREDITS, "TrouBLE grants what it has taken, once per SDU");
        return Err(fault.allowing(allowed).about(about));
    }
    Ok(())
}

/// Refuses what a sender of values cannot do on TrouBLE: it has one queue for whatever goes out, and a value waits for room there.
fn values(scenario: &Scenario, set: &dyn Source, host: &'static Key) -> Result<(), Fault> {
    let refused: [(bool, &'static Key, &str); 2] = [
        (
            matches!(scenario.gatt.pacing, Pacing::Ready | Pacing::Blind(_)),
            Gatt::PACING,
            "TrouBLE has a value wait for room in its queue, and says nothing of that; `semaphore` and `sleep` do here",
        ),
        (
            set.value(Gatt::TX_BUFFERS).is_some(),
            Gatt::TX_BUFFERS,
            "TrouBLE's own queue says how many values it takes; only the lab's own host is told",
        ),
    ];
    match refused.into_iter().find(|(is_asked, ..)| *is_asked) {
        Some((_, key, what)) => Err(Fault::new(format!("`{}`: {what}", key.name)).about([key, host])),
        None => Ok(()),
    }
}

/// Refuses what the end that is called cannot do on TrouBLE: it is the image's, which has one manner of most things.
fn called(calls: &Rpc, set: &dyn Source, host: &'static Key) -> Result<(), Fault> {
    if host.name == Initiator::HOST.name {
        let what = format!("`{}`: TrouBLE is called here and does not call; `model` does", host.name);
        return Err(Fault::new(what).about([host]));
    }
    let refused: [(bool, &'static Key, String); 3] = [
        (calls.transport != Transport::Gatt, Rpc::TRANSPORT, "TrouBLE carries frames as values, over `gatt`".into()),
        (
            calls.frame.is_some_and(|frame| usize::from(frame) > COMPATIBLE_FRAME_MAX),
            Rpc::FRAME,
            format!("TrouBLE's frames have at most {COMPATIBLE_FRAME_MAX} octets here"),
        ),
        (
            set.value(Rpc::IN_FLIGHT).is_some(),
            Rpc::IN_FLIGHT,
            "TrouBLE's own queue says how many frames it takes; only the lab's own host is told".into(),
        ),
    ];
    match refused.into_iter().find(|(is_asked, ..)| *is_asked) {
        Some((_, key, what)) => Err(Fault::new(format!("`{}`: {what}", key.name)).about([key, host])),
        None => Ok(()),
    }
}

/// Tells if TrouBLE has a word for this policy.
fn grants(policy: CreditPolicy) -> bool {
    match policy {
        CreditPolicy::PerFrames { grant, every, .. } => grant == every,
        CreditPolicy::RefillAtHalf { .. } | CreditPolicy::RefillBelow { .. } => true,
        CreditPolicy::ZephyrNoAllocBuf { .. } => true,
        CreditPolicy::ZephyrRecv
        | CreditPolicy::SocketBuffer { .. }
        | CreditPolicy::LinuxSocket { .. }
        | CreditPolicy::ZephyrAllocBuf { .. } => false,
    }
}
