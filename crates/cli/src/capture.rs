//! Captures in files: what watches a run and writes it down.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use airtime_ble::host::Starved;
use airtime_ble::medium::Transmission;
use airtime_ble::network::Observer;
use airtime_ble::trace::{Trace, Verdict};
use airtime_ble_link::run::Watcher;
use airtime_capture::{AirCapture, HostCapture, Origin, Sink, TimelineCapture};
use airtime_core::Instant;

use crate::exit::Failure;

/// Format of a capture file, by the end of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `.pcapng`: the air.
    Air,
    /// `.btsnoop`: the HCI of each host, a file each.
    Host,
    /// `.perfetto` or `.pftrace`: the time line of all devices.
    Timeline,
}

impl Format {
    /// The format that the name of `path` ends in.
    ///
    /// # Errors
    /// When it ends in none.
    pub fn of(path: &Path) -> Result<Self, Failure> {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("pcapng") => Ok(Self::Air),
            Some("btsnoop") => Ok(Self::Host),
            Some("perfetto" | "pftrace") => Ok(Self::Timeline),
            _ => Err(Failure::BadInput(format!(
                "`{}`: a capture is called .pcapng (the air), .btsnoop (HCI, a file for each host) or .perfetto (the time line)",
                path.display()
            ))),
        }
    }
}

/// Content of one file.
#[derive(Clone, Copy, Debug)]
enum Content {
    Air,
    /// The HCI of this device.
    Host(usize),
    Timeline,
}

/// The files that `paths` stand for, each once: two captures in one file would leave neither.
fn files(paths: &[PathBuf], devices: &[String]) -> Result<Vec<(PathBuf, Content)>, Failure> {
    let mut files: Vec<(PathBuf, Content)> = Vec::new();
    for path in paths {
        match Format::of(path)? {
            Format::Air => files.push((path.clone(), Content::Air)),
            Format::Timeline => files.push((path.clone(), Content::Timeline)),
            Format::Host => files.extend(
                devices
                    .iter()
                    .enumerate()
                    .map(|(device, name)| (path.with_extension(format!("{name}.btsnoop")), Content::Host(device))),
            ),
        }
    }
    for (index, (path, _)) in files.iter().enumerate() {
        if files[..index].iter().any(|(other, _)| other == path) {
            return Err(Failure::BadInput(format!(
                "`{}` would be written twice: give each capture a name of its own",
                path.display()
            )));
        }
    }
    Ok(files)
}

/// A file that takes a capture. The first error stays, and what comes behind is dropped.
#[derive(Debug)]
pub struct CaptureFile {
    path: PathBuf,
    file: BufWriter<File>,
    octets: u64,
    error: Option<io::Error>,
}

impl CaptureFile {
    /// Opens the file at `path`.
    ///
    /// # Errors
    /// When that is impossible.
    pub fn create(path: PathBuf) -> Result<Self, Failure> {
        let file = File::create(&path).map_err(|source| Failure::Open { path: path.clone(), source })?;
        Ok(Self { path, file: BufWriter::new(file), octets: 0, error: None })
    }

    /// Writes what is left and says what there is.
    ///
    /// # Errors
    /// When anything could not be written, now or before.
    pub fn finish(mut self) -> Result<Written, Failure> {
        let flushed = self.error.take().map_or(Ok(()), Err).and_then(|()| self.file.flush());
        flushed.map_err(|source| Failure::Write { what: format!("`{}`", self.path.display()), source })?;
        Ok(Written { path: self.path, octets: self.octets })
    }
}

impl Sink for CaptureFile {
    fn put(&mut self, bytes: &[u8]) {
        if self.error.is_some() {
            return;
        }
        self.octets += bytes.len() as u64;
        self.error = self.file.write_all(bytes).err();
    }
}

/// A finished capture file.
#[derive(Debug)]
pub struct Written {
    /// Path of the file.
    pub path: PathBuf,
    /// Length of the file in octets.
    pub octets: u64,
}

#[derive(Debug)]
enum Capture {
    Air(AirCapture<CaptureFile>),
    Host(HostCapture<CaptureFile>),
    Timeline(TimelineCapture<CaptureFile>),
}

/// Calls the same method of any capture.
macro_rules! each {
    ($capture:expr, $inner:ident => $call:expr) => {
        match $capture {
            Capture::Air($inner) => $call,
            Capture::Host($inner) => $call,
            Capture::Timeline($inner) => $call,
        }
    };
}

/// The captures of one run.
#[derive(Debug)]
pub struct Captures {
    captures: Vec<Capture>,
    /// Ends a run in virtual time early.
    cancel: Option<&'static AtomicBool>,
}

impl Captures {
    /// Opens a file for each of `paths`, or one for each of `devices` where a file holds one device, before
    /// anything runs. The time is `origin` when the run begins; `apart` asks for an interface of each device.
    ///
    /// # Errors
    /// When a name says no format or comes twice, or a file cannot be opened.
    pub fn create(paths: &[PathBuf], devices: &[String], origin: Origin, apart: bool) -> Result<Self, Failure> {
        let files = files(paths, devices)?;
        let mut captures = Vec::new();
        for (path, content) in files {
            let file = CaptureFile::create(path)?;
            captures.push(match content {
                Content::Air => {
                    let capture = AirCapture::new(file, origin);
                    Capture::Air(if apart { capture.with_devices(devices.len()) } else { capture })
                }
                Content::Timeline => {
                    let names: Vec<&str> = devices.iter().map(String::as_str).collect();
                    Capture::Timeline(TimelineCapture::new(file, &names))
                }
                Content::Host(device) => Capture::Host(HostCapture::new(file, origin, device)),
            });
        }
        Ok(Self { captures, cancel: None })
    }

    /// Captures of a run that ends early when `cancel` is set.
    #[must_use]
    pub fn until(self, cancel: &'static AtomicBool) -> Self {
        Self { cancel: Some(cancel), ..self }
    }

    /// Ends every capture and says what there is.
    ///
    /// # Errors
    /// When a file could not be written, now or before.
    pub fn finish(self) -> Result<Vec<Written>, Failure> {
        let files = self.captures.into_iter().map(|capture| match capture {
            Capture::Air(air) => air.into_sink(),
            Capture::Host(host) => host.into_sink(),
            Capture::Timeline(timeline) => timeline.into_sink(),
        });
        files.map(CaptureFile::finish).collect()
    }

    fn failed(&mut self) -> bool {
        self.captures.iter_mut().any(|capture| each!(capture, inner => inner.sink().error.is_some()))
    }
}

impl<E> Observer<E> for Captures {
    fn transmission(&mut self, transmission: &Transmission, verdict: Verdict) {
        for capture in &mut self.captures {
            each!(capture, inner => Observer::<E>::transmission(&mut *inner, transmission, verdict));
        }
    }

    fn trace(&mut self, now: Instant, device: usize, trace: &Trace, starved: Option<Starved>) {
        for capture in &mut self.captures {
            each!(capture, inner => Observer::<E>::trace(&mut *inner, now, device, trace, starved));
        }
    }

    fn event(&mut self, _: Instant, _: usize, _: &E) {}

    fn hci(&mut self, now: Instant, device: usize, from_host: bool, packet: &[u8]) {
        for capture in &mut self.captures {
            each!(capture, inner => Observer::<E>::hci(&mut *inner, now, device, from_host, packet));
        }
    }
}

impl Watcher for Captures {
    fn has_enough(&mut self) -> bool {
        self.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed)) || self.failed()
    }
}
