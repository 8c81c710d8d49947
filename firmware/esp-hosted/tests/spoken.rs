//! The log of a test's thread.

use std::cell::RefCell;
use std::sync::Once;

use log::{LevelFilter, Log, Metadata, Record};

thread_local! {
    static LINES: RefCell<Option<Vec<String>>> = const { RefCell::new(None) };
}

struct Lines;

impl Log for Lines {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    /// As `esp_println` writes a line.
    fn log(&self, record: &Record<'_>) {
        LINES.with_borrow_mut(|lines| {
            if let Some(lines) = lines {
                lines.push(format!("{} - {}", record.level(), record.args()));
            }
        });
    }

    fn flush(&self) {}
}

/// Keeps what this thread says from now on.
pub fn listen() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        log::set_logger(&Lines).expect("no other logger");
        log::set_max_level(LevelFilter::Info);
    });
    LINES.set(Some(Vec::new()));
}

/// Lines since.
pub fn said() -> Vec<String> {
    LINES.take().unwrap_or_default()
}
