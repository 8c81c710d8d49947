//! Management frames: what an access point says of itself, who asks, actions. 9.3.3.

use airtime_core::Packet;
use airtime_core::bytes::Reader;

use super::address::MacAddress;
use super::element::{Element, Elements};
use super::frame_control::{FrameControl, FrameType, subtype};
use super::header::{Header, Sequence};

/// 6, 12 and 24 Mbit/s mandatory, all of ERP-OFDM supported, in units of 500 kbit/s. 9.4.2.3.
const RATES: [u8; 8] = [0x8c, 0x12, 0x98, 0x24, 0xb0, 0x48, 0x60, 0x6c];

/// Capability bits: ESS, short slot time. 9.4.1.4.
const CAPABILITIES: u16 = 0x0401;
/// Capability bit: privacy.
const PRIVACY: u16 = 0x0010;

/// WPA2 with CCMP and a pre-shared key. 9.4.2.24.
const RSN_CCMP_PSK: [u8; 20] = [1, 0, 0, 0x0f, 0xac, 4, 1, 0, 0, 0x0f, 0xac, 4, 1, 0, 0, 0x0f, 0xac, 2, 0, 0];

/// HT of one stream: short guard interval in 20 MHz, MCS 0 to 7 received. 9.4.2.55.
const HT_CAPABILITIES: [u8; 26] = {
    let mut octets = [0; 26];
    octets[0] = 0x20;
    // A-MPDUs of up to 65,535 octets.
    octets[2] = 0x03;
    octets[3] = 0xff;
    octets
};

/// A network's name, up to 32 octets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ssid<'a>(&'a [u8]);

impl<'a> Ssid<'a> {
    /// Any network.
    pub const WILDCARD: Self = Ssid(&[]);

    /// A name; none of more than 32 octets.
    pub fn new(name: &'a [u8]) -> Option<Self> {
        (name.len() <= 32).then_some(Self(name))
    }

    /// Octets of the name.
    pub const fn octets(self) -> &'a [u8] {
        self.0
    }
}

/// A beacon or a probe response to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beacon<'a> {
    /// Station that is answered; none for a beacon.
    pub to: Option<MacAddress>,
    /// The access point.
    pub bssid: MacAddress,
    /// Sequence control.
    pub sequence: Sequence,
    /// Microseconds of the access point's clock.
    pub timestamp_us: u64,
    /// Interval of beacons in units of 1024 us.
    pub interval_tu: u16,
    /// Name of the network.
    pub ssid: Ssid<'a>,
    /// Its primary channel.
    pub channel: u8,
    /// Set if it wants WPA2.
    pub secured: bool,
    /// Set if it speaks HT.
    pub ht: bool,
    /// Frames that the access point holds for stations that doze; a probe response does not say.
    pub tim: Tim,
}

/// A traffic indication map: whose frames the access point holds. 9.4.2.5.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tim {
    /// Beacons until the next DTIM; 0 if this is one.
    pub count: u8,
    /// Beacons from one DTIM to the next.
    pub period: u8,
    /// Association identifier of the station that has frames, 1..=7.
    pub named: Option<u8>,
}

impl Tim {
    /// A DTIM in every beacon, and nothing held.
    pub const NOTHING: Self = Self { count: 0, period: 1, named: None };
}

impl Beacon<'_> {
    /// Appends the frame without FCS to `out`.
    pub fn emit(&self, out: &mut Packet) {
        let subtype = if self.to.is_some() { subtype::PROBE_RESPONSE } else { subtype::BEACON };
        let receiver = self.to.unwrap_or(MacAddress::BROADCAST);
        header(subtype, receiver, self.bssid, self.bssid, self.sequence).emit(out);
        out.put_u64(self.timestamp_us);
        out.put_u16(self.interval_tu);
        out.put_u16(CAPABILITIES | if self.secured { PRIVACY } else { 0 });
        let mut element = |id, value: &[u8]| Element { id, value }.emit(out);
        element(Element::SSID, self.ssid.0);
        element(Element::RATES, &RATES);
        element(Element::DS_PARAMETER, &[self.channel]);
        if self.to.is_none() {
            let Tim { count, period, named } = self.tim;
            // No group has frames. Of the bitmap the first octet says all.
            let bitmap = named.map_or(0, |identifier| 1 << (identifier & 7));
            element(Element::TIM, &[count, period, 0, bitmap]);
        }
        element(Element::ERP, &[0]);
        if self.secured {
            element(Element::RSN, &RSN_CCMP_PSK);
        }
        if self.ht {
            element(Element::HT_CAPABILITIES, &HT_CAPABILITIES);
            let mut operation = [0; 22];
            operation[0] = self.channel;
            element(Element::HT_OPERATION, &operation);
        }
    }
}

/// A probe request to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProbeRequest<'a> {
    /// Transmitter: the station that asks.
    pub transmitter: MacAddress,
    /// Sequence control.
    pub sequence: Sequence,
    /// Network that it asks for.
    pub ssid: Ssid<'a>,
}

impl ProbeRequest<'_> {
    /// Appends the frame without FCS to `out`.
    pub fn emit(&self, out: &mut Packet) {
        let all = MacAddress::BROADCAST;
        header(subtype::PROBE_REQUEST, all, self.transmitter, all, self.sequence).emit(out);
        Element { id: Element::SSID, value: self.ssid.0 }.emit(out);
        Element { id: Element::RATES, value: &RATES }.emit(out);
    }
}

/// An action frame to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Action<'a> {
    /// Receiver of the frame.
    pub receiver: MacAddress,
    /// Transmitter of the frame.
    pub transmitter: MacAddress,
    /// The network.
    pub bssid: MacAddress,
    /// Sequence control.
    pub sequence: Sequence,
    /// Category. Table 9-51.
    pub category: u8,
    /// Octets that follow the category.
    pub body: &'a [u8],
}

impl Action<'_> {
    /// Appends the frame without FCS to `out`.
    pub fn emit(&self, out: &mut Packet) {
        header(subtype::ACTION, self.receiver, self.transmitter, self.bssid, self.sequence).emit(out);
        out.put_u8(self.category);
        out.put(self.body);
    }
}

/// Header of a management frame.
pub(super) fn header(
    subtype: u8,
    receiver: MacAddress,
    transmitter: MacAddress,
    bssid: MacAddress,
    sequence: Sequence,
) -> Header {
    Header {
        control: FrameControl::new(FrameType::Management, subtype, 0),
        duration_us: 0,
        receiver,
        transmitter,
        third: bssid,
        sequence,
        fourth: None,
        qos: None,
        ht_control: None,
    }
}

/// The body of a management frame, read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Management<'a> {
    /// Beacon, or probe response.
    Beacon {
        /// Set if it answers somebody.
        response: bool,
        /// Microseconds of the access point's clock.
        timestamp_us: u64,
        /// Interval of beacons in units of 1024 us.
        interval_tu: u16,
        /// Capability bits.
        capabilities: u16,
        /// Elements behind the fixed fields.
        elements: Elements<'a>,
    },
    /// Probe request.
    ProbeRequest {
        /// Elements that it asks for.
        elements: Elements<'a>,
    },
    /// Action.
    Action {
        /// Category.
        category: u8,
        /// Octets that follow the category.
        body: &'a [u8],
    },
    /// Another, or one that is encrypted.
    Other {
        /// Subtype of the frame.
        subtype: u8,
        /// Body of the frame.
        body: &'a [u8],
    },
}

impl<'a> Management<'a> {
    /// Reads the body of a frame of this kind; none if it is too short.
    pub(super) fn parse(control: FrameControl, body: &'a [u8]) -> Option<Self> {
        if control.has(FrameControl::PROTECTED) {
            return Some(Self::Other { subtype: control.subtype(), body });
        }
        let mut reader = Reader::new(body);
        Some(match control.subtype() {
            subtype @ (subtype::BEACON | subtype::PROBE_RESPONSE) => Self::Beacon {
                response: subtype == subtype::PROBE_RESPONSE,
                timestamp_us: reader.u64()?,
                interval_tu: reader.u16()?,
                capabilities: reader.u16()?,
                elements: Elements::new(reader.rest()),
            },
            subtype::PROBE_REQUEST => Self::ProbeRequest { elements: Elements::new(body) },
            subtype::ACTION => Self::Action { category: reader.u8()?, body: reader.rest() },
            subtype => Self::Other { subtype, body },
        })
    }

    /// The name of the network, if it says one.
    pub fn ssid(&self) -> Option<Ssid<'a>> {
        match *self {
            Self::Beacon { elements, .. } | Self::ProbeRequest { elements } => {
                elements.find(Element::SSID).and_then(Ssid::new)
            }
            _ => None,
        }
    }
}
