//! Keys as people write them: hexadecimal digits.

use std::fmt::Write as _;

/// `octets` in lower case.
pub fn written(octets: &[u8]) -> String {
    octets.iter().fold(String::with_capacity(2 * octets.len()), |mut text, octet| {
        let _ = write!(text, "{octet:02x}");
        text
    })
}

/// The octets that `text` writes; white space between them is passed over.
pub fn octets(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> =
        text.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_digit(16).map(|digit| digit as u8)).collect();
    let digits = digits.filter(|digits| digits.len() % 2 == 0)?;
    Some(digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}

/// A key of 32 octets.
pub fn key(text: &str) -> Option<[u8; 32]> {
    octets(text)?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        assert_eq!(written(&[0x00, 0xff, 0x3c]), "00ff3c");
        assert_eq!(octets("00 FF\n3c"), Some(vec![0x00, 0xff, 0x3c]));
        for wrong in ["0", "0g", "0x00", "é0"] {
            assert_eq!(octets(wrong), None, "{wrong}");
        }
        assert_eq!(key(&"5a".repeat(32)), Some([0x5a; 32]));
        assert_eq!(key(&"5a".repeat(31)), None);
    }
}
