//! Byte strings read as captures: what the fuzz target `sniff` runs, and what the ordinary tests run with random
//! strings and with the corpus in `fuzz/corpus/sniff`.
//!
//! A string is read to its end and never refused. Most of what it says is plausible, a packet 150 µs behind another or
//! on the next anchor, with the sequence numbers that are expected, so that connections come to books and rules; the
//! rest is anything.

use airtime_ble::air::Phy;
use airtime_ble::ll::address::DeviceAddress;
use airtime_ble::ll::pdu::{ADVERTISING_ACCESS_ADDRESS, Advertising, AdvertisingType, ConnectData};
use airtime_ble::ll::pdu::{LLID_CONTINUATION, LLID_CONTROL, LLID_START, UNIT_1_25_MS};
use airtime_core::{Duration, Instant, Pool};
use airtime_sniff::{Explained, Explainer, Mic, Sniffed, Stamps};
use airtime_testing::Script;

/// Strings longer than this add time and no new states.
const OCTETS_MAX: usize = 1024;
/// Connections that packets may belong to. The explainer follows 32 and has to give some up.
const LINKS: usize = 40;
/// Core 6.0, Vol 6, Part B, 4.1.1.
const T_IFS: Duration = Duration::from_micros(150);

/// Reads `bytes` as a capture, explains it, and checks what holds for any.
pub fn sniff(bytes: &[u8]) {
    let mut script = Script::new(bytes, OCTETS_MAX);
    let stamps = match script.octet() % 3 {
        0 => Stamps::EXACT,
        1 => Stamps::SNIFFER,
        _ => Stamps { resolution: Duration::from_micros(script.octet().into()), jitter: Duration::ZERO, ppm: 500 },
    };
    let mut air =
        Air { explainer: Explainer::new(stamps), pool: Pool::new(), now: Instant::ZERO, links: [Link::NEW; LINKS] };
    let mut packets = 0;
    while !script.is_over() {
        air.packet(&mut script);
        packets += 1;
    }
    check(&air.explainer.finish(), packets);
}

/// Every packet is accounted for, and every connection's books balance.
fn check(explained: &Explained, packets: u64) {
    assert_eq!(explained.packets, packets);
    assert!(explained.left_out <= packets);
    for link in &explained.links {
        for ledger in link.books.iter().flat_map(|books| [Some(&books.whole), books.stream.as_ref()]).flatten() {
            assert!(ledger.balances(), "{link:?}");
        }
        for found in link.central.iter().chain(&link.peripheral) {
            assert!(!found.possible || found.width().is_none_or(|width| width >= 0.0), "{found:?}");
        }
    }
}

/// What the script has said of a connection.
#[derive(Clone, Copy)]
struct Link {
    anchor: Instant,
    /// In units of 1.25 ms.
    interval: u16,
    phy: Phy,
    /// Next sequence number of each side.
    sn: [bool; 2],
    central_spoke: bool,
}

impl Link {
    const NEW: Self =
        Self { anchor: Instant::ZERO, interval: 12, phy: Phy::Le1M, sn: [false; 2], central_spoke: false };
}

struct Air {
    explainer: Explainer,
    pool: Pool,
    /// When the last packet ended.
    now: Instant,
    links: [Link; LINKS],
}

impl Air {
    fn packet(&mut self, script: &mut Script<'_>) {
        let kind = script.octet();
        let index = if kind & 0x80 == 0 { 0 } else { usize::from(script.octet()) % LINKS };
        match kind & 0x07 {
            0 => self.connect(script, index),
            1 => self.advertising(script),
            _ => self.data(script, index, kind),
        }
    }

    fn connect(&mut self, script: &mut Script<'_>, index: usize) {
        let interval = match script.octet() {
            // Any, as foreign bytes have them.
            0 => script.word(),
            units => u16::from(units) + 5,
        };
        let shape = script.octet();
        let data = ConnectData {
            access_address: address(index),
            crc_init: 0x55_5555,
            win_size: 1 + (shape & 3),
            win_offset: u16::from(shape >> 2 & 7),
            interval,
            latency: u16::from(shape >> 5),
            timeout: 100 + u16::from(script.octet()),
            channel_map: 0x1f_ffff_ffff,
            hop: 7,
            sca: 5,
        };
        let mut bytes = self.pool.packet();
        data.emit(&mut bytes);
        let (sender, target) = (DeviceAddress::public([1; 6]), Some(DeviceAddress::public([2; 6])));
        let pdu = Advertising { kind: AdvertisingType::ConnectInd, ch_sel: true, sender, target, data: &bytes };
        let pdu = pdu.emit(&self.pool).to_vec();
        self.now = self.now.max(at(script, self.now, Link::NEW));
        self.take(ADVERTISING_ACCESS_ADDRESS, Phy::Le1M, &pdu, (None, Some(true), Mic::None, true));
        let window = UNIT_1_25_MS * (1 + u64::from(shape >> 2 & 7));
        self.links[index] = Link { anchor: later(self.now, window), interval, ..Link::NEW };
    }

    fn advertising(&mut self, script: &mut Script<'_>) {
        let crc_ok = [None, Some(true), Some(false)][usize::from(script.octet() % 3)];
        let pdu = script.packet();
        self.take(ADVERTISING_ACCESS_ADDRESS, Phy::Le1M, pdu, (None, crc_ok, Mic::None, true));
    }

    fn data(&mut self, script: &mut Script<'_>, index: usize, kind: u8) {
        let link = self.links[index];
        let flags = script.octet();
        let start = at(script, self.now, link);
        let anchored = flags & 0x01 != 0;
        let start = if anchored { link.anchor } else { start };
        let link = &mut self.links[index];
        if anchored {
            link.anchor = later(start, UNIT_1_25_MS * u64::from(link.interval));
            link.central_spoke = false;
        }
        let side = usize::from(link.central_spoke);
        link.central_spoke = !link.central_spoke;
        if kind & 0x40 != 0 {
            link.phy = [Phy::Le1M, Phy::Le2M, Phy::LeCodedS2, Phy::LeCodedS8][usize::from(flags >> 1 & 3)];
        }
        let mut pdu = Vec::from([0, 0]);
        let llid = match kind & 0x07 {
            4 | 5 => LLID_START,
            6 => LLID_CONTROL,
            _ => LLID_CONTINUATION,
        };
        match kind & 0x07 {
            2 | 3 => {}
            4 => frame(script, &mut pdu),
            _ => pdu.extend(script.packet()),
        }
        let (own, peer) = (link.sn[side], link.sn[1 - side]);
        if flags & 0x08 == 0 {
            link.sn[side] = !own;
        }
        pdu[0] = llid | u8::from(peer) << 2 | u8::from(own) << 3 | (flags & 0x10);
        pdu[1] = if flags & 0x20 == 0 { (pdu.len() - 2) as u8 } else { script.octet() };
        let told = (flags & 0x40 == 0).then_some(side == 0);
        let (crc_ok, mic, readable) = match (flags & 0x80 != 0).then(|| script.octet()) {
            None => (Some(true), Mic::None, true),
            Some(odd) => (
                [Some(true), None, Some(false), None][usize::from(odd & 3)],
                [Mic::Untold, Mic::None, Mic::Kept, Mic::Cut][usize::from(odd >> 2 & 3)],
                odd & 0x10 == 0,
            ),
        };
        let phy = link.phy;
        // Stamps of a file may go back.
        self.now = start;
        self.take(address(index), phy, &pdu, (told, crc_ok, mic, readable));
    }

    fn take(&mut self, link: u32, phy: Phy, pdu: &[u8], told: (Option<bool>, Option<bool>, Mic, bool)) {
        let (from_central, crc_ok, mic, readable) = told;
        let (at, channel) = (self.now, Some(9));
        self.explainer.take(&Sniffed { at, link, channel, phy, from_central, crc_ok, mic, readable, pdu });
        self.now = later(self.now, phy.packet(pdu.len() as u64));
    }
}

fn address(index: usize) -> u32 {
    0x5065_4e96 ^ (index as u32) << 8
}

/// When a packet begins that is not on the anchor: mostly 150 µs behind the last one.
fn at(script: &mut Script<'_>, now: Instant, link: Link) -> Instant {
    let octet = script.octet();
    let argument = u64::from(octet >> 2);
    match octet & 3 {
        0 | 1 => later(now, T_IFS + Duration::from_nanos(argument)),
        2 if argument == 0 => Instant::from_nanos(u64::from(script.word()) << (script.octet() & 0x3f)),
        2 => later(now, Duration::from_micros(script.word().into())),
        _ => later(now, UNIT_1_25_MS * u64::from(link.interval) * argument),
    }
}

/// The sum, or the end of time.
fn later(at: Instant, by: Duration) -> Instant {
    Instant::from_nanos(at.as_nanos().saturating_add(by.as_nanos()))
}

/// A K-frame of the first dynamic channel, or signalling.
fn frame(script: &mut Script<'_>, pdu: &mut Vec<u8>) {
    let shape = script.octet();
    let cid: u16 = if shape & 1 == 0 { 0x40 } else { [0x04, 0x05][usize::from(shape >> 1 & 1)] };
    let body: &[u8] = if cid == 0x40 { &[0x5a; 255][..usize::from(shape).min(245)] } else { script.packet() };
    let sdu = cid == 0x40;
    let octets = body.len() + if sdu { 2 } else { 0 };
    pdu.extend((octets as u16).to_le_bytes());
    pdu.extend(cid.to_le_bytes());
    if sdu {
        pdu.extend((body.len() as u16).to_le_bytes());
    }
    pdu.extend(body);
}
