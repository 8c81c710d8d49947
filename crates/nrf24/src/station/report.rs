//! Consequences of moving the tunnel: notes for the observer, a ring for the transmitter.

use airtime_core::Instant;

use super::desk::{Bell, Desk};
use crate::trace::Note;
use crate::tunnel::Tunnel;

/// Acts on the tunnel for another task than the transmitter's, and wakes that one when it has something to send because of it, or
/// has to wake the tunnel earlier than it thinks.
pub(super) fn act<R>(desk: &impl Desk, act: impl FnOnce(&mut Tunnel, Instant) -> R) -> R {
    let (result, ring) = desk.with_tunnel(|tunnel, now| {
        let before = tunnel.deadline();
        let result = act(tunnel, now);
        let sooner = tunnel.deadline().is_some_and(|due| before.is_none_or(|before| due < before));
        (result, sooner || tunnel.has_frame())
    });
    if ring {
        desk.ring(Bell::Transmit);
    }
    result
}

/// Notes what the tunnel has dropped, and where reassembly found its place again, since the last call.
pub(super) fn report(desk: &impl Desk) {
    look(desk, |_| ());
}

/// As [`report`], and looks at the tunnel in the same breath.
pub(super) fn look<R>(desk: &impl Desk, look: impl Fn(&Tunnel) -> R) -> R {
    loop {
        let (drop, resync, seen) =
            desk.with_tunnel(|tunnel, _| (tunnel.next_drop(), tunnel.next_resync(), look(tunnel)));
        if let Some((at, octets)) = drop {
            desk.note(Note::Dropped { at, octets });
        }
        if let Some(octets) = resync {
            desk.note(Note::Resync { octets });
        }
        if drop.is_none() && resync.is_none() {
            return seen;
        }
    }
}
