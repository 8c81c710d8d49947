//! Output about images and partitions, for people and as JSON.

use airtime_ota::image::Image;
use airtime_ota::partition::Partition;
use airtime_ota::stage::{STRIKES, Tail};
use airtime_report::{Align, Table};
use serde_json::{Value, json};

use crate::exit::Failure;
use crate::output::{self, Form};
use crate::request::Manner;

/// Octets of a write, as esp-hosted sends them.
pub const CHUNK: u32 = 1400;

/// Names with their values: a table for people, one document as JSON.
pub struct Shown {
    /// Title: the thing that it is about.
    pub title: String,
    /// Lines for people.
    pub lines: Vec<(&'static str, String)>,
    /// Sentences below the table.
    pub remarks: Vec<String>,
    /// Document of `--json`.
    pub document: Value,
}

impl Shown {
    /// Prints table and sentences, or the document.
    pub fn print(&self, manner: Manner) -> Result<(), Failure> {
        if manner.form == Form::Json {
            return output::print(&output::rendered(|out| airtime_report::json(&self.document, out))?);
        }
        let mut table = Table::new(self.title.as_str());
        table.column("", Align::Left, self.lines.iter().map(|(name, _)| *name));
        table.column("", Align::Left, self.lines.iter().map(|(_, value)| value.as_str()));
        table.remarks.clone_from(&self.remarks);
        output::print(&output::rendered(|out| manner.form.exporter().export_table(&table, out))?)
    }
}

/// Lines about an image.
pub fn lines(image: &Image) -> Vec<(&'static str, String)> {
    let description = &image.description;
    vec![
        ("firmware", format!("{} {}", description.project, description.version)),
        ("for", image.chip.name().to_owned()),
        ("built with", description.idf.clone()),
        ("octets", image.octets.to_string()),
        ("writes of 1400 octets", image.octets.div_ceil(CHUNK).to_string()),
        ("SHA-256", hexadecimal(&image.sha256)),
    ]
}

/// Description of an image as JSON.
pub fn document(image: &Image) -> Value {
    let description = &image.description;
    json!({
        "project": description.project,
        "version": description.version,
        "idf": description.idf,
        "chip": image.chip.name(),
        "octets": image.octets,
        "segments": image.segments,
        "writes": image.octets.div_ceil(CHUNK),
        "sha256": hexadecimal(&image.sha256),
        "elf_sha256": hexadecimal(&description.elf_sha256),
    })
}

/// A partition as JSON.
pub fn place(partition: &Partition) -> Value {
    json!({ "name": partition.name, "offset": partition.offset, "octets": partition.size })
}

/// Warning about an image with `tail`, for hosts that look for the last octet that is not 0xFF.
pub fn warning(tail: Tail) -> Option<String> {
    match tail {
        Tail::Clean => None,
        Tail::Hidden(octets) => Some(format!(
            "the image ends with {octets} octets 0xff: a host that takes everything up to the last octet that is not 0xff would \
             send {octets} too few; take the length from the image's header"
        )),
        Tail::Stale(end) => Some(format!(
            "octets up to {end:#x} are not erased: a host that takes everything that is not 0xff would send the tail of an older \
             image as well; stage again with --erase"
        )),
    }
}

/// Meaning of failed attempts.
pub fn attempts(strikes: u32) -> Option<String> {
    match strikes {
        0 => None,
        STRIKES.. => {
            Some(format!("{strikes} attempts have failed: it is not tried any more; stage again with --erase"))
        }
        _ => Some(format!("{strikes} of {STRIKES} attempts have failed")),
    }
}

fn hexadecimal(octets: &[u8]) -> String {
    octets.iter().map(|octet| format!("{octet:02x}")).collect()
}
