//! Explains the HCI log of one host: what its controller reported, what crossed in either direction, and who had to wait for whom.
//!
//! An HCI log shows a link from above. It has the terms as the controller reports them (interval, data length, PHY), the ATT MTU and the
//! credits as both hosts said them, every ACL packet, and when the controller was done with those it was given. It does not show the air:
//! [`UNSEEN`] says what is missing, and nothing of that is guessed.

mod event;
mod explained;
mod lane;
mod link;
mod queue;
mod says;
#[cfg(test)]
mod tests;

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use airtime_ble::hci::opcode;
use airtime_capture::hci::{Hci, Kind};
use airtime_core::bytes::Reader;
use airtime_core::{Duration, Instant};

use event::Event;
pub use explained::{Buffers, DataLength, HostExplained, HostLink, Share, Stream};
use link::Link;
use queue::Controller;
pub use says::UNSEEN;

/// Connections followed at once, and reported.
const LINKS_MAX: usize = 256;
/// Adapters followed.
const ADAPTERS_MAX: usize = 16;

/// Follows the connections of an HCI log.
#[derive(Debug, Default)]
pub struct HostExplainer {
    origin: Option<i64>,
    now: Instant,
    controllers: BTreeMap<u16, Controller>,
    /// Running connections by adapter and handle.
    links: BTreeMap<(u16, u16), Link>,
    over: Vec<HostLink>,
    counts: Counts,
}

/// Packets by kind.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    packets: u64,
    malformed: u64,
    backwards: u64,
    other: u64,
    drops: u32,
}

impl HostExplainer {
    /// Takes the next HCI packet of the log.
    pub fn take(&mut self, packet: &Hci<'_>) {
        self.counts.packets += 1;
        self.counts.drops = self.counts.drops.max(packet.drops);
        let origin = *self.origin.get_or_insert(packet.unix_ns);
        let at = u64::try_from(packet.unix_ns.saturating_sub(origin)).ok().filter(|ns| *ns < u64::MAX / 4);
        let at = at.map(|ns| Instant::ZERO + Duration::from_nanos(ns));
        // A computer's clock may be set back: time goes on from what was last.
        self.counts.backwards += u64::from(at.is_none_or(|at| at < self.now));
        self.now = at.map_or(self.now, |at| self.now.max(at));
        let taken = match packet.kind {
            Kind::Command => self.command(packet.adapter, packet.data),
            Kind::Event => self.event(packet.adapter, packet.data),
            Kind::Acl => self.acl(packet),
            Kind::Synchronous | Kind::Isochronous => {
                self.counts.other += 1;
                Some(())
            }
        };
        self.counts.malformed += u64::from(taken.is_none());
    }

    /// Ends the log and gives its explanation.
    pub fn finish(mut self) -> HostExplained {
        while let Some((key, _)) = self.links.first_key_value() {
            self.close(*key, None);
        }
        let Counts { packets, malformed, backwards, other, drops } = self.counts;
        let buffers = self.controllers.into_iter().filter_map(|(adapter, controller)| {
            controller.buffers().map(|(octets, count)| Buffers { adapter, octets, count })
        });
        HostExplained { packets, malformed, backwards, other, drops, buffers: buffers.collect(), links: self.over }
    }

    fn command(&mut self, adapter: u16, data: &[u8]) -> Option<()> {
        if Reader::new(data).u16()? == opcode::RESET.0 {
            let gone: Vec<_> = self.links.keys().filter(|(of, _)| *of == adapter).copied().collect();
            for key in gone {
                self.close(key, Some("the host reset the controller".into()));
            }
            if let Some(controller) = self.controllers.get_mut(&adapter) {
                controller.reset();
            }
        }
        Some(())
    }

    fn event(&mut self, adapter: u16, data: &[u8]) -> Option<()> {
        let event = Event::parse(data)?;
        match event {
            Event::Other => {}
            Event::Buffers { octets, count } => self.controller(adapter)?.set(octets, count),
            Event::Completed(completed) => {
                for (handle, count) in completed.iter() {
                    self.advance(adapter);
                    if let Some(link) = self.links.get_mut(&(adapter, handle)) {
                        let given = link.completed(self.now, count);
                        self.controller(adapter)?.give_back(given);
                    }
                }
            }
            Event::Connected { handle, ref terms } => {
                self.close((adapter, handle), Some("its handle was given to another connection".into()));
                let link = Link::new(handle, Some(terms.clone()), self.now);
                self.open((adapter, handle), link)?;
            }
            Event::Disconnected { handle, reason } => {
                self.close((adapter, handle), Some(alloc::format!("{reason}")));
            }
            Event::Of { handle, change } => {
                let now = self.now;
                self.link(adapter, handle)?.change(now, change);
            }
            Event::Classic { handle } => {
                self.close((adapter, handle), Some("its handle was given to another connection".into()));
                let mut link = Link::new(handle, None, self.now);
                link.classic = true;
                self.open((adapter, handle), link)?;
            }
        }
        Some(())
    }

    fn acl(&mut self, packet: &Hci<'_>) -> Option<()> {
        let mut r = Reader::new(packet.data);
        let (word, octets) = (r.u16()?, usize::from(r.u16()?));
        let (handle, boundary) = (word & 0x0fff, word >> 12 & 0b11);
        let payload = r.rest();
        // What the log's writer has cut off is taken to be there, with what nobody knows.
        let whole = payload.len() == octets || (payload.len() < octets && packet.octets == octets + 4);
        if !whole {
            return None;
        }
        self.advance(packet.adapter);
        let now = self.now;
        let link = self.link(packet.adapter, handle)?;
        let from_host = packet.from_host.unwrap_or_else(|| link.told_by(boundary));
        link.acl(now, from_host, boundary, payload, octets);
        if from_host {
            self.controller(packet.adapter)?.take();
        }
        Some(())
    }

    /// Books the time since the packet before to what every link of the adapter was waiting for.
    fn advance(&mut self, adapter: u16) {
        let full = self.controllers.get(&adapter).is_some_and(Controller::is_full);
        for (_, link) in self.links.range_mut((adapter, 0)..=(adapter, u16::MAX)) {
            link.advance(self.now, full);
        }
    }

    fn controller(&mut self, adapter: u16) -> Option<&mut Controller> {
        if self.controllers.len() >= ADAPTERS_MAX && !self.controllers.contains_key(&adapter) {
            return None;
        }
        Some(self.controllers.entry(adapter).or_default())
    }

    /// The connection of this handle; one whose beginning the log does not have is begun now.
    fn link(&mut self, adapter: u16, handle: u16) -> Option<&mut Link> {
        let key = (adapter, handle);
        if !self.links.contains_key(&key) {
            let link = Link::new(handle, None, self.now);
            self.open(key, link)?;
        }
        self.links.get_mut(&key)
    }

    fn open(&mut self, key: (u16, u16), link: Link) -> Option<()> {
        if self.links.len() + self.over.len() >= LINKS_MAX {
            return None;
        }
        self.advance(key.0);
        self.links.insert(key, link);
        Some(())
    }

    fn close(&mut self, key: (u16, u16), reason: Option<alloc::string::String>) {
        self.advance(key.0);
        if let Some(link) = self.links.remove(&key) {
            // What the controller held of it is gone with it. Core 6.0, Vol 4, Part E, 4.3.
            if let Some(controller) = self.controllers.get_mut(&key.0) {
                controller.give_back(link.held());
            }
            if link.classic {
                self.counts.other += link.packets;
                return;
            }
            let buffers = self.controllers.get(&key.0).and_then(Controller::buffers);
            self.over.push(HostLink::of(link, key.0, buffers, reason));
        }
    }
}
