//! Shares in the time of a PPDU: octets at its rate, and everything else (preamble, SERVICE, tail and padding bits,
//! signal extension) is preamble.

use airtime_core::Duration;

use super::Account;
use crate::air::DELIMITER;
use crate::trace::{ETHERNET_HEADER, Mpdu, MpduFate, OnAir};

/// Octets of a PSDU by what they are, and MPDUs by what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Shares {
    pub(super) payload: u64,
    headers: u64,
    mac: u64,
    tcp_ack: u64,
    duplicate: u64,
    loss: u64,
    missed: u64,
    management: u64,
    pub(super) new: u64,
    /// MSDUs in those.
    pub(super) msdus: u64,
    pub(super) duplicates: u64,
    pub(super) losses: u64,
    pub(super) misses: u64,
    pub(super) tcp_acks: u64,
    pub(super) managements: u64,
}

impl Shares {
    /// The octets of an exchange's PPDU.
    pub(super) fn of(on_air: &OnAir) -> Self {
        let mut shares = Self::default();
        let last = on_air.mpdus.len().saturating_sub(1);
        for (index, mpdu) in on_air.mpdus.iter().enumerate() {
            let octets = u64::from(mpdu.octets);
            if last > 0 {
                // Delimiter, and padding to four octets but for the last. IEEE Std 802.11-2020, 9.7.1.
                let padded = if index < last { octets.next_multiple_of(4) } else { octets };
                shares.mac += padded - octets + u64::from(DELIMITER);
            } else {
                shares.mac += u64::from(on_air.phy.alone());
            }
            shares.add(octets, mpdu);
        }
        shares
    }

    fn add(&mut self, octets: u64, mpdu: &Mpdu) {
        let [msdu, msdus, payload] = [mpdu.msdu, mpdu.msdus, mpdu.payload].map(u64::from);
        if msdu == 0 {
            self.managements += 1;
        }
        match mpdu.fate {
            MpduFate::Duplicate => {
                self.duplicate += octets;
                self.duplicates += 1;
            }
            MpduFate::Damaged => {
                self.loss += octets;
                self.losses += 1;
            }
            MpduFate::Missed => {
                self.missed += octets;
                self.losses += 1;
                self.misses += 1;
            }
            MpduFate::New if msdu == 0 => self.management += octets,
            MpduFate::New if payload == 0 => {
                self.tcp_ack += octets;
                self.tcp_acks += 1;
                self.new += 1;
                self.msdus += msdus;
            }
            MpduFate::New => {
                // Headers of subframes and what pads them, where there are several, are those of the MAC.
                let packet = msdu.saturating_sub(ETHERNET_HEADER as u64 * msdus).min(octets);
                self.payload += payload.min(packet);
                self.headers += packet - payload.min(packet);
                self.mac += octets - packet;
                self.new += 1;
                self.msdus += msdus;
            }
        }
    }

    /// Time of the octets at a rate in 10³ bit/s, by account.
    pub(super) fn split(&self, up: bool, kbps: u32) -> [(Account, Duration); 8] {
        let octets = [
            (if up { Account::PayloadUp } else { Account::PayloadDown }, self.payload),
            (Account::Headers, self.headers),
            (Account::Mac, self.mac),
            (Account::TcpAck, self.tcp_ack),
            (Account::Duplicate, self.duplicate),
            (Account::Loss, self.loss),
            (Account::Missed, self.missed),
            (Account::Management, self.management),
        ];
        octets.map(|(account, octets)| (account, Duration::from_nanos(octets * 8_000_000 / u64::from(kbps.max(1)))))
    }
}
