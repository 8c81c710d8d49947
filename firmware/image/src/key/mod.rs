//! Says whether a sealed image keeps its key: nothing that clients can read has a piece of it, nor have code and constants.

mod check;
mod elf;
mod image;

use std::{env, fs};

/// Looks for the key in the image at `path`.
///
/// # Errors
/// A sentence, when the key is given away, or when the image cannot be judged.
pub fn judged(path: &str) -> Result<String, String> {
    let text = env::var("AIRTIME_IDENTITY").map_err(|_| "AIRTIME_IDENTITY: the seed that the image was built with")?;
    let seed = seed(&text).ok_or("AIRTIME_IDENTITY: 64 hexadecimal digits are wanted")?;
    let file = fs::read(path).map_err(|error| format!("{path}: {error}"))?;
    let image = elf::image(&file).ok_or_else(|| format!("{path}: no ELF of a 32-bit little-endian chip"))?;
    let at = check::check(&image, &seed).map_err(|leak| format!("{path}: {leak}"))?;
    let served = &image.served;
    Ok(format!(
        "{path}: serves {} octets from {:#x} on, none of them the key's, which is at {at:#x} only",
        served.len(),
        served.start
    ))
}

fn seed(text: &str) -> Option<[u8; 32]> {
    let mut seed = [0; 32];
    if text.len() != 64 || !text.is_ascii() {
        return None;
    }
    for (at, octet) in seed.iter_mut().enumerate() {
        *octet = u8::from_str_radix(&text[2 * at..2 * at + 2], 16).ok()?;
    }
    Some(seed)
}
