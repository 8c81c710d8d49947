//! A capture that somebody drops into the page: the reader of `airtime trace read`, and its tables.

use airtime_report::{Align, Hearing, Table};
use airtime_sniff::Stamps;
use serde::Serialize;

/// Most octets of a capture, *assumed*: what a page reads in half a minute. The program reads captures of any length.
pub const OCTETS_MAX: u64 = 256 << 20;

/// Capture that is being read.
pub struct Capture(Hearing);

/// Answer to a capture.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Heard {
    /// Tables, each with what there is to say below it.
    pub tables: Vec<Rows>,
    /// Waterfalls of its streams, as elements of SVG; empty where there is none.
    pub figures: String,
    /// Place and way in which the capture is cut, where it is.
    pub cut: Option<String>,
}

/// Table as a page shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Rows {
    /// Title of the table; empty where it has none.
    pub title: String,
    /// Headings, each with whether numbers stand below it.
    pub headings: Vec<(String, bool)>,
    /// The rows; each has a cell per heading.
    pub rows: Vec<Vec<String>>,
    /// Sentences below the table.
    pub remarks: Vec<String>,
}

impl Capture {
    /// A capture of this many octets, of which nothing was read.
    ///
    /// # Errors
    /// When it has more than a page reads.
    pub fn of(octets: u64) -> Result<Self, String> {
        if octets > OCTETS_MAX {
            let (size, most) = (octets.div_ceil(1 << 20), OCTETS_MAX >> 20);
            return Err(format!(
                "the capture has {size} MiB, and a page reads up to {most}; `airtime trace read` reads longer ones"
            ));
        }
        Ok(Self(Hearing::new(Stamps::SNIFFER)))
    }

    /// Takes the next octets.
    ///
    /// # Errors
    /// When they are no capture.
    pub fn take(&mut self, octets: &[u8]) -> Result<(), String> {
        self.0.take(octets)
    }

    /// Answer to the capture, its figures for a column of this `width`.
    ///
    /// # Errors
    /// When it is none, or nothing of it can be read.
    pub fn heard(mut self, width: f64) -> Result<Heard, String> {
        let cut = self.0.end()?;
        let told = self.0.told()?;
        Ok(Heard {
            tables: told.tables().iter().map(rows).collect(),
            figures: told.figures().iter().map(|figure| figure.element_of(width)).collect(),
            cut,
        })
    }
}

fn rows(table: &Table) -> Rows {
    Rows {
        title: table.title.clone(),
        headings: table.columns.iter().map(|of| (of.heading.clone(), of.align == Align::Right)).collect(),
        rows: table.rows.iter().map(|row| row.iter().map(str::to_owned).collect()).collect(),
        remarks: table.remarks.clone(),
    }
}
