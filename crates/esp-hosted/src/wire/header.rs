//! The header of a frame. `common/esp_hosted_header.h`.

use airtime_core::Packet;

use super::interface::{Interface, Transport};

/// Layout of frames on one link: both sides have been built with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Set if frames carry a checksum; the field is zero otherwise.
    pub checksum: bool,
    /// Set if headers carry the number of the packet (`ESP_PKT_NUM_DEBUG`): they are two octets longer then.
    pub numbered: bool,
    /// Octets of a buffer, header included.
    pub buffer_octets: usize,
}

impl Layout {
    /// SDIO as it is built by default: no checksum, no numbers, 1524 octets of payload.
    pub const SDIO: Self = Self::of(Transport::Sdio);

    /// Layout that `transport` has by default.
    pub const fn of(transport: Transport) -> Self {
        Self { checksum: transport.checksum_by_default(), numbered: false, buffer_octets: transport.buffer_octets() }
    }

    /// Octets of a header, the offset of the payload.
    pub const fn header_octets(&self) -> usize {
        if self.numbered { Header::NUMBERED_OCTETS } else { Header::OCTETS }
    }

    /// The longest payload of one frame.
    pub const fn payload_max(&self) -> usize {
        self.buffer_octets - self.header_octets()
    }
}

/// Bits of a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Flags(u8);

impl Flags {
    /// None of them.
    pub const NONE: Self = Self(0);
    /// Another frame of the same message follows.
    pub const MORE_FRAGMENT: Self = Self(1);
    /// This packet woke the host.
    pub const WAKEUP: Self = Self(2);
    /// The host has begun to save power.
    pub const POWER_SAVE_STARTED: Self = Self(4);
    /// The host has ceased to save power.
    pub const POWER_SAVE_STOPPED: Self = Self(8);

    /// The octet, bits without a name included.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Flags of these bits, those without a name included.
    pub const fn of(bits: u8) -> Self {
        Self(bits)
    }

    /// True if all bits of `other` are set.
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Adds the bits of `other`.
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// Throttle request in a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Throttle {
    /// Nothing; the reserved value reads as this too.
    #[default]
    Unchanged,
    /// Send no more.
    On,
    /// Send again.
    Off,
}

impl Throttle {
    /// Meaning of the field, of which the low two bits count.
    pub const fn of(value: u8) -> Self {
        match value & 3 {
            1 => Self::On,
            2 => Self::Off,
            _ => Self::Unchanged,
        }
    }
}

/// Header of a frame, apart from lengths and checksum, which follow from payload and [`Layout`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Interface that the payload belongs to.
    pub interface: Interface,
    /// Instance of the interface, 0..=15.
    pub instance: u8,
    /// Flags of the frame.
    pub flags: Flags,
    /// Sequence number: zero from a host, the number of the fragment from a co-processor.
    pub sequence: u16,
    /// Throttling that the co-processor asks for.
    pub throttle: Throttle,
    /// Number of the packet; only on a link whose headers are numbered.
    pub number: u16,
    /// HCI packet type, kind of private packet, or zero.
    pub kind: u8,
}

impl Header {
    /// Octets of a header.
    pub const OCTETS: usize = 12;
    /// Octets of a header with a packet number.
    pub const NUMBERED_OCTETS: usize = 14;
    /// `kind` of a private packet that is an event.
    pub const PRIVATE_EVENT: u8 = 0x33;

    /// A header of `interface` with all else zero.
    pub const fn new(interface: Interface) -> Self {
        Self {
            interface,
            instance: 0,
            flags: Flags::NONE,
            sequence: 0,
            throttle: Throttle::Unchanged,
            number: 0,
            kind: 0,
        }
    }

    /// Appends a frame to `out`. Of an HCI packet the first octet, its type, moves into the header.
    ///
    /// # Panics
    /// When the payload does not fit a frame of `layout`.
    pub fn emit(&self, layout: &Layout, payload: &[u8], out: &mut Packet) {
        let (kind, payload) = match (self.interface, payload) {
            (Interface::Hci, [kind, rest @ ..]) => (*kind, rest),
            _ => (self.kind, payload),
        };
        assert!(payload.len() <= layout.payload_max(), "a message that long is sent as fragments");
        let start = out.len();
        out.put(&self.octets(layout, kind, payload.len())[..layout.header_octets()]);
        out.put(payload);
        seal(layout, &mut out[start..]);
    }

    /// Makes a frame of `payload`, in its own buffer.
    ///
    /// # Panics
    /// When the payload does not fit a frame of `layout`.
    pub fn wrap(&self, layout: &Layout, mut payload: Packet) -> Packet {
        // The type of an HCI packet is its first octet, and the last one of the header: it is where it has to be.
        let typed = usize::from(self.interface == Interface::Hci && !payload.is_empty());
        let len = payload.len() - typed;
        assert!(len <= layout.payload_max(), "a message that long is sent as fragments");
        payload.prepend(&self.octets(layout, self.kind, len)[..layout.header_octets() - typed]);
        seal(layout, &mut payload);
        payload
    }

    /// A frame without interface and payload, that says nothing but `throttle`. Source: `flow_ctrl_task` of `spi_hd_slave_api.c`.
    pub fn throttle(layout: &Layout, throttle: Throttle, out: &mut Packet) {
        let mut octets = Self { throttle, ..Self::new(Interface::Private) }.octets(layout, 0, 0);
        octets[0] = 0;
        let frame = &mut octets[..layout.header_octets()];
        seal(layout, frame);
        out.put(frame);
    }

    /// The header of a payload of `len` octets, with a checksum of zero.
    fn octets(&self, layout: &Layout, kind: u8, len: usize) -> [u8; Self::NUMBERED_OCTETS] {
        let mut octets = [0; Self::NUMBERED_OCTETS];
        octets[0] = self.interface as u8 | self.instance << 4;
        octets[1] = self.flags.bits();
        octets[2..4].copy_from_slice(&(len as u16).to_le_bytes());
        octets[4..6].copy_from_slice(&(layout.header_octets() as u16).to_le_bytes());
        octets[8..10].copy_from_slice(&self.sequence.to_le_bytes());
        octets[10] = self.throttle as u8;
        if layout.numbered {
            octets[11..13].copy_from_slice(&self.number.to_le_bytes());
        }
        octets[layout.header_octets() - 1] = kind;
        octets
    }
}

/// Fills in the checksum of a frame, if the link has one.
fn seal(layout: &Layout, frame: &mut [u8]) {
    if layout.checksum {
        let sum = checksum(frame);
        frame[6..8].copy_from_slice(&sum.to_le_bytes());
    }
}

/// The sum of all octets, modulo 2^16. It is made while the field is zero.
pub fn checksum(octets: &[u8]) -> u16 {
    octets.iter().fold(0, |sum, &octet| sum.wrapping_add(u16::from(octet)))
}
