//! `airtime ota status`: what a file holds.

use airtime_ota::image::{Chip, verify};
use airtime_ota::partition::Partition;
use airtime_ota::stage::{Staged, look};
use serde_json::{Value, json};

use super::shown::{self, Shown};
use super::{file, slave_fw};
use crate::arguments::ota::StatusArguments;
use crate::exit::{Exit, Failure};
use crate::request::Manner;

/// Kind of a file, by its length.
enum FileKind<'a> {
    /// The partition alone, or cut out of a dump of the flash.
    Partition(&'a [u8]),
    /// Firmware that is not staged.
    Firmware,
}

/// Says what is staged. A damaged image ends with 1.
pub fn status(arguments: &StatusArguments, manner: Manner) -> Result<Exit, Failure> {
    let partition = slave_fw(&arguments.table)?;
    let octets = file::read(&arguments.file)?;
    let title = arguments.file.display().to_string();
    let (shown, exit) = match kind(&octets, &partition) {
        FileKind::Partition(octets) => staged(title, octets, &partition),
        FileKind::Firmware => firmware(title, &octets, &partition)?,
    };
    shown.print(manner)?;
    Ok(exit)
}

fn kind<'a>(octets: &'a [u8], partition: &Partition) -> FileKind<'a> {
    let (offset, size) = (partition.offset as usize, partition.size as usize);
    if octets.len() == size {
        return FileKind::Partition(octets);
    }
    octets.get(offset..offset + size).map_or(FileKind::Firmware, FileKind::Partition)
}

fn staged(title: String, octets: &[u8], partition: &Partition) -> (Shown, Exit) {
    let (state, mut lines, remarks, image, exit) = match look(octets, Chip::ESP32_C6) {
        Staged::Nothing { leftover: None } => ("nothing", Vec::new(), Vec::new(), Value::Null, Exit::Ok),
        Staged::Nothing { leftover: Some(at) } => {
            let remark =
                format!("octet {at:#x} and others are not erased: erase the partition before anything is staged");
            ("nothing", Vec::new(), vec![remark], Value::Null, Exit::Ok)
        }
        Staged::Installed => {
            let remark = "the image was installed, and the host erases it at its next boot".to_owned();
            ("installed", Vec::new(), vec![remark], Value::Null, Exit::Ok)
        }
        Staged::Image { image, tail, strikes } => {
            let remarks = [shown::warning(tail), shown::attempts(strikes)].into_iter().flatten().collect();
            ("image", shown::lines(&image), remarks, shown::document(&image), Exit::Ok)
        }
        Staged::Damaged(error) => ("damaged", Vec::new(), vec![error.to_string()], Value::Null, Exit::Failed),
    };
    lines.insert(0, ("staged", state.to_owned()));
    lines.push(("partition", format!("{} at {:#x}, {} octets", partition.name, partition.offset, partition.size)));
    let document = json!({
        "schema": "airtime/ota/1",
        "command": "status",
        "state": state,
        "partition": shown::place(partition),
        "image": image,
        "warnings": remarks,
    });
    (Shown { title, lines, remarks, document }, exit)
}

fn firmware(title: String, octets: &[u8], partition: &Partition) -> Result<(Shown, Exit), Failure> {
    let image = verify(octets, Chip::ESP32_C6).map_err(|error| {
        Failure::BadInput(format!(
            "{title} has {} octets: neither partition `{}` ({}), nor a dump of a flash with it, nor firmware: {error}",
            octets.len(),
            partition.name,
            partition.size
        ))
    })?;
    let document = json!({
        "schema": "airtime/ota/1",
        "command": "status",
        "state": "firmware",
        "partition": null,
        "image": shown::document(&image),
        "warnings": [],
    });
    let mut lines = shown::lines(&image);
    lines.insert(0, ("staged", "no: this is firmware as it was built".to_owned()));
    let remarks = vec![format!("stage it with: airtime ota stage {title} -o partition.bin")];
    Ok((Shown { title, lines, remarks, document }, Exit::Ok))
}
