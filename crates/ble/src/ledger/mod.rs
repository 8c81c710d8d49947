//! The books of a BLE link's air, kept by one sink over the trace.
//!
//! Packets are booked by what they were to their receiver. Idle air up to the next anchor is booked
//! to what closed the event when it was closed: the rule though somebody still had data, the
//! personality's cap, errors, another link, or an empty sender; an empty sender is booked to the
//! first stage above it that was not itself starved.
//!
//! Payload is what the receiver's application got, where somebody tells what that is ([`Books::arrived`]): what is on the air
//! is under way until then, and what still is at the end waits for the receiver's host.

mod boundary;
mod counts;
pub mod l2cap;

use airtime_core::ledger::{Account as _, Ledger};
use airtime_core::transit::Transit;
use airtime_core::{Duration, Instant};

use crate::air::{HEADER_OCTETS, MIC_OCTETS};
use crate::ll::pdu::{DataHeader, LLID_CONTROL};
use crate::medium::{Place, Transmission};
use crate::trace::{EventEnd, Trace, Verdict};
use crate::words::{Role, Starved};
use l2cap::{Kind, Parsers};

pub use counts::Counts;

airtime_core::accounts! {
    /// The accounts of a BLE link.
    pub enum Account {
        PayloadP2c = "payload.p2c", "application octets, peripheral to central";
        PayloadC2p = "payload.c2p", "application octets, central to peripheral";
        L2capAtt = "l2cap_att", "L2CAP and ATT headers of data";
        LlHeaderMic = "ll_header_mic", "link layer headers and MICs of data";
        PhyOverhead = "phy_overhead", "preambles, access addresses, CRCs and coding of data";
        Ifs = "ifs", "gaps between the packets of an event";
        Empty = "empty", "empty PDUs, which carry acknowledgements";
        Control = "control", "link layer control PDUs";
        Signalling = "signalling", "credits, L2CAP signalling, ATT requests and answers to uploads";
        Retransmission = "retransmission", "PDUs that had arrived already";
        Loss = "loss", "packets lost, and what was left of events they closed";
        Backpressure = "backpressure", "PDUs refused because the receiver had no room";
        Tail = "tail", "too short before the next anchor for another exchange";
        Cut = "cut", "packets switched off at the end of an event, because the next one took the radio";
        Cap = "cap", "the controller's own limit per event";
        IdleApp = "idle.app", "the application had nothing to send";
        IdleSleep = "idle.sleep", "the application slept between two units because its program says so";
        IdleWindow = "idle.window", "the application had as many units under way as it allows itself";
        IdleCall = "idle.call", "the caller waited for the answers to its calls";
        IdleResponse = "idle.response", "a request, an indication, a read or a piece of an upload was on its way to its answer, which the next one waits for";
        IdleCredits = "idle.credits", "the sender waited for credits";
        IdlePeer = "idle.peer", "the sender waited for credits from a receiver whose host was late";
        IdlePool = "idle.pool", "the sender's stack waited for L2CAP buffers of its own";
        IdleBuffers = "idle.buffers", "the sender's host waited for buffers of its controller";
        IdleHci = "idle.hci", "data, or the word that more may be sent, was between the sender's host and its controller";
        IdleHost = "idle.host", "the sender's host was late";
        OtherLink = "other_link", "the radio served another link or activity";
        Latency = "latency", "events were slept through: by the peripheral, or by both ends of a subrated link";
        Undelivered = "undelivered", "payload that arrived, and that the receiver's host had not given its application when the time ended";
        Frames = "frames", "frames of remote calls: headers, seals, and what is no payload of a call that ended well";
        Disconnected = "disconnected", "after the connection was lost";
        Setup = "setup", "from the connection to the start of the stream";
    }
}

/// Accounts of an empty sender that look alike on the air: what keeps it empty is known to its own side alone.
pub const EMPTY_SENDER: [Account; 9] = [
    Account::IdleApp,
    Account::IdleSleep,
    Account::IdleWindow,
    Account::IdleCall,
    Account::IdleResponse,
    Account::IdlePool,
    Account::IdleBuffers,
    Account::IdleHci,
    Account::IdleHost,
];

/// Direction of the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Peripheral to central.
    P2c,
    /// Central to peripheral.
    C2p,
    /// Both ways.
    Both,
}

/// Reports of both sides on the end of one event.
#[derive(Clone, Copy, Debug, Default)]
struct Closing {
    central: Option<EventEnd>,
    peripheral: Option<EventEnd>,
    /// The sender's controller had data after all, which came too late for the event.
    late: [bool; 2],
    /// Account of its wait, where credits or an answer came to it within the event: its data was late because they were.
    freed: [Option<Account>; 2],
    starved: [Option<Starved>; 2],
    other: bool,
    latency: bool,
    /// Anchors of the first event behind it that is not used, and of the next one that is.
    unused: Option<(Instant, Instant)>,
}

/// The books of one link.
#[derive(Clone, Debug)]
pub struct Books {
    link: u32,
    ledger: Ledger<Account>,
    direction: Direction,
    streaming: bool,
    counter: u16,
    /// Reports on the running event and on the one before, by parity of the counter.
    closings: [Closing; 2],
    /// Events the peripheral announced to sleep through: first and last counter.
    sleeping: Option<(u16, u16)>,
    parsers: Parsers,
    counts: Counts,
    /// Payload whose arrival will be told, by the side of its sender; none where nobody tells, and what was on the air has arrived.
    transits: Option<[Transit<Account>; 2]>,
    /// Time of an octet of the last data of each side.
    octets: [Duration; 2],
    over: bool,
}

/// Account of an idle sender that lacks `own`, while the receiver's station lacks `peer`: one whose host is late has not taken in
/// what would make it give credits. Where the receiver still works on requests, no quicker sender would have had more of them to send.
pub fn starving(own: Option<Starved>, peer: Option<Starved>) -> Account {
    match own {
        Some(Starved::Buffers) => Account::IdleBuffers,
        Some(Starved::Pool) => Account::IdlePool,
        Some(Starved::Transport) => Account::IdleHci,
        Some(Starved::LateHost) if peer == Some(Starved::Busy) => Account::IdleResponse,
        Some(Starved::LateHost | Starved::Unseen) => Account::IdleHost,
        Some(Starved::Response) => Account::IdleResponse,
        Some(Starved::Credits) if matches!(peer, Some(Starved::LateHost | Starved::Transport)) => Account::IdlePeer,
        Some(Starved::Credits) => Account::IdleCredits,
        Some(Starved::InFlight) => Account::IdleWindow,
        Some(Starved::Sleep) => Account::IdleSleep,
        Some(Starved::Answer) => Account::IdleCall,
        Some(Starved::Application | Starved::Busy) | None => Account::IdleApp,
    }
}

/// Units whose arrival books are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Awaited {
    /// SDUs or values that reach their application.
    Units,
    /// Payload of remote calls that end well; the rest of their frames is none.
    Calls,
}

/// Accounts of what each side sends, the central first.
const PAYLOADS: [Account; 2] = [Account::PayloadC2p, Account::PayloadP2c];

/// Index of a sender in pairs: the central's is 0.
const fn side(role: Role) -> usize {
    match role {
        Role::Central => 0,
        Role::Peripheral => 1,
    }
}

/// Part of what was on the air from which on a slow receiver is the limit: a twentieth, *assumed*. Less is the SDU whose end has not
/// come yet.
const UNDELIVERED_PARTS: u64 = 20;

impl Books {
    /// Books of the link with access address `link`, from its connection at `start` on.
    pub fn new(link: u32, start: Instant, direction: Direction) -> Self {
        Self {
            link,
            ledger: Ledger::new(start),
            direction,
            streaming: false,
            counter: 0,
            closings: [Closing::default(); 2],
            sleeping: None,
            parsers: Parsers::default(),
            counts: Counts::default(),
            transits: None,
            octets: [Duration::ZERO; 2],
            over: false,
        }
    }

    /// Books that are told what [arrived](Self::arrived): until then what was on the air is under way.
    #[must_use]
    pub fn awaiting(self, what: Awaited) -> Self {
        let under_way = match what {
            Awaited::Units => Account::Undelivered,
            Awaited::Calls => Account::Frames,
        };
        Self { transits: Some(PAYLOADS.map(|payload| Transit::new(under_way, payload))), ..self }
    }

    /// Books of a stream whose values are read.
    #[must_use]
    pub fn of_reads(self) -> Self {
        Self { parsers: Parsers::of_reads(), ..self }
    }

    /// Books of an upload, whose requests the peripheral answers.
    #[must_use]
    pub fn of_uploads(self) -> Self {
        Self { parsers: Parsers::of_uploads(), ..self }
    }

    /// The access address of the link.
    pub fn link(&self) -> u32 {
        self.link
    }

    /// The accounts.
    pub fn ledger(&self) -> &Ledger<Account> {
        &self.ledger
    }

    /// Counters of the time in which the stream ran.
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// From now on the stream goes `direction`: for who learns it only from what is sent.
    pub fn set_direction(&mut self, direction: Direction) {
        self.direction = direction;
    }

    /// The stream starts: what came before was set-up.
    pub fn stream_started(&mut self, now: Instant) {
        self.ledger.book(Account::Setup, now);
        self.streaming = true;
    }

    /// A side has left the running event for another activity of its controller, though it did not say so: for who learns it only
    /// from what is sent.
    pub fn gave_way_to_another(&mut self) {
        self.closings[usize::from(self.counter & 1)].other = true;
    }

    /// Books a packet of this link.
    pub fn transmission(&mut self, sent: &Transmission, verdict: Verdict) {
        let Place::Event { counter, opens, from_central } = sent.place else { return };
        if self.over {
            return;
        }
        let gap = if opens { self.open_event(counter) } else { Account::Ifs };
        let from = usize::from(!from_central);
        let parsed = (verdict == Verdict::New).then(|| DataHeader::parse(&sent.packet)).flatten();
        let kind = parsed.map(|(header, payload)| self.classify(from, header, payload, sent));
        if !self.streaming {
            return self.ledger.book(Account::Setup, sent.end);
        }
        self.ledger.book(gap, sent.start);
        match kind {
            Some(Kind::Data { headers, payload }) => self.book_data(sent, from, headers, payload),
            Some(Kind::Credits) => {
                self.counts.credit_indications += 1;
                self.closings[usize::from(counter & 1)].freed[1 - from] = Some(Account::IdleCredits);
                self.ledger.book(Account::Signalling, sent.end);
            }
            Some(Kind::Answer) => {
                self.closings[usize::from(counter & 1)].freed[1 - from] = Some(Account::IdleResponse);
                self.ledger.book(Account::Signalling, sent.end);
            }
            Some(Kind::Signalling) => self.ledger.book(Account::Signalling, sent.end),
            Some(Kind::Control) => self.ledger.book(Account::Control, sent.end),
            Some(Kind::Empty) => self.ledger.book(Account::Empty, sent.end),
            None => self.book_useless(sent, counter, verdict),
        }
    }

    /// A new event begins: says where the idle air before it goes.
    fn open_event(&mut self, counter: u16) -> Account {
        let account = self.settle_event();
        if self.streaming {
            let unused = self.closings[usize::from(self.counter & 1)].unused;
            boundary::pass(&mut self.ledger, unused, account, Instant::FAR_FUTURE);
        }
        self.counter = counter;
        self.closings[usize::from(counter & 1)] = Closing { latency: self.sleeps(counter), ..Closing::default() };
        if self.streaming {
            self.counts.events += 1;
        }
        account
    }

    /// Decides why the running event ended, and counts it.
    fn settle_event(&mut self) -> Account {
        let closing = self.closings[usize::from(self.counter & 1)];
        let account = self.cause(&closing);
        let class = match account {
            Account::Tail => 0,
            Account::Cap => 1,
            Account::Loss => 2,
            Account::OtherLink => 3,
            Account::Latency => 5,
            _ => 4,
        };
        if self.streaming {
            self.counts.ended[class] += 1;
        }
        account
    }

    fn cause(&self, closing: &Closing) -> Account {
        if closing.latency {
            return Account::Latency;
        }
        let ends = [closing.central, closing.peripheral];
        let said = |end| ends.contains(&Some(end));
        let silent = said(EventEnd::Silence) && !said(EventEnd::Empty);
        if said(EventEnd::Cap) {
            Account::Cap
        } else if said(EventEnd::Tail) {
            Account::Tail
        } else if closing.other || said(EventEnd::OtherActivity) {
            Account::OtherLink
        } else if said(EventEnd::Errors) || silent {
            Account::Loss
        } else {
            self.starving(closing)
        }
    }

    /// Reason that the sender had nothing: with two senders, that of the one that has a reason other than its
    /// application.
    fn starving(&self, closing: &Closing) -> Account {
        let of = |own: Role, peer: Role| {
            let lacks = |own| starving(own, closing.starved[side(peer)]);
            match (closing.late[side(own)], closing.freed[side(own)]) {
                // What comes late over a transport that still carries something is late because of it.
                (true, _) if closing.starved[side(own)] == Some(Starved::Transport) => Account::IdleHci,
                (true, Some(account)) => account,
                (true, None) => lacks(Some(Starved::LateHost)),
                (false, _) => lacks(closing.starved[side(own)]),
            }
        };
        let (p2c, c2p) = (of(Role::Peripheral, Role::Central), of(Role::Central, Role::Peripheral));
        match self.direction {
            Direction::P2c => p2c,
            Direction::C2p => c2p,
            Direction::Both if p2c != Account::IdleApp => p2c,
            Direction::Both => c2p,
        }
    }

    /// Tells if a side left the event for another activity of its controller.
    fn gave_way(&self, counter: u16) -> bool {
        let closing = &self.closings[usize::from(counter & 1)];
        closing.other || [closing.central, closing.peripheral].contains(&Some(EventEnd::OtherActivity))
    }

    fn sleeps(&self, counter: u16) -> bool {
        self.sleeping.is_some_and(|(first, last)| counter.wrapping_sub(first) <= last.wrapping_sub(first))
    }

    fn classify(&mut self, from: usize, header: DataHeader, payload: &[u8], sent: &Transmission) -> Kind {
        if payload.is_empty() {
            return Kind::Empty;
        }
        if header.llid == LLID_CONTROL {
            return Kind::Control;
        }
        let mic = self.mic_octets(sent, payload.len());
        let clear = payload.len() - mic;
        let kind = self.parsers.fragment(from, header.llid, &payload[..clear]);
        if self.streaming && matches!(kind, Kind::Data { .. }) {
            self.counts.data_pdus += 1;
            self.counts.k_frames += u64::from(self.parsers.began_frame(from));
        }
        kind
    }

    fn mic_octets(&self, sent: &Transmission, octets: usize) -> usize {
        if sent.encrypted && octets > MIC_OCTETS as usize { MIC_OCTETS as usize } else { 0 }
    }

    fn book_data(&mut self, sent: &Transmission, from: usize, headers: usize, payload: usize) {
        let octet = sent.phy.octet();
        let octets = sent.packet.len() - HEADER_OCTETS as usize;
        let mic = octets - headers - payload;
        // The order inside the packet does not matter to the sums, the last one ends with the packet.
        let mut at = sent.start;
        let mut book = |account, time: Duration| {
            at += time;
            self.ledger.book(account, at);
        };
        book(Account::PhyOverhead, sent.phy.framing());
        book(Account::LlHeaderMic, octet * (HEADER_OCTETS + mic as u64));
        book(Account::L2capAtt, octet * headers as u64);
        debug_assert_eq!(at + octet * payload as u64, sent.end);
        self.octets[from] = octet;
        match &mut self.transits {
            Some(transits) => {
                transits[from].aired(&mut self.ledger, sent.end);
            }
            None => self.ledger.book(PAYLOADS[from], sent.end),
        }
    }

    /// Payload of `octets` that `from` sent has arrived: at its application, or with the call that it belongs to.
    pub fn arrived(&mut self, from: Role, octets: u64) {
        let from = side(from);
        if let Some(transits) = self.transits.as_mut().filter(|_| self.streaming) {
            transits[from].arrived(&mut self.ledger, self.octets[from] * octets);
        }
    }

    fn book_useless(&mut self, sent: &Transmission, counter: u16, verdict: Verdict) {
        let empty = sent.packet.get(1) == Some(&0);
        let account = match verdict {
            // An empty PDU sent again carries the same acknowledgement again.
            Verdict::Duplicate if empty => Account::Empty,
            Verdict::Duplicate => Account::Retransmission,
            Verdict::Refused => Account::Backpressure,
            Verdict::Cut => Account::Cut,
            Verdict::Unheard if self.sleeps(counter) => Account::Latency,
            Verdict::Unheard if self.gave_way(counter) => Account::OtherLink,
            _ => Account::Loss,
        };
        match verdict {
            Verdict::Duplicate => self.counts.duplicates += u64::from(!empty),
            Verdict::Refused => self.counts.refused += 1,
            Verdict::Cut => self.counts.cut += 1,
            _ => {
                let lost = u64::from(account == Account::Loss);
                self.counts.lost += lost;
                self.counts.missed += if verdict == Verdict::Unheard { lost } else { 0 };
            }
        }
        self.ledger.book(account, sent.end);
    }

    /// Takes in what a side says of an event of this link.
    pub fn trace(&mut self, now: Instant, trace: &Trace, starved: Option<Starved>) {
        match *trace {
            Trace::EventClosed { role, counter, end, exchanges, had_data, .. } => {
                let closing = &mut self.closings[usize::from(counter & 1)];
                closing.late[side(role)] = had_data && end == EventEnd::Empty;
                closing.starved[side(role)] = starved;
                match role {
                    Role::Central => {
                        closing.central = Some(end);
                        self.count_exchanges(exchanges);
                    }
                    Role::Peripheral => closing.peripheral = Some(end),
                }
            }
            Trace::EventSkipped { role: Role::Peripheral, counter, latency: true, .. } => {
                let first = match self.sleeping {
                    Some((first, last)) if last.wrapping_add(1) == counter => first,
                    _ => counter,
                };
                self.sleeping = Some((first, counter));
            }
            Trace::EventSkipped { role: Role::Peripheral, counter, .. } => {
                self.closings[usize::from(counter & 1)].other = true;
            }
            Trace::EventSkipped { role: Role::Central, counter, anchor, .. } => {
                let account = self.open_event(counter);
                let account = if self.streaming { account } else { Account::Setup };
                self.ledger.book(account, anchor);
                self.closings[usize::from(counter & 1)].other = true;
            }
            Trace::EventsUnused { role: Role::Central, counter, anchor, until, .. } => {
                self.closings[usize::from(counter.wrapping_sub(1) & 1)].unused = Some((anchor, until));
            }
            Trace::EventsUnused { .. } => {}
            Trace::Awake { counter, .. } => self.wake_up(counter),
            Trace::ConnectionClosed { .. } => self.finish(now),
            Trace::ConnectionOpened { .. } | Trace::Received { .. } => {}
        }
    }

    /// The peripheral has changed its mind about the events from `counter` on.
    fn wake_up(&mut self, counter: u16) {
        if let Some((first, _)) = self.sleeping {
            self.sleeping = (counter != first).then(|| (first, counter.wrapping_sub(1)));
        }
    }

    fn count_exchanges(&mut self, exchanges: u16) {
        if !self.streaming {
            return;
        }
        let counts = &mut self.counts;
        counts.exchanges_min = if counts.exchanges == 0 { exchanges } else { counts.exchanges_min.min(exchanges) };
        counts.exchanges_max = counts.exchanges_max.max(exchanges);
        counts.exchanges += u64::from(exchanges);
    }

    /// The connection is gone: the air since its last packet goes to what ended its last event.
    fn finish(&mut self, now: Instant) {
        if !self.over {
            let account = if self.streaming { self.settle_event() } else { Account::Setup };
            if self.streaming {
                let unused = self.closings[usize::from(self.counter & 1)].unused;
                boundary::pass(&mut self.ledger, unused, account, now);
            }
            self.ledger.book(account, now);
            self.over = true;
        }
    }

    /// The account that the most time outside the payload went to, of those that say why; set-up where there was nothing else.
    pub fn bottleneck(ledger: &Ledger<Account>) -> Account {
        let payload = [Account::PayloadP2c, Account::PayloadC2p];
        let brought =
            payload.iter().map(|account| ledger.of(*account)).sum::<Duration>() + ledger.of(Account::Undelivered);
        // Where more comes than is taken in, nothing on the air is the limit, however long it takes.
        if ledger.of(Account::Undelivered) * UNDELIVERED_PARTS > brought {
            return Account::Undelivered;
        }
        let none = [Account::Setup, Account::Frames];
        ledger
            .entries()
            .filter(|(account, _)| !payload.contains(account) && !none.contains(account))
            .filter(|(_, time)| !time.is_zero())
            .max_by_key(|(account, time)| (*time, core::cmp::Reverse(account.index())))
            .map_or(Account::Setup, |(account, _)| account)
    }
}
