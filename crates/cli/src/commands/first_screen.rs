//! The first screen, which the bare command shows: a line for each kind of link, from runs made on the spot, then the questions to go
//! on with. The long tour is `airtime run`.

use std::io::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};

use airtime_lab::{Document, Library, Plan, Point, Record, run};
use airtime_report::{Explanation, Glimpse, Sheet, SheetKind, Shown, glimpses, questions, way_up};
use airtime_study::{Depth, Sweep};

use crate::catalog;
use crate::exit::{Exit, Failure};
use crate::interrupt;
use crate::output::{self, Form};
use crate::request::Manner;
use airtime_study::request::{Selected, single};

/// Plan of one kind of link, and what is run of it.
struct Opening {
    link: &'static str,
    plan: &'static str,
    point: Option<&'static str>,
    set: &'static [(&'static str, &'static str)],
}

/// Less than a plan says itself: its figure is the same to a percent or so, and the answer is there at once.
const SHORTER: &[(&str, &str)] = &[("run.duration", "2s"), ("run.warmup", "500ms"), ("run.repeat", "1")];

const fn opening(link: &'static str, plan: &'static str) -> Opening {
    Opening { link, plan, point: None, set: SHORTER }
}

/// A plan for each kind of link.
const OPENINGS: [Opening; 6] = [
    opening("BLE channel", "coc-mac"),
    opening("BLE GATT", "gatt-notify"),
    // Calls end a run when they are over.
    Opening { point: Some("echo_roundtrip"), set: &[], ..opening("BLE calls", "rpc-bench") },
    opening("nRF24L01+", "nrf24-legacy"),
    opening("ESP-hosted", "wifi-udp-tx"),
    opening("802.15.4", "ieee802154"),
];

/// Number among [`OPENINGS`] of the plan whose ladder is shown: the one that no question below is about.
const CLIMBED: usize = 3;

/// Title above the lines, which says what was run.
const TITLE: &str = "Where did my throughput go? Each plan just run for 2 s, rpc-bench for 50 calls:";

/// Users of each other kind of link, and the command that says why theirs is slow.
const QUESTIONS: [(&str, &str); 5] = [
    ("a phone, a computer", "airtime explain coc-mac --set central.personality=iphone"),
    ("a board", "airtime explain coc-nrf"),
    ("ESP-hosted Wi-Fi", "airtime explain wifi-tcp-tx"),
    ("remote calls (RPC)", "airtime explain rpc-bench --point echo_roundtrip"),
    ("802.15.4", "airtime explain ieee802154"),
];

/// Commands for everything else.
const MORE: &str = "airtime run: the tour; airtime accounts, airtime keys: every word; airtime help";

/// Shows the first screen; in other forms than text, the records behind it.
pub fn first(manner: Manner) -> Result<Exit, Failure> {
    let cancel = interrupt::listen()?;
    let plans = OPENINGS.iter().map(shortened).collect::<Result<Vec<_>, _>>()?;
    let points = plans.iter().zip(&OPENINGS).enumerate().map(|(plan, (parsed, opening))| {
        let one = std::slice::from_ref(parsed);
        single(one, opening.point, "shown").map(|point| Selected { plan, ..point })
    });
    let points = points.collect::<Result<Vec<_>, _>>()?;
    let records = records(&plans, &points, cancel);
    if manner.form == Form::Text {
        // Whoever wants quiet is not shown it.
        let climbed = match manner.quiet {
            true => None,
            false => climbed(&plans[CLIMBED], &points[CLIMBED].point(&plans)?, cancel),
        };
        show(&records, climbed.as_ref(), manner)?;
    } else {
        let of = |(plan, record): &(usize, Record)| {
            let document = Document { records: vec![record.clone()].into(), ..Document::new(&plans[*plan].name) };
            Shown::from(document)
        };
        let sheet = Sheet::new(SheetKind::Runs, records.iter().map(of));
        output::stream(|out| manner.form.exporter().export(&sheet, out))?;
    }
    Ok(if cancel.load(Ordering::SeqCst) { Exit::Interrupted } else { Exit::Ok })
}

/// The plan of a kind of link, with what is changed to be quick.
fn shortened(opening: &Opening) -> Result<Plan, Failure> {
    let set = opening.set.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
    let source = catalog::find(opening.plan, "")?;
    Ok(Plan::parse(&source.name, &source.text, &Library::builtin(), &set.collect::<Vec<_>>())?)
}

/// Record of each of `points`, by the position of its plan; one that was broken off is no figure.
fn records(plans: &[Plan], points: &[Selected], cancel: &AtomicBool) -> Vec<(usize, Record)> {
    let stop = || cancel.load(Ordering::Relaxed);
    let runner = |selected: &Selected| {
        let point = selected.point(plans).expect("what the tour runs was checked when it was read");
        let record = run::record_unless(&plans[selected.plan], &point, &stop);
        (!stop()).then_some(record)
    };
    let swept = Sweep { cancel, ..Sweep::new(points, &runner) }.run();
    swept.records.into_iter().filter_map(|(position, record)| Some((points[position].plan, record?))).collect()
}

/// Explanation of a point; none when it was broken off.
fn climbed(plan: &Plan, point: &Point, cancel: &AtomicBool) -> Option<Explanation> {
    let stop = || cancel.load(Ordering::Relaxed);
    let runner = |plan: &Plan, point: &Point| run::record_unless(plan, point, &stop);
    let explained = airtime_study::explain(plan, point, &Depth::default(), &runner, &|_| {}, cancel);
    explained.stopped.is_none().then(|| Explanation::from(explained))
}

fn show(records: &[(usize, Record)], climbed: Option<&Explanation>, manner: Manner) -> Result<(), Failure> {
    let lines: Vec<Glimpse<'_>> = records
        .iter()
        .map(|(plan, record)| Glimpse { link: OPENINGS[*plan].link, plan: OPENINGS[*plan].plan, record })
        .collect();
    let exporter = manner.form.exporter();
    output::print(&output::rendered(|out| {
        exporter.export_table(&glimpses(TITLE, &lines), out)?;
        if !manner.quiet {
            if let Some(climbed) = climbed {
                writeln!(out)?;
                exporter.export_table(&way_up(&format!("airtime explain {}", OPENINGS[CLIMBED].plan), climbed), out)?;
            }
            let mut asked = questions(&QUESTIONS);
            asked.remarks.push(MORE.to_owned());
            exporter.export_table(&asked, out)?;
        }
        Ok(())
    })?)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::arguments::{Arguments, Command};
    use crate::measure::parse;
    use crate::request::Changes;

    #[test]
    fn every_question_is_a_command_about_one_point_of_a_shipped_plan() {
        for (link, command) in QUESTIONS {
            let words = command.split(' ');
            let Some(Command::Explain(asked)) = Arguments::try_parse_from(words).unwrap().command else {
                panic!("{command}")
            };
            let changes = Changes::of(&asked.changes).unwrap();
            let plans = parse(&[catalog::find(&asked.plan, "").unwrap()], &changes).unwrap();
            let point = single(&plans, asked.changes.point.as_deref(), "explained");
            assert!(point.is_ok(), "{link}: {command}");
        }
    }
}
