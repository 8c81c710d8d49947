//! A host of ESP-hosted on this machine, for a co-processor that an emulator runs: the code of `esp32p4-host`, its UART a socket, its reset
//! line the emulator's monitor, its flash memory.

use std::cell::Cell;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::future::poll_fn;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time;

use airtime_core::{Duration, Instant};
use airtime_hosted_ends::host::{Plan, Words, over_line};
use airtime_hosted_ends::{Board, Flash};
use airtime_ota::boot::Finding;
use airtime_ota::flash::Storage;
use airtime_ota::image::{Chip, Description, compose};
use airtime_ota::partition::{HOST, SLAVE_FW, TABLE_AT, Table};
use airtime_ota::stage::stage;
use embedded_hal::digital::OutputPin;
use embedded_io_async::{Read, Write};
use embedded_storage::nor_flash::{
    ErrorType, NorFlash, NorFlashErrorKind, ReadNorFlash, check_erase, check_read, check_write,
};
use log::{LevelFilter, Log, Metadata, Record};

/// Octets that wait for the host: a socket that is not read keeps the emulator waiting.
const WAITING: usize = 4_096;
/// Times that the host restarts before it is said to go round in circles: an update is one.
const RESTARTS: usize = 4;

/// Goes through the boots of a host until nothing is staged any more; `version` is what is staged at first.
///
/// # Errors
/// A sentence, when there is no emulator, or what the sequence finds is not that all is done.
pub fn run(line: &str, monitor: &str, version: &str) -> Result<(), String> {
    // A second logger is refused: there is one.
    if log::set_logger(&Printed).is_ok() {
        log::set_max_level(LevelFilter::Info);
    }
    let socket = |place: &str| TcpStream::connect(place).map_err(|error| format!("{place}: {error}"));
    let copy = |stream: &TcpStream| stream.try_clone().map_err(|error| format!("{line}: {error}"));
    let line_to = socket(line)?;
    let (line_from, monitor) = (copy(&line_to)?, socket(monitor)?);
    let came = Arc::new(Came { octets: Mutex::default(), host: thread::current(), over: AtomicBool::new(false) });
    let reader = Arc::clone(&came);
    thread::spawn(move || reader.fill(line_from));
    let mut flash = staged(version)?;
    let machine = Machine { begun: time::Instant::now(), due: Cell::new(Instant::FAR_FUTURE) };
    for _ in 0..RESTARTS {
        let found = Cell::new(None);
        let words = Words { ssid: Some("lab"), ..Words::default() };
        let plan = Plan::of(&words).map_err(|wrong| wrong.to_string())?;
        let host = over_line(
            Receiver(Arc::clone(&came)),
            Sender(copy(&line_to)?),
            Enable(monitor.try_clone().map_err(|error| error.to_string())?),
            &mut flash,
            &machine,
            |finding| found.set(Some(finding)),
            plan,
        );
        machine.run(host, || found.get().is_some() || came.over.load(Ordering::Acquire));
        match found.get() {
            Some(Finding::Nothing) => return Ok(()),
            Some(finding) => return Err(finding.to_string()),
            None if came.over.load(Ordering::Acquire) => return Err(format!("{line}: the emulator has gone")),
            None => println!("the host restarts"),
        }
    }
    Err("the host restarts again and again".to_owned())
}

/// Flash of a host with firmware of `version` staged.
fn staged(version: &str) -> Result<Memory, String> {
    let table = Table::parse(HOST).map_err(|error| error.to_string())?;
    let partition = table.find(SLAVE_FW).ok_or("the host's table has no place for it")?;
    let description = Description {
        version: version.to_owned(),
        project: "airtime".to_owned(),
        idf: "v5.5.1".to_owned(),
        elf_sha256: [1; 32],
    };
    let body: Vec<u8> = (0..40_000_u32).map(|octet| (octet.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let firmware = compose(Chip::ESP32_C6, &description, &body);
    let (image, _) = stage(&firmware, Chip::ESP32_C6, partition.size, None).map_err(|error| error.to_string())?;
    let mut memory = Memory(vec![0xFF; table.flash() as usize]);
    let mut flash = Flash::new(&mut memory);
    let written = flash.program(TABLE_AT, &table.octets()).and_then(|()| flash.program(partition.offset, &image));
    written.map_err(|error| error.to_string())?;
    Ok(memory)
}

struct Printed;

impl Log for Printed {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &Record<'_>) {
        println!("{} - {}", record.level(), record.args());
    }

    fn flush(&self) {}
}

/// Clock of this machine, and the sleep of the thread that is the host.
struct Machine {
    begun: time::Instant,
    due: Cell<Instant>,
}

impl Machine {
    /// Runs `task` until it ends, or `over` says so.
    fn run(&self, task: impl Future<Output = ()>, over: impl Fn() -> bool) {
        let mut task = pin!(task);
        let woken = Arc::new(Woken(AtomicBool::new(true)));
        let waker = Waker::from(Arc::clone(&woken));
        while !over() {
            self.due.set(Instant::FAR_FUTURE);
            while woken.0.swap(false, Ordering::Relaxed) {
                if task.as_mut().poll(&mut Context::from_waker(&waker)) == Poll::Ready(()) {
                    return;
                }
            }
            // Octets that come, and the end of the emulator, end it before its time; whatever waits then looks anew.
            let due = self.due.get().saturating_since((&self).now());
            thread::park_timeout(time::Duration::from_nanos(due.as_nanos()));
            woken.0.store(true, Ordering::Relaxed);
        }
    }
}

struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Board for &Machine {
    fn now(&self) -> Instant {
        Instant::ZERO + Duration::from_nanos(self.begun.elapsed().as_nanos() as u64)
    }

    async fn until(&self, at: Instant) {
        poll_fn(|_| {
            if at <= self.now() {
                return Poll::Ready(());
            }
            self.due.set(self.due.get().min(at));
            Poll::Pending
        })
        .await;
    }

    fn alive(&self) {}
}

/// Octets that have come, and the thread that waits for them.
struct Came {
    octets: Mutex<VecDeque<u8>>,
    host: Thread,
    over: AtomicBool,
}

impl Came {
    /// Reads until the emulator has gone.
    fn fill(&self, mut line: TcpStream) {
        let mut piece = [0; WAITING];
        loop {
            let octets = line.read(&mut piece).unwrap_or(0);
            if octets == 0 {
                self.over.store(true, Ordering::Release);
                return self.host.unpark();
            }
            self.octets.lock().unwrap_or_else(PoisonError::into_inner).extend(&piece[..octets]);
            self.host.unpark();
            // A host that reads nothing for long does not fill memory.
            while self.octets.lock().unwrap_or_else(PoisonError::into_inner).len() > WAITING * 16 {
                thread::yield_now();
            }
        }
    }
}

struct Receiver(Arc<Came>);

impl embedded_io_async::ErrorType for Receiver {
    type Error = Infallible;
}

impl Read for Receiver {
    async fn read(&mut self, into: &mut [u8]) -> Result<usize, Infallible> {
        poll_fn(|_| {
            let mut waiting = self.0.octets.lock().unwrap_or_else(PoisonError::into_inner);
            let octets = into.len().min(waiting.len());
            into.iter_mut().zip(waiting.drain(..octets)).for_each(|(into, octet)| *into = octet);
            if octets == 0 { Poll::Pending } else { Poll::Ready(Ok(octets)) }
        })
        .await
    }
}

struct Sender(TcpStream);

impl embedded_io_async::ErrorType for Sender {
    type Error = std::io::Error;
}

impl Write for Sender {
    async fn write(&mut self, octets: &[u8]) -> Result<usize, std::io::Error> {
        self.0.write(octets)
    }

    async fn flush(&mut self) -> Result<(), std::io::Error> {
        self.0.flush()
    }
}

/// The co-processor's EN: it starts anew when the line goes up.
struct Enable(TcpStream);

impl embedded_hal::digital::ErrorType for Enable {
    type Error = Gone;
}

/// The emulator's monitor has gone.
#[derive(Debug)]
struct Gone;

impl embedded_hal::digital::Error for Gone {
    fn kind(&self) -> embedded_hal::digital::ErrorKind {
        embedded_hal::digital::ErrorKind::Other
    }
}

impl OutputPin for Enable {
    fn set_low(&mut self) -> Result<(), Gone> {
        Ok(())
    }

    fn set_high(&mut self) -> Result<(), Gone> {
        self.0.write_all(b"system_reset\n").map_err(|_| Gone)
    }
}

/// The host's flash.
struct Memory(Vec<u8>);

impl ErrorType for Memory {
    type Error = NorFlashErrorKind;
}

impl ReadNorFlash for Memory {
    const READ_SIZE: usize = 1;

    fn read(&mut self, at: u32, into: &mut [u8]) -> Result<(), NorFlashErrorKind> {
        check_read(self, at, into.len())?;
        into.copy_from_slice(&self.0[at as usize..][..into.len()]);
        Ok(())
    }

    fn capacity(&self) -> usize {
        self.0.len()
    }
}

impl NorFlash for Memory {
    const WRITE_SIZE: usize = 1;
    const ERASE_SIZE: usize = 4_096;

    fn erase(&mut self, from: u32, to: u32) -> Result<(), NorFlashErrorKind> {
        check_erase(self, from, to)?;
        self.0[from as usize..to as usize].fill(0xFF);
        Ok(())
    }

    fn write(&mut self, at: u32, octets: &[u8]) -> Result<(), NorFlashErrorKind> {
        check_write(self, at, octets.len())?;
        self.0[at as usize..].iter_mut().zip(octets).for_each(|(word, octet)| *word &= octet);
        Ok(())
    }
}
