//! Time line of a cycle as a figure.

use airtime_core::Duration;
use airtime_figures::{Figure, Lane, Span, Spent, Timeline};
use airtime_lab::time_line::{Lane as Track, STALLS, Slice, TASK, TimeLine};

/// Figure of `line`, a cycle of the run called `name`; none where nothing went on.
pub fn time_line(name: &str, line: &TimeLine) -> Option<Figure> {
    let length = line.to - line.from;
    let lanes: Vec<Lane> =
        line.lanes.iter().map(|lane| Lane { name: named(line, lane), spans: drawn(line, lane) }).collect();
    let title = finding(length, &lanes)?;
    let subtitle = format!("{name}: {} from {} on", span(length), span(line.from - airtime_core::Instant::ZERO));
    Some(Figure::Timeline(Timeline { title, subtitle, length_us: us(length), lanes }))
}

/// Name of a lane: its device and what it shows; all that is above it where that names another one as well.
fn named(line: &TimeLine, lane: &Track) -> String {
    let short = |lane: &Track| Some((lane.path.first()?.clone(), lane.path.last()?.clone()));
    let alike = line.lanes.iter().filter(|other| short(other) == short(lane)).count();
    match short(lane) {
        Some((device, own)) if alike == 1 && lane.path.len() > 1 => format!("{device}: {own}"),
        _ => lane.path.join(", "),
    }
}

fn drawn(line: &TimeLine, lane: &Track) -> Vec<Span> {
    let spent = |name: &str| match lane.path.last().map(String::as_str) {
        Some(STALLS) => Spent::Lost,
        Some(TASK) if ["SPI", "CPU"].contains(&name) => Spent::Overhead,
        Some(TASK) => Spent::Frame,
        _ => spent(name),
    };
    let of = |slice: &Slice| Span {
        from_us: us(slice.from - line.from),
        to_us: us(slice.to - line.from),
        name: slice.name.clone(),
        spent: spent(&slice.name),
    };
    lane.slices.iter().map(of).collect()
}

/// Use of the time of a slice, by the words that the traces of all links have for it.
fn spent(name: &str) -> Spent {
    const IN_VAIN: [&str; 9] =
        ["collision", "no response", "damaged", "malformed", "duplicate", "refused", "corrupted", "unheard", "cut"];
    if name == "event" {
        Spent::Frame
    } else if IN_VAIN.iter().any(|word| name.contains(word)) {
        Spent::Lost
    } else if name.ends_with("data") || name.ends_with("MPDUs") {
        Spent::Data
    } else {
        Spent::Overhead
    }
}

/// Sentence on the share of frames with data, and on the longest wait.
fn finding(length: Duration, lanes: &[Lane]) -> Option<String> {
    let spans = || lanes.iter().flat_map(|lane| &lane.spans);
    // What one end sends the other hears: the same span is in the lanes of both.
    let mut data: Vec<(u64, u64)> =
        spans().filter(|span| span.spent == Spent::Data).map(|span| (nanos(span.from_us), nanos(span.to_us))).collect();
    data.sort_unstable();
    let mut end = 0;
    let covered = data.iter().map(|(from, to)| {
        let begin = end.max(*from);
        end = end.max(*to);
        to.saturating_sub(begin)
    });
    let of_data: u64 = covered.sum();
    let share = 100.0 * of_data as f64 / length.as_nanos().max(1) as f64;
    let waits = spans().filter(|span| span.spent == Spent::Lost);
    let longest = waits.max_by(|a, b| (a.to_us - a.from_us).total_cmp(&(b.to_us - b.from_us)));
    let wait = longest.map(|wait| {
        format!("; the longest wait is {}, {}", span(Duration::from_nanos(nanos(wait.to_us - wait.from_us))), wait.name)
    });
    spans().next()?;
    Some(format!("Data is on the air for {share:.0} % of {}{}", span(length), wait.unwrap_or_default()))
}

fn nanos(us: f64) -> u64 {
    (us * 1e3).round() as u64
}

fn us(span: Duration) -> f64 {
    span.as_nanos() as f64 / 1e3
}

fn span(span: Duration) -> String {
    if us(span) >= 1e3 { format!("{:.3} ms", us(span) / 1e3) } else { format!("{:.1} µs", us(span)) }
}

#[cfg(test)]
mod tests {
    use airtime_core::Instant;

    use super::*;

    #[test]
    fn what_both_ends_show_counts_once() {
        let slice = |from, to, name: &str| Slice {
            from: Instant::from_nanos(from),
            to: Instant::from_nanos(to),
            name: name.to_owned(),
        };
        let lane = |path: &str, slices| Track { path: vec![path.to_owned()], slices };
        let line = TimeLine {
            from: Instant::from_nanos(1_000_000),
            to: Instant::from_nanos(5_000_000),
            lanes: vec![
                lane("PDUs", vec![slice(1_000_000, 2_000_000, "tx data"), slice(2_150_000, 2_194_000, "rx empty")]),
                lane("its PDUs", vec![slice(1_000_000, 2_000_000, "rx data")]),
                lane(STALLS, vec![slice(2_194_000, 5_000_000, "tail")]),
            ],
        };
        let figure = time_line("coc", &line).unwrap();
        assert_eq!(figure.title(), "Data is on the air for 25 % of 4.000 ms; the longest wait is 2.806 ms, tail");
        assert_eq!(time_line("none", &TimeLine { lanes: Vec::new(), ..line }), None);
    }
}
