//! Time line of a run: one cycle of it, as a trace for Perfetto would have it.

use std::collections::BTreeMap;

use airtime_capture::perfetto::{Packet, Track, packet};
use airtime_capture::{Origin, Sink};
use airtime_core::{Duration, Instant};
use airtime_link::{Capture, Captures, Form, Scenario};

/// Part of a run: what went on, lane by lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeLine {
    /// Beginning of the part, in virtual time.
    pub from: Instant,
    /// End of the part.
    pub to: Instant,
    /// Lanes on which anything went on, in the order of the trace.
    pub lanes: Vec<Lane>,
}

/// Lane of a time line: slices that follow one another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lane {
    /// Names of the tracks that it is below, from the top, and its own.
    pub path: Vec<String>,
    /// Slices of the lane.
    pub slices: Vec<Slice>,
}

/// Slice of time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slice {
    /// Beginning of the slice.
    pub from: Instant,
    /// End of the slice.
    pub to: Instant,
    /// Name of what went on.
    pub name: String,
}

/// Longest stretch that a cycle is looked for in: two of the longest connection intervals, 4 s. Core 6.0, Vol 6, Part B, 4.5.1.
const STRETCH: Duration = Duration::from_secs(8);
/// Most slices of the busiest lane in a part, *assumed*: more are no longer told apart on a page.
const SLICES_MAX: usize = 48;
/// Times as many slices of a task, of which a frame takes several, *assumed*.
const FINE: usize = 4;
/// Slices that are enough to find a cycle in, *assumed*: a dozen parts of a page.
const SLICES_ENOUGH: usize = 3_000;
/// Share of the longest pause from which on another one ends a cycle as well, *assumed*.
const ALIKE: f64 = 0.5;

/// Name of the lanes of which slices are pauses.
pub const STALLS: &str = "stalls";
/// Name of the lanes of a task, which does something or waits at any time.
pub const TASK: &str = "task";

/// The first cycle of `scenario` in its steady state: from the end of a long pause to the end of the next, or as much of it as a page
/// shows.
///
/// # Errors
/// The reason, as a sentence without its end, when the link has no time line.
pub fn cycle(scenario: &dyn Scenario) -> Result<TimeLine, String> {
    let views = scenario.captures(Form::Timeline)?;
    let run = scenario.run();
    // The warm-up counts from the connection, which nobody knows beforehand: half of what follows is behind it.
    let from = Instant::ZERO + run.warmup + run.duration.saturating_sub(run.warmup) / 2;
    let mut collector = Collector { from, ..Collector::default() };
    let done = std::cell::Cell::new(false);
    for view in 0..views.len().min(1) {
        let mut sink = Stopping { collector: &mut collector, done: &done };
        let wanted = vec![Capture { form: Form::Timeline, view, sink: &mut sink }];
        let captures = Captures { wanted, origin: Origin::VIRTUAL, apart: false, stop: &|| done.get() };
        scenario.captured(scenario.run().seed, captures);
    }
    Ok(collector.cycle())
}

/// Collector of the slices of a stretch.
#[derive(Default)]
struct Collector {
    from: Instant,
    tracks: BTreeMap<u64, (Option<Track>, String)>,
    lanes: BTreeMap<u64, Vec<Slice>>,
    begun: Option<(Track, Instant, String)>,
    slices: usize,
}

impl Collector {
    /// Takes a packet; tells if there is enough.
    fn take(&mut self, octets: &[u8]) -> bool {
        match packet(octets) {
            Ok(Packet::Track { track, parent, name }) => {
                self.tracks.insert(track.0, (parent, name));
            }
            Ok(Packet::Begin(track, at, name)) => self.begun = Some((track, at, name)),
            Ok(Packet::End(track, to)) => {
                if let Some((begun, from, name)) = self.begun.take().filter(|(begun, ..)| *begun == track)
                    && from >= self.from
                {
                    self.lanes.entry(begun.0).or_default().push(Slice { from, to, name });
                    self.slices += 1;
                    return self.slices >= SLICES_ENOUGH || to > self.from + STRETCH;
                }
            }
            _ => {}
        }
        false
    }

    fn path(&self, track: u64) -> Vec<String> {
        let mut path = Vec::new();
        let mut next = Some(Track(track));
        while let Some((parent, name)) = next.and_then(|track| self.tracks.get(&track.0)) {
            path.insert(0, name.clone());
            next = *parent;
        }
        path
    }

    fn is_pause(&self, track: u64) -> bool {
        self.tracks.get(&track).is_some_and(|(_, name)| name == STALLS || name == TASK)
    }

    fn cycle(mut self) -> TimeLine {
        self.lanes.values_mut().for_each(|slices| slices.sort_by_key(|slice| (slice.from, slice.to)));
        let (from, to) = self.bounds().unwrap_or((self.from, self.from));
        let lane = |(track, slices): (&u64, &Vec<Slice>)| {
            let inside = slices.iter().filter(|slice| slice.from < to && slice.to > from);
            let cut = inside.map(|slice| Slice { from: slice.from.max(from), to: slice.to.min(to), ..slice.clone() });
            Lane { path: self.path(*track), slices: cut.collect() }
        };
        let lanes = self.lanes.iter().map(lane).filter(|lane| !lane.slices.is_empty()).collect();
        TimeLine { from, to, lanes }
    }

    /// Bounds of a cycle.
    fn bounds(&self) -> Option<(Instant, Instant)> {
        let mut busy: Vec<(Instant, Instant)> = Vec::new();
        for (_, slices) in self.lanes.iter().filter(|(track, _)| !self.is_pause(**track)) {
            busy.extend(slices.iter().map(|slice| (slice.from, slice.to)));
        }
        busy.sort_unstable();
        let mut starts: Vec<(Instant, Duration)> = Vec::new();
        let mut end = busy.first()?.1;
        for (from, to) in &busy {
            if *from > end {
                starts.push((*from, *from - end));
            }
            end = end.max(*to);
        }
        let longest = starts.iter().map(|(_, pause)| pause.as_nanos()).max().unwrap_or(0);
        let is_long = |pause: &Duration| pause.as_nanos() as f64 >= ALIKE * longest as f64;
        let mut long = starts.iter().filter(|(_, pause)| is_long(pause)).map(|(at, _)| *at);
        let first = long.next().unwrap_or(busy[0].0);
        let last = long.next().unwrap_or(end);
        Some((first, last.min(self.page(first)).max(first + Duration::from_nanos(1))))
    }

    /// End of what a page shows from `first` on.
    fn page(&self, first: Instant) -> Instant {
        let ends = self.lanes.iter().filter_map(|(track, slices)| {
            let most = if self.is_pause(*track) { FINE * SLICES_MAX } else { SLICES_MAX };
            slices.iter().filter(|slice| slice.from >= first).nth(most - 1).map(|slice| slice.to)
        });
        ends.min().unwrap_or(first + STRETCH)
    }
}

/// Sink that says when there is enough.
struct Stopping<'a> {
    collector: &'a mut Collector,
    done: &'a std::cell::Cell<bool>,
}

impl Sink for Stopping<'_> {
    fn put(&mut self, octets: &[u8]) {
        if !self.done.get() && self.collector.take(octets) {
            self.done.set(true);
        }
    }

    fn has_failed(&self) -> bool {
        self.done.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Library, Plan};

    fn cycle_of(text: &str) -> TimeLine {
        let plan = Plan::parse("cycle.toml", text, &Library::builtin(), &[]).unwrap();
        cycle(&*plan.point(0).unwrap().scenario.link).unwrap()
    }

    fn names(line: &TimeLine, lane: &str) -> Vec<String> {
        let lane = line.lanes.iter().find(|found| found.path.join(" ").contains(lane)).unwrap();
        lane.slices.iter().map(|slice| slice.name.clone()).collect()
    }

    #[test]
    fn a_cycle_of_bluetooth_is_from_anchor_to_anchor() {
        let line = cycle_of(
            "link = \"ble-coc\"\ncentral.personality = \"macos\"\nperipheral.personality = \"zephyr-ll\"\n\
             ble.conn_interval = \"15ms\"\ncoc.sdu = 492\nrun.duration = \"4s\"\nrun.warmup = \"500ms\"",
        );
        assert_eq!(line.to - line.from, Duration::from_millis(15));
        assert_eq!(names(&line, "central connection events"), ["event"]);
        // The Mac ends each event after four exchanges.
        let sent = names(&line, "central PDUs");
        assert_eq!((sent.len(), sent.iter().filter(|name| *name == "rx data").count()), (8, 4), "{sent:?}");
        assert_eq!(names(&line, "central stalls"), ["cap"]);
    }

    #[test]
    fn every_kind_of_link_has_a_cycle_of_slices_that_follow_one_another() {
        for text in [
            "link = \"ieee802154\"\nrun.duration = \"4s\"",
            "link = \"nrf24-ip\"\nrun.duration = \"4s\"",
            "link = \"wifi-hosted\"\nrun.duration = \"4s\"",
        ] {
            let line = cycle_of(text);
            assert!(line.from < line.to && !line.lanes.is_empty(), "{text}");
            assert_eq!(line, cycle_of(text), "the same seed, the same cycle: {text}");
            for lane in &line.lanes {
                assert!(lane.slices.windows(2).all(|pair| pair[0].to <= pair[1].from), "{text}: {lane:?}");
                assert!(lane.slices.iter().all(|slice| line.from <= slice.from && slice.to <= line.to), "{text}");
            }
        }
    }
}
