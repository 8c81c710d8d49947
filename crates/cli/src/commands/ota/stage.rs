//! `airtime ota stage`: an image into the host's partition.

use airtime_ota::image::{Chip, ERASED};
use airtime_ota::stage::{StageError, Staged, look, stage as place};
use serde_json::json;

use super::shown::{self, Shown};
use super::{file, slave_fw};
use crate::arguments::ota::StageArguments;
use crate::exit::{Exit, Failure};
use crate::request::Manner;

/// Checks the image and writes the partition.
pub fn stage(arguments: &StageArguments, manner: Manner) -> Result<Exit, Failure> {
    let partition = slave_fw(&arguments.table)?;
    let image = file::read(&arguments.image)?;
    let before = if arguments.erase { None } else { file::read_if_there(&arguments.output)? };
    if let Some(before) = before.as_ref().filter(|before| before.len() as u64 != u64::from(partition.size)) {
        return Err(Failure::BadInput(format!(
            "`{}` has {} octets, and partition `{}` has {}: it is no image of it; name another file, or replace it with --erase",
            arguments.output.display(),
            before.len(),
            partition.name,
            partition.size
        )));
    }
    let placed = place(&image, Chip::ESP32_C6, partition.size, before.as_deref());
    let (octets, found) = placed.map_err(|error| refused(arguments, &error))?;
    file::write(&arguments.output, &octets)?;
    let (offset, output) = (partition.offset, arguments.output.display());
    let mut remarks = vec![format!("flash it with: esptool --chip esp32p4 write-flash {offset:#x} {output}")];
    let mut warnings = Vec::new();
    if let Staged::Image { tail, .. } = look(&octets, Chip::ESP32_C6) {
        warnings.extend(shown::warning(tail));
    }
    remarks.splice(0..0, warnings.iter().cloned());
    let mut lines = shown::lines(&found);
    lines.push(("partition", format!("{} at {offset:#x}, {} octets", partition.name, partition.size)));
    lines.push(("erased behind it", octets.iter().rev().take_while(|octet| **octet == ERASED).count().to_string()));
    let document = json!({
        "schema": "airtime/ota/1",
        "command": "stage",
        "state": "image",
        "partition": shown::place(&partition),
        "image": shown::document(&found),
        "warnings": warnings,
    });
    Shown { title: format!("staged: {output}"), lines, remarks, document }.print(manner)?;
    Ok(Exit::Ok)
}

fn refused(arguments: &StageArguments, error: &StageError) -> Failure {
    match error {
        StageError::Image(_) | StageError::TooLong { .. } => {
            Failure::BadInput(format!("{}: {error}", arguments.image.display()))
        }
        _ => Failure::BadInput(format!("{}: {error}: --erase", arguments.output.display())),
    }
}
