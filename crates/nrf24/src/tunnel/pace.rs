//! Pace of the chunks: the time that one takes, by which the queue's bound in time becomes a number of chunks.

use airtime_core::{Duration, Instant};

/// A sample is taken over at least this much busy time. *Assumed*: some 25 chunks of a stream.
const SAMPLE: Duration = Duration::from_millis(4);

/// Chunks at the start of a busy time that go straight into the chip's FIFO and say nothing about its pace.
const FIFO: u32 = 3;

/// A new sample counts for one part in this many. *Assumed*.
const WEIGHT: u64 = 4;

/// The pace of the link, measured while there is always something to send.
#[derive(Debug)]
pub(super) struct Pace {
    chunk: Duration,
    busy: Option<Busy>,
    skipped: u32,
}

#[derive(Clone, Copy, Debug)]
struct Busy {
    since: Instant,
    chunks: u64,
}

impl Pace {
    /// Starts from what a frame takes on the air.
    pub(super) fn new(frame_time: Duration) -> Self {
        Self { chunk: frame_time, busy: None, skipped: 0 }
    }

    /// Time per new chunk as measured so far.
    pub(super) fn chunk(&self) -> Duration {
        self.chunk
    }

    /// A new chunk goes to the radio.
    pub(super) fn sent(&mut self, now: Instant) {
        if self.skipped < FIFO {
            self.skipped += 1;
            return;
        }
        let Some(busy) = &mut self.busy else {
            self.busy = Some(Busy { since: now, chunks: 0 });
            return;
        };
        busy.chunks += 1;
        let spent = now.saturating_since(busy.since);
        if spent >= SAMPLE {
            let sample = spent / busy.chunks;
            let mean = (self.chunk * (WEIGHT - 1) + sample) / WEIGHT;
            self.chunk = mean.max(Duration::from_nanos(1));
            self.busy = Some(Busy { since: now, chunks: 0 });
        }
    }

    /// There is nothing to send.
    pub(super) fn idle(&mut self) {
        self.busy = None;
        self.skipped = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_follows_the_pace_of_a_busy_link() {
        let mut pace = Pace::new(Duration::from_micros(150));
        let mut now = Instant::ZERO;
        for _ in 0..2_000 {
            pace.sent(now);
            now += Duration::from_micros(450);
        }
        let chunk = pace.chunk().as_micros();
        assert!((445..=450).contains(&chunk), "{chunk}");
    }

    #[test]
    fn idle_time_does_not_count() {
        let mut pace = Pace::new(Duration::from_micros(150));
        let mut now = Instant::ZERO;
        for _ in 0..100 {
            // The chip's FIFO takes three at once, and then one whenever one has left.
            for chunk in 0..40 {
                pace.sent(now);
                now += if chunk < 2 { Duration::ZERO } else { Duration::from_micros(150) };
            }
            pace.idle();
            now += Duration::from_millis(500);
        }
        let chunk = pace.chunk().as_micros();
        assert!((145..=155).contains(&chunk), "{chunk}");
    }
}
