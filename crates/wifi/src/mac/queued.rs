//! An MPDU that waits or is under way: one MSDU, or several as an A-MSDU. IEEE Std 802.11-2020, 10.12.

use alloc::vec::Vec;

use airtime_core::{Instant, Packet};

use crate::air::{append_subframe, subframe_octets};

/// An MPDU that is not settled yet.
#[derive(Debug)]
pub struct Queued {
    /// Its MSDU, or the first one of its A-MSDU; none once it has arrived, or when a generator of the cell made it.
    pub msdu: Option<Packet>,
    /// MSDUs behind the first one of an A-MSDU; none of an MSDU alone.
    pub more: Vec<Joined>,
    /// Octets of the MPDU, header and FCS included.
    pub octets: u16,
    /// Octets of the MPDU that its first MSDU would be alone.
    pub first_octets: u16,
    /// Octets of its MSDUs as Ethernet frames.
    pub msdu_octets: u16,
    /// Octets of the application in them, if somebody looks.
    pub payload: u16,
    /// Instant at which it was queued; of an A-MSDU its first MSDU.
    pub offered: Instant,
    /// Transmissions that failed, of its own or of an RTS in front of it.
    pub failures: u8,
    /// Failures among them of an RTS in front of it.
    pub rts_failures: u8,
    /// Set if a generator of the cell made it: nobody waits for it.
    pub generated: bool,
    /// Set if it has arrived, which its sender learns from a response only.
    pub arrived: bool,
    pub(super) settled: bool,
}

/// An MSDU behind the first one of an A-MSDU.
#[derive(Debug)]
pub struct Joined {
    /// The MSDU as an Ethernet frame; none once it has arrived, or when a generator of the cell made it.
    pub msdu: Option<Packet>,
    /// Octets of the MPDU that it would be alone.
    pub octets: u16,
}

/// MSDUs of an MPDU that has arrived.
#[derive(Debug)]
pub struct Msdus {
    /// The only one, or the first.
    pub first: Packet,
    /// Those behind it.
    pub more: Vec<Packet>,
}

impl Queued {
    /// An MPDU of `octets` for `msdu`, queued at `offered`.
    pub fn new(offered: Instant, octets: u16, msdu: Packet) -> Self {
        let msdu_octets = msdu.len() as u16;
        Self { msdu: Some(msdu), msdu_octets, generated: false, ..Self::generated(offered, octets) }
    }

    /// An MPDU of `octets` without content, made by a generator of the cell.
    pub fn generated(offered: Instant, octets: u16) -> Self {
        Self {
            msdu: None,
            more: Vec::new(),
            octets,
            first_octets: octets,
            msdu_octets: octets,
            payload: 0,
            offered,
            failures: 0,
            rts_failures: 0,
            generated: true,
            arrived: false,
            settled: false,
        }
    }

    /// True if it has been on the air before.
    pub fn is_repeated(&self) -> bool {
        self.failures > self.rts_failures
    }

    /// MSDUs in it.
    pub fn msdus(&self) -> u16 {
        1 + self.more.len() as u16
    }

    /// Takes its MSDUs; none if they are gone.
    pub fn take(&mut self) -> Option<Msdus> {
        let first = self.msdu.take()?;
        Some(Msdus { first, more: self.more.iter_mut().filter_map(|joined| joined.msdu.take()).collect() })
    }

    /// Lets go of its MSDUs.
    pub(super) fn empty(&mut self) {
        self.msdu = None;
        self.more.iter_mut().for_each(|joined| joined.msdu = None);
    }

    /// True if it has never been sent, nor counted as such: its number is not given to anybody, and other MSDUs may join it.
    pub(super) fn is_fresh(&self) -> bool {
        self.failures == 0 && !self.settled
    }

    /// Octets of the MPDU once the MSDU of `next` has joined it; `overhead` octets of either are not of the MSDU.
    pub(super) fn joined_octets(&self, next: &Self, overhead: u32) -> u32 {
        let body = u32::from(self.octets) - overhead;
        let subframes = if self.more.is_empty() { subframe_octets(body) } else { body };
        overhead + append_subframe(subframes, u32::from(next.octets) - overhead)
    }

    /// The MSDU of `next` joins it.
    pub(super) fn join(&mut self, next: Self, overhead: u32) {
        self.octets = self.joined_octets(&next, overhead) as u16;
        self.msdu_octets += next.msdu_octets;
        self.payload += next.payload;
        self.more.push(Joined { msdu: next.msdu, octets: next.octets });
    }
}
