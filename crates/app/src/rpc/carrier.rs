//! Carrier of the frames of one connection.

use super::{FRAME_MAX, FrameConfig, IN_FLIGHT_MAX};
use crate::config::Transport;
use crate::{ATT_CHANNEL, Address, Command, Event};

/// Octets of an L2CAP PDU in front of its information payload. Core 6.0, Vol 3, Part A, 3.1.
const BASIC_HEADER: u16 = 4;

/// Octets of the SDU length in the first K-frame of an SDU. Core 6.0, Vol 3, Part A, 3.4.3.
const SDU_LENGTH: u16 = 2;

/// Octets of an ATT notification or write command in front of the value. Core 6.0, Vol 3, Part F, 3.4.7.1 and 3.4.5.3.
const ATT_HEADER: u16 = 3;

/// Longest value of an attribute. Core 6.0, Vol 3, Part F, 3.2.9.
const VALUE_MAX: u16 = 512;

/// ATT MTU of a fresh connection. Core 6.0, Vol 3, Part G, 5.2.1.
const ATT_MTU_DEFAULT: u16 = 23;

/// One connection, the channel that its frames travel on, and the one that was made last.
#[derive(Clone, Debug)]
pub(super) struct Carrier {
    config: FrameConfig,
    link: Option<(u16, Address)>,
    att_mtu: u16,
    data_octets: u16,
    /// An open credit-based channel, and the largest SDU and K-frame payload of its peer.
    opened: Option<(u16, u16, u16)>,
    /// Channel that frames travel on, once that is settled.
    channel: Option<u16>,
    under_way: u16,
    sent: u64,
    frame: [u8; FRAME_MAX],
    len: usize,
}

impl Carrier {
    pub(super) fn new(config: FrameConfig) -> Self {
        Self {
            config,
            link: None,
            att_mtu: ATT_MTU_DEFAULT,
            data_octets: crate::link::DATA_OCTETS_MIN,
            opened: None,
            channel: None,
            under_way: 0,
            sent: 0,
            frame: [0; FRAME_MAX],
            len: 0,
        }
    }

    /// Notes what an event says of the connection; the machine below has taken it.
    pub(super) fn note(&mut self, event: &Event) {
        if event.conn() != self.link.map(|(conn, _)| conn) {
            return;
        }
        match *event {
            Event::MtuExchanged { mtu, .. } => self.att_mtu = mtu,
            Event::DataLength { tx_octets, .. } => self.data_octets = tx_octets,
            Event::ChannelOpened { channel, peer_mtu, peer_mps, .. } if self.opened.is_none() => {
                self.opened = Some((channel, peer_mtu, peer_mps));
            }
            Event::Sent { channel, .. } if self.channel == Some(channel) => {
                self.under_way = self.under_way.saturating_sub(1);
            }
            _ => {}
        }
    }

    /// A connection stands, and nothing is known of it.
    pub(super) fn begin(&mut self, conn: u16, peer: Address) {
        self.link = Some((conn, peer));
        (self.att_mtu, self.data_octets) = (ATT_MTU_DEFAULT, crate::link::DATA_OCTETS_MIN);
        (self.opened, self.channel) = (None, None);
        (self.under_way, self.sent) = (0, 0);
    }

    /// The connection is gone.
    pub(super) fn end(&mut self) {
        self.link = None;
        self.close();
    }

    /// Notes that the channel of the frames is gone.
    pub(super) fn close(&mut self) {
        (self.opened, self.channel, self.under_way) = (None, None, 0);
    }

    /// The connection.
    pub(super) fn link(&self) -> Option<(u16, Address)> {
        self.link
    }

    /// Channel that frames travel on.
    pub(super) fn channel(&self) -> Option<u16> {
        self.channel
    }

    /// Tells if a frame that arrives there is of this connection's calls.
    pub(super) fn carries(&self, conn: u16, channel: u16) -> bool {
        self.link.is_some_and(|(own, _)| own == conn) && self.channel == Some(channel)
    }

    /// Settles that frames travel on `transport`; says how long they may be, or nothing when there is no such channel.
    pub(super) fn settle(&mut self, transport: Transport) -> Option<u16> {
        let (channel, longest) = match transport {
            Transport::Gatt => (ATT_CHANNEL, self.att_mtu.saturating_sub(ATT_HEADER).min(VALUE_MAX)),
            Transport::Coc => {
                let (channel, mtu, mps) = self.opened?;
                (channel, whole_pdus(mtu.min(self.config.octets), mps, self.data_octets))
            }
        };
        self.channel = Some(channel);
        Some(longest.min(self.config.octets).min(FRAME_MAX as u16))
    }

    /// True while the host has as many frames as it has room for.
    pub(super) fn is_full(&self) -> bool {
        self.under_way >= self.config.in_flight.clamp(1, IN_FLIGHT_MAX)
    }

    /// Makes the next frame with `transmit`, if the host has room for one.
    pub(super) fn send(&mut self, transmit: impl FnOnce(&mut [u8]) -> Option<usize>) -> Option<Command> {
        let ((conn, _), channel) = (self.link?, self.channel?);
        if self.is_full() {
            return None;
        }
        self.len = transmit(&mut self.frame)?.min(FRAME_MAX);
        self.under_way += 1;
        self.sent += 1;
        Some(Command::Send { conn, channel, len: self.len as u16 })
    }

    /// Writes the frame that was made last.
    pub(super) fn fill(&self, into: &mut [u8]) {
        let octets = self.len.min(into.len());
        into[..octets].copy_from_slice(&self.frame[..octets]);
    }

    /// The number of the frame that was made last, from zero on each connection.
    pub(super) fn sequence(&self) -> u64 {
        self.sent.saturating_sub(1)
    }
}

/// The largest SDU of at most `most` octets whose K-frames fill link layer PDUs of `data` octets, for a peer that takes `mps`
/// octets in a K-frame; where not even one is filled, `most`.
fn whole_pdus(most: u16, mps: u16, data: u16) -> u16 {
    let k_frame = mps.saturating_add(BASIC_HEADER);
    let holds_one = most.saturating_add(SDU_LENGTH) >= mps;
    let octets = if k_frame < data || holds_one && k_frame.is_multiple_of(data.max(1)) {
        // Full K-frames: each fills PDUs, or none can.
        most.saturating_add(SDU_LENGTH) / mps.max(1) * mps
    } else {
        // One K-frame, which need not be full.
        let longest = most.saturating_add(SDU_LENGTH + BASIC_HEADER).min(k_frame);
        (longest / data.max(1) * data).saturating_sub(BASIC_HEADER)
    };
    if octets > SDU_LENGTH { octets - SDU_LENGTH } else { most }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_fill_link_layer_pdus() {
        // Most octets, MPS, LL payload, and octets of the frame.
        let table = [
            (1_024, 247, 251, 986),
            (500, 247, 251, 492),
            (245, 247, 251, 245),
            (244, 247, 251, 244),
            (1_024, 1_251, 251, 998),
            (600, 1_251, 251, 496),
            (1_024, 500, 251, 496),
            (1_024, 100, 251, 998),
            (1_024, 23, 27, 1_010),
        ];
        for (most, mps, data, octets) in table {
            assert_eq!(whole_pdus(most, mps, data), octets, "{most} {mps} {data}");
        }
    }

    fn settled(config: FrameConfig, transport: Transport, events: &[Event]) -> (Carrier, Option<u16>) {
        let mut carrier = Carrier::new(config);
        carrier.begin(1, [7; 6]);
        events.iter().for_each(|event| carrier.note(event));
        let frame = carrier.settle(transport);
        (carrier, frame)
    }

    #[test]
    fn the_transport_says_how_long_a_frame_may_be() {
        let mtu = |mtu| Event::MtuExchanged { conn: 1, mtu };
        let other = Event::MtuExchanged { conn: 2, mtu: 100 };
        let opened = Event::ChannelOpened { conn: 1, channel: 0x40, peer_mtu: 2_000, peer_mps: 247 };
        let length = Event::DataLength { conn: 1, tx_octets: 251, rx_octets: 251 };
        let all = FrameConfig::default();
        let short = FrameConfig { octets: 100, ..all };
        assert_eq!(settled(all, Transport::Gatt, &[]).1, Some(20));
        assert_eq!(settled(all, Transport::Gatt, &[mtu(247), other]).1, Some(244));
        assert_eq!(settled(all, Transport::Gatt, &[mtu(517)]).1, Some(512), "a value has no more");
        assert_eq!(settled(short, Transport::Gatt, &[mtu(247)]).1, Some(100));
        assert_eq!(settled(all, Transport::Coc, &[mtu(247)]).1, None);
        assert_eq!(settled(all, Transport::Coc, &[length, opened]).1, Some(986));
        assert_eq!(settled(short, Transport::Coc, &[length, opened]).1, Some(100));
    }

    #[test]
    fn no_more_frames_than_the_host_has_room_for() {
        let config = FrameConfig { in_flight: 2, ..FrameConfig::default() };
        let (mut carrier, _) = settled(config, Transport::Gatt, &[]);
        let make = |into: &mut [u8]| {
            into[..2].copy_from_slice(&[5, 6]);
            Some(2)
        };
        let send = Some(Command::Send { conn: 1, channel: ATT_CHANNEL, len: 2 });
        assert_eq!([carrier.send(make), carrier.send(make), carrier.send(make)], [send, send, None]);
        let mut frame = [0; 2];
        carrier.fill(&mut frame);
        assert_eq!((frame, carrier.sequence()), ([5, 6], 1));
        carrier.note(&Event::Sent { conn: 1, channel: 0x40 });
        assert_eq!(carrier.send(make), None, "of another channel");
        carrier.note(&Event::Sent { conn: 1, channel: ATT_CHANNEL });
        assert_eq!([carrier.send(|_| None), carrier.send(make), carrier.send(make)], [None, send, None]);
        carrier.end();
        assert_eq!(carrier.send(make), None);
    }
}
