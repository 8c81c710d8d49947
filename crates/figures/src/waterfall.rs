//! The waterfall of a ledger: every account a bar that falls from where the one before it ended.

use crate::paper::{Drawn, LETTER, LINE, MARGIN, Paper, figure, lines};
use crate::scale::Scale;
use crate::{Spacing, scale};

/// Waterfall from the rate of the PHY down to goodput.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Waterfall {
    /// Finding of the figure, in a sentence.
    pub title: String,
    /// Name of the run.
    pub subtitle: String,
    /// The PHY's rate, 10³ bit/s; zero where nothing went by air.
    pub phy_kbps: f64,
    /// The accounts that took from it, from top to bottom.
    pub steps: Vec<Step>,
    /// Goodput, 10³ bit/s of application payload.
    pub goodput_kbps: f64,
}

/// Account of a waterfall.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Step {
    /// Name of the account.
    pub account: String,
    /// Cost of the account, 10³ bit/s.
    pub kbps: f64,
    /// Its share of the air, 0 to 1.
    pub share: f64,
}

/// Height of a bar.
const BAR: f64 = 18.0;
/// Width of the columns of figures at the right: kbps, share.
const FIGURES: f64 = 170.0;
/// Width of that of kbps.
const KBPS: f64 = 90.0;
/// Widest column of names.
const NAMES_MAX: f64 = 250.0;
/// Part of the width that names have at most.
const NAMES_PART: f64 = 0.34;

/// A bar of the figure.
struct Bar<'a> {
    name: &'a str,
    class: &'static str,
    from: f64,
    to: f64,
    kbps: String,
    share: String,
}

impl Waterfall {
    pub(crate) fn drawn(&self, width: f64) -> Drawn {
        let mut paper = Paper::titled(width, &self.title, &self.subtitle);
        // The bars are the shares, to scale.
        let has_shares = !paper.is_narrow();
        let bars = self.bars();
        let longest = bars.iter().map(|bar| bar.name.chars().count()).max().unwrap_or(0) as f64;
        let left = MARGIN + (longest * LETTER).min(NAMES_MAX).min(width * NAMES_PART) + 12.0;
        let right = width - MARGIN - if has_shares { FIGURES } else { KBPS };
        let scale = Scale::of(Spacing::Linear, bars.iter().flat_map(|bar| [bar.from, bar.to]));
        let x = |kbps: f64| left + scale.place(kbps).unwrap_or(0.0) * (right - left);
        paper.y += 18.0;
        paper.text(right + KBPS, paper.y, "small end", "kbps");
        if has_shares {
            paper.text(width - MARGIN, paper.y, "small end", "share of air");
        }
        paper.y += 8.0;
        let top = paper.y;
        let names: Vec<Vec<String>> = bars.iter().map(|bar| lines(bar.name, left - MARGIN - 12.0, LETTER, 2)).collect();
        let heights: Vec<f64> = names.iter().map(|name| 8.0 + BAR.max(name.len() as f64 * LINE)).collect();
        let floor = top + heights.iter().sum::<f64>() + 4.0;
        scale::across(&mut paper, &scale, (left, right), (top, floor), "kbps (10³ bit/s)");
        let mut y = top + 4.0;
        for ((bar, name), height) in bars.iter().zip(&names).zip(&heights) {
            for (number, line) in name.iter().enumerate() {
                paper.text(left - 12.0, y + 13.5 + number as f64 * LINE, "end", line);
            }
            let says = format!("{}: {} kbps, {}", bar.name, bar.kbps, bar.share);
            paper.bar((x(bar.from), x(bar.to)), (y, BAR), bar.class, says.trim_end_matches([',', ' ']));
            paper.text(right + KBPS, y + 13.5, "end", &bar.kbps);
            if has_shares {
                paper.text(width - MARGIN, y + 13.5, "end", &bar.share);
            }
            // The next bar begins where this one ends.
            if bar.class != "kept" {
                paper.line("link", &format!("M{0:.1} {1:.1}v{2:.1}", x(bar.to), y + BAR, height - BAR));
            }
            y += height;
        }
        paper.finish()
    }

    fn bars(&self) -> Vec<Bar<'_>> {
        let by_air = self.phy_kbps > 0.0;
        let percent = |share: f64| if by_air { format!("{:.1} %", 100.0 * share) } else { String::new() };
        let end = |name, class, kbps: f64, share| Bar {
            name,
            class,
            from: 0.0,
            to: kbps,
            kbps: figure(kbps),
            share: percent(share),
        };
        let mut bars = Vec::new();
        if by_air {
            bars.push(end("PHY rate", "whole", self.phy_kbps, 1.0));
        }
        let mut left = self.phy_kbps;
        for Step { account, kbps, share } in &self.steps {
            let to = (left - kbps).max(0.0);
            let (name, kbps) = (account.as_str(), format!("−{}", figure(*kbps)));
            bars.push(Bar { name, class: "loss", from: left, to, kbps, share: percent(*share) });
            left = to;
        }
        bars.push(end("goodput", "kept", self.goodput_kbps, self.goodput_kbps / self.phy_kbps));
        bars
    }
}
