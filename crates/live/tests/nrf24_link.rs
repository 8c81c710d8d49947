//! Two nodes in real time, against a clock of the test's own: hosts joined by a pipe instead of radios, so that only the
//! pacing and the ends are looked at.
#![cfg(target_os = "linux")]

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use airtime_core::loss::Loss;
use airtime_core::{Duration, Instant, Pool};
use airtime_live::ip::nrf24::{Nodes, Watch};
use airtime_live::ip::{INBOX_MAX, OUTGOING_MAX, PacedLink};
use airtime_nrf24::host::{Host, HostOutput};
use airtime_nrf24::medium::Medium;

/// How long a packet takes through the pipe, and how often its ends look.
const DELAY: Duration = Duration::from_millis(3);
const TICK: Duration = Duration::from_micros(100);

type Packets = VecDeque<(Instant, Vec<u8>)>;

/// What is on its way to each end.
type Pipe = Rc<RefCell<[Packets; 2]>>;

/// One end of the pipe.
struct PipeHost {
    pipe: Pipe,
    end: usize,
    due: Instant,
    pool: Pool,
}

impl Host for PipeHost {
    fn wake(&mut self, now: Instant) {
        self.due = now + TICK;
    }
    fn irq(&mut self, _: Instant, _: usize, _: bool) {}
    fn packet(&mut self, now: Instant, packet: &[u8]) {
        self.pipe.borrow_mut()[1 - self.end].push_back((now + DELAY, packet.to_vec()));
    }
    fn poll(&mut self, now: Instant) -> Option<HostOutput> {
        let (_, packet) = self.pipe.borrow_mut()[self.end].pop_front_if(|(at, _)| *at <= now)?;
        Some(HostOutput::Packet(self.pool.copy(&packet)))
    }
    fn deadline(&self) -> Option<Instant> {
        Some(self.due)
    }
}

fn link() -> PacedLink<Nodes<PipeHost>> {
    let pipe = Pipe::default();
    let starter = move |end: usize, _: &[_], now: Instant| PipeHost {
        pipe: pipe.clone(),
        end,
        due: now + TICK,
        pool: Pool::new(),
    };
    PacedLink::new(Nodes::new(Medium::new(0, Loss::None, 0), vec![], Box::new(starter), Watch::default()))
}

fn at(us: u64) -> Instant {
    Instant::from_nanos(us * 1_000)
}

/// Up to `us`, however many turns that takes.
fn catch_up(link: &mut PacedLink<Nodes<PipeHost>>, us: u64) {
    while !link.catch_up(|| at(us)) {}
}

#[test]
fn a_packet_counts_from_its_arrival_however_late_it_is_processed() {
    let mut link = link();
    catch_up(&mut link, 1_000);
    // It came at 1.25 ms; the turn that takes it in is at 9 ms.
    link.receive(0, at(1_250), b"packet");
    catch_up(&mut link, 4_250);
    assert_eq!(link.outgoing(1), None, "the pipe's end looks at 4.3 ms");
    catch_up(&mut link, 9_000);
    assert_eq!(&*link.outgoing(1).unwrap(), b"packet");
    let [a, b] = [0, 1].map(|end| link.plant().network().observer.traffic(end).crossed);
    assert_eq!((a.packets_in, a.bytes_in, b.packets_out, b.bytes_out), (1, 6, 1, 6));
}

#[test]
fn a_packet_from_before_what_was_processed_comes_next() {
    let mut link = link();
    catch_up(&mut link, 5_000);
    link.receive(1, at(4_000), b"late");
    catch_up(&mut link, 7_999);
    assert_eq!(link.outgoing(0), None);
    catch_up(&mut link, 8_100);
    assert_eq!(&*link.outgoing(0).unwrap(), b"late");
}

#[test]
fn what_waits_is_bounded_on_both_sides() {
    let mut link = link();
    for _ in 0..INBOX_MAX {
        assert!(link.has_room(0));
        // All of them come in a future that the loop has not reached.
        link.receive(0, at(500), &[0; 1_500]);
    }
    assert!(!link.has_room(0) && link.has_room(1));
    catch_up(&mut link, 600);
    for _ in 0..INBOX_MAX {
        link.receive(0, at(700), &[1; 1_500]);
    }
    catch_up(&mut link, 5_000);
    assert_eq!(std::iter::from_fn(|| link.outgoing(1)).count(), OUTGOING_MAX);
    assert_eq!(link.overflow(1) as usize, 2 * INBOX_MAX - OUTGOING_MAX);
}

#[test]
fn an_end_is_killed_and_started_again() {
    let mut link = link();
    assert!(!link.start(1), "it runs");
    assert!(link.kill(1) && !link.kill(1) && !link.plant().is_up(1));
    link.receive(0, at(100), b"into the void");
    link.receive(1, at(100), b"lost");
    catch_up(&mut link, 5_000);
    assert_eq!((link.outgoing(0), link.outgoing(1)), (None, None));
    assert!(link.start(1) && link.plant().is_up(1));
    assert_eq!([0, 1].map(|end| link.plant().starts(end)), [1, 2]);
    link.receive(1, at(5_000), b"back");
    catch_up(&mut link, 9_000);
    assert_eq!(&*link.outgoing(0).unwrap(), b"back");
}
