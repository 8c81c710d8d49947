//! ACL data in both directions, and the accounts of its buffers. Core 6.0, Vol 4, Part E, 4.1.

use airtime_core::bytes::Reader;

use super::link::{Env, Link};
use super::transmit::{Ends, Fragment, Owner};
use super::{ATT_CHANNEL, ConnHandle, Host, HostEvent};
use crate::hci::{Acl, PB_CONTINUING};

/// The buffers between this host and its controller.
#[derive(Debug)]
pub(super) struct Buffers {
    /// Octets of ACL data in one controller buffer.
    pub(super) acl_size: usize,
    /// Controller buffers.
    pub(super) acl_count: usize,
    /// Controller buffers that are free as far as it has been reported.
    pub(super) acl_free: usize,
    /// L2CAP transmit buffers.
    pub(super) l2cap_count: usize,
    /// L2CAP transmit buffers that are free.
    pub(super) l2cap_free: usize,
    /// Contexts of PDUs until they are reported, if there are any apart from the transmit buffers.
    contexts: Option<Contexts>,
    /// Set if the controller waits for our reports of ACL packets taken.
    pub(super) flow_control: bool,
}

/// Contexts of PDUs from their transmit buffer to the report of the controller. Zephyr v3.2, conn.c: bt_conn_send_cb takes one,
/// tx_notify frees it; the buffer itself is free as soon as the controller's driver has copied it.
#[derive(Debug)]
struct Contexts {
    count: usize,
    free: usize,
}

impl Buffers {
    /// `l2cap_count` transmit buffers and perhaps `contexts`, and nothing known of the controller.
    pub(super) fn new(l2cap_count: u8, contexts: Option<u8>) -> Self {
        let l2cap_count = usize::from(l2cap_count).max(1);
        let contexts = contexts.map(|count| usize::from(count).max(1)).map(|count| Contexts { count, free: count });
        let (acl_count, acl_free) = (0, 0);
        Self { acl_size: 27, acl_count, acl_free, l2cap_count, l2cap_free: l2cap_count, contexts, flow_control: false }
    }

    /// True if a PDU of a channel or of ATT can be taken up.
    pub(super) fn has_room(&self) -> bool {
        self.l2cap_free > 0 && self.contexts.as_ref().is_none_or(|contexts| contexts.free > 0)
    }

    /// Takes what a PDU of `owner` needs.
    pub(super) fn take(&mut self, owner: Owner) {
        if owner.is_buffered() {
            self.l2cap_free -= 1;
            if let Some(contexts) = &mut self.contexts {
                contexts.free -= 1;
            }
        }
    }

    /// The controller has been given `fragment`: with the last of a PDU its transmit buffer is free, if a context keeps the rest.
    fn given(&mut self, fragment: Fragment) {
        if self.contexts.is_some() && fragment.ends_buffered() {
            self.free_buffer();
        }
    }

    fn release(&mut self, fragment: Fragment) {
        self.acl_free = (self.acl_free + 1).min(self.acl_count);
        if fragment.ends_buffered() {
            match &mut self.contexts {
                Some(contexts) => contexts.release(),
                None => self.free_buffer(),
            }
        }
    }

    fn free_buffer(&mut self) {
        self.l2cap_free = (self.l2cap_free + 1).min(self.l2cap_count);
    }

    /// Takes back everything of a connection that has gone: the controller reports none of it.
    /// Core 6.0, Vol 4, Part E, 4.1.1.
    pub(super) fn release_all(&mut self, link: &mut Link) {
        while let Some(fragment) = link.on_controller.pop_front() {
            self.release(fragment);
        }
        if link.current.take().is_some_and(|pdu| pdu.owner.is_buffered()) {
            self.free_buffer();
            if let Some(contexts) = &mut self.contexts {
                contexts.release();
            }
        }
    }
}

impl Contexts {
    fn release(&mut self) {
        self.free = (self.free + 1).min(self.count);
    }
}

impl Host {
    /// Takes one ACL packet from the controller.
    pub(super) fn on_acl(&mut self, acl: Acl<'_>) {
        let Some(link) = self.links.iter_mut().find(|link| link.handle == acl.handle) else { return };
        let mut env = Env { out: &mut self.out, config: &self.config, local: &mut self.local };
        link.on_acl(acl.boundary != PB_CONTINUING, acl.data, &mut env);
        if self.buffers.flow_control {
            self.out.host_completed(acl.handle);
        }
    }

    /// Number Of Completed Packets. Core 6.0, Vol 4, Part E, 7.7.19.
    pub(super) fn on_completed_packets(&mut self, r: &mut Reader<'_>) -> Option<()> {
        let handles = r.u8()?;
        for _ in 0..handles {
            let (handle, count) = (r.u16()?, r.u16()?);
            self.completed(handle, count);
        }
        Some(())
    }

    fn completed(&mut self, handle: ConnHandle, count: u16) {
        let Some(link) = self.links.iter_mut().find(|link| link.handle == handle) else { return };
        for _ in 0..count {
            let Some(fragment) = link.on_controller.pop_front() else { return };
            self.buffers.release(fragment);
            if fragment.ends != Ends::Sdu {
                continue;
            }
            let channel = match fragment.owner {
                Owner::Channel(serial) => {
                    link.channels.iter().find(|c| c.serial == serial && c.is_open()).map(|c| c.id)
                }
                Owner::Att { value: true } => Some(ATT_CHANNEL),
                Owner::Att { value: false } | Owner::Signalling => None,
            };
            if let Some(channel) = channel {
                self.out.event(HostEvent::Sent { conn: handle, channel });
            }
        }
    }

    /// Gives the controller fragments, in turn between the connections, until it has no buffer or
    /// nothing is ready.
    pub(super) fn pump(&mut self) {
        while self.buffers.acl_free > 0 {
            let Some(next) = self.next_to_send() else { return };
            self.turn = next + 1;
            let Some(packet) = self.links[next].cut(&self.out.pool, self.buffers.acl_size) else { return };
            self.buffers.acl_free -= 1;
            if let Some(fragment) = self.links[next].on_controller.back() {
                self.buffers.given(*fragment);
            }
            self.out.acl(packet);
        }
    }

    /// The connection, from the one whose turn it is on, that has a PDU ready to be cut.
    fn next_to_send(&mut self) -> Option<usize> {
        let mut at = self.turn;
        for _ in 0..self.links.len() {
            if at >= self.links.len() {
                at = 0;
            }
            if self.links[at].load(&mut self.buffers, self.local.now) {
                return Some(at);
            }
            at += 1;
        }
        None
    }
}
