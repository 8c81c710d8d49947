//! `airtime trace` of a run over Wi-Fi: a time line of queues, windows and PPDUs, or what a promiscuous station hears.

use std::path::{Path, PathBuf};

use airtime_capture::perfetto::{Track, Writer};
use airtime_capture::{Origin, WifiCapture};
use airtime_core::Instant;
use airtime_wifi::cell::StationId;
use airtime_wifi::network::{End, Observer};
use airtime_wifi::plan::{Scenario, Test};
use airtime_wifi::run::{run_capture, run_watched};
use airtime_wifi::trace::{DropPoint, OnAir, PpduOutcome, Queue};
use airtime_wifi::wire::RxInfo;

use crate::capture::{CaptureFile, Format, Written};
use crate::exit::Failure;

/// Runs `scenario` once, with its own seed, and writes what `paths` ask for.
///
/// # Errors
/// When a name says no format that Wi-Fi has, or a file cannot be opened or written.
pub fn write(scenario: &Scenario, paths: &[PathBuf]) -> Result<Vec<Written>, Failure> {
    let mut sinks = Sinks::default();
    for path in paths {
        match (Format::of(path)?, scenario.test()) {
            (Format::Timeline, Test::Traffic) => sinks.timeline = Some(Timeline::new(open(path)?)),
            (Format::Air, Test::Capture) => {
                sinks.capture = Some(WifiCapture::new(open(path)?, Origin::VIRTUAL));
            }
            (Format::Air, _) => {
                return Err(refused(path, "the frames of the air are those of a plan with traffic.kind = \"capture\""));
            }
            (Format::Timeline, _) => return Err(refused(path, "the time line is that of datagrams or a stream")),
            (Format::Host, _) => return Err(refused(path, "there is no HCI in a run over Wi-Fi")),
        }
    }
    let seed = scenario.run.seed;
    let sinks = match scenario.test() {
        Test::Capture => run_capture(scenario, seed, sinks).1,
        _ => run_watched(scenario, seed, sinks, [(), ()]).1,
    };
    let files = [sinks.timeline.map(|timeline| timeline.writer.into_sink()), sinks.capture.map(WifiCapture::into_sink)];
    files.into_iter().flatten().map(CaptureFile::finish).collect()
}

fn open(path: &Path) -> Result<CaptureFile, Failure> {
    CaptureFile::create(path.to_owned())
}

fn refused(path: &Path, why: &str) -> Failure {
    Failure::BadInput(format!("`{}`: {why}", path.display()))
}

/// The files of one run.
#[derive(Default)]
struct Sinks {
    timeline: Option<Timeline>,
    capture: Option<WifiCapture<CaptureFile>>,
}

/// A time line: a counter for each queue and window, and a slice for each PPDU and its response.
struct Timeline {
    writer: Writer<CaptureFile>,
    queues: [Track; Queue::ALL.len()],
    windows: [Track; 2],
    air: Track,
    others: Track,
    dropped: Track,
}

impl Timeline {
    fn new(file: CaptureFile) -> Self {
        let mut writer = Writer::new(file);
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
}

impl Observer for Sinks {
    fn looks(&self) -> bool {
        self.timeline.is_some() || self.capture.is_some()
    }

    fn on_air(&mut self, on_air: &OnAir) {
        let Some(Timeline { writer, air, others, .. }) = &mut self.timeline else { return };
        // Stations that collide overlap; those of this link do not overlap each other.
        let track = if on_air.from.0 < 2 { *air } else { *others };
        let name = match on_air.outcome {
            PpduOutcome::Heard => format!("{} MPDUs", on_air.mpdus.len()),
            PpduOutcome::Collided => "collision".to_owned(),
            PpduOutcome::NoResponse => "no response".to_owned(),
        };
        writer.slice(track, on_air.start, on_air.end, &name, &[]);
        if let Some((from, to)) = on_air.response {
            writer.slice(track, from, to, "response", &[]);
        }
    }

    fn depth(&mut self, now: Instant, queue: Queue, depth: u32) {
        let Some(timeline) = &mut self.timeline else { return };
        if let Some(place) = Queue::ALL.iter().position(|known| *known == queue) {
            timeline.writer.count(timeline.queues[place], now, depth.into());
        }
    }

    fn cwnd(&mut self, now: Instant, end: End, octets: u32) {
        if let Some(timeline) = &mut self.timeline {
            timeline.writer.count(timeline.windows[end as usize], now, octets.into());
        }
    }

    fn dropped(&mut self, now: Instant, at: DropPoint, _: u32) {
        if let Some(timeline) = &mut self.timeline {
            timeline.writer.instant(timeline.dropped, now, at.name(), &[]);
        }
    }

    fn heard(&mut self, now: Instant, _: StationId, frame: &[u8], info: &RxInfo) {
        if let Some(capture) = &mut self.capture {
            capture.heard(now, frame, info);
        }
    }
}
