//! Comparisons as build servers read them: JUnit's XML, annotations of GitHub, Bencher's metrics.

use std::fmt::Write as _;
use std::io;

use airtime_lab::compare::{Checked, Comparison, State, Verdict};
use serde_json::{Map, Value, json};

use super::title;

/// Writes a suite with a case for each condition of each comparison, or for each figure where there are no conditions, as JUnit's XML.
///
/// # Errors
/// When `out` cannot be written.
pub fn junit(found: &[Comparison], out: &mut dyn io::Write) -> io::Result<()> {
    let (mut cases, mut tests, mut failures, mut skipped) = (String::new(), 0, 0, 0);
    let mut case = |class: &str, name: &str, body: &str| {
        tests += 1;
        failures += usize::from(body.starts_with("<failure"));
        skipped += usize::from(body.starts_with("<skipped"));
        let (class, name) = (escaped(class), escaped(name));
        let _ = writeln!(cases, "    <testcase classname=\"{class}\" name=\"{name}\">{body}</testcase>");
    };
    for one in found {
        let class = title(one);
        for checked in &one.conditions {
            case(&class, &checked.condition, &body(checked));
        }
        for figure in one.figures.iter().filter(|_| one.conditions.is_empty()) {
            let says = escaped(&format!("{}: {}", figure.verdict.word(), figure.because));
            case(&class, &figure.figure, &format!("<system-out>{says}</system-out>"));
        }
    }
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    let counts = format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" skipped=\"{skipped}\"");
    writeln!(out, "<testsuites {counts}>\n  <testsuite name=\"airtime compare\" {counts}>")?;
    write!(out, "{cases}  </testsuite>\n</testsuites>\n")
}

/// Content of the case of a condition: nothing where all is well.
fn body(checked: &Checked) -> String {
    let says = escaped(&checked.says);
    match checked.state {
        State::Holds => format!("<failure message=\"{says}\">{says}</failure>"),
        State::Not => String::new(),
        State::Open | State::Absent => format!("<skipped message=\"{says}\"/>"),
    }
}

/// `text` as XML has it, without what no XML can hold.
fn escaped(text: &str) -> String {
    let allowed = |c: &char| *c >= ' ' || *c == '\n' || *c == '\t';
    let text: String = text.chars().filter(allowed).collect();
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Annotations of GitHub, a line each: an error for what has failed, a warning for what is not decided, a notice for each verdict.
pub fn github(found: &[Comparison]) -> Vec<String> {
    let mut lines = Vec::new();
    for one in found {
        let level = if one.verdict == Verdict::Worse { "warning" } else { "notice" };
        lines.push(annotation(level, &title(one), &one.says));
        for checked in &one.conditions {
            match checked.state {
                State::Holds => lines.push(annotation("error", &title(one), &checked.says)),
                State::Open | State::Absent => lines.push(annotation("warning", &title(one), &checked.says)),
                State::Not => {}
            }
        }
    }
    lines
}

/// A workflow command, with what would end one of its parts written otherwise.
fn annotation(level: &str, title: &str, says: &str) -> String {
    let data = |text: &str| text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    let property = data(title).replace(':', "%3A").replace(',', "%2C");
    format!("::{level} title={property}::{}", data(says))
}

/// Figures of the second of each comparison in Bencher's metric format: by benchmark, by measure.
pub fn bmf(found: &[Comparison]) -> Value {
    let mut benchmarks = Map::new();
    for one in found {
        let name = if one.point.is_empty() { one.b.clone() } else { format!("{} {}", one.b, one.point) };
        let measures = one.figures.iter().map(|figure| (figure.figure.clone(), json!({ "value": figure.b })));
        benchmarks.insert(name, Value::Object(measures.collect()));
    }
    Value::Object(benchmarks)
}

#[cfg(test)]
mod tests {
    use super::super::tests::sample;
    use super::*;

    fn written(found: &[Comparison]) -> String {
        let mut out = Vec::new();
        junit(found, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_condition_that_holds_is_a_failure() {
        let xml = written(&[sample()]);
        assert!(xml.contains("<testsuites tests=\"1\" failures=\"1\" errors=\"0\" skipped=\"0\">"), "{xml}");
        assert!(xml.contains("classname=\"margin beside coc &amp; nrf\" name=\"goodput &lt; -3%\""), "{xml}");
        let plain = Comparison { conditions: Vec::new(), ..sample() };
        assert!(written(&[plain]).contains("tests=\"2\" failures=\"0\""));
    }

    #[test]
    fn annotations_are_commands_of_one_line() {
        let lines = github(&[sample()]);
        assert_eq!(lines.len(), 2, "{lines:?}");
        assert!(lines[0].starts_with("::warning title=margin beside coc & nrf::margin is worse"), "{lines:?}");
        assert!(lines[1].starts_with("::error title=margin beside coc & nrf::goodput < -3%25: "), "{lines:?}");
        assert_eq!(annotation("error", "a: b, c", "x\ny"), "::error title=a%3A b%2C c::x%0Ay");
    }

    #[test]
    fn metrics_are_those_of_the_second() {
        assert_eq!(bmf(&[sample()])["margin"]["goodput"]["value"], 498.1);
    }
}
