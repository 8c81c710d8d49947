//! The most any link can carry: exchanges without end, one after the other, and nothing lost.

use airtime_ble::hci::ACL_DATA;
use airtime_ble_link::plan::{Carrier, Device, Scenario};
use airtime_ble_link::station::Negotiated;

use crate::closed_form::air::{Phy, air, cut, longest, pdus};

/// Octets of an ACL packet in front of its data, with its type. Core 6.0, Vol 4, Part E, 5.4.2.
const ACL_HEAD: u64 = 5;

/// What one direction's PDUs carry and cost on average: payload octets and µs.
struct Stream {
    payload: f64,
    time: f64,
}

/// Octets of application payload per µs over an endless event.
pub fn octets_per_us(scenario: &Scenario, central: &Negotiated, peripheral: &Negotiated) -> f64 {
    let phy = phy(scenario, central);
    let gap = central.frame_space.as_micros();
    // On LE Coded a longer interval allows longer PDUs; the interval may have changed under way.
    let intervals = [central.interval, central.first_interval, peripheral.interval, peripheral.first_interval];
    let interval = intervals.into_iter().max().map_or(0, |interval| interval.as_micros());
    let octets = u64::from(scenario.data_length());
    // Encryption comes before the stream and shortens no PDU on uncoded PHYs.
    let most = longest(phy, octets, interval, gap, false);
    let of = |sender: &Device, receiver: &Device| stream(scenario, phy, most, central.encrypted, sender, receiver);
    let c2p = scenario.connection.direction.central_sends().then(|| of(&scenario.central, &scenario.peripheral));
    let p2c = scenario.connection.direction.peripheral_sends().then(|| of(&scenario.peripheral, &scenario.central));
    let empty = air(phy, 0, false) as f64;
    let gaps = 2.0 * gap as f64;
    let alone = |s: &Stream| s.payload / (s.time + empty + gaps);
    // The rate of a mixture is a quotient of linear functions of its shares: the best is at a corner.
    let together = c2p.iter().zip(&p2c).map(|(a, b)| (a.payload + b.payload) / (a.time + b.time + gaps));
    let corners = c2p.iter().chain(&p2c).map(alone).chain(together);
    corners.fold(0.0, f64::max)
}

/// Octets of payload per µs that the bus of `device` takes one way, were all its packets as long as they get; a packet that just
/// needs one more piece is up to a twentieth worse than a shorter one.
pub fn bus_octets_per_us(device: &Device) -> f64 {
    // What goes up is one PDU of at most 251 octets each.
    let most = u64::from(device.controller.acl_size).max(251);
    let time = device.bus.time(ACL_DATA, most + ACL_HEAD);
    if time.is_zero() { f64::INFINITY } else { 1.05 * most as f64 * 1e3 / time.as_nanos() as f64 }
}

/// The PHY in use: the one asked for, or 1M when it was refused.
fn phy(scenario: &Scenario, central: &Negotiated) -> Phy {
    let name = if central.phy == airtime_ble::air::Phy::Le1M { "1M" } else { scenario.phy().name() };
    Phy::ALL.into_iter().find(|phy| phy.name() == name).expect("a PHY has a name")
}

fn stream(scenario: &Scenario, phy: Phy, most: u64, encrypted: bool, sender: &Device, receiver: &Device) -> Stream {
    let (payload, acl) = (u64::from(scenario.payload()), u64::from(sender.controller.acl_size));
    let octets: Vec<u64> = match scenario.link {
        Carrier::BleCoc => {
            pdus(payload, receiver.host.coc_mps.into(), acl, most).iter().map(|pdu| pdu.octets).collect()
        }
        // Opcode and handle come before the value.
        Carrier::BleGatt => cut(payload + 3, acl, most).collect(),
        Carrier::BleRpc => unreachable!("these plans stream"),
    };
    let time: u64 = octets.iter().map(|octets| air(phy, *octets, encrypted)).sum();
    let pdus = octets.len() as f64;
    Stream { payload: payload as f64 / pdus, time: time as f64 / pdus }
}
