//! Numbers behind words, as programs print them.

use std::str::FromStr;

/// Number at the start of `text`, and what is behind it.
pub fn leading<T: FromStr>(text: &str) -> Option<(T, &str)> {
    let text = text.trim_start();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number = text[..end].trim_end_matches('.');
    Some((number.parse().ok()?, &text[number.len()..]))
}

/// Number behind the first `word` of `text`, and what follows it.
pub fn behind<'a, T: FromStr>(text: &'a str, word: &str) -> Option<(T, &'a str)> {
    leading(text.split_once(word)?.1)
}

/// Hexadecimal number behind the first `word` of `text`, which ends with its `0x`.
pub fn hexadecimal(text: &str, word: &str) -> Option<u32> {
    let digits = text.split_once(word)?.1;
    let end = digits.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(digits.len());
    u32::from_str_radix(&digits[..end], 16).ok()
}

/// PHY as HCI and Zephyr number it: 1, 2 and 4.
pub fn phy(number: u32) -> Option<&'static str> {
    match number {
        1 => Some("1M"),
        2 => Some("2M"),
        // Coded; which of both codings is not said. S=8 is what a controller begins with.
        4 => Some("S8"),
        _ => None,
    }
}

/// Rate with its unit at the start of `text`, `7.27 Mbits/sec` or `11.31 Mbps`, in kbps.
pub fn rate(text: &str) -> Option<(f64, &str)> {
    let (number, rest) = leading::<f64>(text)?;
    let rest = rest.trim_start();
    [("Gbits/sec", 1e6), ("Mbits/sec", 1e3), ("Kbits/sec", 1.0), ("bits/sec", 1e-3)]
        .into_iter()
        .chain([("Gbps", 1e6), ("Mbps", 1e3), ("kbps", 1.0), ("bps", 1e-3)])
        .find_map(|(unit, kbps)| Some((number * kbps, rest.strip_prefix(unit)?)))
}
