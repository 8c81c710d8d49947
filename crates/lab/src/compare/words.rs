//! Sentences on a comparison.

use super::{Books, Checked, Compared, Comparison, Dependence, Ends, Estimate, State, Verdict, state};
use crate::condition::Condition;
use crate::figure::Figure;

impl Compared {
    /// The ratio in words: `1.83 ± 0.01 times`; the difference where there is no ratio.
    pub fn times(&self) -> String {
        match (self.ratio, self.low, self.high) {
            (Some(ratio), Some(low), Some(high)) => times(ratio, Some((high - ratio).max(ratio - low))),
            (Some(ratio), _, _) => times(ratio, None),
            _ => format!("{:+.1} {}", self.difference, self.unit).trim_end().to_owned(),
        }
    }

    /// Value with its unit, to a tenth where that tells anything.
    pub fn value(&self, value: f64) -> String {
        let decimals = match (self.unit, value.abs()) {
            ("" | "octets", _) => 0,
            (_, value) if value >= 100.0 || self.unit == "kbps" => 1,
            _ => 3,
        };
        format!("{value:.decimals$} {}", self.unit).trim_end().to_owned()
    }
}

/// `1.83 ± 0.01 times`: a ratio with half of its interval, where chance has a part in it.
pub fn times(ratio: f64, half: Option<f64>) -> String {
    // Less than a ten-thousandth is nothing that anybody decides by.
    match half.filter(|half| *half >= 5e-5) {
        // As many decimals as show the first digit of what is not known, but two at least.
        Some(half) => {
            let decimals = (-half.log10().floor()).clamp(2.0, 6.0) as usize;
            format!("{ratio:.decimals$} ± {half:.decimals$} times")
        }
        None if (ratio - 1.0).abs() < 0.05 => format!("{ratio:.4} times"),
        None => format!("{ratio:.2} times"),
    }
}

impl Comparison {
    /// Sentence on the first figure of `figures`, which the verdict is about.
    pub fn sentence(a: &str, b: &str, first: &Compared) -> String {
        let figure = &first.figure;
        let both = format!("{} beside {}", first.value(first.b), first.value(first.a));
        let because = if first.because.is_empty() { String::new() } else { format!("; {}", first.because) };
        match first.verdict {
            Verdict::Same if first.difference == 0.0 => {
                format!("{b} has the same {figure} as {a}: {}{because}", first.value(first.a))
            }
            Verdict::Same => format!("{b} has the same {figure} as {a}, within the threshold: {both}{because}"),
            Verdict::Depends => format!("which has the better {figure}, {a} or {b}, depends: {both}{because}"),
            verdict => format!("{b} is {}: {} the {figure} of {a}, {both}{because}", verdict.word(), first.times()),
        }
    }
}

impl Checked {
    /// State of `condition`, with its figure of both.
    pub fn of(condition: &Condition, estimate: Option<&Estimate>) -> Self {
        let state = state(condition, estimate);
        let shown = |figure: &Figure, estimate: &Estimate| {
            let compared = Compared::of(figure, estimate, true, 0.0);
            format!("{} beside {}, {}", compared.value(estimate.b), compared.value(estimate.a), compared.times())
        };
        let beside = estimate.map(|estimate| shown(&condition.figure, estimate)).unwrap_or_default();
        let says = match state {
            State::Holds => format!("{condition}: {beside}"),
            State::Not => format!("not {condition}: {beside}"),
            State::Open => format!("{condition}: not decided with these repeats, {beside}"),
            State::Absent => format!("{condition}: these runs have no {}", condition.figure),
        };
        Self { condition: condition.to_string(), state, says }
    }
}

impl Ends {
    /// Clause on them: `better at all 12 ends of what is assumed`, or what it depends on; none where none were run.
    pub fn says(&self, verdict: Verdict) -> Option<String> {
        if self.run == 0 {
            return None;
        }
        let Some(first) = self.depends_on.first() else {
            let corners = if self.run == 1 { "the corner".to_owned() } else { format!("all {} corners", self.run) };
            return Some(format!("{} at {corners} of what is assumed", verdict.word()));
        };
        let mut others: Vec<&str> = self.depends_on.iter().map(|one| one.on.as_str()).collect();
        others.dedup();
        let others: Vec<&str> = others.into_iter().filter(|on| *on != first.on).collect();
        let and = if others.is_empty() { String::new() } else { format!(", and on {}", others.join(", ")) };
        let Dependence { on, at, change_pct, .. } = first;
        Some(format!("depends on {on}: {} at {at} ({change_pct:+.1} %){and}", first.verdict.word()))
    }
}

/// Reason of a verdict as a clause, for a figure that the air has books on: another rate of the air, and the account that has most more or less of
/// the time.
pub fn because(books: Option<&Books>, verdict: Verdict) -> Option<String> {
    let books = books?;
    let better = match verdict {
        Verdict::Better => true,
        Verdict::Worse => false,
        _ => return None,
    };
    let account = books.leading(better).map(|booked| books.says(booked));
    let clauses: Vec<String> = [books.rate(better), account].into_iter().flatten().collect();
    (!clauses.is_empty()).then(|| clauses.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compared(estimate: &Estimate, exact: bool) -> Compared {
        Compared::of(&Figure::Goodput, estimate, exact, 1.0)
    }

    #[test]
    fn a_ratio_is_as_exact_as_what_is_known() {
        assert_eq!(times(1.834, Some(0.012)), "1.83 ± 0.01 times");
        assert_eq!(times(1.0041, Some(0.0007)), "1.0041 ± 0.0007 times");
        assert_eq!((times(1.834, None), times(0.98765, None)), ("1.83 times".into(), "0.9877 times".into()));
    }

    #[test]
    fn sentences_name_both_and_the_figure() {
        let mut better = compared(&Estimate::exact(530.2, 970.1), true);
        better.because = "tail −1.90 ms an event".into();
        assert_eq!(
            Comparison::sentence("15ms", "30ms", &better),
            "30ms is better: 1.83 times the goodput of 15ms, 970.1 kbps beside 530.2 kbps; tail −1.90 ms an event"
        );
        let same = Comparison::sentence("a", "b", &compared(&Estimate::exact(5.0, 5.0), true));
        assert_eq!(same, "b has the same goodput as a: 5.0 kbps");
        let open = Estimate { a: 100.0, b: 101.0, difference: [-3.0, 5.0], ratio: Some([0.97, 1.05]) };
        assert!(Comparison::sentence("a", "b", &compared(&open, false)).starts_with("which has the better goodput"));
    }

    #[test]
    fn conditions_say_what_they_met() {
        let condition: Condition = "goodput < -3%".parse().unwrap();
        let says = |b: f64| Checked::of(&condition, Some(&Estimate::exact(100.0, b))).says;
        assert_eq!(says(90.0), "goodput < -3%: 90.0 kbps beside 100.0 kbps, 0.90 times");
        assert_eq!(says(99.0), "not goodput < -3%: 99.0 kbps beside 100.0 kbps, 0.9900 times");
        assert_eq!(Checked::of(&condition, None).says, "goodput < -3%: these runs have no goodput");
    }

    #[test]
    fn ends_say_on_what_it_depends() {
        let mut ends = Ends { run: 12, depends_on: Vec::new() };
        assert_eq!(ends.says(Verdict::Better).unwrap(), "better at all 12 corners of what is assumed");
        let on =
            |on: &str, at: &str| Dependence { on: on.into(), at: at.into(), change_pct: -3.0, verdict: Verdict::Worse };
        ends.depends_on = vec![on("host.latency of macos", "400us"), on("acl_count of macos", "4")];
        assert_eq!(
            ends.says(Verdict::Better).unwrap(),
            "depends on host.latency of macos: worse at 400us (-3.0 %), and on acl_count of macos"
        );
        assert_eq!(Ends::default().says(Verdict::Better), None);
    }
}
