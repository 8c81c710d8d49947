//! Access addresses of connections. Core 6.0, Vol 6, Part B, 2.1.2.

use super::pdu::ADVERTISING_ACCESS_ADDRESS;

/// Tells if `value` may be the access address of a connection on every PHY.
pub fn is_valid(value: u32) -> bool {
    let octets = value.to_le_bytes();
    let transitions = (value ^ (value >> 1)) & 0x7fff_ffff;
    let top_six = transitions >> 26 & 0b1_1111;
    let low_sixteen = transitions & 0x7fff;
    let low_eight_ones = (value & 0xff).count_ones();
    value != ADVERTISING_ACCESS_ADDRESS
        && (value ^ ADVERTISING_ACCESS_ADDRESS).count_ones() > 1
        && octets.iter().any(|o| *o != octets[0])
        && longest_run(value) <= 6
        && transitions.count_ones() <= 24
        && top_six.count_ones() >= 2
        && low_eight_ones >= 3
        && low_sixteen.count_ones() <= 11
}

/// The first valid access address of a sequence that `draw` continues.
pub fn choose(mut draw: impl FnMut() -> u32) -> u32 {
    loop {
        let candidate = draw();
        if is_valid(candidate) {
            return candidate;
        }
    }
}

fn longest_run(value: u32) -> u32 {
    let (mut longest, mut run) = (1, 1);
    for bit in 1..32 {
        run = if value >> bit & 1 == value >> (bit - 1) & 1 { run + 1 } else { 1 };
        longest = longest.max(run);
    }
    longest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rules_hold() {
        assert!(!is_valid(ADVERTISING_ACCESS_ADDRESS));
        assert!(!is_valid(ADVERTISING_ACCESS_ADDRESS ^ 1), "differs by one bit only");
        assert!(!is_valid(0x5a5a_5a5a), "four equal octets");
        assert!(!is_valid(0x5065_4e80), "seven zeros in a row");
        assert!(is_valid(0x5065_4e96));
    }
}
