//! Settings while the image runs: a line, from a client or from whoever is at the board.

use core::convert::Infallible;

use airtime_app::{SETTINGS_MAX, Settings};
use defmt::{Display2Format, info, warn};

use crate::plan::SDU;

/// Line of a board on which somebody may type: octets, of which a line feed or a carriage return ends a line.
pub trait Line {
    /// The next octet.
    fn octet(&mut self) -> impl Future<Output = u8>;
}

/// No line: a board whose log goes one way.
pub struct NoLine;

impl Line for NoLine {
    async fn octet(&mut self) -> u8 {
        core::future::pending().await
    }
}

/// Reads the settings of a line, and logs them or what is wrong with them.
pub fn read(line: &[u8]) -> Option<Settings> {
    match Settings::parse(line, u16::try_from(SDU).unwrap_or(u16::MAX)) {
        Ok(settings) => {
            let text = str::from_utf8(line).unwrap_or_default();
            info!("settings taken: {=str}", text.trim_ascii_end());
            Some(settings)
        }
        Err(error) => {
            warn!("settings refused, nothing changes: {}", Display2Format(&error));
            None
        }
    }
}

/// Gives every line that is not empty to `take`. What is too long for one is refused as a whole.
pub async fn listen(line: &mut impl Line, take: impl Fn(&[u8])) -> Infallible {
    let mut buffer = [0; SETTINGS_MAX + 1];
    let mut octets = 0;
    loop {
        match line.octet().await {
            b'\n' | b'\r' if octets > 0 => {
                take(&buffer[..octets]);
                octets = 0;
            }
            b'\n' | b'\r' => {}
            octet => {
                // The last place keeps what is too long from being taken for less.
                buffer[octets.min(SETTINGS_MAX)] = octet;
                octets = (octets + 1).min(buffer.len());
            }
        }
    }
}
