//! A log while it is written: what one line tells, where the board has started, and what it says it runs.

use super::lines::PROGRAMS;
use super::statement::Said;

/// Content of a line of a log, as far as a measurement goes by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// No figure.
    Nothing,
    /// Figure of a stretch.
    Figure,
    /// Figure of a test as a whole: it is over.
    Total,
}

/// Content of `line`, of any program that is known.
///
/// ```
/// use airtime_study::log::{Told, told};
///
/// assert_eq!(told("conn 0 connected, interval 15000 us"), Told::Nothing);
/// assert_eq!(told("link 0 second 7: 1176.9 kbps delivered"), Told::Figure);
/// assert_eq!(told("link 0 RESULT goodput_kbps 1180.9 delivered_bytes 8708400 sdus 17700 lost 0"), Told::Total);
/// ```
pub fn told(line: &str) -> Told {
    let said = said(line);
    let is_total = |said: &Said| matches!(said, Said::Total { .. });
    let is_figure = |said: &Said| matches!(said, Said::Stretch { .. } | Said::Packets { .. } | Said::Span { .. });
    match (said.iter().any(is_total), said.iter().any(is_figure)) {
        (true, _) => Told::Total,
        (false, true) => Told::Figure,
        (false, false) => Told::Nothing,
    }
}

/// Words of a line with which a board begins: Zephyr's, those of the images in `firmware/`, the ROM of an ESP32.
const BEGINNINGS: [&str; 3] = ["*** Booting ", " of plan ", "ESP-ROM:"];

/// `text` from the first start of the board on: what stands before it is of a board that was not reset yet. All of it where no start is told.
pub fn since_start(text: &str) -> &str {
    let begins = |line: &&str| BEGINNINGS.iter().any(|words| line.contains(words));
    let first = text.split_inclusive('\n').find(begins);
    // A line of `text` is a part of it.
    first.and_then(|line| text.find(line)).map_or(text, |at| &text[at..])
}

/// Firmware that `text` names last.
pub fn firmware(text: &str) -> Option<String> {
    let mut named = text.lines().flat_map(said).filter_map(|said| match said {
        Said::Firmware(firmware) => Some(firmware),
        _ => None,
    });
    named.next_back()
}

/// Things that the first program which knows `line` makes of it.
fn said(line: &str) -> Vec<Said> {
    PROGRAMS.iter().filter_map(|program| (program.line)(line).ok()).find(|said| !said.is_empty()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_counts_from_the_first_start_of_the_board() {
        let old = "link 0 second 61: 900.0 kbps delivered\n";
        let new = "0.01 [INFO ] airtime central of plan bench, point bench\nlink 0 second 1: 1.0 kbps delivered\n";
        assert_eq!(since_start(&format!("{old}{new}")), new);
        assert_eq!((since_start(old), since_start("")), (old, ""));
        assert_eq!(firmware(new).as_deref(), Some("airtime central, plan bench"));
        assert_eq!(firmware(old), None);
    }

    #[test]
    fn a_line_that_is_cut_is_no_figure() {
        assert_eq!(told("link 0 second 7: 11"), Told::Nothing);
    }
}
