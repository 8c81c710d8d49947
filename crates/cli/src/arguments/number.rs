//! Addresses and lengths as people write them.

/// Units of memory, and how many octets each is. `kB` and `MB` are none of them: in plans those are 1000 and 1000².
const UNITS: [(&str, u64); 6] =
    [("KiB", 1 << 10), ("K", 1 << 10), ("k", 1 << 10), ("MiB", 1 << 20), ("M", 1 << 20), ("m", 1 << 20)];

/// `4096`, `0x1000`, `4K` or `4KiB`; K and KiB are 1024, M and MiB 1024².
///
/// # Errors
/// What would have been right.
pub fn octets(text: &str) -> Result<u32, String> {
    let wrong = || {
        let most = u32::MAX;
        format!(
            "expected a number of octets such as 4096, 0x1000, 4K or 4KiB (1024 each), 1M or 1MiB (1024²), at most {most}"
        )
    };
    let with_unit = UNITS.iter().find_map(|(name, octets)| Some((text.strip_suffix(name)?, *octets)));
    let (digits, unit) = with_unit.unwrap_or((text, 1));
    let number = match digits.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => digits.parse(),
    };
    let number = number.ok().and_then(|number: u64| number.checked_mul(unit));
    number.and_then(|number| u32::try_from(number).ok()).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_powers_of_two() {
        for (text, expected) in
            [("0", 0), ("8192", 8_192), ("0x2000", 8_192), ("8K", 8_192), ("1M", 1 << 20), ("0x1k", 1_024)]
                .into_iter()
                .chain([("64KiB", 65_536), ("1MiB", 1 << 20), ("0x10KiB", 16_384)])
        {
            assert_eq!(octets(text), Ok(expected), "{text}");
        }
        for wrong in [
            "",
            "K",
            "-1",
            "1G",
            "0x",
            "4097M",
            "99999999999999999999",
            "1.5K",
            "KiB",
            "4096MiB",
            "64kB",
            "1MB",
            "4KKiB",
        ] {
            assert!(octets(wrong).is_err(), "{wrong}");
        }
    }
}
