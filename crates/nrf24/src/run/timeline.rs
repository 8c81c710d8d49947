//! A run as a Perfetto trace: frames of each radio, and what the task behind it does.

use alloc::format;
use alloc::vec::Vec;
use core::cell::Cell;

use airtime_capture::Sink;
use airtime_capture::perfetto::{Track, Value, Writer};
use airtime_core::Instant;
use airtime_link::{Captures, Noted};

use super::outcome::run_watched;
use crate::network::Observer;
use crate::plan::Scenario;
use crate::trace::{Activity, Note, OnAir, Reception, Sent};

/// Name of the track of a task: it does something, or waits, at any time.
const TASK: &str = "task";

/// Runs `scenario` once with `seed`, and writes its time line to all that is wanted, until nobody wants the rest or a file takes no more.
pub fn captured(scenario: &Scenario, seed: u64, captures: Captures<'_>) {
    let failed = Cell::new(false);
    let Captures { wanted, stop, .. } = captures;
    let radios = usize::from(scenario.radios());
    let of = |sink| Timeline::new(Noted::new(sink, &failed), radios);
    let all = All(wanted.into_iter().map(|capture| of(capture.sink)).collect());
    let stop = || stop() || failed.get();
    run_watched(scenario, seed, all, [(), ()], &stop);
}

/// Every time line that is wanted of a run.
struct All<'a>(Vec<Timeline<Noted<'a>>>);

impl Observer for All<'_> {
    fn transmission(&mut self, from: usize, on_air: &OnAir, received: Option<(usize, Reception)>) {
        self.0.iter_mut().for_each(|line| line.frame(from, on_air, received.map(|(_, reception)| reception)));
    }

    fn note(&mut self, now: Instant, host: usize, note: &Note) {
        for line in &mut self.0 {
            match note {
                Note::Activity { radio, activity } => line.act(now, host, *radio, *activity),
                Note::Transaction { radio, octets } => {
                    line.act(now, host, *radio, Activity::Cpu);
                    line.act(*octets, host, *radio, Activity::Spi);
                }
                _ => {}
            }
        }
    }
}

/// Tracks of one radio and of the task behind it.
struct Lanes {
    frames: Track,
    task: Track,
    /// Activity of the task, and its beginning.
    since: (Instant, Activity),
}

/// Writer of a time line.
struct Timeline<S> {
    writer: Writer<S>,
    radios: usize,
    lanes: Vec<Lanes>,
}

impl<S: Sink> Timeline<S> {
    fn new(sink: S, radios: usize) -> Self {
        let mut writer = Writer::new(sink);
        let mut lanes = Vec::new();
        for (pid, name) in [(1, "a"), (2, "b")] {
            let node = writer.process(pid, name);
            for radio in 0..radios {
                let group = match radios {
                    1 => node,
                    _ => writer.track(node, radio as u32, &format!("radio {radio}")),
                };
                lanes.push(Lanes {
                    frames: writer.track(group, 0, "frames"),
                    task: writer.track(group, 1, TASK),
                    since: (Instant::ZERO, Activity::NoData),
                });
            }
        }
        Self { writer, radios, lanes }
    }

    fn frame(&mut self, chip: usize, on_air: &OnAir, received: Option<Reception>) {
        let (name, number) = match on_air.sent {
            Sent::Payload { attempt, .. } => (fate(received, "data"), attempt),
            Sent::Ack { upload: Some(_) } => (fate(received, "ack with data"), 0),
            Sent::Ack { upload: None } => (fate(received, "ack"), 0),
        };
        let notes = [("retransmission", Value::Count(number.into())), ("channel", Value::Count(on_air.channel.into()))];
        self.writer.slice(self.lanes[chip].frames, on_air.start, on_air.end, name, &notes);
    }

    /// Ends what the task of `radio` did so far.
    fn act(&mut self, now: Instant, host: usize, radio: usize, activity: Activity) {
        let lanes = &mut self.lanes[host * self.radios + radio];
        let (from, before) = core::mem::replace(&mut lanes.since, (now, activity));
        if from < now {
            self.writer.slice(lanes.task, from, now, named(before), &[]);
        }
    }
}

/// Name of a frame that is `whole` where it arrives.
const fn fate(received: Option<Reception>, whole: &'static str) -> &'static str {
    match received {
        Some(Reception::New | Reception::Ack) => whole,
        Some(Reception::Duplicate) => "duplicate",
        Some(Reception::FifoFull) => "refused: FIFO full",
        Some(Reception::BadCrc) => "corrupted",
        Some(Reception::Refused) => "refused",
        None => "unheard",
    }
}

const fn named(activity: Activity) -> &'static str {
    match activity {
        Activity::Spi => "SPI",
        Activity::Cpu => "CPU",
        Activity::Sleep => "sleeps",
        Activity::AwaitsChip => "waits for the chip",
        Activity::Waking => "wakes up",
        Activity::Window => "window full",
        Activity::NoData => "nothing to send",
        Activity::Delay => "delay",
        Activity::Stalled => "stalled",
    }
}
