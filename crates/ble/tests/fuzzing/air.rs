//! One controller, with an air that holds nothing but what a script sends.

use airtime_ble::air::Phy;
use airtime_ble::controller::outbox::Output;
use airtime_ble::controller::{Controller, Input};
use airtime_ble::hci::{ACL_DATA, COMMAND, EVENT, H4, Opcode, event, opcode};
use airtime_ble::host::Address;
use airtime_ble::ll::encryption::mic;
use airtime_ble::ll::event::Heard;
use airtime_ble::ll::pdu::{ADVERTISING_ACCESS_ADDRESS, DataHeader};
use airtime_ble::medium::{Listen, Transmission};
use airtime_ble::personality;
use airtime_core::{Duration, Instant, Pool};

/// Address of the controller under test.
pub const OWN: Address = [1; 6];
/// Address of the device the script plays.
pub const PEER: Address = [2; 6];

/// How one packet of the script's device differs from what a good device would send.
#[derive(Clone, Copy)]
pub struct Fault(pub u8);

impl Fault {
    /// A good packet.
    pub const NONE: Self = Self(0);

    fn has(self, bit: u8) -> bool {
        self.0 >> bit & 1 == 1
    }

    /// Where in the receiver's window it begins, in eighths.
    fn eighth(self) -> u64 {
        u64::from(self.0 >> 5)
    }
}

/// The controller, the time, and what the air knows.
pub struct Rig {
    pub controller: Controller,
    now: Instant,
    window: Option<Listen>,
    /// Access address and last data header heard from the controller.
    answered: Option<(u32, DataHeader)>,
}

impl Rig {
    /// A controller that has just been powered.
    pub fn new(personality: personality::Controller) -> Self {
        Self {
            controller: Controller::new(personality, OWN, Pool::new()),
            now: Instant::ZERO,
            window: None,
            answered: None,
        }
    }

    /// Gives the controller one H4 packet and checks that a command is answered exactly once.
    pub fn hci(&mut self, bytes: &[u8]) {
        self.controller.handle(self.now, Input::Hci(bytes));
        let answers = self.drain();
        match H4::parse(bytes) {
            // The one command without an answer, unless it is wrong. Core 6.0, Vol 4, Part E, 7.3.40.
            Ok(H4::Command { opcode: opcode::HOST_NUMBER_OF_COMPLETED_PACKETS, .. }) => assert!(answers.len() <= 1),
            Ok(H4::Command { opcode, .. }) => assert_eq!(answers, [opcode], "{bytes:02x?}"),
            _ => assert!(answers.is_empty(), "{bytes:02x?} was answered as {answers:?}"),
        }
    }

    /// Gives the controller a command with these parameters.
    pub fn command(&mut self, opcode: Opcode, params: &[u8]) {
        let params = &params[..params.len().min(255)];
        let [low, high] = opcode.0.to_le_bytes();
        self.hci(&[&[COMMAND, low, high, params.len() as u8], params].concat());
    }

    /// Gives the controller ACL data of the given handle and flags.
    pub fn acl(&mut self, word: u16, data: &[u8]) {
        let (word, len) = (word.to_le_bytes(), (data.len() as u16).to_le_bytes());
        self.hci(&[&[ACL_DATA], &word[..], &len[..], data].concat());
    }

    /// Lets the next thing happen that is due: a wake-up, or the end of a window; says whether anything was.
    pub fn step(&mut self) -> bool {
        let wake = self.deadline();
        let closes = self.closes();
        if closes <= wake && closes != Instant::FAR_FUTURE {
            self.miss(closes);
            return true;
        }
        if wake != Instant::FAR_FUTURE {
            self.wake(wake);
        }
        wake != Instant::FAR_FUTURE
    }

    /// When the window that is open closes.
    fn closes(&self) -> Instant {
        self.window.map_or(Instant::FAR_FUTURE, |w| w.until + Duration::from_nanos(1))
    }

    fn miss(&mut self, closes: Instant) {
        self.now = closes;
        self.window = None;
        self.controller.handle(closes, Input::Missed);
        self.drain();
    }

    fn deadline(&self) -> Instant {
        self.controller.deadline().unwrap_or(Instant::FAR_FUTURE)
    }

    fn wake(&mut self, due: Instant) {
        self.now = due;
        self.controller.handle(due, Input::Wake);
        self.drain();
        assert!(self.deadline() > due, "woken at {due}, still wants to be");
    }

    /// Sends an advertising PDU to the controller, if it listens for one soon.
    pub fn hear_advertising(&mut self, pdu: &[u8], fault: Fault) {
        if self.await_window(|window| window.link == ADVERTISING_ACCESS_ADDRESS) {
            self.hear(pdu, fault);
        }
    }

    /// Sends a data channel PDU on the connection the controller listens for next, with the sequence
    /// numbers and the MIC that are right there.
    pub fn hear_data(&mut self, llid: u8, payload: &[u8], fault: Fault) {
        if !self.await_window(|window| window.link != ADVERTISING_ACCESS_ADDRESS) {
            return;
        }
        let Some(window) = self.window else { return };
        let (mut sn, mut nesn) = match self.answered {
            Some((link, header)) if link == window.link => (header.nesn, !header.sn),
            _ => (false, false),
        };
        sn ^= fault.has(0);
        nesn ^= fault.has(1);
        let header = DataHeader { llid, nesn, sn, md: fault.has(2) };
        let mut pdu = vec![header.octet(), 0];
        pdu.extend_from_slice(payload);
        let session = self.controller.link(window.link).filter(|c| c.encryption.rx).map(|c| c.encryption.session);
        if let (Some(session), false) = (session, payload.is_empty()) {
            pdu.extend_from_slice(&mic(session, payload));
        }
        pdu[1] = (pdu.len() - 2) as u8;
        self.hear(&pdu, fault);
    }

    /// Steps until the controller listens for what is wanted; says whether it did.
    fn await_window(&mut self, wanted: impl Fn(&Listen) -> bool) -> bool {
        for _ in 0..24 {
            if self.window.as_ref().is_some_and(&wanted) {
                return true;
            }
            if !self.step() {
                return false;
            }
        }
        false
    }

    /// Puts a packet into the window that is open.
    fn hear(&mut self, pdu: &[u8], fault: Fault) {
        let Some(window) = self.window else { return };
        let wide = (window.until - window.from).as_nanos();
        let start = (window.from + Duration::from_nanos(wide / 8 * fault.eighth())).max(self.now);
        if start > window.until {
            return;
        }
        let end = start + window.phy.packet(pdu.len().saturating_sub(2) as u64);
        // A window that is opened meanwhile for something else may close meanwhile as well.
        loop {
            let closes = if self.window == Some(window) { Instant::FAR_FUTURE } else { self.closes() };
            match self.deadline() {
                wake if closes.min(wake) >= end => break,
                wake if closes <= wake => self.miss(closes),
                wake => self.wake(wake),
            }
        }
        // Whatever happened meanwhile may have closed or moved the window.
        let hears =
            |w: Listen| (w.link, w.channel, w.phy) == (window.link, window.channel, window.phy) && w.from <= start;
        if !self.window.is_some_and(|w| hears(w) && start <= w.until) {
            return;
        }
        self.window = None;
        self.now = end;
        let heard = Heard { pdu: (!fault.has(3)).then_some(pdu), start, end, phy: coding(window.phy, fault.has(4)) };
        self.controller.handle(end, Input::Heard { link: window.link, channel: window.channel, heard });
        self.drain();
    }

    /// Takes the outputs, checks them, and gives the commands that were answered.
    fn drain(&mut self) -> Vec<Opcode> {
        let mut answers = Vec::new();
        while let Some(output) = self.controller.poll(self.now) {
            match output {
                Output::Hci(packet) => answers.extend(check_upwards(&packet)),
                Output::Transmit(transmission) => self.transmitted(&transmission),
                Output::Listen(window) => {
                    if let Some(window) = window {
                        assert!(window.from <= window.until, "{window:?}");
                        assert!(window.until >= self.now, "{window:?} closed before {}", self.now);
                    }
                    self.window = window;
                }
                Output::Trace(_) => {}
            }
        }
        assert!(self.deadline() >= self.now, "a deadline of {} at {}", self.deadline(), self.now);
        answers
    }

    fn transmitted(&mut self, sent: &Transmission) {
        assert!(sent.start >= self.now, "{sent:?} at {}", self.now);
        let octets = sent.packet.len() as u64 - 2;
        assert_eq!(sent.end + sent.unsent, sent.start + sent.phy.packet(octets), "{sent:?}");
        assert_eq!(u64::from(sent.packet[1]), octets, "{sent:?}");
        if sent.link != ADVERTISING_ACCESS_ADDRESS {
            let (header, _) = DataHeader::parse(&sent.packet).expect("a data channel PDU");
            self.answered = Some((sent.link, header));
        }
    }
}

/// The other coding of LE Coded, if `other` and if there is one.
fn coding(phy: Phy, other: bool) -> Phy {
    match phy {
        Phy::LeCodedS8 if other => Phy::LeCodedS2,
        Phy::LeCodedS2 if other => Phy::LeCodedS8,
        phy => phy,
    }
}

/// Checks a packet for the host; gives the command it answers, if it does.
fn check_upwards(packet: &[u8]) -> Option<Opcode> {
    match H4::parse(packet).expect("a controller sends whole packets") {
        H4::Command { .. } => panic!("{COMMAND}: a controller sends no commands"),
        H4::Acl(_) => None,
        H4::Event { code, params } => {
            let at = match code {
                event::COMMAND_COMPLETE => 1,
                event::COMMAND_STATUS => 2,
                _ => return None,
            };
            assert_eq!(packet[0], EVENT);
            Some(Opcode(u16::from_le_bytes([params[at], params[at + 1]])))
        }
    }
}
