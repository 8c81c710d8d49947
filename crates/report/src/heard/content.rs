//! Content of a capture: what is read of it, by the first interface that holds something known.

use airtime_capture::btsnoop::DataLink;
use airtime_capture::file::{Packet, Reader};
use airtime_capture::hci::Hci;
use airtime_capture::link_type;
use airtime_ieee80211::heard as wifi;
use airtime_ieee802154::heard as ieee802154;
use airtime_sniff::host::HostExplainer;
use airtime_sniff::{Counted, Explainer, Sniffer, Stamps};

/// Link types that are read, in words.
const READ: &str = "Bluetooth LE (256, 251, 272), HCI (187, 201, 254, and btsnoop), 802.11 (127, 105) and 802.15.4 (195, 230, 283) are";
/// Link types of one file that an error names.
const NAMED_MAX: usize = 8;

/// Kind of content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContentKind {
    /// Packets of the air of Bluetooth LE.
    Air,
    /// HCI of one host.
    Host,
    /// Frames of 802.11.
    Wifi,
    /// Frames of 802.15.4.
    Ieee802154,
}

impl ContentKind {
    fn of(link_type: u16) -> Option<Self> {
        match link_type {
            _ if Sniffer::reads(link_type) => Some(Self::Air),
            _ if Hci::is_in(link_type) => Some(Self::Host),
            _ if wifi::reads(link_type) => Some(Self::Wifi),
            _ if ieee802154::reads(link_type) => Some(Self::Ieee802154),
            _ => None,
        }
    }
}

/// Reader of a capture, whatever it holds.
#[derive(Debug)]
pub struct Content {
    /// The kind that is read; none as long as nothing known was described.
    pub kind: Option<ContentKind>,
    /// Link types that were described, each once.
    described: Vec<u16>,
    /// Set once a packet has decided on the kind, and on one interface.
    interface: Option<(u32, u32)>,
    /// Packets of the Bluetooth LE air.
    pub sniffer: Sniffer,
    /// Connections of the air.
    pub explainer: Explainer,
    /// Connections of an HCI log.
    pub host: HostExplainer,
    /// Stations of 802.11.
    pub wifi: wifi::Heard,
    /// Nodes of 802.15.4.
    pub ieee802154: ieee802154::Heard,
    counted: Counted,
}

impl Content {
    /// Nothing read yet.
    pub fn new(stamps: Stamps) -> Self {
        Self {
            kind: None,
            described: Vec::new(),
            interface: None,
            sniffer: Sniffer::default(),
            explainer: Explainer::new(stamps),
            host: HostExplainer::default(),
            wifi: wifi::Heard::default(),
            ieee802154: ieee802154::Heard::default(),
            counted: Counted::default(),
        }
    }

    /// Packets so far.
    pub fn counted(&self) -> Counted {
        match self.kind {
            Some(ContentKind::Air) => self.sniffer.counted(),
            _ => self.counted,
        }
    }

    /// Reason that nothing can be read of a capture: what it holds, and what is read.
    pub fn unreadable(&self) -> String {
        let mut found: Vec<String> = self.described.iter().take(NAMED_MAX).map(|number| named(*number)).collect();
        if self.described.len() > NAMED_MAX {
            found.push("others".into());
        }
        match found.as_slice() {
            [] => format!("the capture describes no interface; {READ} read"),
            [one] => format!("{one} is not read; {READ}"),
            several => format!("{} are not read; {READ}", several.join(", ")),
        }
    }

    fn note(&mut self, link_type: u16) {
        if !self.described.contains(&link_type) {
            self.described.push(link_type);
        }
        // Before any packet the first interface that is read decides, so that a file without packets has a kind.
        self.kind = self.kind.or_else(|| ContentKind::of(link_type));
    }
}

/// A link type with its words.
fn named(number: u16) -> String {
    match link_type::name(number) {
        Some(name) => format!("link type {number} ({name})"),
        None => format!("link type {number}"),
    }
}

impl Content {
    /// The capture has described interfaces; `reader` knows those so far.
    pub fn described(&mut self, reader: &Reader) {
        let link_types: Vec<u16> = reader.link_types().collect();
        link_types.into_iter().for_each(|link_type| self.note(link_type));
        if matches!(reader.data_link(), Some(DataLink::Plain | DataLink::H4 | DataLink::Monitor)) {
            self.kind = Some(ContentKind::Host);
        }
    }

    /// The next packet.
    pub fn packet(&mut self, packet: &Packet<'_>) {
        let captured = match packet {
            Packet::Captured(captured) => Some(captured),
            Packet::Snooped(..) => None,
        };
        let own = captured.map_or((0, 0), |captured| (captured.section, captured.interface));
        let kind = captured.map_or(Some(ContentKind::Host), |captured| ContentKind::of(captured.link_type));
        if self.interface.is_none() && kind.is_some() {
            (self.interface, self.kind) = (Some(own), kind);
        }
        if self.kind == Some(ContentKind::Air)
            && let Some(captured) = captured
        {
            let explainer = &mut self.explainer;
            self.sniffer.packet(captured, &mut |packet| explainer.take(packet));
            return;
        }
        if self.interface != Some(own) {
            self.counted.elsewhere += 1;
            return;
        }
        let taken = match (self.kind, captured) {
            (Some(ContentKind::Wifi), Some(captured)) => {
                let original = captured.original_octets as usize;
                self.wifi.take(captured.unix_ns, captured.link_type, captured.data, original)
            }
            (Some(ContentKind::Ieee802154), Some(captured)) => {
                let original = captured.original_octets as usize;
                self.ieee802154.take(captured.unix_ns, captured.link_type, captured.data, original)
            }
            _ => match Hci::of(packet) {
                Ok(Some(hci)) => {
                    self.host.take(&hci);
                    true
                }
                Ok(None) => {
                    self.counted.notes += 1;
                    return;
                }
                Err(_) => false,
            },
        };
        self.counted.taken += u64::from(taken);
        self.counted.malformed += u64::from(!taken);
    }

    /// Tells if anything that is read was described, so that a capture that ends in the middle is worth something.
    pub fn has_something(&self) -> bool {
        self.kind.is_some()
    }
}
