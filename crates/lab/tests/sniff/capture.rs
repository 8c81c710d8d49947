//! A run with its packets kept, and what a sniffer would have made of them.

use airtime_ble::air::Phy;
use airtime_ble::host::{Role, Starved};
use airtime_ble::ledger::l2cap::{Kind, Parser};
use airtime_ble::ledger::{Account, Books, Direction, EMPTY_SENDER};
use airtime_ble::ll::pdu::{DataHeader, LLID_CONTROL};
use airtime_ble::medium::{Place, Transmission};
use airtime_ble::network::Observer;
use airtime_ble::trace::{Trace, Verdict};
use airtime_ble_link::plan::{Direction as Way, Scenario};
use airtime_ble_link::run::build;
use airtime_ble_link::station::StationOutput;
use airtime_core::ledger::Ledger;
use airtime_core::random::stream;
use airtime_core::{EventLoop, Instant};
use airtime_lab::captured::{Captured, CapturedLink};
use airtime_sniff::{Explainer, Mic, Sniffed, Stamps};

use crate::support;

/// One packet as it was on the air.
#[derive(Clone, Debug)]
pub struct Kept {
    pub at: Instant,
    pub link: u32,
    pub channel: u8,
    pub phy: Phy,
    pub from_central: Option<bool>,
    pub crc_ok: bool,
    pub mic: bool,
    pub pdu: Vec<u8>,
}

impl Kept {
    /// The packet as it was sent.
    pub fn of(sent: &Transmission, from_central: Option<bool>) -> Self {
        Self {
            at: sent.start,
            link: sent.link,
            channel: sent.channel,
            phy: sent.phy,
            from_central,
            crc_ok: true,
            mic: sent.encrypted,
            pdu: sent.packet.to_vec(),
        }
    }

    /// As a sniffer that knows everything hands it over.
    pub fn sniffed(&self) -> Sniffed<'_> {
        Sniffed {
            at: self.at,
            link: self.link,
            channel: Some(self.channel),
            phy: self.phy,
            from_central: self.from_central,
            crc_ok: Some(self.crc_ok),
            mic: if self.mic { Mic::Kept } else { Mic::None },
            readable: true,
            pdu: &self.pdu,
        }
    }
}

/// Keeps packets, and books of the first link as the air shows it: what has arrived by it is payload, be its receiver slow.
pub struct Tap {
    direction: Direction,
    books: Option<Books>,
    pub kept: Vec<Kept>,
    verdicts: Vec<Verdict>,
    streams: bool,
    parsers: [Parser; 2],
    /// The books right after the first data of the stream, and that packet's own.
    from: Option<(Ledger<Account>, Ledger<Account>)>,
}

impl Tap {
    /// Books of one packet alone.
    fn alone(sent: &Transmission) -> Ledger<Account> {
        let mut books = Books::new(sent.link, sent.start, Direction::P2c);
        books.stream_started(sent.start);
        books.transmission(sent, Verdict::New);
        books.ledger().clone()
    }

    fn is_data(&mut self, sent: &Transmission) -> bool {
        let Place::Event { from_central, .. } = sent.place else { return false };
        let Some((header, payload)) = DataHeader::parse(&sent.packet) else { return false };
        if self.books.as_ref().is_none_or(|books| books.link() != sent.link) {
            return false;
        }
        let clear = payload.len() - if sent.encrypted { 4 } else { 0 };
        let parser = &mut self.parsers[usize::from(!from_central)];
        clear > 0
            && header.llid != LLID_CONTROL
            && matches!(parser.fragment(header.llid, &payload[..clear]), Kind::Data { .. })
    }
}

impl Observer<StationOutput> for Tap {
    fn transmission(&mut self, sent: &Transmission, verdict: Verdict) {
        if let Some(books) = self.books.as_mut().filter(|books| books.link() == sent.link) {
            books.transmission(sent, verdict);
        }
        let from_central = match sent.place {
            Place::Event { from_central, .. } => Some(from_central),
            Place::Advertising => None,
        };
        self.kept.push(Kept::of(sent, from_central));
        self.verdicts.push(verdict);
        if self.from.is_none() && verdict == Verdict::New && self.is_data(sent) {
            let books = self.books.as_ref().expect("data has a link").ledger().clone();
            self.from = Some((books, Self::alone(sent)));
        }
    }

    fn trace(&mut self, now: Instant, device: usize, trace: &Trace, starved: Option<Starved>) {
        match *trace {
            Trace::ConnectionOpened { link, role: Role::Peripheral, .. } if device == 1 => {
                self.books = Some(Books::new(link, now, self.direction));
            }
            Trace::ConnectionClosed { link, .. }
            | Trace::EventClosed { link, .. }
            | Trace::EventSkipped { link, .. }
            | Trace::EventsUnused { link, .. }
            | Trace::Awake { link, .. } => {
                if let Some(books) = self.books.as_mut().filter(|books| books.link() == link) {
                    books.trace(now, trace, starved);
                }
            }
            Trace::ConnectionOpened { .. } | Trace::Received { .. } => {}
        }
    }

    fn event(&mut self, now: Instant, device: usize, event: &StationOutput) {
        // The first link, as either end of it calls it; it starts once.
        if let (StationOutput::StreamStarted { link: 0, .. }, 0 | 1, Some(books)) = (event, device, &mut self.books)
            && !std::mem::replace(&mut self.streams, true)
        {
            books.stream_started(now);
        }
    }
}

/// A run that was captured.
pub struct Capture {
    pub scenario: Scenario,
    pub kept: Vec<Kept>,
    verdicts: Vec<Verdict>,
    /// The run's books from the first data of the stream on.
    pub truth: Ledger<Account>,
    pub first: Ledger<Account>,
    /// Access address of the first link.
    pub link: String,
}

/// Runs the plan with these keys and keeps every packet.
pub fn capture(set: &[(&str, &str)]) -> Capture {
    let (_, point) = support::plan(set);
    let scenario = support::ble(&point).clone();
    let direction = match scenario.connection.direction {
        Way::PeripheralToCentral => Direction::P2c,
        Way::CentralToPeripheral => Direction::C2p,
        Way::Both => Direction::Both,
    };
    let tap = Tap {
        direction,
        books: None,
        kept: Vec::new(),
        verdicts: Vec::new(),
        streams: false,
        parsers: Default::default(),
        from: None,
    };
    let mut network = build(&scenario, scenario.run.seed, tap);
    let mut events = EventLoop::new(Instant::ZERO, &network);
    network.start(Instant::ZERO);
    events.refresh(&network);
    events.run_until(&mut network, Instant::ZERO + scenario.run.duration);
    let tap = network.observer;
    let (before, first) = tap.from.expect("the stream starts");
    let books = tap.books.expect("there was a link");
    let link = format!("0x{:08x}", books.link());
    Capture { kept: tap.kept, verdicts: tap.verdicts, truth: books.ledger().since(&before), first, link, scenario }
}

impl Capture {
    /// What the run booked to `account` from the first data of the stream on; what the air does not tell apart is
    /// added up in `idle.app`.
    pub fn booked(&self, account: Account) -> u64 {
        let one = |account| self.truth.of(account).as_nanos() + self.first.of(account).as_nanos();
        match account {
            Account::IdleApp => EMPTY_SENDER.map(one).iter().sum(),
            Account::IdleCredits => one(account) + one(Account::IdlePeer),
            Account::IdlePeer => 0,
            account if EMPTY_SENDER.contains(&account) => 0,
            account => one(account),
        }
    }

    /// From now on packets that their receiver got with a wrong CRC are flagged so, as in the captures of runs.
    pub fn flag(&mut self) {
        for (kept, verdict) in self.kept.iter_mut().zip(&self.verdicts) {
            kept.crc_ok = *verdict != Verdict::Corrupted;
        }
    }

    /// The capture as it is.
    pub fn explain(&self) -> CapturedLink {
        let mut explained = explain(&self.kept, Stamps::EXACT);
        let first = explained.links.iter().position(|link| link.explained.access_address == self.link);
        explained.links.remove(first.expect("the first link is explained"))
    }
}

/// The capture as a sniffer stamps it: a clock that is off by `ppm`, jitter of up to 1 µs, whole µs; of a thousand
/// packets of the connection `lost` are missing.
pub fn disturbed(whole: &[Kept], ppm: i64, lost: u64) -> Vec<Kept> {
    let mut random = stream(7, "test/sniffer");
    let mut sniffed = Vec::with_capacity(whole.len());
    for kept in whole {
        let ns = kept.at.as_nanos() as i64 + 5_000_000;
        let drifted = ns + ns / 1_000_000 * ppm;
        let jitter = random.below(2_001) as i64 - 1_000;
        let us = (drifted + jitter + 500) / 1_000;
        if kept.from_central.is_some() && random.below(1_000) < lost {
            continue;
        }
        sniffed.push(Kept { at: Instant::from_nanos(us as u64 * 1_000), ..kept.clone() });
    }
    sniffed
}

/// Explains packets with these stamps.
pub fn explain(kept: &[Kept], stamps: Stamps) -> Captured {
    let mut explainer = Explainer::new(stamps);
    kept.iter().for_each(|kept| explainer.take(&kept.sniffed()));
    explainer.finish().into()
}

/// The only link of a capture.
pub fn only(mut explained: Captured) -> CapturedLink {
    assert_eq!(explained.links.len(), 1, "{explained:?}");
    explained.links.remove(0)
}
