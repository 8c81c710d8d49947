//! Logs of lines: every line is shown to the programs that are known, and what they make of it is put together.

use super::statement::{CountingEnd, Said, Stretch, Test, Total};
use super::{LogError, firmware, hosted, iperf, zephyr, zperf};

/// A program whose lines are known.
pub struct Program {
    /// Short name of the program.
    pub name: &'static str,
    /// Kind of link it works over, if it is one only.
    pub link: Option<&'static str>,
    /// Things that a line says: nothing, or the form it should have where it is damaged.
    pub line: fn(&str) -> Result<Vec<Said>, &'static str>,
}

/// The programs. One that says more of a line than another stands before it.
pub const PROGRAMS: [&Program; 9] = [
    &firmware::OURS,
    &hosted::HOST,
    &firmware::SENDER,
    &firmware::RECEIVER,
    &zephyr::SAMPLE,
    &zephyr::WRITES,
    &zephyr::HOST,
    &zperf::UPLOAD,
    &iperf::TEXT,
];

/// Longest piece of a damaged line that is shown.
const SHOWN: usize = 60;

/// Reads the tests in `text`.
pub fn read(text: &str) -> Result<Vec<Test>, LogError> {
    let mut reading = Reading::default();
    for (index, line) in text.lines().enumerate() {
        for program in PROGRAMS {
            let said = (program.line)(line).map_err(|expected| LogError::Damaged {
                line: index + 1,
                text: line.trim().chars().take(SHOWN).collect(),
                expected,
            })?;
            if said.is_empty() {
                continue;
            }
            for said in said {
                reading.take(index + 1, program, said)?;
            }
            break;
        }
    }
    reading.close()?;
    match reading.tests.is_empty() {
        true => Err(LogError::Unknown),
        false => Ok(reading.tests),
    }
}

/// Tests so far, and the one that goes on.
#[derive(Default)]
struct Reading {
    tests: Vec<Test>,
    now: Test,
    /// Streams of it by name, in the order of their first figures.
    streams: Vec<Stream>,
}

/// Figures of one stream.
#[derive(Default)]
struct Stream {
    name: Option<String>,
    line: usize,
    stretches: Vec<Stretch>,
    totals: Vec<(Option<CountingEnd>, Total)>,
}

/// Name of the stream that iperf makes of all of them.
const SUM: &str = "SUM";

impl Reading {
    fn take(&mut self, line: usize, program: &Program, said: Said) -> Result<(), LogError> {
        match said {
            Said::Begins => return self.close(),
            Said::Stretch { seconds, kbps, stream } => {
                self.measures(program);
                self.stream(line, stream).stretches.push(Stretch { line, seconds, kbps });
            }
            Said::Span { from, to, kbps, stream } => {
                self.measures(program);
                let stream = self.stream(line, stream);
                let seconds = to - from;
                match stream.stretches.is_empty() || from > 0.0 {
                    true => stream.stretches.push(Stretch { line, seconds, kbps }),
                    false => {
                        let total = Total { line, kbps, octets: None, seconds: Some(seconds), steady: false };
                        stream.totals.push((None, total));
                    }
                }
            }
            Said::Packets { seconds, packets } => {
                self.measures(program);
                let unit = self.now.unit_octets.ok_or(LogError::Damaged {
                    line,
                    text: format!("{packets} packets in {seconds} s"),
                    expected: "the line `Packet size: N bytes` before it",
                })?;
                // No product of integers: a garbled count may be any.
                let kbps = packets as f64 * unit as f64 * 8e-3 / seconds;
                self.stream(line, None).stretches.push(Stretch { line, seconds, kbps });
            }
            Said::Total { end, total, stream } => {
                self.measures(program);
                self.stream(line, stream).totals.push((end, Total { line, ..total }));
            }
            other => self.now.note(other),
        }
        Ok(())
    }

    /// The stream of this name, which may be a new one.
    fn stream(&mut self, line: usize, name: Option<String>) -> &mut Stream {
        let known = self.streams.iter().position(|stream| stream.name == name);
        let index = known.unwrap_or_else(|| {
            self.streams.push(Stream { name, line, ..Stream::default() });
            self.streams.len() - 1
        });
        &mut self.streams[index]
    }

    /// A figure of `program` comes.
    fn measures(&mut self, program: &Program) {
        if self.streams.is_empty() {
            self.now.program = program.name;
            self.now.link = program.link.or(self.now.link);
        }
        // Several streams are measured side by side.
        let figures = self.streams.iter().map(|stream| stream.stretches.len() + stream.totals.len());
        self.now.measured(figures.max().unwrap_or(0));
    }

    /// Ends a test; one without figures goes on.
    fn close(&mut self) -> Result<(), LogError> {
        let streams = std::mem::take(&mut self.streams);
        if streams.is_empty() {
            return Ok(());
        }
        // The images name links of their own, each of which is a test; parallel streams of iperf count as their sum.
        let sum = streams.iter().position(|stream| stream.name.as_deref() == Some(SUM));
        let chosen = match (sum, streams.get(1)) {
            (Some(sum), _) => streams.into_iter().skip(sum).take(1).collect(),
            (None, Some(second)) if self.now.program == super::iperf::TEXT.name => {
                let id = second.name.clone().unwrap_or_default();
                return Err(LogError::Streams { line: second.line, id });
            }
            _ => streams,
        };
        let next = self.now.next();
        let now = std::mem::replace(&mut self.now, next);
        self.tests.extend(chosen.into_iter().map(|stream| stream.of(&now)));
        Ok(())
    }
}

impl Stream {
    fn of(self, test: &Test) -> Test {
        let mut test = Test { name: self.name.filter(|name| name != SUM), stretches: self.stretches, ..test.clone() };
        // A server is not told what the other end has counted, and writes zeros in its place: esnet/iperf, issue 476.
        let counted = |(end, total): &(Option<CountingEnd>, Total)| {
            total.kbps > 0.0 || end.is_none() || *end == test.end || test.client
        };
        for (end, total) in self.totals.into_iter().filter(counted).collect::<Vec<_>>() {
            match end.or(test.end) {
                Some(CountingEnd::Sender) => test.sent = Some(total),
                // Of an end that is not known, it is what counted the stretches.
                Some(CountingEnd::Receiver) | None => test.received = Some(total),
            }
        }
        test
    }
}
