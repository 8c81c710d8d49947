//! The plant: the same every time, stalls, and hosts that are replaced.

use airtime_core::loss::Loss;
use airtime_core::{Duration, EventLoop, Instant};
use airtime_nrf24::chip::Options;
use airtime_nrf24::host::Host;
use airtime_nrf24::medium::Medium;
use airtime_nrf24::network::{Network, Observer};
use airtime_nrf24::stall::{Period, Stalling};
use airtime_nrf24::trace::{Activity, Note, OnAir, Reception, Trace};
use airtime_nrf24::wires::{Board, Task};

use super::support::*;

/// Sends a payload without acknowledgement each time the FIFO has room, CE high.
async fn stream(task: Task) {
    let mut raw = Raw::new(&task);
    raw.configure(false, false).await;
    raw.ce(true);
    for number in (0..=u8::MAX).cycle() {
        while raw.read(0x17).await & 0x20 != 0 {}
        raw.command(0xB0, &[number; 32]).await;
    }
}

fn diary(loss: Loss, seed: u64) -> String {
    let sender = bare(at(0), stream);
    let receiver = bare(at(0), |task| Raw::new(&task).receive(|_, _| {}));
    let (mut network, mut event_loop) = pair([sender, receiver], loss, seed, Diary::default());
    event_loop.run_until(&mut network, at(30_000_000));
    network.observer.0
}

#[test]
fn the_same_seed_is_the_same_run() {
    let loss = Loss::Bit { ber: 1e-4 };
    let first = diary(loss, 1);
    assert!(first.contains("BadCrc") && first.lines().count() > 500, "{first}");
    assert_eq!(first, diary(loss, 1));
    assert_ne!(first, diary(loss, 2));
    assert_eq!(diary(Loss::None, 1), diary(Loss::None, 2), "without loss the seed does not matter");
}

/// Counts of frames in a row that were new to the receiver, and of those that were not.
fn tally(frames: &[(usize, u64, Option<Reception>)], from: u64, to: u64) -> (usize, usize) {
    let within = frames.iter().filter(|(_, start, _)| (from..to).contains(start));
    let new = within.clone().filter(|(.., reception)| *reception == Some(Reception::New)).count();
    (new, within.count() - new)
}

#[test]
fn frames_follow_without_a_gap_and_arrive() {
    let sender = bare(at(0), stream);
    let receiver = bare(at(0), |task| Raw::new(&task).receive(|_, _| {}));
    let (mut network, mut event_loop) = pair([sender, receiver], Loss::None, 1, Frames::default());
    event_loop.run_until(&mut network, at(30_000_000));
    let frames = &network.observer.0;
    // Three transactions of at most 41.4 µs for a frame of 156.5 µs: the sender keeps up.
    assert!(frames.windows(2).all(|two| two[1].1 - two[0].1 == 156_500), "{frames:?}");
    assert_eq!(tally(frames, 0, u64::MAX), (frames.len(), 0));
}

#[derive(Default)]
struct Stalls(Vec<(u64, Activity)>, Frames);

impl Observer for Stalls {
    fn transmission(
        &mut self,
        from: usize,
        on_air: &airtime_nrf24::trace::OnAir,
        received: Option<(usize, Reception)>,
    ) {
        self.1.transmission(from, on_air, received);
    }
    fn note(&mut self, now: airtime_core::Instant, host: usize, note: &Note) {
        let activity = match *note {
            Note::Activity { radio: 0, activity } => activity,
            Note::Transaction { radio: 0, .. } => Activity::Cpu,
            _ => return,
        };
        let was_stalled = self.0.last().is_some_and(|(_, last)| *last == Activity::Stalled);
        if host == 1 && (was_stalled || activity == Activity::Stalled) {
            self.0.push((now.as_nanos(), activity));
        }
    }
}

#[test]
fn a_stalled_receiver_loses_what_its_fifo_does_not_hold() {
    let (sender, a) = bare(at(0), stream);
    let (receiver, b) = bare(at(0), |task| Raw::new(&task).receive(|_, _| {}));
    let period = Period { every: Duration::from_millis(10), length: Duration::from_millis(1) };
    let hosts = vec![Stalling::new(sender, at(0), None), Stalling::new(receiver, at(0), Some(period))];
    let medium = Medium::new(2, Loss::None, 1);
    let mut network = Network::new(medium, vec![a, b], hosts, vec![(), ()], Stalls::default());
    network.start(at(0));
    let mut event_loop = EventLoop::new(at(0), &network);
    event_loop.run_until(&mut network, at(25_000_000));
    network.hosts[1].stall(at(25_000_000), at(25_300_000));
    event_loop.act(&mut network, at(25_000_000), |network, touched| network.attend(1, at(25_000_000), touched));
    event_loop.run_until(&mut network, at(29_900_000));
    let Stalls(notes, frames) = &network.observer;
    let stalls: Vec<u64> = notes.iter().filter(|(_, a)| *a == Activity::Stalled).map(|(at, _)| *at).collect();
    assert_eq!(stalls, [10_000_000, 20_000_000, 25_000_000]);
    let ends: Vec<u64> = notes.iter().filter(|(_, a)| *a != Activity::Stalled).map(|(at, _)| *at).collect();
    assert_eq!(ends, [11_000_000, 21_000_000, 25_300_000]);
    // In 1 ms 6 or 7 frames end, of which the FIFO holds three; 0.3 ms are no more than it holds.
    assert_eq!(tally(&frames.0, 6_000_000, 9_900_000).1, 0);
    let lost = tally(&frames.0, 9_900_000, 12_000_000).1;
    assert!((3..=4).contains(&lost), "{lost} {:?}", frames.0);
    assert_eq!(tally(&frames.0, 12_000_000, 19_900_000).1, 0);
    assert_eq!(tally(&frames.0, 22_000_000, 29_900_000).1, 0);
}

#[test]
fn scattered_stalls_keep_their_mean_and_no_beat() {
    let stalls = |seed| {
        let (sender, a) = bare(at(0), stream);
        let (receiver, b) = bare(at(0), |task| Raw::new(&task).receive(|_, _| {}));
        let period = Some(Period { every: Duration::from_millis(10), length: Duration::from_millis(1) });
        let hosts = vec![Stalling::new(sender, at(0), None), Stalling::scattered(receiver, at(0), period, seed)];
        let mut network =
            Network::new(Medium::new(2, Loss::None, 1), vec![a, b], hosts, vec![(), ()], Stalls::default());
        network.start(at(0));
        let mut event_loop = EventLoop::new(at(0), &network);
        event_loop.run_until(&mut network, at(1_000_000_000));
        let began = network.observer.0.iter().filter(|(_, activity)| *activity == Activity::Stalled);
        began.map(|(at, _)| *at).collect::<Vec<_>>()
    };
    let first = stalls(1);
    let gaps: Vec<u64> = first.windows(2).map(|two| two[1] - two[0]).collect();
    assert!((90..=110).contains(&first.len()), "{}", first.len());
    assert!(gaps.iter().all(|gap| (5_000_000..15_000_000).contains(gap)), "{gaps:?}");
    assert!(gaps.iter().any(|gap| *gap < 7_000_000) && gaps.iter().any(|gap| *gap > 13_000_000));
    assert_eq!(first, stalls(1));
    assert_ne!(first, stalls(2));
}

/// Runs until the middle of a frame, puts a new host in the place of the sender, and runs on.
fn replaced(fresh_chips: bool) -> Vec<(usize, u64, Option<Reception>)> {
    let sender = bare(at(0), stream);
    let receiver = bare(at(0), |task| Raw::new(&task).receive(|_, _| {}));
    let (mut network, mut event_loop) = pair([sender, receiver], Loss::None, 1, Frames::default());
    let now = at(10_000_000);
    event_loop.run_until(&mut network, now);
    event_loop.act(&mut network, now, |network, touched| {
        let mut board = Board { chip: network.chips()[0].clone(), cost: COST };
        if fresh_chips {
            board = Board::new(Options::default(), COST);
        }
        let chips = fresh_chips.then(|| vec![board.chip.clone()]);
        let old = network.replace_host(0, now, bare_on(now, board, stream), chips, touched);
        assert!(old.deadline().is_some());
    });
    event_loop.run_until(&mut network, at(25_000_000));
    network.observer.0
}

#[test]
fn a_host_that_is_replaced_starts_again_on_the_same_chips() {
    let frames = replaced(false);
    // The chip still has CE high and empties its FIFO while the new host configures it.
    let (before, after): (Vec<_>, Vec<_>) =
        frames.into_iter().partition(|(_, start, _)| *start < 10_000_000 + CONFIGURED);
    assert!(before.iter().all(|(.., reception)| reception.is_some()));
    assert!(before.last().is_some_and(|(_, start, _)| *start < 10_600_000), "{before:?}");
    assert!(after.len() > 40 && after.iter().all(|(.., r)| *r == Some(Reception::New)), "{after:?}");
}

#[test]
fn the_frame_of_a_chip_that_is_replaced_breaks_off() {
    let frames = replaced(true);
    let (before, after): (Vec<_>, Vec<_>) = frames.into_iter().partition(|(_, start, _)| *start < 10_000_000);
    let (last, whole) = before.split_last().unwrap();
    assert!(last.1 + 156_500 > 10_000_000 && last.2.is_none(), "{last:?}");
    assert!(whole.iter().all(|(.., reception)| *reception == Some(Reception::New)));
    assert!(after.first().is_some_and(|(_, start, _)| *start > 10_000_000 + CONFIGURED), "{after:?}");
    assert!(after.len() > 40 && after.iter().all(|(.., r)| *r == Some(Reception::New)));
}

/// A frame: its chip, start and end.
type Frame = (usize, u64, u64);

/// Start and end of each frame, told to somebody who looks at traces and notes, or does not.
struct Times {
    looks: bool,
    frames: Vec<Frame>,
}

impl Observer for Times {
    fn looks(&self) -> bool {
        self.looks
    }
    fn transmission(&mut self, from: usize, on_air: &OnAir, _: Option<(usize, Reception)>) {
        self.frames.push((from, on_air.start.as_nanos(), on_air.end.as_nanos()));
    }
    fn chip(&mut self, _: Instant, _: usize, _: &Trace) {
        assert!(self.looks, "nobody looks at traces");
    }
    fn note(&mut self, _: Instant, _: usize, _: &Note) {
        assert!(self.looks, "nobody looks at notes");
    }
}

/// A frame that is acknowledged, and one in the middle of which its transmitter is powered down; what arrived, and when.
fn times(looks: bool) -> (Vec<Frame>, Vec<(Instant, [u8; 32])>) {
    let arrived: Log<(Instant, [u8; 32])> = Log::default();
    let taken = arrived.clone();
    let sender = bare(at(0), |task| async move {
        let mut raw = Raw::new(&task);
        raw.configure(false, true).await;
        raw.ce(true);
        raw.command(0xA0, &[7; 32]).await;
        task.pause(Duration::from_millis(1)).await;
        raw.command(0xB0, &[8; 32]).await;
        // 130 µs to settle, 156.5 µs on the air.
        task.pause(Duration::from_micros(180)).await;
        raw.set(0x00, 0x0C).await;
    });
    let receiver =
        bare(at(0), |task| Raw::new(&task).receive(move |now, payload| taken.borrow_mut().push((now, payload))));
    let (mut network, mut event_loop) = pair([sender, receiver], Loss::None, 1, Times { looks, frames: Vec::new() });
    event_loop.run_until(&mut network, at(10_000_000));
    (network.observer.frames, arrived.take())
}

#[test]
fn nothing_but_what_is_told_depends_on_who_looks() {
    let (frames, arrived) = times(true);
    assert_eq!(times(false), (frames.clone(), arrived.clone()));
    let [sent, acknowledgement, broken] = frames[..] else { panic!("{frames:?}") };
    assert_eq!((sent.0, acknowledgement.0, broken.0, arrived.len()), (0, 1, 0, 1));
    assert!(broken.2 - broken.1 < sent.2 - sent.1, "it breaks off: {frames:?}");
}
