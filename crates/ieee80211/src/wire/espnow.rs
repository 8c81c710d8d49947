//! ESP-NOW: payload between chips of Espressif in vendor-specific action frames, with no network between them. ESP-IDF,
//! docs/en/api-reference/network/esp_now.rst.
//!
//! A frame has a header whose third address is broadcast, the category, the organisation, four random octets, and vendor-specific
//! elements of up to 250 octets of body: one of version 1.0, up to six of 2.0.

use airtime_core::Packet;
use airtime_core::bytes::Reader;

use super::address::MacAddress;
use super::data::{CCMP_OCTETS, ccmp_header};
use super::element::{Element, Elements};
use super::frame_control::{FrameControl, subtype};
use super::header::{Header, Sequence};
use super::management::header;

/// Category of vendor-specific action frames. Table 9-51.
pub const CATEGORY: u8 = 127;

/// Organisation identifier: Espressif's.
pub const ORGANISATION: [u8; 3] = [0x18, 0xfe, 0x34];

/// Type of the element, of those of Espressif.
const TYPE: u8 = 4;

/// Octets of body in an element: its length octet also counts organisation, type and version.
const ELEMENT_BODY: usize = 250;

/// Octets of an element besides its body: identifier, length, organisation, type, version.
const ELEMENT_OCTETS: usize = 1 + 1 + 3 + 1 + 1;

/// Octets between header and elements: category, organisation, random value.
const FIXED_OCTETS: usize = 1 + 3 + 4;

/// Bit of the octet of the version that says that another element continues the body, in version 2.0.
const MORE: u8 = 1 << 4;

/// Version of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "plan", derive(airtime_keys::Words))]
pub enum Version {
    /// 1.0: bodies of up to 250 octets (`ESP_NOW_MAX_DATA_LEN`).
    #[cfg_attr(feature = "plan", word("1.0"))]
    V1,
    /// 2.0: bodies of up to 1470 octets (`ESP_NOW_MAX_DATA_LEN_V2`).
    #[cfg_attr(feature = "plan", word("2.0"))]
    V2,
}

impl Version {
    /// Octets of the longest body.
    pub const fn body_max(self) -> usize {
        match self {
            Self::V1 => 250,
            Self::V2 => 1_470,
        }
    }

    /// The number on the air.
    const fn number(self) -> u8 {
        match self {
            Self::V1 => 1,
            Self::V2 => 2,
        }
    }
}

/// Octets of the frame with a body of `body` octets, FCS included.
pub const fn frame_octets(body: usize, encrypted: bool) -> usize {
    let elements = if body == 0 { 1 } else { body.div_ceil(ELEMENT_BODY) };
    let sealed = if encrypted { CCMP_OCTETS } else { 0 };
    Header::OCTETS + sealed + FIXED_OCTETS + elements * ELEMENT_OCTETS + body + super::fcs::OCTETS
}

/// A frame of ESP-NOW to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EspNow<'a> {
    /// Receiver: a peer, or everybody.
    pub receiver: MacAddress,
    /// Transmitter of the frame.
    pub transmitter: MacAddress,
    /// Sequence control.
    pub sequence: Sequence,
    /// Version of the protocol.
    pub version: Version,
    /// Random value, against frames that are played back.
    pub random: [u8; 4],
    /// Number of the encrypted packet, 48 bits; none if nothing is encrypted. As in [`Data`](super::Data) each octet has its place, and
    /// nothing is secret.
    pub ccmp: Option<u64>,
    /// Payload.
    pub body: &'a [u8],
}

impl EspNow<'_> {
    /// Appends the frame without FCS to `out`.
    ///
    /// # Panics
    /// When the body is longer than the version has.
    pub fn emit(&self, out: &mut Packet) {
        assert!(self.body.len() <= self.version.body_max(), "{} octets are no body of ESP-NOW", self.body.len());
        let mut header = header(subtype::ACTION, self.receiver, self.transmitter, MacAddress::BROADCAST, self.sequence);
        if self.ccmp.is_some() {
            header.control.0 |= FrameControl::PROTECTED;
        }
        header.emit(out);
        if let Some(number) = self.ccmp {
            out.put(&ccmp_header(number));
        }
        out.put_u8(CATEGORY);
        out.put(&ORGANISATION);
        out.put(&self.random);
        let mut rest = self.body;
        loop {
            let (body, behind) = rest.split_at(rest.len().min(ELEMENT_BODY));
            let more = if behind.is_empty() { 0 } else { MORE };
            out.put(&[Element::VENDOR, (ELEMENT_OCTETS - 2 + body.len()) as u8]);
            out.put(&ORGANISATION);
            out.put(&[TYPE, self.version.number() | more]);
            out.put(body);
            rest = behind;
            if rest.is_empty() {
                break;
            }
        }
        if self.ccmp.is_some() {
            out.put(&[0; CCMP_OCTETS / 2]);
        }
    }
}

/// Parts of the body of a frame of ESP-NOW, by element. They end with the first that is not one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bodies<'a> {
    /// Random value of the frame.
    pub random: [u8; 4],
    elements: Elements<'a>,
}

impl<'a> Bodies<'a> {
    /// Reads what follows the category of an action frame; none if that is not ESP-NOW.
    pub fn parse(category: u8, body: &'a [u8]) -> Option<Self> {
        let mut reader = Reader::new(body);
        let ours = reader.array()? == ORGANISATION && category == CATEGORY;
        let random = reader.array()?;
        let elements = Elements::new(reader.rest());
        let read = Self { random, elements };
        (ours && read.clone().next().is_some()).then_some(read)
    }

    /// Octets of the whole body.
    pub fn octets(self) -> usize {
        self.map(<[u8]>::len).sum()
    }
}

impl<'a> Iterator for Bodies<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<Self::Item> {
        let element = self.elements.next().filter(|element| element.id == Element::VENDOR)?;
        let (head, body) = element.value.split_first_chunk::<5>()?;
        let [a, b, c, kind, _] = *head;
        ([a, b, c] == ORGANISATION && kind == TYPE).then_some(body)
    }
}
