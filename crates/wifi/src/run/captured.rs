//! Runs that are written down.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::cell::Cell;

use airtime_core::Instant;
use airtime_link::{Captures, Form, Noted};

use super::{run_capture, run_espnow, run_watched};
use crate::capture::{TimelineCapture, WifiCapture};
use crate::cell::StationId;
use crate::network::{End, Observer};
use crate::plan::{Scenario, Test};
use crate::trace::{DropPoint, OnAir, Queue};
use crate::wire::RxInfo;

/// Views that a capture of `scenario` in this `form` has.
///
/// # Errors
/// The reason when it has none.
pub fn captures(scenario: &Scenario, form: Form) -> Result<Vec<String>, String> {
    let refused = match (form, scenario.test()) {
        (Form::Timeline, Test::Traffic | Test::EspNow) | (Form::Air, Test::Capture) => return Ok(vec![String::new()]),
        (Form::Air, _) => "the frames of the air are those of a plan with traffic.kind = \"capture\"",
        (Form::Timeline, _) => "the time line is that of datagrams, a stream or ESP-NOW",
        (Form::Host, _) => "there is no HCI in a run over Wi-Fi",
    };
    Err(refused.to_owned())
}

/// Runs `scenario` once with `seed`, and writes what is wanted, until nobody wants the rest or a file takes no more.
pub fn captured(scenario: &Scenario, seed: u64, captures: Captures<'_>) {
    let Captures { wanted, origin, stop, .. } = captures;
    let failed = Cell::new(false);
    let files = wanted.into_iter().map(|capture| match (capture.form, Noted::new(capture.sink, &failed)) {
        (Form::Timeline, sink) => File::Timeline(TimelineCapture::new(sink)),
        (Form::Air | Form::Host, sink) => File::Monitor(WifiCapture::new(sink, origin)),
    });
    let files = Files(files.collect());
    let stop = || stop() || failed.get();
    match scenario.test() {
        Test::Capture => drop(run_capture(scenario, seed, files, &stop)),
        Test::EspNow => drop(run_espnow(scenario, seed, files, &stop)),
        _ => drop(run_watched(scenario, seed, files, [(), ()], &stop)),
    }
}

/// One file of a run.
enum File<'a> {
    Timeline(TimelineCapture<Noted<'a>>),
    Monitor(WifiCapture<Noted<'a>>),
}

/// The files of one run.
struct Files<'a>(Vec<File<'a>>);

impl<'a> Files<'a> {
    fn timelines(&mut self) -> impl Iterator<Item = &mut TimelineCapture<Noted<'a>>> {
        self.0.iter_mut().filter_map(|file| match file {
            File::Timeline(timeline) => Some(timeline),
            File::Monitor(_) => None,
        })
    }
}

impl Observer for Files<'_> {
    fn on_air(&mut self, on_air: &OnAir) {
        self.timelines().for_each(|timeline| timeline.on_air(on_air));
    }

    fn depth(&mut self, now: Instant, queue: Queue, depth: u32) {
        self.timelines().for_each(|timeline| timeline.depth(now, queue, depth));
    }

    fn cwnd(&mut self, now: Instant, end: End, octets: u32) {
        self.timelines().for_each(|timeline| timeline.cwnd(now, end, octets));
    }

    fn dropped(&mut self, now: Instant, at: DropPoint, octets: u32) {
        self.timelines().for_each(|timeline| timeline.dropped(now, at, octets));
    }

    fn heard(&mut self, now: Instant, _: StationId, frame: &[u8], info: &RxInfo) {
        for file in &mut self.0 {
            if let File::Monitor(monitor) = file {
                monitor.heard(now, frame, info);
            }
        }
    }
}
