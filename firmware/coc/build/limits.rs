//! Limits of these boards on a plan: it may ask for things that they cannot do.

use airtime_ble::personality::CreditPolicy;
use airtime_ble_link::plan::{Carrier, Pacing, Program, Scenario};
use airtime_ble_link::run::central_config;
use airtime_core::loss::Loss;

/// Warnings, a sentence each, of all that will be otherwise than the plan says.
pub fn warnings(scenario: &Scenario) -> Vec<String> {
    let mut found = Vec::new();
    let mut warn = |wrong: bool, text: String| {
        if wrong {
            found.push(text);
        }
    };
    for (end, device) in [("central", &scenario.central), ("peripheral", &scenario.peripheral)] {
        let text = format!("{end}.personality is {}, the board's controller is nordic-sdc", device.name);
        warn(device.name != "nordic-sdc", text);
        let text = format!("{end}.host is the lab's model, the board's host is TrouBLE: host = \"trouble\"");
        warn(device.program == Program::Model, text);
    }
    warn(scenario.connection.loss != Loss::None, "ble.loss is the laboratory's: boards have what the room has".into());
    warn(
        scenario.connection.negotiated_frame_space().is_some(),
        "ble.frame_space: TrouBLE 0.8 cannot ask for one; it stays at 150us".into(),
    );
    warn(scenario.connection.encrypted, "ble.encrypted: pairing is not built in; the link stays in the clear".into());
    found
}

/// Initial credits, and when more are granted, in Rust.
///
/// # Errors
/// When TrouBLE has no such policy: it grants what has arrived, at the next SDU that is taken.
pub fn credits(end: &str, policy: CreditPolicy) -> Result<(u16, String), String> {
    match policy {
        CreditPolicy::PerFrames { initial, on_connect, grant, every } if grant == every => {
            // What a peer may send before anything was taken is the same in one grant and in two.
            Ok((initial.saturating_add(on_connect), format!("Grant::Every({every})")))
        }
        CreditPolicy::RefillBelow { initial, below } => Ok((initial, format!("Grant::Below({below})"))),
        CreditPolicy::RefillAtHalf { max } => Ok((max, format!("Grant::Below({})", max / 2 + 1))),
        other => Err(format!(
            "{end}: TrouBLE cannot grant credits as {other:?}; \
             say coc.credits = {{ initial, on_connect, grant, every }} with grant = every, {{ initial, below }} or {{ max }}"
        )),
    }
}

/// SDUs that wait for the application per channel: the feature `l2cap-rx-queue-size-16` in Cargo.toml.
const QUEUE: u16 = 16;

/// Packets beside those that wait: what a sender has in its hands, signalling, SDUs that are put together. *Assumed.*
const PACKETS_BESIDE: u32 = 16;

/// Most octets of all packets: with them, the images' other static memory (some 30 kB) stays below the 96 kB of their budget.
const POOL_OCTETS_MAX: u32 = 60 * 1_024;

/// Number of packets of `octets` that a host needs: as many as SDUs wait on all channels, and those beside. What finds none is lost.
///
/// # Errors
/// When there is no memory for them.
pub fn packets(scenario: &Scenario, octets: u16) -> Result<u32, String> {
    let channels = u32::from(scenario.channels()) * u32::from(scenario.connection.peripherals);
    let packets = u32::from(QUEUE) * channels + PACKETS_BESIDE;
    if packets * u32::from(octets) > POOL_OCTETS_MAX {
        return Err(format!(
            "coc.channels, ble.peripherals and coc.sdu: {QUEUE} SDUs wait on each of {channels} channels, which are {packets} packets of {octets} \
             octets, and {POOL_OCTETS_MAX} octets are what there is; fewer channels, or shorter SDUs and coc.mps"
        ));
    }
    Ok(packets)
}

/// Octets of an SDU's length, in front of its first K-frame. Core 6.0, Vol 3, Part A, 3.4.3.
const SDU_LENGTH: u16 = 2;

/// TrouBLE drops an SDU for which its queue has no room, and with it the credits that it cost: a peer may never have so many.
///
/// # Errors
/// When the credits that a channel opens with are enough for more SDUs than wait.
pub fn queue(end: &str, credits: u16, sdu: u16, mps: u16) -> Result<(), String> {
    let frames = sdu.saturating_add(SDU_LENGTH).div_ceil(mps.max(1));
    let most = QUEUE.saturating_mul(frames);
    if credits > most {
        return Err(format!(
            "{end}: coc.credits: {credits} are enough for more than the {QUEUE} SDUs that wait for the application, and TrouBLE drops \
             the others; at most {most} with SDUs of {frames} K-frames"
        ));
    }
    Ok(())
}

/// Looks for what these images cannot do of a stream.
///
/// # Errors
/// When the link is one that they do not have, or values travel otherwise than by notifications and write commands.
pub fn stream(scenario: &Scenario) -> Result<(), String> {
    let gatt = &scenario.gatt;
    let refused = match scenario.link {
        Carrier::BleCoc => None,
        Carrier::BleRpc => Some("link: these images have \"ble-coc\" and \"ble-gatt\"; nrf54l15-rpc answers calls"),
        Carrier::BleGatt if gatt.method.is_some_and(|method| method.unanswered().is_some()) => {
            Some("gatt.method: these images have notify and write-command, whose values wait for no answer")
        }
        Carrier::BleGatt if central_config(scenario).stream.requests.is_some() => {
            Some("upload: these images send no requests that are answered")
        }
        Carrier::BleGatt if matches!(gatt.pacing, Pacing::Blind(_)) => Some(
            "gatt.pacing: TrouBLE has a value wait for room, and loses none as a blind sender's are; say semaphore",
        ),
        Carrier::BleGatt => None,
    };
    refused.map_or(Ok(()), |why| Err(why.to_owned()))
}
