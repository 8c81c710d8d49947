use airtime_figures::document;
use airtime_lab::Document;
use airtime_lab::explain::{Limit, SCHEMA, Turned};

use super::*;
use crate::samples;

mod decided;

fn drawn(kind: SheetKind, document: Document) -> String {
    airtime_figures::document(&figures(&Sheet::new(kind, [document])), "airtime x")
}

#[test]
fn a_run_is_a_waterfall_whose_title_is_the_finding() {
    let one = Document { records: vec![samples::booked()].into(), ..Document::new("coc") };
    let svg = drawn(SheetKind::Runs, one);
    assert!(svg.contains("<title>ifs: −400.0 kbps, 20.0 %</title>"), "{svg}");
    assert!(svg.contains("aria-label=\"the event ends before another exchange fits\""), "{svg}");
}

#[test]
fn a_grid_over_one_key_is_a_chart_and_of_words_it_is_rows() {
    let svg = drawn(SheetKind::Grid, samples::grid());
    assert!(svg.contains("Best of coc-sdu: 1312.0 kbps with coc.sdu 492"), "{svg}");
    assert!(svg.contains("<title>goodput in the lab: 1012.3 at 247, 1010.0 to 1014.6</title>"), "{svg}");
    let words = |mut document: Document| {
        let records = document.records.iter().enumerate().map(|(n, record)| {
            let params = [("ble.phy", ["1M", "2M", "coded"][n].into())].into_iter().collect();
            Record { params, ..record.into_owned() }
        });
        document.records = records.collect();
        document
    };
    let svg = drawn(SheetKind::Grid, words(samples::grid()));
    assert!(svg.contains("<title>phy coded: goodput 1190.5 (1188 to 1191)</title>"), "{svg}");
}

#[test]
fn published_points_stand_beside_the_lab_s_over_their_key() {
    let mut grid = samples::grid();
    let measured = airtime_lab::record::Measured { value: 1000.0, unit: "kbps".into(), ..Default::default() };
    let published =
        |record: std::borrow::Cow<'_, Record>| Record { measured: Some(measured.clone()), ..record.into_owned() };
    grid.records = grid.records.iter().map(published).collect();
    let svg = drawn(SheetKind::Grid, grid);
    assert!(svg.contains("<title>published: 1000.0 at 492</title>"), "{svg}");
}

#[test]
fn measured_and_lab_stand_in_a_row_with_the_error() {
    let svg = drawn(SheetKind::Field, samples::field());
    assert!(svg.contains("<title>coc-macos-492: measured 530</title>"), "{svg}");
    assert!(svg.contains("<title>coc-macos-492: lab 533.2</title>") && svg.contains(">+0.6 %<"), "{svg}");
}

#[test]
fn a_grid_of_many_points_says_what_it_does_not_show() {
    let record = |n: usize| Record { label: format!("p{n}"), ..samples::booked() };
    let many = Document { records: (0..100).map(record).collect(), ..Document::new("many") };
    let svg = drawn(SheetKind::Grid, many);
    assert!(svg.contains("the first 60 are shown, the table has all 100") && !svg.contains(">p60<"), "{svg}");
}

#[test]
fn a_ladder_marks_what_nobody_can_turn() {
    let rung = |key: &str, turnable: bool, before: f64, after: f64| Rung {
        changes: vec![Turned {
            key: key.to_owned(),
            from: 1.into(),
            to: 2.into(),
            who: if turnable { "firmware" } else { "nobody" }.to_owned(),
            ..Turned::default()
        }],
        turnable,
        applied: turnable,
        before_kbps: before,
        goodput_kbps: after,
        ..Rung::default()
    };
    let waterfall = Waterfall {
        title: "coc".to_owned(),
        ladder: vec![rung("phone.cpu", false, 100.0, 120.0), rung("acl.count", true, 100.0, 150.0)],
        limit: Some(Limit { goodput_kbps: 150.0, says: "tail".to_owned(), ..Limit::default() }),
        ..Waterfall::default()
    };
    let svg = document(&[ladder(&waterfall).unwrap()], "");
    assert!(svg.contains("From 100.0 to 150.0 kbps: +50.0 %"), "{svg}");
    assert!(svg.contains("– phone.cpu 1 → 2: 120.0 kbps +20.0 % nobody can turn it"), "{svg}");
    assert!(svg.contains("1. acl.count 1 → 2: 150.0 kbps +50.0 % firmware"), "{svg}");
    assert_eq!(ladder(&Waterfall { ladder: Vec::new(), ..waterfall }), None);
}

#[test]
fn a_page_has_its_bars_as_a_figure_alone() {
    let waterfall = Waterfall::of(&samples::booked());
    let explanation = Explanation { schema: SCHEMA, airtime: "0", waterfall, runs: 0 };
    let html = explained_page(&explanation, "airtime x").html();
    assert!(explanation.table(false).rows.iter().any(|row| row.iter().any(|cell| cell.contains('█'))));
    assert!(html.contains("<td>ifs</td>") && html.contains("<svg") && !html.contains('█'), "{html}");
}

#[test]
fn a_page_marks_the_best_of_a_grid() {
    let html = page(&Sheet::new(SheetKind::Grid, vec![samples::grid()]), "airtime x").html();
    assert!(html.contains("<td>*</td>") && html.contains("* best"), "{html}");
}
