//! Explains the HCI log of one host: what its controller reported, what crossed in either direction, and who had to wait for whom.
//!
//! An HCI log shows a link from above. It has the terms as the controller reports them (interval, data length, PHY), the ATT MTU and the
//! credits as both hosts said them, every ACL packet, and when the controller was done with those it was given. It does not show the air:
//! [`UNSEEN`] says what is missing, and nothing of that is guessed.

mod clock;
mod explained;
mod lane;
mod link;
mod queue;
mod sentences;
#[cfg(test)]
mod tests;

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use airtime_ble::hci::heard::Event;
use airtime_ble::hci::opcode;
use airtime_capture::hci::{Hci, Kind};
use airtime_core::Instant;
use airtime_core::bytes::Reader;

use clock::Clock;
pub use explained::{Buffers, DataLength, HostExplained, HostLink, Kinds, Share, Stream};
use link::LoggedLink;
use queue::Controller;
pub use sentences::UNSEEN;

/// Connections followed at once, and reported.
const LINKS_MAX: usize = 256;
/// Adapters followed.
const ADAPTERS_MAX: usize = 16;

/// Follows the connections of an HCI log.
#[derive(Debug, Default)]
pub struct HostExplainer {
    clock: Clock,
    now: Instant,
    controllers: BTreeMap<u16, Controller>,
    /// Running connections by adapter and handle.
    links: BTreeMap<(u16, u16), LoggedLink>,
    over: Vec<HostLink>,
    counts: Counts,
}

/// Packets by kind.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    packets: u64,
    kinds: Kinds,
    malformed: u64,
    left_out: u64,
    other: u64,
    drops: u32,
}

/// Reason that a packet is not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Refused {
    /// It is shorter than it says, or than its kind is.
    Malformed,
    /// It is of a connection or an adapter beyond those that are followed.
    LeftOut,
}

impl HostExplainer {
    /// Takes the next HCI packet of the log.
    pub fn take(&mut self, packet: &Hci<'_>) {
        self.counts.packets += 1;
        self.counts.drops = self.counts.drops.max(packet.drops);
        self.now = self.clock.at(packet.unix_ns);
        let kinds = &mut self.counts.kinds;
        let taken = match packet.kind {
            Kind::Command => {
                kinds.commands += 1;
                self.command(packet.adapter, packet.data)
            }
            Kind::Event => {
                kinds.events += 1;
                self.event(packet.adapter, packet.data)
            }
            Kind::Acl => {
                kinds.acl += 1;
                self.acl(packet)
            }
            Kind::Synchronous | Kind::Isochronous => {
                self.counts.other += 1;
                Ok(())
            }
        };
        match taken {
            Ok(()) => {}
            Err(Refused::Malformed) => self.counts.malformed += 1,
            Err(Refused::LeftOut) => self.counts.left_out += 1,
        }
    }

    /// Ends the log and gives its explanation.
    pub fn finish(mut self) -> HostExplained {
        while let Some((key, _)) = self.links.first_key_value() {
            self.close(*key, None);
        }
        let Counts { packets, kinds, malformed, left_out, other, drops } = self.counts;
        let backwards = self.clock.backwards;
        let buffers = self.controllers.into_iter().filter_map(|(adapter, controller)| {
            controller.buffers().map(|(octets, count)| Buffers { adapter, octets, count })
        });
        let (buffers, links) = (buffers.collect(), self.over);
        HostExplained { packets, kinds, malformed, left_out, backwards, other, drops, buffers, links }
    }

    fn command(&mut self, adapter: u16, data: &[u8]) -> Result<(), Refused> {
        if Reader::new(data).u16().ok_or(Refused::Malformed)? == opcode::RESET.0 {
            let gone: Vec<_> = self.links.keys().filter(|(of, _)| *of == adapter).copied().collect();
            for key in gone {
                self.close(key, Some("the host reset the controller".into()));
            }
        }
        Ok(())
    }

    fn event(&mut self, adapter: u16, data: &[u8]) -> Result<(), Refused> {
        let event = Event::parse(data).ok_or(Refused::Malformed)?;
        match event {
            Event::Other => {}
            Event::Buffers { octets, count, le } => self.controller(adapter)?.set(octets, count, le),
            Event::Completed(completed) => {
                for (handle, count) in completed.iter() {
                    self.advance(adapter);
                    if let Some(link) = self.links.get_mut(&(adapter, handle)) {
                        link.completed(self.now, count);
                    }
                }
            }
            Event::Connected { handle, ref terms } => {
                self.close((adapter, handle), Some("its handle was given to another connection".into()));
                let link = LoggedLink::new(handle, Some(terms.clone()), self.now);
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
                let mut link = LoggedLink::new(handle, None, self.now);
                link.classic = true;
                self.open((adapter, handle), link)?;
            }
        }
        Ok(())
    }

    fn acl(&mut self, packet: &Hci<'_>) -> Result<(), Refused> {
        let mut r = Reader::new(packet.data);
        let (word, octets) = r.u16().zip(r.u16()).ok_or(Refused::Malformed)?;
        let octets = usize::from(octets);
        let (handle, boundary) = (word & 0x0fff, word >> 12 & 0b11);
        let payload = r.rest();
        // What the log's writer has cut off is taken to be there, with what nobody knows.
        let whole = payload.len() == octets || (payload.len() < octets && packet.octets == octets + 4);
        if !whole {
            return Err(Refused::Malformed);
        }
        self.advance(packet.adapter);
        let now = self.now;
        let link = self.link(packet.adapter, handle)?;
        let from_host = packet.from_host.unwrap_or_else(|| link.told_by(boundary));
        link.acl(now, from_host, boundary, payload, octets);
        Ok(())
    }

    /// Books the time since the packet before to what every link of the adapter was waiting for.
    fn advance(&mut self, adapter: u16) {
        let of_adapter = (adapter, 0)..=(adapter, u16::MAX);
        let full = self.controllers.get(&adapter).is_some_and(|controller| {
            let sharing =
                self.links.range(of_adapter.clone()).filter(|(_, link)| !(controller.is_apart() && link.classic));
            controller.is_full(sharing.map(|(_, link)| link.held()).sum())
        });
        for (_, link) in self.links.range_mut(of_adapter) {
            link.advance(self.now, full);
        }
    }

    fn controller(&mut self, adapter: u16) -> Result<&mut Controller, Refused> {
        if self.controllers.len() >= ADAPTERS_MAX && !self.controllers.contains_key(&adapter) {
            return Err(Refused::LeftOut);
        }
        Ok(self.controllers.entry(adapter).or_default())
    }

    /// The connection of this handle; one whose beginning the log does not have is begun now.
    fn link(&mut self, adapter: u16, handle: u16) -> Result<&mut LoggedLink, Refused> {
        let key = (adapter, handle);
        if !self.links.contains_key(&key) {
            let link = LoggedLink::new(handle, None, self.now);
            self.open(key, link)?;
        }
        self.links.get_mut(&key).ok_or(Refused::LeftOut)
    }

    fn open(&mut self, key: (u16, u16), link: LoggedLink) -> Result<(), Refused> {
        if self.links.len() + self.over.len() >= LINKS_MAX {
            return Err(Refused::LeftOut);
        }
        self.advance(key.0);
        self.links.insert(key, link);
        Ok(())
    }

    fn close(&mut self, key: (u16, u16), reason: Option<alloc::string::String>) {
        self.advance(key.0);
        // What the controller held of it is gone with it. Core 6.0, Vol 4, Part E, 4.3.
        if let Some(link) = self.links.remove(&key) {
            if link.classic {
                self.counts.other += link.packets;
                return;
            }
            let buffers = self.controllers.get(&key.0).and_then(Controller::buffers);
            self.over.push(HostLink::of(link, key.0, buffers, reason));
        }
    }
}
