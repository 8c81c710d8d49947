//! A run as a Perfetto trace: queues, windows, PPDUs and drops.

use alloc::borrow::ToOwned;
use alloc::format;

use airtime_capture::Sink;
use airtime_capture::perfetto::{Track, Writer};
use airtime_core::Instant;

use crate::network::{End, Observer};
use crate::trace::{DropPoint, OnAir, PpduOutcome, Queue};

/// Writes a counter for each queue and window, and a slice for each PPDU and its response.
#[derive(Debug)]
pub struct TimelineCapture<S> {
    writer: Writer<S>,
    queues: [Track; Queue::ALL.len()],
    windows: [Track; 2],
    air: Track,
    others: Track,
    dropped: Track,
}

impl<S: Sink> TimelineCapture<S> {
    /// A time line of one link.
    pub fn new(sink: S) -> Self {
        let mut writer = Writer::new(sink);
        let top = writer.process(1, "wifi-hosted");
        let air = writer.track(top, 0, "air: station and access point");
        let others = writer.track(top, 1, "air: other stations");
        let dropped = writer.track(top, 2, "drops");
        let windows = [(End::Host, "cwnd.host"), (End::Far, "cwnd.far")];
        let windows = windows.map(|(end, name)| writer.counter_track(top, 3 + end as u32, name));
        let mut rank = 5;
        let queues = Queue::ALL.map(|queue| {
            rank += 1;
            writer.counter_track(top, rank, queue.name())
        });
        Self { writer, queues, windows, air, others, dropped }
    }

    /// Sink that the bytes go to.
    pub fn sink(&mut self) -> &mut S {
        self.writer.sink()
    }

    /// Ends the trace.
    pub fn into_sink(self) -> S {
        self.writer.into_sink()
    }
}

impl<S: Sink> Observer for TimelineCapture<S> {
    fn on_air(&mut self, on_air: &OnAir) {
        // Stations that collide overlap; those of this link do not overlap each other.
        let track = if on_air.from.0 < 2 { self.air } else { self.others };
        let name = match on_air.outcome {
            PpduOutcome::Heard => format!("{} MPDUs", on_air.mpdus.len()),
            PpduOutcome::Collided => "collision".to_owned(),
            PpduOutcome::NoResponse => "no response".to_owned(),
            PpduOutcome::ResponseDamaged => "response damaged".to_owned(),
        };
        self.writer.slice(track, on_air.start, on_air.end, &name, &[]);
        if let Some((from, to)) = on_air.response {
            self.writer.slice(track, from, to, "response", &[]);
        }
    }

    fn depth(&mut self, now: Instant, queue: Queue, depth: u32) {
        if let Some(place) = Queue::ALL.iter().position(|known| *known == queue) {
            self.writer.count(self.queues[place], now, depth.into());
        }
    }

    fn cwnd(&mut self, now: Instant, end: End, octets: u32) {
        self.writer.count(self.windows[end as usize], now, octets.into());
    }

    fn dropped(&mut self, now: Instant, at: DropPoint, _: u32) {
        self.writer.instant(self.dropped, now, at.name(), &[]);
    }
}
