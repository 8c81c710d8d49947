//! The air as pcapng.
//!
//! Interface 0, `air`, hears every packet once. Those of devices, if asked for, hold what each sent and what its
//! receiver got on its connections, with the request that made them: what was on the advertising channels besides is
//! only on `air`, because the medium does not say who heard it.

use airtime_ble::air::{CRC_OCTETS, HEADER_OCTETS, MIC_OCTETS};
use airtime_ble::capture::{Auxiliary, Frame, Kind, LINK_TYPE, Links, crc};
use airtime_ble::host::{Role, Starved};
use airtime_ble::ll::pdu::ADVERTISING_ACCESS_ADDRESS;
use airtime_ble::medium::{Place, Transmission};
use airtime_ble::network::Observer;
use airtime_ble::trace::{Trace, Verdict};
use airtime_capture::pcapng::Writer;
use airtime_capture::{Origin, Sink};
use airtime_core::Instant;

/// Name of the program in captures.
const APPLICATION: &str = "airtime";
/// PDU type of AUX_SCAN_REQ. Core 6.0, Vol 6, Part B, 2.3.
const SCAN_REQ: u8 = 0x3;

/// Writes every packet of the air.
///
/// A stamp is the start of a packet's preamble, in nanoseconds. Packets are written as they end, so those of links
/// that overlap may stand out of order. A packet that its receiver got with a wrong CRC has its CRC inverted and the
/// flag says that it is wrong. PDUs of encrypted links are written as a sniffer with the key would: decrypted, with
/// the MIC cut off and the length field and the CRC made for what is left, because Wireshark takes all of the payload
/// for data. The MIC counts as checked where the receiver took the PDU as new; the PDU that ends a link for its MIC is
/// among them.
#[derive(Debug)]
pub struct AirCapture<S> {
    writer: Writer<S>,
    origin: Origin,
    air: u32,
    links: Links,
    pdu: Vec<u8>,
    /// The channel of the last packet, if it was an AUX_SCAN_REQ.
    asked: Option<u8>,
    devices: Option<Devices>,
}

impl<S: Sink> AirCapture<S> {
    /// A capture with the interface `air`.
    pub fn new(sink: S, origin: Origin) -> Self {
        let mut writer = Writer::new(sink, APPLICATION);
        let air = writer.interface(LINK_TYPE, "air", "every packet on the air, once");
        Self { writer, origin, air, links: Links::default(), pdu: Vec::new(), asked: None, devices: None }
    }

    /// Adds an interface for each of the first `count` devices.
    ///
    /// Wireshark (4.0) tells neither interfaces nor connections apart when it puts SDUs together: with several
    /// observers in one file, or several connections that use the same channel identifiers at once, its SDUs are
    /// mixtures. Every packet by itself, and L2CAP PDUs over several packets, are shown rightly.
    pub fn with_devices(mut self, count: usize) -> Self {
        let interfaces = (0..count)
            .map(|device| {
                let description = format!("what device {device} sent and received on its connections");
                self.writer.interface(LINK_TYPE, &format!("device {device}"), &description)
            })
            .collect();
        self.devices = Some(Devices { interfaces, ends: Vec::new() });
        self
    }

    /// A packet has ended, and was this to its receiver.
    pub fn transmission(&mut self, sent: &Transmission, verdict: Verdict) {
        let advertising = sent.place == Place::Advertising;
        let made = if advertising { self.links.learn(&sent.packet) } else { None };
        let kind = self.kind(sent);
        let decrypted = self.take_pdu(sent);
        let init = self.links.crc_init(advertising && sent.link == ADVERTISING_ACCESS_ADDRESS, sent.link);
        let frame = Frame {
            channel: sent.channel,
            phy: sent.phy,
            kind,
            access_address: sent.link,
            // Not counted: Wireshark has a note on every packet where it is.
            offenses: None,
            signal_dbm: None,
            noise_dbm: None,
            pdu: &self.pdu,
            crc: init.map_or([0; 3], |init| crc::crc(init, &self.pdu)),
            crc_valid: init.map(|_| true),
            decrypted,
            mic_valid: (decrypted && verdict == Verdict::New).then_some(true),
        };
        let heard = match verdict {
            Verdict::Corrupted | Verdict::Cut => {
                Frame { crc: frame.crc.map(|octet| !octet), crc_valid: Some(false), ..frame }
            }
            _ => frame,
        };
        let stamp = self.origin.unix_nanos(sent.start);
        self.writer.packet(self.air, stamp, |out| heard.emit(out));
        if let Some(devices) = &self.devices {
            let (link, from_central) = match (sent.place, made) {
                (Place::Event { from_central, .. }, _) => (sent.link, from_central),
                (Place::Advertising, Some(link)) => (link, true),
                (Place::Advertising, None) => return,
            };
            let received = made.is_some() || !matches!(verdict, Verdict::Unheard | Verdict::Cut);
            let sides = [(from_central, &frame, true), (!from_central, &heard, received)];
            for (central, frame, has) in sides {
                if let Some(interface) = devices.interface(link, central).filter(|_| has) {
                    self.writer.packet(interface, stamp, |out| frame.emit(out));
                }
            }
        }
    }

    /// Device `device` traced this.
    pub fn trace(&mut self, device: usize, trace: &Trace) {
        let Some(devices) = &mut self.devices else { return };
        match *trace {
            Trace::ConnectionOpened { link, role, .. } => devices.open(link, role == Role::Central, device),
            Trace::ConnectionClosed { link, role, .. } => devices.close(link, role == Role::Central),
            _ => {}
        }
    }

    /// Sink that the bytes go to.
    pub fn sink(&mut self) -> &mut S {
        self.writer.sink()
    }

    /// Ends the capture.
    pub fn into_sink(self) -> S {
        self.writer.into_sink()
    }

    /// Kind of the PDU for the flags. A chain is not told from the PDU that begins it.
    fn kind(&mut self, sent: &Transmission) -> Kind {
        let Place::Advertising = sent.place else {
            let Place::Event { from_central, .. } = sent.place else { return Kind::Unspecified };
            return Kind::Data { from_central };
        };
        if sent.channel >= 37 {
            return Kind::Unspecified;
        }
        let asks = sent.packet.first().is_some_and(|octet| octet & 0x0f == SCAN_REQ);
        let asked = core::mem::replace(&mut self.asked, asks.then_some(sent.channel));
        Kind::Auxiliary(match sent.link {
            ADVERTISING_ACCESS_ADDRESS if asked == Some(sent.channel) => Auxiliary::ScanRsp,
            ADVERTISING_ACCESS_ADDRESS => Auxiliary::AdvInd,
            // Periodic advertising has access addresses of its own.
            _ => Auxiliary::SyncInd,
        })
    }

    /// Copies the PDU, without its MIC if it has one; says whether it had.
    fn take_pdu(&mut self, sent: &Transmission) -> bool {
        let clear = sent.packet.len().checked_sub(MIC_OCTETS as usize).filter(|clear| *clear >= HEADER_OCTETS as usize);
        self.pdu.clear();
        match clear.filter(|_| sent.encrypted) {
            None => self.pdu.extend_from_slice(&sent.packet),
            Some(clear) => {
                self.pdu.extend_from_slice(&sent.packet[..clear]);
                self.pdu[1] = self.pdu[1].saturating_sub(MIC_OCTETS as u8);
            }
        }
        // A sniffer goes on to the end that the header has announced, and finds noise.
        let unsent = (sent.unsent.as_nanos() / sent.phy.octet().as_nanos()) as usize;
        let sent_octets = (sent.packet.len() + CRC_OCTETS as usize).saturating_sub(unsent).max(HEADER_OCTETS as usize);
        if let Some(noise) = self.pdu.get_mut(sent_octets..) {
            noise.fill(0);
        }
        self.pdu.len() < sent.packet.len()
    }
}

impl<E, S: Sink> Observer<E> for AirCapture<S> {
    fn transmission(&mut self, sent: &Transmission, verdict: Verdict) {
        AirCapture::transmission(self, sent, verdict);
    }
    fn trace(&mut self, _: Instant, device: usize, trace: &Trace, _: Option<Starved>) {
        AirCapture::trace(self, device, trace);
    }
    fn event(&mut self, _: Instant, _: usize, _: &E) {}
}

/// Interfaces of devices, and which device is which end of a connection.
#[derive(Debug)]
struct Devices {
    interfaces: Vec<u32>,
    /// Access address, whether it is the central, device.
    ends: Vec<(u32, bool, usize)>,
}

impl Devices {
    fn interface(&self, link: u32, central: bool) -> Option<u32> {
        let (.., device) = self.ends.iter().find(|(l, c, _)| (*l, *c) == (link, central))?;
        self.interfaces.get(*device).copied()
    }

    fn open(&mut self, link: u32, central: bool, device: usize) {
        self.close(link, central);
        self.ends.push((link, central, device));
    }

    fn close(&mut self, link: u32, central: bool) {
        self.ends.retain(|(l, c, _)| (*l, *c) != (link, central));
    }
}
