//! Figures of links that share a radio, and of all of them together.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::{Bottleneck, tenth};
use crate::ordered::Ordered;

/// One of several links that share a radio.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct LinkFigures {
    /// Name of the link's far end: `peripheral0`.
    pub name: String,
    /// Goodput of the steady state, median over the repeats, 10³ bit/s.
    pub goodput_kbps: f64,
    /// Exchanges per connection event, where it has events.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exchanges_per_event: Option<f64>,
    /// Connection interval that was granted, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conn_interval: Option<String>,
    /// Outcome of the link: `ok`, or how it failed.
    pub outcome: String,
    /// Account in which most of its lost time went, where it has books.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bottleneck: Option<Bottleneck>,
    /// Books of its steady state, where it has any.
    #[serde(default, skip_serializing_if = "Ordered::is_empty")]
    pub steady_ledger_ns: Ordered<u64>,
}

/// All links of a run together.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Together {
    /// Sum of the links' goodputs, 10³ bit/s.
    pub goodput_kbps: f64,
    /// Fairness: 1 if all got the same, 1/n if one of n got everything. R. Jain, D. Chiu, W. Hawe, DEC-TR-301, 1984.
    pub fairness: f64,
}

impl Together {
    /// These links together; none of fewer than two.
    pub fn of(links: &[LinkFigures]) -> Option<Self> {
        if links.len() < 2 {
            return None;
        }
        let rates: Vec<f64> = links.iter().map(|link| link.goodput_kbps).collect();
        Some(Self { goodput_kbps: tenth(rates.iter().sum()), fairness: libm::round(jain(&rates) * 1e3) / 1e3 })
    }
}

/// Fairness index of these rates: (Σx)² / (n·Σx²); 1 where nobody got anything.
fn jain(rates: &[f64]) -> f64 {
    let sum: f64 = rates.iter().sum();
    let squares: f64 = rates.iter().map(|rate| rate * rate).sum();
    if squares == 0.0 { 1.0 } else { sum * sum / (rates.len() as f64 * squares) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn links(rates: &[f64]) -> Vec<LinkFigures> {
        rates.iter().map(|rate| LinkFigures { goodput_kbps: *rate, ..LinkFigures::default() }).collect()
    }

    #[test]
    fn fairness_is_one_for_equals_and_a_share_for_one_that_has_all() {
        let of = |rates: &[f64]| Together::of(&links(rates)).unwrap();
        assert_eq!(of(&[100.0, 100.0, 100.0, 100.0]), Together { goodput_kbps: 400.0, fairness: 1.0 });
        assert_eq!(of(&[400.0, 0.0, 0.0, 0.0]), Together { goodput_kbps: 400.0, fairness: 0.25 });
        // (858 + 571 + 1143)² / (3 · (858² + 571² + 1143²)).
        assert_eq!(of(&[858.0, 571.0, 1143.0]), Together { goodput_kbps: 2572.0, fairness: 0.931 });
        assert_eq!(of(&[0.0, 0.0]), Together { goodput_kbps: 0.0, fairness: 1.0 });
        assert_eq!(Together::of(&links(&[5.0])), None);
    }
}
