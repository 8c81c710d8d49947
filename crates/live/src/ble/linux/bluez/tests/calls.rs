//! Remote calls over a bus that is none: behind it is the peripheral's machine of `app`.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io;
use std::rc::Rc;

use airtime_app::rpc::Peripheral;
use airtime_app::{ATT_CHANNEL, Command, Event};
use airtime_ble_link::plan::Scenario;
use airtime_ble_link::run::called_config;
use airtime_core::{Duration, Instant};
use airtime_lab::{Library, Plan};
use airtime_rpc::Kind;
use airtime_rpc::client::{Encryption, Mode};
use airtime_rpc::crypto::Pin;
use airtime_rpc::service::{Flash, TestService, pattern};

use super::super::Bluez;
use super::Fake;
use crate::ble::system::{Calls, Written, called};
use crate::rpc::secrets::Noted;
use crate::rpc::work::{self, Peer};
use crate::rpc::{CallingConfig, Job, Trust, Work};

const CONN: u16 = 7;

/// Octets that are read: some 800 frames, of which each takes a millisecond.
const LENGTH: u32 = 200_000;

/// Memory with the documented content.
struct Pattern;

impl Flash for Pattern {
    fn len(&self) -> u32 {
        1 << 20
    }

    fn read(&mut self, address: u32, into: &mut [u8]) {
        into.iter_mut().zip(address..).for_each(|(octet, address)| *octet = pattern(address));
    }

    fn write(&mut self, _address: u32, _octets: &[u8]) {}
}

/// Board with remote calls.
pub struct Board {
    machine: Peripheral<TestService<Pattern>, Noted>,
    frames: VecDeque<Vec<u8>>,
}

impl Board {
    fn new(scenario: &Scenario) -> Self {
        let mut config = called_config(scenario, scenario.rpc.as_ref().unwrap(), 0);
        config.server.encrypted = true;
        let secrets = Noted::from_seed(1, "board", Peer::default());
        let mut board =
            Self { machine: Peripheral::new(config, TestService::new(Pattern), secrets), frames: VecDeque::new() };
        board.tell(Instant::ZERO, Event::Ready);
        board
    }

    fn tell(&mut self, now: Instant, event: Event) {
        self.machine.handle(now, event);
        self.answer(now);
    }

    fn answer(&mut self, now: Instant) {
        while let Some(command) = self.machine.poll(now) {
            if let Command::Send { conn, channel, len } = command {
                let mut frame = vec![0; usize::from(len)];
                self.machine.fill(&mut frame);
                self.frames.push_back(frame);
                self.machine.handle(now, Event::Sent { conn, channel });
            }
        }
    }

    pub fn connected(&mut self, now: Instant) {
        let interval = Duration::from_millis(50);
        self.tell(now, Event::Connected { conn: CONN, peer: [1; 6], interval });
        self.tell(now, Event::MtuExchanged { conn: CONN, mtu: 247 });
    }

    pub fn subscribed(&mut self, now: Instant) {
        self.tell(now, Event::Subscribed { conn: CONN });
    }

    pub fn write(&mut self, now: Instant, octets: &[u8], way: Written) {
        assert!(way == Written::Command && octets.len() <= 244, "{} octets", octets.len());
        self.machine.receive(now, CONN, ATT_CHANNEL, octets);
        self.answer(now);
    }

    pub fn notified(&mut self) -> Option<Vec<u8>> {
        self.frames.pop_front()
    }

    pub fn lost(&mut self, now: Instant) {
        self.frames.clear();
        self.tell(now, Event::Disconnected { conn: CONN, reason: 0x08 });
    }
}

fn scenario() -> Scenario {
    let text = "link = \"ble-rpc\"\nble.name = \"board\"\n[rpc]\nmode = \"extended\"\nwindow = \"64kB\"\n";
    let plan = Plan::parse("rpc", text, &Library::builtin(), &[]).unwrap();
    plan.point(0).unwrap().scenario.of::<Scenario>().unwrap().clone()
}

/// Calls of `work` on a bus with a board that goes once.
fn calls(work: Work, goes: Instant) -> Calls<Bluez<Fake>> {
    calls_on(Fake { called: Some(Board::new(&scenario())), goes, ..Fake::new() }, work)
}

fn calls_on(bus: Fake, work: Work) -> Calls<Bluez<Fake>> {
    let scenario = scenario();
    let peer = Peer::default();
    let patience = Duration::from_secs(10);
    let job = Job::new(work, Trust::Any, peer.clone(), patience);
    let encryption = Encryption::Required(Pin::FirstUse);
    let config = CallingConfig { scenario, encryption, patience };
    let host = Bluez::new(bus, called(&config, &job, None));
    Calls::new(host, &config, job, Noted::from_seed(2, "client", peer))
}

/// Place of what is read.
#[derive(Clone, Default)]
struct Kept(Rc<RefCell<Vec<u8>>>);

impl io::Write for Kept {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(octets);
        Ok(octets.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_call_over_bluez_is_sealed_and_answered() {
    let echo = vec![0x0a, 2, b'h', b'i'];
    let work = Work::Calls(work::Calls::new("echo".to_owned(), Kind::Unary, vec![echo.clone()]));
    let mut calls = calls(work, Instant::FAR_FUTURE);
    calls.run(Duration::from_secs(30)).unwrap();
    let job = calls.central().script();
    assert!(calls.central().is_over() && job.error().is_none(), "{:?}", job.error());
    let terms = job.terms().unwrap();
    assert!(terms.identity.is_some() && terms.mode == Mode::Extended && terms.frame == 244, "{terms:?}");
    assert!(matches!(job.work(), Work::Calls(calls) if calls.responses() == [echo]), "{job:?}");
    assert_eq!(job.peer().address().as_deref(), Some("C0:00:5E:00:01:02"), "its key is known by that");
}

#[test]
fn a_read_goes_on_behind_a_connection_that_was_lost() {
    let kept = Kept::default();
    let work = Work::Read(work::Read::new(64, LENGTH, Box::new(kept.clone())));
    let mut calls = calls(work, Instant::ZERO + Duration::from_millis(1_700));
    calls.run(Duration::from_secs(60)).unwrap();
    let job = calls.central().script();
    assert!(calls.central().is_over() && job.connections() == 2, "{job:?}");
    let expected: Vec<u8> = (64..64 + LENGTH).map(pattern).collect();
    let kept = kept.0.borrow();
    assert!(*kept == expected, "{} octets", kept.len());
}

#[test]
fn a_board_without_calls_is_told_of() {
    let work = Work::Calls(work::Calls::new("echo".to_owned(), Kind::Unary, vec![Vec::new()]));
    let said = calls_on(Fake::new(), work).run(Duration::from_secs(60)).unwrap_err().to_string();
    assert!(said.contains("`board` has no characteristic of remote calls"), "{said}");
}
