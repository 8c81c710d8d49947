//! What a host that is not the lab's own cannot do: said when the plan is read, not found out in a run.

use airtime_ble::personality::CreditPolicy;

use super::scenario::{Device, Direction, Link, Program, Scenario};
use crate::plan::resolve::Resolver;
use crate::schema::KEYS;
use crate::toml::error::{Fault, PlanError};

/// Octets of the packets that TrouBLE puts SDUs together in, as `airtime-guest` builds its pool.
#[cfg(not(target_family = "wasm"))]
const SDU_MAX: u16 = airtime_guest::pool::PACKET_OCTETS as u16;
#[cfg(target_family = "wasm")]
const SDU_MAX: u16 = 0;

/// The first thing asked of a foreign host that it cannot do.
pub fn check(resolver: &Resolver<'_>, scenario: &Scenario) -> Result<(), PlanError> {
    let direction = scenario.direction;
    let ends = [
        ("central.host", &scenario.central, direction.central_sends()),
        ("peripheral.host", &scenario.peripheral, direction.peripheral_sends()),
    ];
    for (key, device, sends) in ends.into_iter().filter(|(_, device, _)| device.program == Program::Trouble) {
        let broken = trouble(scenario, device, sends || direction == Direction::Both, key);
        broken.map_err(|(culprit, fault)| {
            // What is a table was set by its parts.
            let parts = KEYS.iter().filter(|k| k.table() == culprit).map(|k| k.name);
            let keys: Vec<&str> = std::iter::once(culprit).chain(parts).chain([key]).collect();
            resolver.error(&keys, fault)
        })?;
        let table = if sends { "host" } else { "peer_host" };
        if let Some(set) = KEYS.iter().find(|k| k.table() == table && resolver.set.set(k.name).is_some()) {
            let what = format!("`{}`: TrouBLE takes no time of a CPU here; only the lab's own host does", set.name);
            return Err(resolver.error(&[set.name], Fault::new(what)));
        }
    }
    Ok(())
}

/// What TrouBLE cannot do of `scenario`, with the key it is about.
fn trouble(scenario: &Scenario, device: &Device, sends: bool, key: &'static str) -> Result<(), (&'static str, Fault)> {
    let cannot = |culprit: &'static str, what: &str| Err((culprit, Fault::new(format!("`{culprit}`: {what}"))));
    if cfg!(target_family = "wasm") {
        return cannot(key, "TrouBLE does not run in WebAssembly; `model` does");
    }
    if scenario.link != Link::BleCoc {
        return cannot("link", "TrouBLE runs the test over `ble-coc` only, it has no GATT here");
    }
    if scenario.encrypted {
        return cannot("ble.encrypted", "TrouBLE has no keys here; `model` on both ends has");
    }
    if scenario.frame_space.is_some() {
        // It waits for a Command Complete that the command does not have. Core 6.0, Vol 4, Part E, 7.8.151.
        return cannot("ble.frame_space", "trouble-host 0.8 cannot carry the frame space update through");
    }
    if scenario.coc.sdu > SDU_MAX {
        return cannot("coc.sdu", &format!("TrouBLE's packets have room for {SDU_MAX} octets"));
    }
    let receives = !sends || scenario.direction == Direction::Both;
    if receives && !grants(device.host.credits) {
        let allowed = "{ initial, on_connect, grant, every } with grant equal to every, { max }, { initial, below }";
        let what = "`coc.credits`: TrouBLE grants what it has taken, once per SDU".to_owned();
        return Err(("coc.credits", Fault::new(what).allowing(allowed)));
    }
    Ok(())
}

/// Whether TrouBLE has a word for this policy.
fn grants(policy: CreditPolicy) -> bool {
    match policy {
        CreditPolicy::PerFrames { grant, every, .. } => grant == every,
        CreditPolicy::RefillAtHalf { .. } | CreditPolicy::RefillBelow { .. } => true,
        CreditPolicy::ZephyrRecv | CreditPolicy::SocketBuffer { .. } => false,
    }
}
