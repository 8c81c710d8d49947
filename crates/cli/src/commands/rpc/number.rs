//! Addresses and lengths as people write them.

/// `4096`, `0x1000` or `4K`; K and M are 1024 and 1024².
///
/// # Errors
/// What would have been right.
pub fn octets(text: &str) -> Result<u32, String> {
    let wrong = || format!("expected a number of octets such as 4096, 0x1000, 4K or 1M, at most {}", u32::MAX);
    let (digits, unit) = match text.char_indices().last() {
        Some((at, 'k' | 'K')) => (&text[..at], 1_u64 << 10),
        Some((at, 'm' | 'M')) => (&text[..at], 1 << 20),
        _ => (text, 1),
    };
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
        {
            assert_eq!(octets(text), Ok(expected), "{text}");
        }
        for wrong in ["", "K", "-1", "1G", "0x", "4097M", "99999999999999999999", "1.5K"] {
            assert!(octets(wrong).is_err(), "{wrong}");
        }
    }
}
