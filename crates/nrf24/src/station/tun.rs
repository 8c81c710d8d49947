//! Between the TUN device and the tunnel.

use super::desk::{Bell, Desk};
use super::report::{act, report};
use crate::air::PAYLOAD_MAX;
use crate::trace::{Activity, Note};

/// Octets of the buffers: more than the largest MTU of a tunnel (1500), so that a packet that is too long is seen to be.
const PACKET_MAX: usize = 2_048;

/// The task that reads the TUN device, at once whenever there is something: the only queue that may stand is the tunnel's own.
///
/// Returns when the device is gone or the desk stops.
pub async fn offer<D: Desk>(desk: &D) {
    let mut packet = [0; PACKET_MAX];
    while !desk.stops()
        && let Some(octets) = desk.read_packet(&mut packet).await
    {
        if let Err(at) = act(desk, |tunnel, now| tunnel.offer(now, &packet[..octets])) {
            desk.note(Note::Dropped { at, octets: octets as u32 });
        }
        report(desk);
    }
}

/// The task that takes payloads from the ring, and IP packets from the tunnel to the TUN device.
///
/// Returns once the desk stops.
pub async fn assemble<D: Desk>(desk: &D) {
    let mut payload = [0; PAYLOAD_MAX];
    let mut packet = [0; PACKET_MAX];
    while !desk.stops() {
        let Some(octets) = desk.with_ring(|ring| ring.take(&mut payload)) else {
            desk.wait(Bell::Assemble, None, Activity::NoData).await;
            continue;
        };
        act(desk, |tunnel, now| tunnel.received(now, &payload[..octets]));
        while let Some(octets) = desk.with_tunnel(|tunnel, _| tunnel.next_packet(&mut packet)) {
            desk.note(Note::Delivered { octets: octets as u32 });
            desk.write_packet(&packet[..octets]).await;
        }
        report(desk);
    }
}
