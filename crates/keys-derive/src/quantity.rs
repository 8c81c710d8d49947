//! Quantities in attributes: `"250us"`, read while building.

use syn::{Error, Expr, ExprLit, ExprUnary, Lit, Result, UnOp};

/// Units of times, in nanoseconds.
pub const TIMES: &[(&str, u64)] = &[
    ("ns", 1),
    ("us", 1_000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
    ("min", 60_000_000_000),
    ("h", 3_600_000_000_000),
];

/// Units of sizes, in octets.
pub const SIZES: &[(&str, u64)] = &[("B", 1), ("kB", 1_000), ("MB", 1_000_000)];

/// Units of clocks, in hertz.
pub const CLOCKS: &[(&str, u64)] = &[("Hz", 1), ("kHz", 1_000), ("MHz", 1_000_000)];

/// A whole number as written, or a quantity in one of `units`, in base units.
pub fn base_units(expression: &Expr, units: &[(&str, u64)]) -> Result<u64> {
    match expression {
        Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) => number.base10_parse(),
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => {
            parsed(&text.value(), units).ok_or_else(|| Error::new_spanned(text, "no quantity of this unit"))
        }
        Expr::Unary(ExprUnary { op: UnOp::Neg(_), .. }) => Err(Error::new_spanned(expression, "negative")),
        _ => Err(Error::new_spanned(expression, "a number, or a quantity as text")),
    }
}

/// `7.5ms` in nanoseconds.
fn parsed(text: &str, units: &[(&str, u64)]) -> Option<u64> {
    let split = text.find(|c: char| !(c.is_ascii_digit() || c == '.' || c == '_'))?;
    let (number, unit) = (text[..split].replace('_', ""), &text[split..]);
    let scale = units.iter().find(|(name, _)| *name == unit)?.1;
    let (whole, fraction) = number.split_once('.').unwrap_or((&number, ""));
    let divisor = 10u64.checked_pow(fraction.len() as u32)?;
    let digits: u64 = format!("{whole}{fraction}").parse().ok()?;
    let scaled = digits.checked_mul(scale)?;
    scaled.is_multiple_of(divisor).then(|| scaled / divisor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_are_exact() {
        assert_eq!(parsed("7.5ms", TIMES), Some(7_500_000));
        assert_eq!(parsed("250us", TIMES), Some(250_000));
        assert_eq!(parsed("10MHz", CLOCKS), Some(10_000_000));
        assert_eq!(parsed("0.3ns", TIMES), None);
        assert_eq!(parsed("3 furlongs", TIMES), None);
    }
}
