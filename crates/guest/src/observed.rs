//! Observation of a foreign host by its own HCI packets: buffers taken, credits left.
//!
//! Nothing of the host is looked into. Signalling that spans several ACL packets is not followed: no
//! host splits what a channel is opened with, or a credit indication, into fragments of 27 octets.

use airtime_ble::hci::{Acl, H4, event, opcode};
use airtime_ble::host::ConnHandle;
use airtime_core::bytes::Reader;

/// Packet boundary flag of a continuing fragment. Core 6.0, Vol 4, Part E, 5.4.2.
const CONTINUING: u16 = 0b01;

/// Channels of ATT and of L2CAP signalling, and the first of credit-based channels. Core 6.0, Vol 3, Part A, 2.1.
const CID_ATT: u16 = 0x0004;
const CID_SIGNALLING: u16 = 0x0005;
const CID_DYNAMIC: u16 = 0x0040;

/// Signals of Core 6.0, Vol 3, Part A, 4.22 to 4.24.
const CONNECTION_REQUEST: u8 = 0x14;
const CONNECTION_RESPONSE: u8 = 0x15;
const CREDIT_INDICATION: u8 = 0x16;

/// Opcode of a notification. Core 6.0, Vol 3, Part F, 3.4.8.
const NOTIFICATION: u8 = 0x1b;

/// Octets of the SDU length in an SDU's first K-frame. Core 6.0, Vol 3, Part A, 3.4.3.
const SDU_LENGTH: u32 = 2;

/// Requests under way and channels opened per connection that are remembered; the oldest go first.
const KEPT_MAX: usize = 32;

/// Observation of one end by its HCI packets.
#[derive(Debug, Default)]
pub(crate) struct Observed {
    /// ACL packets the controller takes.
    slots: u16,
    links: Vec<Link>,
}

#[derive(Debug, Default)]
struct Link {
    handle: ConnHandle,
    /// ACL packets that the controller has and has not reported.
    in_use: u16,
    /// Notifications given to the controller.
    notifications: u64,
    /// Terms of the requester, from the peer's requests and our own.
    requests: Vec<(Side, u8, Terms)>,
    channels: Vec<Channel>,
}

/// Side that made a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Host,
    Peer,
}

/// Terms of one end when a channel is opened.
#[derive(Clone, Copy, Debug, Default)]
struct Terms {
    cid: u16,
    mps: u16,
    credits: u16,
}

#[derive(Debug)]
struct Channel {
    /// Terms of the peer.
    peer: Terms,
    credits: u32,
    /// K-frames given to the controller.
    frames: u64,
    /// Number that the application has for it, once it knows.
    name: Option<u16>,
}

/// An SDU that was given to the host and that it has not taken in whole.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Underway {
    pub(crate) channel: u16,
    pub(crate) octets: u16,
    /// K-frames of the channel before it.
    pub(crate) frames_before: u64,
}

impl Observed {
    /// A packet on its way to the controller.
    pub(crate) fn down(&mut self, packet: &[u8]) {
        if let Ok(H4::Acl(acl)) = H4::parse(packet) {
            let link = self.link(acl.handle);
            link.in_use = link.in_use.saturating_add(1);
            link.data(&acl, Side::Host);
        }
    }

    /// A packet on its way to the host.
    pub(crate) fn up(&mut self, packet: &[u8]) {
        // What is cut short tells nothing.
        let _ = match H4::parse(packet) {
            Ok(H4::Acl(acl)) => self.link(acl.handle).data(&acl, Side::Peer),
            Ok(H4::Event { code, params }) => self.event(code, Reader::new(params)),
            _ => None,
        };
    }

    /// Connections, requests and channels that are remembered.
    pub(crate) fn held(&self) -> usize {
        self.links.iter().map(|link| 1 + link.requests.len() + link.channels.len()).sum()
    }

    fn event(&mut self, code: u8, mut r: Reader<'_>) -> Option<()> {
        match code {
            event::COMMAND_COMPLETE => {
                r.u8()?;
                if r.u16()? == opcode::LE_READ_BUFFER_SIZE.0 && r.u8()? == 0 {
                    r.u16()?;
                    self.slots = r.u8()?.into();
                }
            }
            event::NUMBER_OF_COMPLETED_PACKETS => {
                for _ in 0..r.u8()? {
                    let (handle, packets) = (r.u16()?, r.u16()?);
                    let link = self.link(handle);
                    link.in_use = link.in_use.saturating_sub(packets);
                }
            }
            event::DISCONNECTION_COMPLETE if r.u8()? == 0 => {
                let handle = r.u16()?;
                self.links.retain(|link| link.handle != handle);
            }
            _ => {}
        }
        Some(())
    }

    fn link(&mut self, handle: ConnHandle) -> &mut Link {
        let at = self.links.iter().position(|link| link.handle == handle);
        let at = at.unwrap_or_else(|| {
            self.links.push(Link { handle, ..Link::default() });
            self.links.len() - 1
        });
        &mut self.links[at]
    }

    fn channel(&self, conn: ConnHandle, name: u16) -> Option<&Channel> {
        let link = self.links.iter().find(|link| link.handle == conn)?;
        link.channels.iter().rev().find(|channel| channel.name == Some(name))
    }

    /// The application calls the first channel that it has no name for `name`; gives the credits it
    /// was opened with.
    pub(crate) fn name(&mut self, conn: ConnHandle, name: u16) -> u16 {
        let channel = self.link(conn).channels.iter_mut().find(|channel| channel.name.is_none());
        channel.map_or(0, |channel| {
            channel.name = Some(name);
            channel.peer.credits
        })
    }

    /// K-frames that were sent on a channel.
    pub(crate) fn frames(&self, conn: ConnHandle, name: u16) -> u64 {
        self.channel(conn, name).map_or(0, |channel| channel.frames)
    }

    /// Notifications that were given to the controller on `conn`.
    pub(crate) fn notifications(&self, conn: ConnHandle) -> u64 {
        self.links.iter().find(|link| link.handle == conn).map_or(0, |link| link.notifications)
    }

    /// True if the controller has no room for another packet of `conn`. TrouBLE counts per connection.
    pub(crate) fn is_full(&self, conn: ConnHandle) -> bool {
        self.links.iter().any(|link| link.handle == conn && link.in_use >= self.slots)
    }

    /// True if an SDU waits for credits: none of it was sent, and there are fewer than it needs.
    pub(crate) fn lacks_credits(&self, conn: ConnHandle, sdu: &Underway) -> bool {
        self.channel(conn, sdu.channel).is_some_and(|channel| {
            let needs = (u32::from(sdu.octets) + SDU_LENGTH).div_ceil(channel.peer.mps.max(1).into());
            channel.frames == sdu.frames_before && channel.credits < needs
        })
    }
}

impl Link {
    /// The first fragment of an L2CAP PDU tells what it is; the others are passed over.
    fn data(&mut self, acl: &Acl<'_>, from: Side) -> Option<()> {
        if acl.boundary == CONTINUING {
            return None;
        }
        let mut r = Reader::new(acl.data);
        let (_len, cid) = (r.u16()?, r.u16()?);
        match cid {
            CID_ATT if from == Side::Host => {
                self.notifications += u64::from(r.u8()? == NOTIFICATION);
                Some(())
            }
            CID_SIGNALLING => self.signal(&mut r, from),
            CID_DYNAMIC.. if from == Side::Host => {
                let channel = self.channels.iter_mut().rev().find(|channel| channel.peer.cid == cid)?;
                channel.frames += 1;
                channel.credits = channel.credits.saturating_sub(1);
                Some(())
            }
            _ => None,
        }
    }

    fn signal(&mut self, r: &mut Reader<'_>, from: Side) -> Option<()> {
        let (code, identifier, _len) = (r.u8()?, r.u8()?, r.u16()?);
        match code {
            CONNECTION_REQUEST => {
                let (_psm, cid, _mtu, mps, credits) = (r.u16()?, r.u16()?, r.u16()?, r.u16()?, r.u16()?);
                bounded(&mut self.requests, (from, identifier, Terms { cid, mps, credits }));
            }
            CONNECTION_RESPONSE => {
                let (cid, _mtu, mps, credits, result) = (r.u16()?, r.u16()?, r.u16()?, r.u16()?, r.u16()?);
                let is_asked = |(asker, id, _): &(Side, u8, Terms)| *asker != from && *id == identifier;
                let at = self.requests.iter().position(is_asked)?;
                let (_, _, requester) = self.requests.remove(at);
                if result == 0 {
                    let peer = if from == Side::Peer { Terms { cid, mps, credits } } else { requester };
                    let channel = Channel { peer, credits: peer.credits.into(), frames: 0, name: None };
                    bounded(&mut self.channels, channel);
                }
            }
            CREDIT_INDICATION if from == Side::Peer => {
                let (cid, credits) = (r.u16()?, r.u16()?);
                let channel = self.channels.iter_mut().rev().find(|channel| channel.peer.cid == cid)?;
                channel.credits = channel.credits.saturating_add(credits.into());
            }
            _ => {}
        }
        Some(())
    }
}

fn bounded<T>(kept: &mut Vec<T>, one: T) {
    if kept.len() == KEPT_MAX {
        kept.remove(0);
    }
    kept.push(one);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An ACL packet with one L2CAP PDU.
    fn acl(cid: u8, information: &[u8]) -> Vec<u8> {
        let len = information.len() as u8;
        [&[0x02, 0x00, 0x20, len + 4, 0, len, 0, cid, 0][..], information].concat()
    }

    fn opened() -> Observed {
        let mut observed = Observed::default();
        // LE Read Buffer Size: two packets of 251 octets.
        observed.up(&[0x04, 0x0e, 7, 1, 0x02, 0x20, 0, 251, 0, 2]);
        // The peer asks for PSM 0x80 with CID 0x41, MTU 500, MPS 247, one credit; the host answers.
        observed.up(&acl(5, &[0x14, 7, 10, 0, 0x80, 0, 0x41, 0, 0xf4, 1, 247, 0, 1, 0]));
        observed.down(&acl(5, &[0x15, 7, 10, 0, 0x40, 0, 0xf4, 1, 100, 0, 9, 0, 0, 0]));
        observed
    }

    #[test]
    fn credits_are_the_peers() {
        let mut observed = opened();
        assert_eq!(observed.name(0, 0x40), 1);
        let mut sdu = Underway { channel: 0x40, octets: 245, frames_before: 0 };
        assert!(!observed.lacks_credits(0, &sdu));
        sdu.octets = 246;
        assert!(observed.lacks_credits(0, &sdu), "two K-frames");
        observed.up(&acl(5, &[0x16, 1, 4, 0, 0x41, 0, 1, 0]));
        assert!(!observed.lacks_credits(0, &sdu));
        observed.down(&acl(0x41, &[246, 0, 1, 2]));
        assert_eq!(observed.frames(0, 0x40), 1);
        assert!(!observed.lacks_credits(0, &sdu), "it has begun, so it has its credits");
    }

    #[test]
    fn buffers_are_taken_by_packets_and_freed_by_reports() {
        let mut observed = opened();
        assert!(!observed.is_full(0), "the answer alone");
        observed.down(&acl(0x41, &[1, 0, 1]));
        assert!(observed.is_full(0));
        observed.up(&[0x04, 0x13, 5, 1, 0, 0, 1, 0]);
        assert!(!observed.is_full(0));
        observed.up(&[0x04, 0x05, 4, 0, 0, 0, 0x13]);
        assert_eq!(observed.frames(0, 0x40), 0, "the connection is gone");
    }

    #[test]
    fn notifications_are_counted_as_the_controller_takes_them() {
        let mut observed = Observed::default();
        observed.down(&acl(4, &[0x1b, 8, 0, 1]));
        observed.down(&acl(4, &[0x03, 251, 0]));
        observed.up(&acl(4, &[0x52, 8, 0, 1]));
        assert_eq!(observed.notifications(0), 1, "neither an answer nor what the peer writes");
        observed.up(&[0x04, 0x05, 4, 0, 0, 0, 0x13]);
        assert_eq!(observed.notifications(0), 0, "the connection is gone");
    }

    #[test]
    fn a_refused_channel_is_none() {
        let mut observed = Observed::default();
        observed.down(&acl(5, &[0x14, 1, 10, 0, 0x80, 0, 0x40, 0, 0xf4, 1, 247, 0, 1, 0]));
        observed.up(&acl(5, &[0x15, 1, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0]));
        assert_eq!(observed.name(0, 0x40), 0);
        assert!(observed.channel(0, 0x40).is_none());
    }
}
