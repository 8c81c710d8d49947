//! Reason that a host has carried nothing: who did not answer, from the controller upwards.

use airtime_app::Outcome;
use airtime_ble::host::Role;
use airtime_ble::plan::Link;
use airtime_ble_link::station::Application;
use airtime_live::client::Client;
use airtime_live::{PeerConfig, Place};

/// L2CAP result: SPSM not supported. Core 6.0, Vol 3, Part A, 4.23.
const NO_SUCH_PSM: u16 = 0x0002;

/// PSM of a peripheral that was told no other: the first dynamic one.
const PSM: u16 = 0x0080;

/// Reason that the host of `config` on the controller at `place` has carried nothing; none if it has.
pub fn why_nothing(config: &PeerConfig, place: &Place, client: &Client) -> Option<String> {
    let progress = client.progress();
    if progress.submitted + progress.delivered > 0 {
        return None;
    }
    let name = &config.scenario.connection.name;
    Some(if !client.is_up() {
        format!("nothing was carried: the controller at {place} has not answered HCI Reset")
    } else if !progress.ready {
        format!("nothing was carried: the controller at {place} has answered HCI Reset, and no more")
    } else {
        let why = match config.role {
            Role::Peripheral if progress.connections == 0 => format!(
                "nobody has connected to `{name}`, which it advertises; the other end has to be the central: --role central"
            ),
            Role::Peripheral => format!("a central has connected, and {}", not_done(config)),
            Role::Central => central(config, client, name),
        };
        format!("nothing was carried: {why}")
    })
}

/// Steps that a central leaves out.
fn not_done(config: &PeerConfig) -> String {
    let psm = config.psm.unwrap_or(PSM);
    match (config.scenario.link, config.name.ends_with("source")) {
        (Link::BleCoc, _) => format!("has opened no channel on PSM 0x{psm:04X}, or sent nothing on it"),
        (_, true) => "has not subscribed to the stream characteristic of the test service".to_owned(),
        (_, false) => "has written nothing to the stream characteristic of the test service".to_owned(),
    }
}

fn central(config: &PeerConfig, client: &Client, name: &str) -> String {
    let progress = client.progress();
    let step = match client.own().station().application() {
        Application::Central(machine) => machine.step(0),
        Application::Peripheral(_) => None,
    };
    let of_channel = config.scenario.link == Link::BleCoc;
    match (progress.outcome, step) {
        (_, Some(step)) => format!("{} is not answered", step.name()),
        (Some(Outcome::NoService), _) if of_channel => {
            format!("`{name}` has no service that publishes a PSM; psm=0x{PSM:04X} opens the channel without it")
        }
        (Some(Outcome::NoService), _) => format!("`{name}` does not have the GATT service of the test"),
        (Some(Outcome::ChannelRefused { result: NO_SUCH_PSM }), _) => match config.psm {
            Some(psm) => format!("`{name}` takes no channels on PSM 0x{psm:04X}"),
            None => format!("`{name}` takes no channels on the PSM that it publishes"),
        },
        (Some(outcome), _) if outcome != Outcome::ScanTimeout => outcome.to_string(),
        (None, None) if progress.connections > 0 => format!("`{name}` is connected, and sends nothing"),
        _ => format!(
            "nobody advertises as `{name}`; name= says who is meant, and the other end has to be the peripheral"
        ),
    }
}
