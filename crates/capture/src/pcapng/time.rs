//! Units of time stamps (4.2, `if_tsresol` and `if_tsoffset`).

const NANOS_PER_SECOND: i128 = 1_000_000_000;

/// The unit of an interface's stamps: a power of a second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// 10⁻ⁿ s, n at most 127.
    Decimal(u8),
    /// 2⁻ⁿ s, n at most 127.
    Binary(u8),
}

impl Resolution {
    /// Resolution without the option.
    pub const MICROSECONDS: Self = Self::Decimal(6);
    /// 10⁻⁹ s.
    pub const NANOSECONDS: Self = Self::Decimal(9);

    /// The value of the option `if_tsresol`.
    pub const fn of(octet: u8) -> Self {
        if octet & 0x80 == 0 { Self::Decimal(octet) } else { Self::Binary(octet & 0x7f) }
    }

    /// Nanoseconds since 1970 of a stamp of `units` with `offset_s` seconds added; what is below a nanosecond is cut
    /// off. None beyond the years 1677 to 2262.
    pub fn unix_nanos(self, units: u64, offset_s: i64) -> Option<i64> {
        let nanos = match self {
            Self::Decimal(n @ 0..=9) => i128::from(units) * 10i128.pow(9 - u32::from(n)),
            // Beyond 10⁻²⁸ s even the largest stamp is less than a nanosecond.
            Self::Decimal(n) => 10i128.checked_pow(u32::from(n) - 9).map_or(0, |unit| i128::from(units) / unit),
            Self::Binary(n) => (i128::from(units) * NANOS_PER_SECOND) >> n,
        };
        (nanos + i128::from(offset_s) * NANOS_PER_SECOND).try_into().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stamps_of_every_unit() {
        const SECOND: i64 = 1_000_000_000;
        let of = |octet, units, offset| Resolution::of(octet).unix_nanos(units, offset);
        assert_eq!(of(0, 3, 0), Some(3 * SECOND));
        assert_eq!(of(3, 1500, -1), Some(SECOND / 2));
        assert_eq!(of(6, 7, 2), Some(2 * SECOND + 7000));
        assert_eq!(of(9, 7, 0), Some(7));
        assert_eq!(of(12, 7999, 0), Some(7));
        assert_eq!(of(127, u64::MAX, 1), Some(SECOND));
        assert_eq!(of(0x80 | 10, 512, 0), Some(SECOND / 2));
        assert_eq!(of(0x80 | 32, 3 << 31, 0), Some(3 * SECOND / 2));
        assert_eq!(of(0x80 | 127, u64::MAX, 0), Some(0));
        assert_eq!(of(0, u64::MAX, 0), None);
        assert_eq!(of(6, 0, i64::MIN), None);
    }
}
