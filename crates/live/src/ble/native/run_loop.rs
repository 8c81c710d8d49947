//! Loop of the main thread, which CoreBluetooth's channels want: their streams are scheduled on it.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use objc2_core_foundation::CFRunLoop;

/// Longest turn.
const TURN: Duration = Duration::from_millis(10);

/// The loop, which a thread of its own stops in every turn: one that is stopped while it does not run stays unstopped.
#[derive(Debug)]
pub struct MainLoop {
    over: Arc<AtomicBool>,
}

impl MainLoop {
    /// Begins to end its turns.
    ///
    /// # Errors
    /// When the system has no threads left.
    pub fn start() -> io::Result<Self> {
        let over = Arc::new(AtomicBool::new(false));
        let ended = over.clone();
        thread::Builder::new().name("turns".to_owned()).spawn(move || {
            while !ended.load(Ordering::Relaxed) {
                thread::sleep(TURN);
                if let Some(main) = CFRunLoop::main() {
                    main.stop();
                }
            }
        })?;
        Ok(Self { over })
    }

    /// Runs it for a turn at most; a loop that has nothing to serve yet returns at once.
    pub fn turn(&self) {
        let began = Instant::now();
        CFRunLoop::run();
        if began.elapsed() < TURN / 10 {
            thread::sleep(TURN / 10);
        }
    }
}

impl Drop for MainLoop {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
    }
}
