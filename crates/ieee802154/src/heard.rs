//! Nodes of a capture: what each has sent, what was acknowledged, and how much of the air that took.
//!
//! A sniffer of 802.15.4 hears frames; of the stations it does not show backoffs, failed channel assessments, or why nothing was sent. A
//! frame that it did not hear is missing, and nothing stands in for it.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use airtime_core::Duration;

use crate::air::{self, ACK_WAIT};
use crate::wire::tap::{self, FcsType, Tap};
use crate::wire::{Address, FrameError, FrameType, Header, fcs};

/// Octets of the check.
const FCS: usize = 2;
/// Nodes that are told apart.
const NODES_MAX: usize = 1024;
/// From the start of a frame's stamp to an acknowledgement behind it at most: longest frame, wait, acknowledgement, and what stamps are off.
/// The last is *assumed*: 1 ms, for those of a USB stick.
const ACK_WITHIN_NS: u64 =
    air::frame_time(air::PSDU_MAX).as_nanos() + ACK_WAIT.as_nanos() + air::ack_time().as_nanos() + 1_000_000;

/// Tells if frames of this link type are read.
pub const fn reads(link_type: u16) -> bool {
    matches!(link_type, tap::LINK_TYPE | tap::LINK_TYPE_WITH_FCS | tap::LINK_TYPE_WITHOUT_FCS)
}

/// One sender of a capture.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// PAN of it: short addresses are unique in one alone. None of a sender without an address.
    pub pan: Option<u16>,
    /// Address of it.
    pub address: Address,
    /// Data frames, repetitions included.
    pub data: u64,
    /// Beacons and commands.
    pub others: u64,
    /// Data frames with the sequence number of the one before from the same node.
    pub repeated: u64,
    /// Data frames that ask for an acknowledgement.
    pub asked: u64,
    /// Frames among these behind which it was heard.
    pub acked: u64,
    /// Octets of MAC payload, of frames that are no repetitions; with the MIC of those that have one.
    pub octets: u64,
    /// Time on the air.
    pub air: Duration,
    sequence: Option<u8>,
}

/// Nodes and frames of a capture.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Told {
    /// Time from the first frame to the last in nanoseconds.
    pub span_ns: u64,
    /// Nodes, who has sent most octets first.
    pub nodes: Vec<Node>,
    /// Number of acknowledgements.
    pub acks: u64,
    /// Frames whose check is wrong.
    pub damaged: u64,
    /// Frames of version 2, of which only the time is reckoned.
    pub version_2: u64,
    /// Frames of nodes beyond the first 1024, which are not told apart.
    pub left_out: u64,
    /// Time on the air of acknowledgements, of frames of version 2 and of nodes that are left out.
    pub other_air: Duration,
}

/// PAN and address of a sender.
type Sender = (Option<u16>, Address);

/// Takes the frames of a capture.
#[derive(Clone, Debug, Default)]
pub struct Heard {
    told: Told,
    nodes: BTreeMap<Sender, Node>,
    first: Option<i64>,
    last: i64,
    /// Sequence number, sender and stamp of the last frame that asked for an acknowledgement.
    asked: Option<(u8, Sender, i64)>,
}

impl Heard {
    /// Takes the next packet of a capture of this link type, with the octets it had before it was cut; false if it is no frame, or cut
    /// within its header.
    pub fn take(&mut self, unix_ns: i64, link_type: u16, packet: &[u8], original_octets: usize) -> bool {
        let cut = original_octets.saturating_sub(packet.len());
        let (fcs_type, frame) = match link_type {
            tap::LINK_TYPE => match Tap::parse(packet) {
                Ok((tap, frame)) => (tap.fcs, frame),
                Err(_) => return false,
            },
            tap::LINK_TYPE_WITH_FCS => (FcsType::Crc16, packet),
            _ => (FcsType::None, packet),
        };
        let (octets, sound) = match fcs_type {
            FcsType::None => (frame.len() + cut + FCS, Some(frame)),
            FcsType::Crc16 if cut == 0 => (frame.len(), fcs::check(frame)),
            // A check that is not there cannot be wrong; what is left of it is no payload.
            FcsType::Crc16 => (frame.len() + cut, frame.get(..frame.len().saturating_sub(FCS.saturating_sub(cut)))),
            // Of PHYs that are not reckoned here.
            FcsType::Crc32 => return false,
        };
        if octets > air::PSDU_MAX {
            return false;
        }
        let first = *self.first.get_or_insert(unix_ns);
        self.last = self.last.max(unix_ns).max(first);
        let Some(sound) = sound else {
            self.told.damaged += 1;
            return true;
        };
        let time = air::frame_time(octets);
        match Header::parse(sound) {
            Ok((header, _)) if header.control.frame_type == FrameType::Ack => {
                self.told.acks += 1;
                self.told.other_air += time;
                self.acknowledged(unix_ns, header.sequence);
            }
            Ok((header, payload)) => {
                let missing = octets.saturating_sub(FCS + sound.len());
                self.sent(unix_ns, &header, payload.len() + missing, time);
            }
            Err(FrameError::Version) => {
                self.told.version_2 += 1;
                self.told.other_air += time;
            }
            Err(_) => return false,
        }
        true
    }

    /// Ends the capture.
    pub fn finish(mut self) -> Told {
        let mut nodes: Vec<Node> = self.nodes.into_values().collect();
        nodes.sort_by_key(|node| core::cmp::Reverse((node.octets, node.data + node.others)));
        self.told.nodes = nodes;
        self.told.span_ns = self.first.map_or(0, |first| self.last.abs_diff(first));
        self.told
    }

    fn acknowledged(&mut self, unix_ns: i64, sequence: u8) {
        let asked = self
            .asked
            .take()
            .filter(|(asked, _, at)| *asked == sequence && unix_ns.saturating_sub(*at).unsigned_abs() <= ACK_WITHIN_NS);
        if let Some(node) = asked.and_then(|(_, sender, _)| self.nodes.get_mut(&sender)) {
            node.acked += 1;
        }
    }

    fn sent(&mut self, unix_ns: i64, header: &Header, octets: usize, time: Duration) {
        let sender = (header.source_pan, header.source);
        self.asked = None;
        if self.nodes.len() >= NODES_MAX && !self.nodes.contains_key(&sender) {
            self.told.left_out += 1;
            self.told.other_air += time;
            return;
        }
        let node = self.nodes.entry(sender).or_insert_with(|| Node::new(sender));
        node.air += time;
        if header.control.frame_type != FrameType::Data {
            node.others += 1;
            return;
        }
        node.data += 1;
        if node.sequence.replace(header.sequence) == Some(header.sequence) {
            node.repeated += 1;
        } else {
            node.octets += octets as u64;
        }
        if header.control.ack_request {
            node.asked += 1;
            self.asked = Some((header.sequence, sender, unix_ns));
        }
    }
}

impl Node {
    const fn new((pan, address): Sender) -> Self {
        Self {
            pan,
            address,
            data: 0,
            others: 0,
            repeated: 0,
            asked: 0,
            acked: 0,
            octets: 0,
            air: Duration::ZERO,
            sequence: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use airtime_core::Pool;

    use super::*;
    use crate::wire::{Addressing, FrameControl, ack, compose};

    /// A data frame with acknowledgement asked from 0x1234 to the coordinator, 20 octets of payload: 31 with its check.
    fn data(sequence: u8) -> Vec<u8> {
        data_of(0xabcd, 0x1234, sequence)
    }

    /// The same of a node of any PAN.
    fn data_of(pan: u16, address: u16, sequence: u8) -> Vec<u8> {
        let control = FrameControl {
            frame_type: FrameType::Data,
            ack_request: true,
            pan_compression: true,
            destination: Addressing::Short,
            source: Addressing::Short,
            ..FrameControl::ACK
        };
        let header = Header {
            control,
            sequence,
            destination_pan: Some(pan),
            destination: Address::Short(0),
            source_pan: Some(pan),
            source: Address::Short(address),
            auxiliary: None,
        };
        let mut out = Pool::new().packet();
        compose(&header, &[5; 20], &mut out);
        out.to_vec()
    }

    fn acknowledgement(sequence: u8) -> Vec<u8> {
        let mut out = Pool::new().packet();
        ack(sequence, &mut out);
        out.to_vec()
    }

    #[test]
    fn repetitions_acknowledgements_and_time_are_counted() {
        let mut heard = Heard::default();
        let packets = [
            (0, data(1)),
            (2_000_000, data(1)),
            (3_400_000, acknowledgement(1)),
            (5_000_000, data(2)),
            (6_400_000, acknowledgement(9)),
        ];
        for (at, packet) in &packets {
            assert!(heard.take(*at, 195, packet, packet.len()));
        }
        let told = heard.finish();
        let [node] = &told.nodes[..] else { panic!("one node") };
        assert_eq!((node.data, node.repeated, node.asked, node.acked, node.octets), (3, 1, 3, 1, 40));
        // 6 octets in front of 31, at 32 µs each.
        assert_eq!((node.air, told.acks), (Duration::from_micros(3 * (6 + 31) * 32), 2));
        assert_eq!(told.other_air, Duration::from_micros(2 * 11 * 32));
        assert_eq!(told.span_ns, 6_400_000);
    }

    #[test]
    fn with_and_without_check_and_with_tap() {
        let frame = data(1);
        let mut tapped = Vec::new();
        Tap { fcs: FcsType::Crc16, ..Tap::default() }.emit(&mut tapped);
        tapped.extend_from_slice(&frame);
        for (link_type, packet) in [(195, &frame[..]), (230, &frame[..frame.len() - 2]), (283, &tapped)] {
            let mut heard = Heard::default();
            assert!(heard.take(0, link_type, packet, packet.len()));
            let told = heard.finish();
            assert_eq!((told.nodes[0].octets, told.nodes[0].air), (20, Duration::from_micros(37 * 32)), "{link_type}");
        }
        let mut heard = Heard::default();
        let damaged = [&frame[..frame.len() - 1], &[!frame[frame.len() - 1]]].concat();
        let mut take = |link_type: u16, packet: &[u8]| heard.take(0, link_type, packet, packet.len());
        assert!(take(195, &damaged) && !take(283, &[1, 0]) && !take(230, &[0; 126]));
        // Frame version 2 in a frame control without addresses.
        assert!(take(230, &[0x01, 0x20, 1]));
        let told = heard.finish();
        assert_eq!((told.damaged, told.version_2, told.nodes.len()), (1, 1, 0));
    }

    #[test]
    fn nodes_of_two_pans_are_two_whatever_their_addresses() {
        let mut heard = Heard::default();
        for (at, pan) in [(0, 0x1111), (9_000_000, 0x2222), (18_000_000, 0x2222)] {
            let frame = data_of(pan, 0, 7);
            assert!(heard.take(at, 195, &frame, frame.len()));
        }
        let ack = acknowledgement(7);
        assert!(heard.take(19_000_000, 195, &ack, ack.len()));
        let told = heard.finish();
        let rows: Vec<_> =
            told.nodes.iter().map(|node| (node.pan, node.address, node.data, node.repeated, node.acked)).collect();
        let coordinator = Address::Short(0);
        assert_eq!(rows, [(Some(0x2222), coordinator, 2, 1, 1), (Some(0x1111), coordinator, 1, 0, 0)]);
    }

    #[test]
    fn cut_frames_are_whole_frames_of_which_less_is_there() {
        let frame = data(1);
        let bare = &frame[..frame.len() - 2];
        // Nine octets of header have to be there.
        for (link_type, whole) in [(195, &frame[..]), (230, bare)] {
            for kept in 9..whole.len() {
                let mut heard = Heard::default();
                assert!(heard.take(0, link_type, &whole[..kept], whole.len()));
                let told = heard.finish();
                assert_eq!((told.damaged, told.nodes[0].octets), (0, 20), "{link_type}: {kept}");
                assert_eq!(told.nodes[0].air, Duration::from_micros(37 * 32), "{link_type}: {kept}");
            }
            assert!(!Heard::default().take(0, link_type, &whole[..8], whole.len()));
        }
    }

    #[test]
    fn frames_of_more_nodes_than_are_told_apart_are_counted() {
        let mut heard = Heard::default();
        for address in 0..NODES_MAX as u16 + 3 {
            let frame = data_of(1, address, 0);
            assert!(heard.take(0, 195, &frame, frame.len()));
        }
        let told = heard.finish();
        assert_eq!((told.nodes.len(), told.left_out), (NODES_MAX, 3));
        assert_eq!(told.other_air, Duration::from_micros(3 * 37 * 32));
    }
}
