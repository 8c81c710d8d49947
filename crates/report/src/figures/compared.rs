//! Comparisons: the change of each figure, or of each pair of points, with its interval and what is too little to count.

use airtime_figures::{Band, Dot, Figure, Row, Rows};
use airtime_lab::compare::{Booked, Books, Compared, Comparison, Verdict, signed};

use super::grid::{ROWS_MAX, left_out};

/// Figures of comparisons that were judged by a threshold in per cent: of one the change of each figure, and where the time went; of several
/// a row each.
pub fn compared(found: &[Comparison], threshold_pct: f64) -> Vec<Figure> {
    match found {
        [] => Vec::new(),
        [one] => [Some(figures(one, threshold_pct)), one.books.as_ref().and_then(|books| accounts(one, books))]
            .into_iter()
            .flatten()
            .collect(),
        several => vec![pairs(several, threshold_pct)],
    }
}

/// A row for each figure of one comparison.
fn figures(found: &Comparison, threshold_pct: f64) -> Figure {
    let at = if found.point.is_empty() { String::new() } else { format!(" at {}", found.point) };
    let row = |one: &Compared| Row {
        name: format!("{}: {} → {}", one.figure, one.value(one.a), one.value(one.b)),
        dots: vec![change(one)],
        says: says(one),
    };
    let shares = found.figures.iter().any(is_share);
    Figure::Rows(Rows {
        title: found.says.clone(),
        subtitle: format!("A is {}, B is {}{at}; {}", found.a, found.b, how(std::slice::from_ref(found))),
        axis: format!("change from A to B (%{})", if shares { "; of loss in points" } else { "" }),
        legend: vec!["change".to_owned()],
        band: band(threshold_pct),
        rows: found.figures.iter().take(ROWS_MAX).map(row).collect(),
    })
}

/// A row for each of several comparisons: the figure that the verdict of each is about.
fn pairs(found: &[Comparison], threshold_pct: f64) -> Figure {
    let same_b = found.iter().all(|one| one.b == found[0].b);
    let name = |one: &Comparison| match (same_b, one.point.as_str()) {
        (_, "") => one.b.clone(),
        (true, point) => point.to_owned(),
        (false, point) => format!("{} at {point}", one.b),
    };
    let row = |one: &Comparison| Row {
        name: name(one),
        dots: vec![one.figures.first().and_then(change)],
        says: one.figures.first().map(says).unwrap_or_default(),
    };
    let firsts = || found.iter().filter_map(|one| one.figures.first());
    let same_figure = firsts().all(|one| Some(&one.figure) == firsts().next().map(|first| &first.figure));
    let of = firsts().next().filter(|_| same_figure).map(|first| format!(" of {}", first.figure));
    let unit = if firsts().all(is_share) { "points" } else { "%" };
    let b = if same_b { found[0].b.as_str() } else { "Others" };
    Figure::Rows(Rows {
        title: format!("{b} beside {}: {}", found[0].a, verdicts(found)),
        subtitle: format!("A is {}; {}{}", found[0].a, how(found), left_out(found.len())),
        axis: format!("change{} from A to B ({unit})", of.unwrap_or_default()),
        legend: vec!["change".to_owned()],
        band: band(threshold_pct),
        rows: found.iter().take(ROWS_MAX).map(row).collect(),
    })
}

/// `worse in 4 of 5 pairs, the same in 1`.
fn verdicts(found: &[Comparison]) -> String {
    const ALL: [(Verdict, &str); 5] = [
        (Verdict::Better, "better"),
        (Verdict::Worse, "worse"),
        (Verdict::Same, "the same"),
        (Verdict::Differs, "another"),
        (Verdict::Depends, "not decided"),
    ];
    let count = |verdict: Verdict| found.iter().filter(|one| one.verdict == verdict).count();
    let those = ALL.into_iter().map(|(verdict, word)| (count(verdict), word)).filter(|(count, _)| *count > 0);
    let of_all = |position: usize| if position == 0 { format!(" of {} pairs", found.len()) } else { String::new() };
    let clauses: Vec<String> =
        those.enumerate().map(|(position, (count, word))| format!("{word} in {count}{}", of_all(position))).collect();
    clauses.join(", ")
}

fn how(found: &[Comparison]) -> String {
    let runs = found.iter().filter(|one| !one.exact).map(|one| one.repeats).max();
    match runs {
        None => "nothing is drawn at random: differences are exact".to_owned(),
        Some(1) => "a pair of runs".to_owned(),
        Some(runs) => {
            format!("up to {runs} pairs of runs with the same seeds, and the interval of what they differ by")
        }
    }
}

fn band(threshold_pct: f64) -> Option<Band> {
    let says = format!("up to ±{threshold_pct} % is the same");
    (threshold_pct > 0.0).then_some(Band { low: -threshold_pct, high: threshold_pct, says })
}

fn is_share(one: &Compared) -> bool {
    one.unit == "%"
}

/// Change from the first to the second, in per cent; of a share, in points. None where the first is nothing and the second is not.
fn change(one: &Compared) -> Option<Dot> {
    let per_cent = |ratio: f64| 100.0 * (ratio - 1.0);
    let (value, ends) = match one.ratio {
        _ if is_share(one) => (one.difference, one.difference_low.zip(one.difference_high)),
        Some(ratio) => (per_cent(ratio), one.low.zip(one.high).map(|(low, high)| (per_cent(low), per_cent(high)))),
        None if one.difference == 0.0 => (0.0, None),
        None => return None,
    };
    let range = ends.map(|(low, high)| (rounded(low), rounded(high))).filter(|(low, high)| low < high);
    Some(Dot { value: rounded(value), range })
}

/// To a hundredth, and never a negative nothing.
fn rounded(pct: f64) -> f64 {
    (pct * 100.0).round() / 100.0 + 0.0
}

fn says(one: &Compared) -> String {
    let by = match one.difference {
        0.0 => return "the same".to_owned(),
        by if is_share(one) => format!("{by:+.2} points"),
        _ => one.times(),
    };
    format!("{by}, {}", one.verdict.word())
}

/// A row for each account that either has, the one that differs most first; none where all are alike.
fn accounts(found: &Comparison, books: &Books) -> Option<Figure> {
    let differs = |[a, b]: [f64; 2]| (b - a).abs();
    let mut rows: Vec<(&Booked, [f64; 2])> = books
        .accounts
        .iter()
        .filter(|booked| booked.a_ns > 0 || booked.b_ns > 0)
        .map(|booked| (booked, books.each_ns(booked)))
        .collect();
    rows.sort_by(|one, other| differs(other.1).total_cmp(&differs(one.1)));
    let (first, _) = rows.first().filter(|(_, each)| differs(*each) > 0.0)?;
    let because = found.figures.first().map(|first| first.because.clone()).filter(|because| !because.is_empty());
    let longest = rows.iter().flat_map(|(_, each)| each).fold(0.0, |longest: f64, ns| longest.max(*ns));
    let (unit, of_unit) = if longest >= 1e6 { ("ms", 1e6) } else { ("µs", 1e3) };
    let dot = |ns: f64| Some(Dot { value: (ns / of_unit * 1e3).round() / 1e3, range: None });
    let row = |(booked, [a, b]): &(&Booked, [f64; 2])| Row {
        name: booked.account.clone(),
        dots: vec![dot(*a), dot(*b)],
        says: signed(b - a),
    };
    let phrase = books.per.phrase();
    Some(Figure::Rows(Rows {
        title: because.unwrap_or_else(|| books.says(first)),
        subtitle: format!("where the time went: A is {}, B is {}", found.a, found.b),
        axis: format!("time of the account ({unit} {phrase})"),
        legend: vec!["A".to_owned(), "B".to_owned()],
        band: None,
        rows: rows.iter().take(ROWS_MAX).map(row).collect(),
    }))
}
