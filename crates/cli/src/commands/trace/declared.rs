//! `airtime trace` of a run over a link that declares itself: the packets that it says a capture holds.

use std::path::PathBuf;

use airtime_capture::Origin;
use airtime_capture::pcapng::Writer;
use airtime_lab::links::Scenario;

use crate::capture::{CaptureFile, Format, Written};
use crate::exit::Failure;

/// Name of the program in captures.
const APPLICATION: &str = "airtime";

/// Runs `scenario` once, with its own seed, and writes what `paths` ask for.
///
/// # Errors
/// When the link has no form for its packets, a name says another one, or a file cannot be opened or written.
pub fn write(scenario: &dyn Scenario, paths: &[PathBuf]) -> Result<Vec<Written>, Failure> {
    let Some(capture) = scenario.capture() else {
        let link = scenario.link();
        return Err(Failure::BadInput(format!("a run over `{link}` cannot be captured")));
    };
    let mut writers = Vec::new();
    for path in paths {
        if Format::of(path)? != Format::Air {
            let what = format!("`{}`: a run over `{}` is captured as .pcapng", path.display(), scenario.link());
            return Err(Failure::BadInput(what));
        }
        let mut writer = Writer::new(CaptureFile::create(path.clone())?, APPLICATION);
        let interface = writer.interface(capture.link_type, capture.interface, capture.about);
        writers.push((writer, interface));
    }
    scenario.captured(scenario.run().seed, &mut |at, octets| {
        for (writer, interface) in &mut writers {
            writer.packet(*interface, Origin::VIRTUAL.unix_nanos(at), |out| out.extend_from_slice(octets));
        }
    });
    writers.into_iter().map(|(writer, _)| writer.into_sink().finish()).collect()
}
