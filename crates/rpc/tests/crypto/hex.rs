//! Octets as people write them.

/// The octets that `text` says, spaces ignored.
pub fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = text.bytes().filter(|digit| *digit != b' ').collect();
    let digit = |digit: u8| char::from(digit).to_digit(16).expect("a hexadecimal digit") as u8;
    assert_eq!(digits.len() % 2, 0, "two digits an octet: {text}");
    digits.chunks(2).map(|pair| digit(pair[0]) << 4 | digit(pair[1])).collect()
}
