//! Stations of a capture: what each has sent, at which rates, and how much of the air that took.
//!
//! A capture of a channel shows frames and, with radiotap, their rates. It does not show what stands behind a station: its queues, its
//! bus, its host. Frames that the sniffer did not hear are missing, and nothing stands in for them.

mod seen;

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use airtime_core::Duration;

use seen::Seen;

use crate::air::{Phy, Standard};
use crate::wire::radiotap;
use crate::wire::{Band, CCMP_OCTETS, Control, Frame, FrameControl, Header, MacAddress, Radiotap, fcs, llc, subtype};

/// Link type of frames with nothing in front.
pub const LINK_TYPE_BARE: u16 = 105;
/// Octets of the longest MPDU, FCS included: of VHT and HE. 9.2.4.7.1, Table 9-25.
const MPDU_MAX: usize = 11_454;
/// Stations that are told apart.
pub const STATIONS_MAX: usize = 1024;
/// Numberings of all stations that are followed: four for each.
const NUMBERINGS_MAX: usize = 4 * STATIONS_MAX;

/// Tells if frames of this link type are read.
pub const fn reads(link_type: u16) -> bool {
    matches!(link_type, radiotap::LINK_TYPE | LINK_TYPE_BARE)
}

/// One transmitter.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Station {
    /// Address of it.
    pub address: MacAddress,
    /// Data frames with payload.
    pub data: u64,
    /// Data frames without payload, as for power save.
    pub empty: u64,
    /// Management frames.
    pub management: u64,
    /// Frames among these with the retry bit.
    pub retries: u64,
    /// Octets of payload above LLC; of a frame that was heard again, once.
    pub octets: u64,
    /// Time on the air of those frames that are timed; MPDUs of an A-MPDU share one preamble.
    pub air: Duration,
    /// Frames among these whose time is reckoned.
    pub timed: u64,
    /// Frames whose rate is known, by it in kbit/s.
    pub rates: BTreeMap<u32, u64>,
    /// Sum of their levels in dBm, and how many had one.
    signal: (i64, u64),
    /// Sequence numbers heard, by numbering.
    seen: BTreeMap<Numbering, Seen>,
}

/// Receiver and traffic identifier of QoS data to one station, which has numbers of its own; none for what a transmitter numbers together:
/// data without QoS, and data to a group. 10.3.2.14.2, Table 10-5.
type Numbering = Option<(MacAddress, u8)>;

impl Station {
    /// Frames of it, with all that was counted.
    pub const fn frames(&self) -> u64 {
        self.data + self.empty + self.management
    }

    /// Mean level in dBm, where the capture has levels.
    pub fn signal_dbm(&self) -> Option<f64> {
        (self.signal.1 > 0).then(|| self.signal.0 as f64 / self.signal.1 as f64)
    }

    /// The rate of most of its frames in kbit/s, where the capture has rates.
    pub fn usual_rate_kbps(&self) -> Option<u32> {
        self.rates.iter().max_by_key(|(_, frames)| **frames).map(|(rate, _)| *rate)
    }
}

/// Stations and frames of a capture.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Told {
    /// Time from the first frame to the last in nanoseconds.
    pub span_ns: u64,
    /// Stations, who has sent most octets first.
    pub stations: Vec<Station>,
    /// Acknowledgements.
    pub acks: u64,
    /// Block Acks and requests for them.
    pub block_acks: u64,
    /// RTS frames.
    pub rts: u64,
    /// CTS frames.
    pub cts: u64,
    /// Control and extension frames of other kinds.
    pub others: u64,
    /// Frames of stations beyond the first 1024, which are not told apart.
    pub left_out: u64,
    /// Frames whose FCS is wrong.
    pub damaged: u64,
    /// Time on the air of control frames and of stations that are left out, as far as they are timed.
    pub control_air: Duration,
    /// Frames among these whose time is reckoned.
    pub control_timed: u64,
    /// Frames whose time is not reckoned, by the reason.
    pub untimed: Untimed,
}

/// Frames whose time is not reckoned, by the reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Untimed {
    /// Frames without a rate.
    pub no_rate: u64,
    /// Frames with a rate of VHT, of several streams, or of another format that is not reckoned.
    pub other_rate: u64,
    /// Frames of OFDM without a channel: its band decides whether a signal extension follows.
    pub no_band: u64,
}

impl Untimed {
    /// All of them.
    pub const fn total(&self) -> u64 {
        self.no_rate + self.other_rate + self.no_band
    }
}

/// Takes the frames of a capture.
#[derive(Clone, Debug, Default)]
pub struct Heard {
    told: Told,
    stations: BTreeMap<MacAddress, Station>,
    first: Option<i64>,
    last: i64,
    /// The A-MPDU that the frame before came in.
    ampdu: Option<u32>,
    /// Numberings that are followed.
    numberings: usize,
}

impl Heard {
    /// Takes the next packet of a capture of this link type, with the octets it had before it was cut; false if it is no frame,
    /// or longer than any is.
    pub fn take(&mut self, unix_ns: i64, link_type: u16, packet: &[u8], original_octets: usize) -> bool {
        let cut = original_octets.saturating_sub(packet.len());
        let (radiotap, frame) = match link_type {
            LINK_TYPE_BARE => (Radiotap::default(), packet),
            _ => match Radiotap::parse(packet) {
                Ok(read) => read,
                Err(_) => return false,
            },
        };
        // A capture without radiotap does not say whether frames have their FCS.
        let checked = if link_type == LINK_TYPE_BARE && cut == 0 { fcs::check(frame) } else { None };
        let has_fcs = radiotap.fcs || checked.is_some();
        let body = match (has_fcs, cut) {
            (true, 0..fcs::OCTETS) => frame.get(..frame.len().saturating_sub(fcs::OCTETS - cut)).unwrap_or(frame),
            _ => frame,
        };
        let octets = frame.len().saturating_add(cut) + if has_fcs { 0 } else { fcs::OCTETS };
        if octets > MPDU_MAX {
            return false;
        }
        let first = *self.first.get_or_insert(unix_ns);
        self.last = self.last.max(unix_ns).max(first);
        if radiotap.bad_fcs {
            self.told.damaged += 1;
            return true;
        }
        let air = self.air(&radiotap, octets);
        match Frame::parse(body) {
            Ok(Frame::Control(control)) => self.control(&control, air),
            Ok(Frame::Extension(_)) => self.told.others += 1,
            Ok(Frame::Data { header, payload }) => {
                let missing = cut.saturating_sub(if has_fcs { fcs::OCTETS } else { 0 });
                let payload = data_octets(header.control, payload.len() + missing);
                self.sent(&header, &radiotap, air, payload);
            }
            Ok(Frame::Management { header, .. }) => self.sent(&header, &radiotap, air, None),
            Err(_) => return false,
        }
        true
    }

    /// Ends the capture.
    pub fn finish(mut self) -> Told {
        let mut stations: Vec<Station> = self.stations.into_values().collect();
        stations.sort_by_key(|station| (core::cmp::Reverse((station.octets, station.frames())), station.address));
        self.told.stations = stations;
        self.told.span_ns = self.first.map_or(0, |first| self.last.abs_diff(first));
        self.told
    }

    /// Time of a frame on the air; of one that follows in the same A-MPDU, of its octets alone.
    fn air(&mut self, radiotap: &Radiotap, octets: usize) -> Option<Duration> {
        let reference = radiotap.ampdu.map(|ampdu| ampdu.reference);
        let follows = reference.is_some() && self.ampdu == reference;
        self.ampdu = reference;
        let untimed = &mut self.told.untimed;
        // Behind OFDM the band decides on the signal extension; DSSS and CCK are of 2.4 GHz.
        let (phy, extended) = match (radiotap.phy, radiotap.channel) {
            (Some(phy), None) if phy.standard == Standard::B => (phy, false),
            (Some(phy), Some(channel)) => (phy, channel.band == Band::Ghz24),
            (phy, _) => {
                let reason = match phy {
                    Some(_) => &mut untimed.no_band,
                    None if radiotap.other_rate => &mut untimed.other_rate,
                    None => &mut untimed.no_rate,
                };
                *reason += 1;
                return None;
            }
        };
        Some(if follows { alone(phy, octets) } else { phy.ppdu(octets as u32, !extended) })
    }

    fn control(&mut self, control: &Control<'_>, air: Option<Duration>) {
        let count = match control {
            Control::Ack { .. } => &mut self.told.acks,
            Control::BlockAck(_) | Control::BlockAckRequest(_) => &mut self.told.block_acks,
            Control::Rts { .. } => &mut self.told.rts,
            Control::Cts { .. } => &mut self.told.cts,
            _ => &mut self.told.others,
        };
        *count += 1;
        self.control_took(air);
    }

    /// Time of a frame that no station has.
    fn control_took(&mut self, air: Option<Duration>) {
        self.told.control_air += air.unwrap_or(Duration::ZERO);
        self.told.control_timed += u64::from(air.is_some());
    }

    /// A frame with a transmitter; `payload` are the octets above LLC of a data frame that has some.
    fn sent(&mut self, header: &Header, radiotap: &Radiotap, air: Option<Duration>, payload: Option<usize>) {
        if self.stations.len() >= STATIONS_MAX && !self.stations.contains_key(&header.transmitter) {
            self.told.left_out += 1;
            return self.control_took(air);
        }
        let station = self.stations.entry(header.transmitter).or_default();
        station.address = header.transmitter;
        let retry = header.control.has(FrameControl::RETRY);
        match (header.control.kind(), payload) {
            (crate::wire::FrameType::Data, Some(octets)) => {
                station.data += 1;
                let own = header.tid().filter(|_| !header.receiver.is_group()).map(|tid| (header.receiver, tid));
                let new = match station.seen.get_mut(&own) {
                    Some(seen) => seen.is_new(header.sequence.number, retry),
                    // Of numberings beyond those that are followed a repetition counts as one.
                    None if self.numberings >= NUMBERINGS_MAX => !retry,
                    None => {
                        self.numberings += 1;
                        station.seen.entry(own).or_default().is_new(header.sequence.number, retry)
                    }
                };
                station.octets += if new { octets as u64 } else { 0 };
            }
            (crate::wire::FrameType::Data, None) => station.empty += 1,
            _ => station.management += 1,
        }
        station.retries += u64::from(retry);
        station.air += air.unwrap_or(Duration::ZERO);
        station.timed += u64::from(air.is_some());
        if let Some(phy) = radiotap.phy {
            *station.rates.entry(phy.rate_kbps()).or_default() += 1;
        }
        if let Some(level) = radiotap.signal_dbm {
            station.signal = (station.signal.0 + i64::from(level), station.signal.1 + 1);
        }
    }
}

/// Octets above LLC of a data frame; none of one without data. An A-MSDU counts as one.
fn data_octets(control: FrameControl, octets: usize) -> Option<usize> {
    if control.subtype() & subtype::NULL != 0 {
        return None;
    }
    let sealed = if control.has(FrameControl::PROTECTED) { CCMP_OCTETS } else { 0 };
    Some(octets.saturating_sub(sealed + llc::OCTETS))
}

/// Time of the octets of an MPDU in an A-MPDU that has begun.
fn alone(phy: Phy, octets: usize) -> Duration {
    let bits = octets as u64 * 8;
    Duration::from_nanos(bits * 1_000_000 / u64::from(phy.rate_kbps().max(1)))
}

#[cfg(test)]
mod tests {
    use airtime_core::Pool;

    use super::*;
    use crate::air::{Guard, Width};
    use crate::wire::radiotap::Ampdu;
    use crate::wire::{Channel, Data, Direction, llc::Ethernet};

    const STATION: MacAddress = MacAddress::local(2);

    /// A data frame of 100 octets above LLC, with radiotap at HT20 MCS 7 and its FCS.
    fn data(number: u16, retry: bool, ampdu: Option<u32>) -> Vec<u8> {
        let ethernet =
            Ethernet { destination: MacAddress::local(1), source: STATION, ether_type: 0x0800, payload: &[7; 100] };
        let mut frame = Pool::new().packet();
        Data {
            direction: Direction::ToDs,
            bssid: MacAddress::local(1),
            ethernet,
            sequence: crate::wire::Sequence::new(number, 0),
            tid: Some(0),
            retry,
            ccmp: None,
            duration_us: 44,
        }
        .emit(&mut frame);
        fcs::append(&mut frame, 0);
        let mut out = Vec::new();
        Radiotap {
            fcs: true,
            channel: Some(Channel::of(6)),
            signal_dbm: Some(-40),
            phy: Some(Phy::ht(Width::Mhz20, Guard::Ns800, 7)),
            ampdu: ampdu.map(|reference| Ampdu { reference, last: None }),
            ..Radiotap::default()
        }
        .emit(&mut out);
        out.extend_from_slice(&frame);
        out
    }

    #[test]
    fn a_station_is_told_by_what_it_sends() {
        let mut heard = Heard::default();
        let ack = [0xd4, 0, 0, 0, 2, 0, 0, 0, 0, 2];
        for (number, packet) in [data(1, false, None), data(1, true, None), data(2, false, None)].iter().enumerate() {
            assert!(heard.take(1_000_000 * number as i64, 127, packet, packet.len()));
            assert!(heard.take(1_000_000 * number as i64 + 300_000, 105, &ack, ack.len()));
        }
        assert!(!heard.take(9, 127, &[1, 0], 2), "no radiotap");
        let told = heard.finish();
        assert_eq!((told.acks, told.damaged, told.span_ns), (3, 0, 2_300_000));
        assert_eq!((told.untimed, told.control_timed), (Untimed { no_rate: 3, ..Untimed::default() }, 0));
        let [station] = &told.stations[..] else { panic!("one station") };
        assert_eq!((station.address, station.data, station.retries, station.octets), (STATION, 3, 1, 200));
        assert_eq!((station.signal_dbm(), station.usual_rate_kbps()), (Some(-40.0), Some(65_000)));
        // 26 of header, 8 of LLC, 100, 4 of FCS: 1126 bits in 5 symbols of 4 µs behind 36 µs, and 6 µs of signal extension.
        assert_eq!(station.air, Duration::from_micros(3 * (36 + 5 * 4 + 6)));
    }

    #[test]
    fn frames_of_an_ampdu_share_a_preamble_and_repetitions_are_counted_once() {
        let mut heard = Heard::default();
        for (number, retry, reference) in
            [(4094, false, 1), (4095, false, 1), (0, false, 1), (4095, true, 2), (1, true, 2)]
        {
            let packet = data(number, retry, Some(reference));
            assert!(heard.take(0, 127, &packet, packet.len()));
        }
        let told = heard.finish();
        assert_eq!((told.stations[0].octets, told.stations[0].data), (400, 5), "1 was not heard before");
        // 138 octets at 65 Mbit/s.
        let alone = Duration::from_nanos(138 * 8 * 1000 / 65);
        assert_eq!(told.stations[0].air, Duration::from_micros(2 * 62) + alone * 3);
    }

    #[test]
    fn a_wrong_fcs_and_a_cut_frame_are_no_loss_of_count() {
        let mut heard = Heard::default();
        let whole = data(1, false, None);
        let mut bad = whole.clone();
        // The flags lie behind version, length and present word.
        bad[8] |= 0x40;
        assert!(heard.take(0, 127, &bad, bad.len()));
        assert!(heard.take(0, 127, &whole[..whole.len() - 60], whole.len()), "captured with a snap length");
        let told = heard.finish();
        assert_eq!((told.damaged, told.stations[0].octets, told.stations[0].data), (1, 100, 1));
        assert_eq!(told.stations[0].air, Duration::from_micros(62));
    }

    #[test]
    fn a_sender_that_numbers_anew_has_repeated_nothing_yet() {
        let octets = |numbers: &[(u16, bool)]| {
            let mut heard = Heard::default();
            for &(number, retry) in numbers {
                let packet = data(number, retry, None);
                assert!(heard.take(0, 127, &packet, packet.len()));
            }
            heard.finish().stations[0].octets
        };
        // Of what is repeated behind the new beginning the first was not heard.
        assert_eq!(octets(&[(3000, false), (3001, false), (2000, false), (3000, true)]), 400);
        assert_eq!(octets(&[(3000, false), (3001, false), (3000, true)]), 200);
        // A capture may begin with any number, and with a repetition.
        assert_eq!(octets(&[(2500, true), (2500, true), (2499, true), (2499, true)]), 200);
    }

    /// The same frame to another receiver, whose address is in front of the transmitter's.
    fn to(mut packet: Vec<u8>, receiver: [u8; 6]) -> Vec<u8> {
        let at = usize::from(packet[2]) + 2 + 2;
        packet[at..at + 6].copy_from_slice(&receiver);
        packet
    }

    fn octets_of(packets: &[Vec<u8>]) -> u64 {
        let mut heard = Heard::default();
        for packet in packets {
            assert!(heard.take(0, 127, packet, packet.len()));
        }
        heard.finish().stations[0].octets
    }

    #[test]
    fn each_receiver_is_sent_numbers_of_its_own_and_groups_share_them() {
        let [one, other, group, groups] = [[2, 0, 0, 0, 0, 7], [2, 0, 0, 0, 0, 8], [1, 0, 94, 0, 0, 1], [0xff; 6]];
        // The first to the other station was not heard: that it is repeated says nothing of the first to the one.
        assert_eq!(octets_of(&[to(data(5, false, None), one), to(data(5, true, None), other)]), 200);
        assert_eq!(octets_of(&[to(data(5, false, None), one), to(data(5, true, None), one)]), 100);
        assert_eq!(octets_of(&[to(data(5, false, None), group), to(data(5, true, None), groups)]), 100);
        // Numbers of the one are no new beginning of the other's.
        let packets = [(3000, false, one), (3001, false, one), (7, false, other), (3001, true, one)];
        assert_eq!(octets_of(&packets.map(|(number, retry, of)| to(data(number, retry, None), of))), 300);
    }

    #[test]
    fn so_many_numberings_are_followed_and_of_others_repetitions_do_not_count() {
        let receiver = |number: usize| [2, 0, 0, 0, (number >> 8) as u8, number as u8];
        let packets: Vec<_> =
            (0..NUMBERINGS_MAX + 2).map(|number| to(data(5, false, None), receiver(number))).collect();
        let all = octets_of(&packets);
        assert_eq!(all, 100 * (NUMBERINGS_MAX as u64 + 2));
        let again = |number: usize| to(data(6, true, None), receiver(number));
        assert_eq!(octets_of(&[&packets[..], &[again(0), again(NUMBERINGS_MAX)]].concat()), all + 100);
    }

    #[test]
    fn a_frame_without_a_time_says_why() {
        let packet = |radiotap: Radiotap| {
            let mut packet = Vec::new();
            radiotap.emit(&mut packet);
            let whole = data(1, false, None);
            packet.extend_from_slice(&whole[usize::from(whole[2])..]);
            packet
        };
        let ofdm = Phy::ofdm24();
        let no_band = packet(Radiotap { fcs: true, phy: Some(ofdm), ..Radiotap::default() });
        let no_rate = packet(Radiotap { fcs: true, channel: Some(Channel::of(6)), ..Radiotap::default() });
        // HT with MCS 15, of two streams.
        let mut other =
            packet(Radiotap { fcs: true, phy: Some(Phy::ht(Width::Mhz20, Guard::Ns800, 7)), ..Radiotap::default() });
        let last = usize::from(other[2]) - 1;
        other[last] = 15;
        let mut heard = Heard::default();
        for packet in [&no_band, &no_rate, &other, &other] {
            assert!(heard.take(0, 127, packet, packet.len()));
        }
        let told = heard.finish();
        assert_eq!(told.untimed, Untimed { no_rate: 1, other_rate: 2, no_band: 1 });
        assert_eq!((told.untimed.total(), told.stations[0].timed, told.stations[0].air), (4, 0, Duration::ZERO));
        assert_eq!(told.stations[0].usual_rate_kbps(), Some(24_000), "a rate is no time yet");
    }

    #[test]
    fn a_frame_is_no_longer_than_an_mpdu_can_be() {
        let packet = data(1, false, None);
        let radiotap = Radiotap::parse(&packet).map(|(_, frame)| packet.len() - frame.len()).unwrap();
        let mut heard = Heard::default();
        assert!(heard.take(0, 127, &packet, radiotap + MPDU_MAX));
        assert!(!heard.take(0, 127, &packet, radiotap + MPDU_MAX + 1));
        assert!(!heard.take(0, 127, &packet, usize::MAX));
        let told = heard.finish();
        // Header of QoS data, LLC, FCS.
        assert_eq!((told.stations[0].data, told.stations[0].octets), (1, (MPDU_MAX - 26 - 8 - 4) as u64));
    }

    #[test]
    fn a_signal_extension_is_there_in_2_4_ghz_alone() {
        let air = |channel: Option<Channel>, phy: Phy| {
            let mut packet = Vec::new();
            Radiotap { channel, phy: Some(phy), ..Radiotap::default() }.emit(&mut packet);
            packet.extend_from_slice(&[0xd4, 0, 0, 0, 2, 0, 0, 0, 0, 2]);
            let mut heard = Heard::default();
            assert!(heard.take(0, 127, &packet, packet.len()));
            let told = heard.finish();
            (told.control_air.as_micros(), told.untimed.no_band)
        };
        let ofdm = Phy::ofdm24();
        let ghz6 = Channel { band: Band::Ghz6, number: 5 };
        assert_eq!(air(Some(Channel::of(6)), ofdm), (34, 0));
        assert_eq!([air(Some(Channel::of(36)), ofdm), air(Some(ghz6), ofdm)], [(28, 0); 2]);
        assert_eq!(air(None, ofdm), (0, 1));
        assert_eq!(air(None, Phy::dsss1()), (304, 0));
    }

    #[test]
    fn frames_of_more_stations_than_are_told_apart_are_counted() {
        let mut heard = Heard::default();
        let mut packet = data(1, false, None);
        // Of the transmitter's address: behind radiotap, control, duration and the first address.
        let at = usize::from(packet[2]) + 2 + 2 + 6 + 4;
        for station in 0..STATIONS_MAX as u16 + 2 {
            packet[at..at + 2].copy_from_slice(&station.to_be_bytes());
            assert!(heard.take(0, 127, &packet, packet.len()));
        }
        let told = heard.finish();
        assert_eq!((told.stations.len(), told.left_out, told.others), (STATIONS_MAX, 2, 0));
        assert_eq!(told.control_air, Duration::from_micros(2 * 62));
    }
}
