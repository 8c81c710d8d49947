//! Names of drafts: `NAME.PID.part`, or `NAME.PID-N.part` where that is taken.

use std::ffi::{OsStr, OsString};

/// The draft of this process beside a file called `name`; another for each `attempt`.
pub fn draft(name: &OsStr, attempt: u32) -> OsString {
    let (mut draft, pid) = (name.to_owned(), std::process::id());
    draft.push(match attempt {
        0 => format!(".{pid}.part"),
        _ => format!(".{pid}-{attempt}.part"),
    });
    draft
}

/// The name of the file that a draft called `name` is beside; none when that is the name of no draft.
pub fn place(name: &OsStr) -> Option<&[u8]> {
    let rest = name.as_encoded_bytes().strip_suffix(b".part")?;
    let dot = rest.iter().rposition(|octet| *octet == b'.').filter(|dot| *dot > 0)?;
    let number = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
    rest[dot + 1..].splitn(2, |octet| *octet == b'-').all(number).then_some(&rest[..dot])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draft_names_its_place_and_other_files_name_none() {
        for attempt in [0, 1, 77] {
            assert_eq!(place(&draft(OsStr::new("c6.bin"), attempt)), Some(&b"c6.bin"[..]));
        }
        for other in ["c6.bin", "c6.bin.part", "c6.bin.x.part", "c6.bin.1-.part", "c6.bin.1.parts", ".1.part", "1.part"]
        {
            assert_eq!(place(OsStr::new(other)), None, "{other}");
        }
    }
}
