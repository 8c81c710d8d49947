//! One LE credit-based channel: segmentation and reassembly. Core 6.0, Vol 3, Part A, 3.4 and 10.1.

use alloc::collections::VecDeque;

use airtime_core::{Packet, Pool};

use super::credits::{Credits, KFrame};
use crate::host::transmit::{Owner, Pdu};
use crate::host::{ChannelId, ReceivedSdu, Violation};

/// SDUs a channel holds: as many as the widest window of an application that waits, so that none of those is refused.
pub(in crate::host) const SDUS_MAX: usize = 255;

/// Smallest MTU and MPS. Core 6.0, Vol 3, Part A, 4.22.
pub(in crate::host) const MTU_MIN: u16 = 23;

/// Largest MPS: a K-frame's length field counts two octets of SDU length as well.
pub(in crate::host) const MPS_MAX: u16 = 65533;

/// Stage of a channel between request and end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::host) enum State {
    /// Our request with this identifier waits for its response.
    Connecting(u8),
    /// Data flows.
    Open,
    /// Our disconnection request waits for its response; the application knows already.
    Closing,
}

/// One channel of a connection.
#[derive(Debug)]
pub(in crate::host) struct Channel {
    pub(in crate::host) id: ChannelId,
    pub(in crate::host) peer_id: u16,
    /// Serial number of this life of `id`.
    pub(in crate::host) serial: u32,
    pub(in crate::host) state: State,
    pub(in crate::host) sender: Sender,
    pub(in crate::host) receiver: Receiver,
}

/// The half towards the peer.
#[derive(Debug, Default)]
pub(in crate::host) struct Sender {
    pub(in crate::host) mtu: u16,
    pub(in crate::host) mps: u16,
    pub(in crate::host) credits: u16,
    /// SDUs the application gave and that are not wholly with the controller.
    pub(in crate::host) queued: usize,
    sdus: VecDeque<Sdu>,
}

/// An SDU of which `sent` octets have become K-frames.
#[derive(Debug)]
struct Sdu {
    bytes: Packet,
    sent: usize,
}

impl Sender {
    /// A sender to a peer with these limits, which gave `credits`.
    pub(in crate::host) fn new(mtu: u16, mps: u16, credits: u16) -> Self {
        Self { mtu, mps, credits, ..Self::default() }
    }

    /// Queues an SDU that has been made.
    pub(in crate::host) fn push(&mut self, bytes: Packet) {
        self.sdus.push_back(Sdu { bytes, sent: 0 });
    }

    /// True while an SDU waits that has been made. an SDU waits that has been made.
    pub(in crate::host) fn has_data(&self) -> bool {
        !self.sdus.is_empty()
    }

    /// Gives up what waits.
    pub(in crate::host) fn clear(&mut self) {
        self.sdus.clear();
        self.queued = 0;
    }

    /// The next K-frame, for one credit, with the SDU it was cut from inside.
    fn next_k_frame(&mut self, owner: Owner, peer_id: u16) -> Option<Pdu> {
        if self.credits == 0 {
            return None;
        }
        let Sdu { bytes, sent } = self.sdus.pop_front()?;
        self.credits -= 1;
        let is_first = sent == 0;
        let room = if is_first { self.mps - 2 } else { self.mps };
        let octets = (bytes.len() - sent).min(room.into());
        let sdu_length = is_first.then_some(bytes.len() as u16);
        Some(Pdu::new(owner, peer_id, sdu_length, bytes, sent, octets))
    }

    /// A K-frame has been cut into fragments: takes the rest of its SDU back, or counts it as gone.
    pub(in crate::host) fn give_back(&mut self, pdu: Pdu) {
        if pdu.ends_body() {
            self.queued = self.queued.saturating_sub(1);
        } else {
            self.sdus.push_front(Sdu { sent: pdu.at, bytes: pdu.body });
        }
    }
}

impl Channel {
    /// True while data flows.
    pub(in crate::host) fn is_open(&self) -> bool {
        self.state == State::Open
    }

    /// True until the application has been told of its end.
    pub(in crate::host) fn is_closing(&self) -> bool {
        self.state == State::Closing
    }

    /// The next K-frame, if the channel is open, has data and has a credit.
    pub(in crate::host) fn next_k_frame(&mut self) -> Option<Pdu> {
        if !self.is_open() {
            return None;
        }
        self.sender.next_k_frame(Owner::Channel(self.serial), self.peer_id)
    }
}

/// The half from the peer. The octets of an SDU are counted, and kept only where somebody reads them:
/// else the application is told its length and its head.
#[derive(Debug)]
pub(in crate::host) struct Receiver {
    mtu: u16,
    mps: u16,
    pub(in crate::host) credits: Credits,
    /// Whence the packets come that octets are kept in.
    keep: Option<Pool>,
    sdu: Option<Partial>,
}

#[derive(Debug)]
struct Partial {
    sdu: ReceivedSdu,
    got: u16,
    octets: Option<Packet>,
}

/// An SDU that is complete.
#[derive(Debug, PartialEq)]
pub(in crate::host) enum Arrived {
    /// Its length and its head.
    Counted(ReceivedSdu),
    /// The whole of it.
    Kept(Packet),
}

/// Outcome of a K-frame.
#[derive(Debug, PartialEq)]
pub(in crate::host) struct Taken {
    /// The SDU it completed.
    pub(in crate::host) sdu: Option<Arrived>,
    /// Credits to grant now; zero for none.
    pub(in crate::host) grant: u16,
}

impl Receiver {
    /// A receiver with these limits of its own, which keeps octets in packets of `keep`, if at all.
    pub(in crate::host) fn new(mtu: u16, mps: u16, credits: Credits, keep: Option<Pool>) -> Self {
        Self { mtu, mps, credits, keep, sdu: None }
    }

    /// Takes the information payload of one K-frame.
    pub(in crate::host) fn on_k_frame(&mut self, payload: &[u8]) -> Result<Taken, Violation> {
        if self.credits.outstanding() == 0 {
            return Err(Violation::NoCredit);
        }
        if payload.len() > self.mps.into() {
            return Err(Violation::AboveMps);
        }
        let first = self.sdu.is_none();
        let (mut partial, data) = match self.sdu.take() {
            Some(partial) => (partial, payload),
            None => self.begin(payload)?,
        };
        let remaining = partial.sdu.len - partial.got;
        let octets = u16::try_from(data.len()).ok().filter(|n| *n <= remaining).ok_or(Violation::LengthMismatch)?;
        if let Some(head) = partial.sdu.head.get_mut(partial.got.into()..) {
            let n = head.len().min(data.len());
            head[..n].copy_from_slice(&data[..n]);
        }
        if let Some(kept) = &mut partial.octets {
            kept.put(data);
        }
        partial.got += octets;
        let remaining = remaining - octets;
        let grant = self
            .credits
            .on_frame(KFrame { first, remaining, octets, sdu: partial.sdu.len })
            .ok_or(Violation::NoCredit)?;
        if remaining == 0 {
            let arrived = partial.octets.map_or(Arrived::Counted(partial.sdu), Arrived::Kept);
            return Ok(Taken { sdu: Some(arrived), grant });
        }
        self.sdu = Some(partial);
        Ok(Taken { sdu: None, grant })
    }

    fn begin<'a>(&self, payload: &'a [u8]) -> Result<(Partial, &'a [u8]), Violation> {
        let (length, data) = payload.split_first_chunk().ok_or(Violation::LengthMismatch)?;
        let len = u16::from_le_bytes(*length);
        if len > self.mtu {
            return Err(Violation::AboveMtu);
        }
        let octets = self.keep.as_ref().map(Pool::packet);
        Ok((Partial { sdu: ReceivedSdu { len, head: [0; 8] }, got: 0, octets }, data))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::personality::CreditPolicy;

    fn receiver(initial: u16) -> Receiver {
        let policy = CreditPolicy::PerFrames { initial, on_connect: 0, grant: 1, every: 1 };
        let mut credits = Credits::new(policy, 40, 23);
        credits.on_open();
        Receiver::new(40, 23, credits, None)
    }

    #[test]
    fn an_sdu_is_put_together() {
        let mut receiver = receiver(1);
        assert_eq!(receiver.on_k_frame(&[10, 0, 1, 2, 3, 4, 5]), Ok(Taken { sdu: None, grant: 1 }));
        let sdu = ReceivedSdu { len: 10, head: [1, 2, 3, 4, 5, 6, 7, 8] };
        assert_eq!(receiver.on_k_frame(&[6, 7, 8, 9, 10]), Ok(Taken { sdu: Some(Arrived::Counted(sdu)), grant: 1 }));
        let empty = ReceivedSdu { len: 0, head: [0; 8] };
        assert_eq!(receiver.on_k_frame(&[0, 0]), Ok(Taken { sdu: Some(Arrived::Counted(empty)), grant: 1 }));
    }

    #[test]
    fn one_that_keeps_octets_gives_them_whole() {
        let pool = Pool::new();
        let mut receiver = Receiver { keep: Some(pool.clone()), ..receiver(1) };
        assert_eq!(receiver.on_k_frame(&[12, 0, 1, 2, 3, 4, 5]), Ok(Taken { sdu: None, grant: 1 }));
        let whole = Arrived::Kept(pool.copy(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]));
        assert_eq!(receiver.on_k_frame(&[6, 7, 8, 9, 10, 11, 12]), Ok(Taken { sdu: Some(whole), grant: 1 }));
        let empty = Arrived::Kept(pool.packet());
        assert_eq!(receiver.on_k_frame(&[0, 0]), Ok(Taken { sdu: Some(empty), grant: 1 }));
    }

    #[test]
    fn rules_of_the_channel() {
        assert_eq!(receiver(0).on_k_frame(&[1, 0, 1]), Err(Violation::NoCredit));
        assert_eq!(receiver(1).on_k_frame(&[22; 24]), Err(Violation::AboveMps));
        assert_eq!(receiver(1).on_k_frame(&[41, 0]), Err(Violation::AboveMtu));
        assert_eq!(receiver(1).on_k_frame(&[1]), Err(Violation::LengthMismatch));
        assert_eq!(receiver(1).on_k_frame(&[1, 0, 1, 2]), Err(Violation::LengthMismatch));
        let mut second = receiver(1);
        assert!(second.on_k_frame(&[3, 0, 1, 2]).is_ok());
        assert_eq!(second.on_k_frame(&[3, 4]), Err(Violation::LengthMismatch));
    }

    #[test]
    fn segments_fill_the_peers_mps() {
        let pool = airtime_core::Pool::new();
        let mut sender = Sender { mtu: 100, mps: 23, credits: 3, queued: 1, ..Sender::default() };
        sender.push(pool.copy(&[7; 50]));
        let mut sizes = alloc::vec::Vec::new();
        while let Some(mut pdu) = sender.next_k_frame(Owner::Channel(1), 0x40) {
            sizes.push(pdu.cut(&pool, 0, 100).len() - crate::hci::ACL_HEADER_OCTETS - 4);
            sender.give_back(pdu);
        }
        assert_eq!(sizes, [23, 23, 6], "SDU length and 21 octets, 23 octets, 6 octets");
        assert_eq!((sender.credits, sender.queued, sender.has_data()), (0, 0, false));
    }
}
