//! Figures of comparisons, searches and fits that are really run: their words as snapshots.

use std::sync::atomic::AtomicBool;

use airtime_figures::document;
use airtime_lab::compare::Comparison;
use airtime_lab::run::record;
use airtime_lab::tune::{Goal, Tuned};
use airtime_lab::{Figure, Library, Plan, Point};
use airtime_study::compare::{Operand, Origin, Question, compare};
use airtime_study::fit::{Free, Measurements, RUNS_MAX, Request, end, fit, free_values};
use airtime_study::tune::{Search, free_space, tune};

use crate::figures::{compared, fitted, tuned};

const COC: &str = "link = \"ble-coc\"\ncentral.personality = \"zephyr-ll\"\nperipheral.personality = \"zephyr-ll\"\n\
    coc.credits = { initial = 10, on_connect = 10, grant = 1, every = 1 }\nrun.duration = \"1s\"\nrun.warmup = \"200ms\"\n";
const MESH: &str =
    "link = \"ieee802154\"\nieee802154.loss = { per = 0.05 }\nrun.duration = \"2s\"\nrun.warmup = \"200ms\"\n";
const FITTED: &str = "link = \"ble-coc\"\nble.phy = \"2M\"\ncoc.sdu = 492\ncoc.in_flight = 6\ncoc.tx_buffers = 6\n\
    acl.count = 6\nrun.duration = \"1s\"\nrun.warmup = \"200ms\"\n";

fn plan(text: &str, set: &[(&str, &str)]) -> (Plan, Point) {
    let set: Vec<(String, String)> = set.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect();
    let plan = Plan::parse("x.toml", text, &Library::builtin(), &set).unwrap();
    let point = plan.point(0).unwrap();
    (plan, point)
}

fn runner(plan: &Plan, point: &Point) -> airtime_lab::Record {
    record(plan, point)
}

/// Words of a picture, those for screen readers with a dot before them.
fn words(figures: &[airtime_figures::Figure]) -> String {
    let svg = document(figures, "");
    assert!(!svg.contains("NaN") && !svg.contains("inf\""), "{svg}");
    let of = |part: &str| part.split_once('>').map(|(_, rest)| rest.to_owned());
    let mut lines = Vec::new();
    for piece in svg.split("</") {
        let Some((_, opened)) = piece.rsplit_once('<') else { continue };
        match of(opened) {
            Some(text) if opened.starts_with("title") => lines.push(format!("· {text}")),
            Some(text) if opened.starts_with("text") => lines.push(text),
            _ => {}
        }
    }
    lines.join("\n")
}

fn search(text: &str, free: &[(&str, &[&str])], figure: Figure, limit: &[&str]) -> Tuned {
    let (plan, point) = plan(text, &[]);
    let values = |values: &[&str]| values.iter().map(|value| (*value).to_owned()).collect();
    let free: Vec<(String, Vec<String>)> = free.iter().map(|(key, all)| ((*key).to_owned(), values(all))).collect();
    let space = free_space(&plan, &point, &free, &[]).unwrap();
    let goal = Goal::new(figure, limit.iter().map(|limit| limit.parse().unwrap()).collect());
    tune(&plan, &point, &Search::new(&space, &goal), &runner, &|_, _| (), &AtomicBool::new(false)).unwrap()
}

fn beside(text: &str, pairs: &[[(&str, &str); 2]], question: &Question) -> Vec<Comparison> {
    let operand = |(key, value): (&str, &str)| Operand {
        name: format!("{key}={value}"),
        from: Origin::Point(Box::new(plan(text, &[(key, value)]))),
    };
    let one = |[a, b]: &[(&str, &str); 2]| {
        compare([&operand(*a), &operand(*b)], question, &runner, &|_| (), &AtomicBool::new(false)).unwrap()
    };
    pairs.iter().map(one).collect()
}

#[test]
fn a_search_is_its_front_and_the_best_beside_today() {
    let free: [(&str, &[&str]); 2] = [("coc.sdu", &["100", "492"]), ("ble.conn_interval", &["7.5ms", "15ms", "30ms"])];
    let found = search(COC, &free, Figure::Goodput, &[]);
    insta::assert_snapshot!(words(&tuned(&found)));
    // Where nothing has a delay there is no front, and the rows have the finding.
    let [airtime_figures::Figure::Chart(chart), _] = &tuned(&found)[..] else { panic!("a chart and rows") };
    let without = Tuned { front: Vec::new(), ..found.clone() };
    let [airtime_figures::Figure::Rows(rows)] = &tuned(&without)[..] else { panic!("rows alone") };
    assert_eq!(rows.title, chart.title);
    assert!(chart.series.iter().flat_map(|series| &series.marks).all(|mark| !mark.note.is_empty()));
}

#[test]
fn a_search_for_little_delay_within_a_limit_says_both() {
    let free: [(&str, &[&str]); 1] = [("ble.conn_interval", &["7.5ms", "30ms", "60ms"])];
    let found = search(COC, &free, Figure::DelayP99, &["goodput > -60%"]);
    insta::assert_snapshot!(words(&tuned(&found)));
    let none = search(COC, &free, Figure::Goodput, &["delay_p99 < 1us"]);
    let says = words(&tuned(&none));
    assert!(says.contains("none of 3 points keeps to delay_p99 &lt; 1us"), "{says}");
}

#[test]
fn one_comparison_is_the_change_of_each_figure_and_where_the_time_went() {
    let question = Question { ends: false, ..Question::default() };
    let found = beside(COC, &[[("ble.phy", "2M"), ("ble.phy", "1M")]], &question);
    insta::assert_snapshot!(words(&compared(&found, question.threshold)));
    assert_eq!(compared(&[], 1.0), []);
    let same = beside(COC, &[[("ble.phy", "2M"), ("ble.phy", "2M")]], &question);
    assert_eq!(compared(&same, 1.0).len(), 1, "no account differs");
}

#[test]
fn several_comparisons_are_a_row_each_with_its_interval() {
    let question = Question { ends: false, repeats_max: 10, ..Question::default() };
    let sizes = |size: &'static str| [("ieee802154.payload", "60"), ("ieee802154.payload", size)];
    let found = beside(MESH, &[sizes("20"), sizes("116"), sizes("60")], &question);
    let drawn = compared(&found, question.threshold);
    insta::assert_snapshot!(words(&drawn));
    let [airtime_figures::Figure::Rows(rows)] = &drawn[..] else { panic!("rows alone") };
    assert!(rows.rows[0].dots[0].unwrap().range.is_some(), "chance has a part in it");
}

#[test]
fn a_fit_is_devices_by_their_errors_and_the_measured_figures_beside_them() {
    let (plan, point) = plan(FITTED, &[]);
    let mut csv = "ble.conn_interval,goodput\n".to_owned();
    for interval in ["7.5ms", "18.75ms", "50ms"] {
        let changes = [("central.personality", "macos"), ("ble.conn_interval", interval)];
        let changes = changes.map(|(key, value)| (key.to_owned(), value.into()));
        let kbps = record(&plan, &plan.vary(&point, &changes).unwrap()).goodput_kbps.median;
        csv.push_str(&format!("{interval},{kbps:.1}\n"));
    }
    let mut measured = Measurements::of(plan);
    measured.add_csv("sweep.csv", &csv, &point, &|_| Err("none".into())).unwrap();
    let central = end(&measured, Some("central")).unwrap();
    let free = [("controller.margin".to_owned(), ["200us", "281us", "400us"].map(str::to_owned).to_vec())];
    let axes = free_values(&measured, central, &free).unwrap();
    let of = |free: Free<'_>| {
        let request =
            Request { measured: &measured, end: central, noise_pct: None, free, runs_max: RUNS_MAX, threads: 0 };
        fit(&request, &|_| (), &AtomicBool::new(false)).unwrap()
    };
    let found = of(Free::These(&axes));
    insta::assert_snapshot!(words(&fitted(&found)));
    let ranked = words(&fitted(&of(Free::Nothing)));
    assert!(ranked.contains("measured and lab (kbps)") && !ranked.contains("fitted"), "{ranked}");
}
