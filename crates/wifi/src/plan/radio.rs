//! Keys of the PPDUs with data: band, PHY, rate, aggregation.

use airtime_core::Duration;
use airtime_keys::{Keys, OrNone, Words};

use super::Context;
use super::context::Test;
use crate::air::{Aggregation, Guard, Phy, Preamble, Standard, Width};

/// Keys of the PPDUs with data, the same for every station.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Keys)]
#[keys(table = "wifi", context = Context)]
pub struct Radio {
    /// Band: 5 GHz has a SIFS of 16us and no signal extension.
    #[key(default = "2.4GHz", whose = AccessPoint, mechanism = Rate)]
    pub band: Band,
    /// Primary channel; the lab's channels are all alike.
    #[key(range = 1..=177, from = "6; 36 in 5 GHz")]
    pub channel: Option<u8>,
    /// PHY: DSSS and CCK, ERP-OFDM, HT or HE, one spatial stream.
    #[key(from = "n; b for ESP-NOW", whose = AccessPoint, mechanism = Rate)]
    pub standard: Option<Standard>,
    /// Width of the channel; an ESP32-C6 has 40 MHz for `n` only.
    #[key(default = "20MHz", whose = AccessPoint, mechanism = Rate)]
    pub width: Width,
    /// Guard interval: 800ns for g; 400ns or 800ns for n; 800ns, 1600ns or 3200ns for ax.
    #[key(from = "400ns for n, 800ns for g and ax", whose = AccessPoint, when = Context::is_ofdm, mechanism = Rate)]
    pub guard_interval: Option<Guard>,
    /// Preamble and header of DSSS and CCK: 192us, or 96us from 2 Mbit/s on; b only.
    #[key(from = "long for b", whose = AccessPoint, when = Context::is_dsss, mechanism = Rate)]
    pub preamble: Option<Preamble>,
    /// Rate index: 0 to 3 for b (1, 2, 5.5 and 11 Mbit/s), 0 to 7 for g (6 to 54 Mbit/s) and n, 0 to 11 for ax (an ESP32-C6
    /// has 0 to 9). With `minstrel`, the highest one. The rate of ESP-NOW is this as well (`esp_now_set_peer_rate_config`).
    #[key(range = 0..=11, from = "7; 3 for b; 0 for ESP-NOW", mechanism = Rate)]
    pub mcs: Option<u8>,
    /// Rate control: the rate stays, or follows what gets through.
    #[key(default = "fixed", mechanism = Rate)]
    pub rate: RateControl,
    /// Encryption: frames carry the header and MIC of CCMP, 16 octets.
    #[key(default = true, whose = AccessPoint, when = Context::has_data, mechanism = Packet, guards = Security)]
    pub encrypted: bool,
    /// MPDUs in an A-MPDU at most, as the Block Ack agreement grants them; 1 is none.
    #[key(range = 1..=64, default = 32, whose = CoprocessorFirmware, when = Context::has_data, steps = [To(6), Half, Double, To(64)], mechanism = Packet, way = More)]
    pub ampdu_max: u8,
    /// Octets of an A-MPDU at most, as its receiver says (IEEE Std 802.11-2020, 9.4.2.55.3); absent: 65535.
    #[key(
        range = 8_191..=65_535, unit = "octets", whose = AccessPoint, when = Context::has_amsdus, steps = [To(65_535)],
        mechanism = Packet, way = More
    )]
    pub ampdu_octets: Option<u16>,
    /// Octets of an A-MSDU at most, of every station: so many MSDUs to one MPDU as fit, each behind a header of 14 octets; absent or none never.
    /// Receivers of HT take 3839 or 7935 (IEEE Std 802.11-2020, 9.4.2.55.2), and 4065 less what encryption adds within an A-MPDU, whose MPDUs have
    /// 4095 at most. ESP-IDF sends none by default (`WIFI_AMSDU_TX_ENABLED`).
    #[key(
        range = 256..=7_935, unit = "octets", whose = CoprocessorFirmware, when = Context::has_amsdus, steps = [To(3_839), To(7_935)],
        mechanism = Packet, way = More
    )]
    pub amsdu: Option<OrNone<u16>>,
    /// End of data with the short guard interval of HT at a multiple of 4us (IEEE Std 802.11-2020, 19.4.3); ns-3 and some
    /// published tables count whole symbols of 3.6us.
    #[key(default = true)]
    pub whole_symbols: bool,
    /// Longest PPDU.
    // IEEE Std 802.11-2020, Table 19-25, aPPDUMaxTime: 5.484 ms.
    #[key(range = "100us"..="5.484ms", default = "5.484ms", when = Context::has_data, mechanism = Packet, way = More)]
    pub ppdu_max: Duration,
}

/// Band.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Words)]
pub enum Band {
    /// 2.4 GHz.
    #[word("2.4GHz")]
    Ghz2,
    /// 5 GHz.
    #[word("5GHz")]
    Ghz5,
}

/// Rate control of every station.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Words)]
pub enum RateControl {
    /// The rate stays.
    Fixed,
    /// The rate follows what gets through.
    Minstrel,
}

impl Radio {
    /// Fills in what the plan left to band, standard and test.
    pub fn fill(&mut self, test: Test) {
        if test == Test::EspNow {
            // `WIFI_PHY_RATE_1M_L`. ESP-IDF, docs/en/api-reference/network/esp_now.rst.
            self.standard.get_or_insert(Standard::B);
            self.mcs.get_or_insert(0);
        }
        self.standard = Some(self.standard());
        let Phy { guard, preamble, mcs, .. } = self.phy();
        self.channel = Some(self.channel());
        self.guard_interval = Some(guard);
        self.preamble = Some(preamble);
        self.mcs = Some(mcs);
    }

    /// PHY of data.
    pub fn standard(&self) -> Standard {
        self.standard.unwrap_or(Standard::N)
    }

    /// Limits of A-MPDUs.
    pub fn aggregation(&self) -> Aggregation {
        let window = if self.phy().aggregates() { self.ampdu_max.into() } else { 1 };
        let usual = Aggregation::ht(window);
        Aggregation { duration: self.ppdu_max, octets: self.ampdu_octets.map_or(usual.octets, u32::from), ..usual }
    }

    /// Octets of an A-MSDU at most, if there are any.
    pub fn amsdu(&self) -> Option<u16> {
        self.amsdu.and_then(|octets| octets.0).filter(|_| self.phy().aggregates())
    }

    /// Primary channel.
    pub fn channel(&self) -> u8 {
        self.channel.unwrap_or(match self.band {
            Band::Ghz2 => 6,
            Band::Ghz5 => 36,
        })
    }

    /// PHY of data; with a rate that follows, the highest.
    pub fn phy(&self) -> Phy {
        let own = match self.standard() {
            Standard::B => Phy::dsss(Preamble::Long, 3),
            Standard::G => Phy { mcs: 7, ..Phy::ofdm6() },
            Standard::N => Phy::ht(self.width, Guard::Ns400, 7),
            Standard::Ax => Phy::he(self.width, Guard::Ns800, 7),
        };
        Phy {
            width: self.width,
            guard: self.guard_interval.unwrap_or(own.guard),
            preamble: self.preamble.unwrap_or(own.preamble),
            mcs: self.mcs.unwrap_or(own.mcs),
            ..own
        }
    }
}
