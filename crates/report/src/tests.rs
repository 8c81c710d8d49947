//! What people see, as snapshots: a change of layout is a readable difference.

mod widths;

use std::borrow::Cow;

use airtime_lab::Record;
use airtime_lab::explain::{Limit, Rung, Turned};
use insta::assert_snapshot;
use serde_json::json;

use crate::samples::{booked, field, grid, single};
use crate::{Csv, Export, Json, Markdown, Sheet, SheetKind, Shown, Text, Waterfall, waterfall};

fn export(form: &dyn Export, sheet: &Sheet) -> String {
    let mut out = Vec::new();
    form.export(sheet, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn single_runs_share_a_table() {
    let documents = [single("coc-mac", 530.1), single("coc-nrf", 1285.0)];
    assert_snapshot!(export(&Text::default(), &Sheet::new(SheetKind::Runs, documents)));
}

#[test]
fn a_grid_marks_its_best_row() {
    assert_snapshot!(export(&Text::default(), &Sheet::new(SheetKind::Grid, [grid()])));
}

/// A sweep over personalities and credits: the receiver's MPS comes with the personality, and nobody chose it.
fn brought_along() -> airtime_lab::Document {
    let of = |personality: &str, grant: u64, mps: u64| Record {
        params: [
            ("central.personality", personality.into()),
            ("coc.mps", mps.into()),
            ("coc.credits.initial", 10.into()),
            ("coc.credits.grant", grant.into()),
        ]
        .into_iter()
        .collect(),
        ..booked()
    };
    airtime_lab::Document { records: vec![of("macos", 1, 1251), of("zephyr-ll", 2, 247)].into(), ..grid() }
}

fn headings(shown: Shown, after: &str) -> Vec<String> {
    let mut tables = Sheet::new(SheetKind::Grid, [shown]).tables();
    let headings = tables.remove(0).columns.into_iter().map(|column| column.heading);
    headings.skip(1).take_while(|heading| heading != after).collect()
}

#[test]
fn a_grid_tells_what_the_plan_varies_and_not_what_follows_from_it() {
    let varied = |keys: &[&str]| {
        let varied = Some(keys.iter().map(|key| (*key).to_owned()).collect());
        headings(Shown { varied, ..brought_along().into() }, "goodput kbps")
    };
    assert_eq!(varied(&["central.personality"]), ["central.personality"]);
    assert_eq!(varied(&["central.personality", "coc.credits"]), ["central.personality", "coc.credits.grant"]);
    assert_eq!(varied(&["coc.mp"]), ["point"], "no part of a name is a name");
    let all = ["central.personality", "coc.mps", "coc.credits.grant"];
    assert_eq!(headings(brought_along().into(), "goodput kbps"), all, "records of an unknown plan");
}

#[test]
fn a_grid_of_many_keys_is_told_by_the_names_of_its_rows() {
    let of = |row: &str, key: u32, loss: f64| Record {
        id: format!("{row}/nrf24.loss.per={loss}"),
        params: (0..7)
            .map(|n| (format!("key.{n}"), json!(n == key)))
            .chain([("nrf24.loss.per".into(), loss.into())])
            .collect(),
        ..booked()
    };
    let records = (0..7).flat_map(|key| [0.0, 0.02].map(|loss| of(&format!("row-{key}"), key, loss))).collect();
    let mut document = airtime_lab::Document { records, ..grid() };
    assert_eq!(headings(document.clone().into(), "goodput kbps"), ["row", "nrf24.loss.per"]);
    let nameless = |record: Cow<'_, Record>| Record { id: "grid/x".into(), ..record.into_owned() };
    document.records = document.records.iter().map(nameless).collect();
    assert_eq!(headings(document.into(), "goodput kbps").len(), 8, "without names the keys have to do");
}

#[test]
fn a_grid_of_thousands_has_a_row_for_each_of_the_best() {
    // Goodput rises and falls: the highest stand in the middle, in their order, and behind them what failed.
    let of = |count: i64| {
        let record = |n: i64| Record {
            id: format!("x/{n:04}"),
            outcome: if n % 7 == 0 { "failed".into() } else { booked().outcome },
            goodput_kbps: airtime_lab::record::Goodput::of(&[10.0 + (1000 - (n - 1000).abs()) as f64]),
            ..booked()
        };
        let records = (0..count).map(record).collect();
        Sheet::new(SheetKind::Grid, [airtime_lab::Document { records, ..grid() }]).tables().remove(0)
    };
    assert_eq!(of(2_000).rows.len(), 2_000);
    let table = of(2_001);
    let points: Vec<i64> = table.rows.iter().map(|row| row[1][2..].parse().unwrap()).collect();
    assert_eq!(points.len(), 100);
    assert!(points.is_sorted() && points.contains(&1_000), "{points:?}");
    assert_eq!(
        points.iter().filter(|n| **n < 1_000).count().abs_diff(points.iter().filter(|n| **n > 1_000).count()),
        1
    );
    assert!(points.iter().all(|n| n % 7 != 0 && (n - 1_000).abs() < 62), "{points:?}");
    let marks: Vec<usize> = (0..100).filter(|row| table.rows[*row][0] == *"*").collect();
    assert_eq!(marks.iter().map(|row| points[*row]).collect::<Vec<_>>(), [1_000]);
    let said = "the 100 with the highest goodput of 2001 points: --csv and --json have all of them";
    assert_eq!(table.remarks, ["* best", said]);
}

#[test]
fn a_grid_over_links_names_them() {
    let mut document = grid();
    let mut records: Vec<Record> = document.records.iter().map(Cow::into_owned).collect();
    records[1].link = "ble-gatt".into();
    document.records = records.into();
    let shown = Shown { varied: Some(vec!["link".into()]), ..document.into() };
    assert_eq!(headings(shown, "goodput kbps"), ["link"]);
}

#[test]
fn what_the_application_wants_is_set_against_what_it_gets() {
    let shown = [530.0, 1285.0].map(|kbps| Shown { need_kbps: Some((600.0, 600.0)), ..single("coc", kbps).into() });
    let text = export(&Text::default(), &Sheet::new(SheetKind::Runs, shown));
    assert!(text.contains("−11.7 %") && text.contains("+114.2 %"), "{text}");
}

#[test]
fn runs_show_each_plan_as_what_it_is() {
    let documents = [single("coc-mac", 530.1), grid(), field()];
    assert_snapshot!(export(&Text::default(), &Sheet::new(SheetKind::Runs, documents)));
}

#[test]
fn field_rows_stand_beside_their_measurements() {
    assert_snapshot!(export(&Text::default(), &Sheet::new(SheetKind::Field, [field()])));
}

#[test]
fn markdown_escapes_what_would_end_a_cell() {
    let text = export(&Markdown, &Sheet::new(SheetKind::Field, [field()]));
    assert!(text.contains("no figure \\| logged"), "{text}");
    assert_snapshot!(text);
}

#[test]
fn csv_has_a_line_per_record_and_the_same_columns_in_each() {
    let text = export(&Csv, &Sheet::new(SheetKind::Runs, [grid(), field()]));
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    assert!(reader.headers().unwrap().iter().any(|heading| heading == "ledger_ns.tail"));
    assert_eq!(reader.records().map(|record| record.unwrap().len()).collect::<Vec<_>>(), [43; 7]);
    assert_snapshot!(export(&Csv, &Sheet::new(SheetKind::Runs, [grid()])));
}

#[test]
fn csv_of_a_table_has_the_minus_that_programs_read() {
    let mut out = Vec::new();
    Csv.export_table(&waterfall(&Waterfall::of(&booked())), &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert!(text.contains(",-") && !text.contains('−'), "{text}");
}

#[test]
fn json_is_one_document_that_reads_back() {
    let documents = [single("coc-mac", 530.1), grid()];
    let text = export(&Json, &Sheet::new(SheetKind::Runs, documents));
    assert!(text.ends_with("}\n"));
    let read: airtime_lab::Document = serde_json::from_str(&text).unwrap();
    assert_eq!((read.plan.as_str(), read.records.len()), ("coc-mac, coc-sdu", 4));
    assert_eq!(read.records.iter().skip(1).map(Cow::into_owned).collect::<airtime_lab::Records>(), grid().records);
}

#[test]
fn json_of_packed_records_is_that_of_records_in_a_list() {
    let base = booked();
    let of = |count: u64| (0..count).map(|seed| Record { seed, label: format!("seed {seed}"), ..base.clone() });
    let documents = [(300, "one", None), (2, "two", Some("a note"))].map(|(count, plan, note)| airtime_lab::Document {
        records: of(count).collect(),
        note: note.map(str::to_owned),
        remarks: vec!["a remark".into()],
        ..airtime_lab::Document::new(plan)
    });
    let listed = airtime_lab::Document {
        note: Some("a note".into()),
        remarks: vec!["one: a remark".into(), "two: a remark".into()],
        ..airtime_lab::Document::new("one, two")
    };
    let listed = listed.with(of(300).chain(of(2)).collect::<Vec<_>>());
    let written = export(&Json, &Sheet::new(SheetKind::Runs, documents));
    assert_eq!(written, serde_json::to_string_pretty(&listed).unwrap() + "\n");
}

/// The best row, a column that only one row fills and a name that only one record has lie behind the first block.
#[test]
fn tables_of_packed_records_have_what_only_late_ones_have() {
    let record = |n: u32| {
        let mut record = grid().records.iter().next().unwrap().into_owned();
        record.params.set("coc.sdu", n.into());
        record.goodput_kbps.median = f64::from(1_000 + n % 599);
        record.accepted_kbps = (n == 598).then_some(2_000.0);
        record.counters.set(if n == 598 { "late" } else { "early" }, 1);
        record
    };
    let documents = || [airtime_lab::Document { records: (0..600).map(record).collect(), ..grid() }];
    let sheet = Sheet::new(SheetKind::Grid, documents());
    let table = sheet.tables().remove(0);
    let place = |heading: &str| table.columns.iter().position(|column| column.heading == heading).unwrap();
    let marked: Vec<usize> = (0..600).filter(|row| &table.rows[*row][0] == "*").collect();
    assert_eq!(
        (marked, &table.rows[598][place("accepted")], &table.rows[597][place("accepted")]),
        (vec![598], "2000.0", "")
    );
    assert_eq!((table.rows.len(), &table.rows[599][place("coc.sdu")]), (600, "599"));
    let csv = export(&Csv, &sheet);
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    assert_eq!(reader.headers().unwrap().iter().next_back(), Some("counters.late"));
    let last: Vec<String> = reader.records().map(|line| line.unwrap().iter().next_back().unwrap().to_owned()).collect();
    assert_eq!((last.len(), last[598].as_str(), last[599].as_str()), (600, "1", ""));
}

#[test]
fn json_of_a_field_comparison_has_its_totals() {
    let text = export(&Json, &Sheet::new(SheetKind::Field, [field()]));
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["schema"], "airtime/run/1");
    assert_eq!((&value["totals"]["rows"], &value["totals"]["compared"]), (&4.into(), &2.into()));
}

#[test]
fn sources_have_totals_of_their_own() {
    let nrf24 = airtime_lab::Document { plan: "nrf24_ip".into(), ..field() };
    let sheet = Sheet::new(SheetKind::Field, [field(), nrf24]);
    let totals = |table: &crate::Table| table.remarks.iter().filter(|line| line.starts_with("rows: 4 in all")).count();
    assert_eq!(sheet.tables().iter().map(totals).collect::<Vec<_>>(), [1, 1]);
    let value: serde_json::Value = serde_json::from_str(&export(&Json, &sheet)).unwrap();
    assert_eq!(value["totals"]["rows"], 8);
    for source in ["ble-coc", "nrf24_ip"] {
        assert_eq!(value["totals_by_source"][source]["compared"], 2, "{source}");
    }
}

#[test]
fn a_radio_that_agrees_on_nothing_has_the_rate_of_its_plan() {
    for (rate, kbps) in [("250k", 250.0), ("1M", 1_000.0), ("2M", 2_000.0)] {
        let counters =
            [("frames.up", 1_000), ("frames_lost.up", 30), ("ip_packets_in.up", 400), ("overrun_ns", 1_500_000_000)];
        let record = airtime_lab::Record {
            link: "nrf24-ip".into(),
            negotiated: None,
            params: [("nrf24.rate", rate.into())].into_iter().collect(),
            counters: counters.into_iter().collect(),
            steady_ns: 445_000_000,
            ..booked()
        };
        let waterfall = Waterfall::of(&record);
        assert!((waterfall.phy_kbps - kbps).abs() < 1e-9, "{rate}");
        assert_eq!(waterfall.facts[0], "frames up: 1000, one every 445 us, 30 of them for nobody");
        assert_eq!(waterfall.facts[1], "IP packets up: 0 of 400 came through");
        assert_eq!(waterfall.facts[2], "the last packet came 1.50 s after the end of the test");
    }
}

#[test]
fn a_waterfall_falls_from_the_phy_rate_to_goodput() {
    let turned = Turned {
        set: "coc.sdu=1723".into(),
        key: "coc.sdu".into(),
        from: 492.into(),
        to: 1723.into(),
        who: "firmware".into(),
    };
    let rung = Rung {
        mechanisms: vec!["packet"],
        says: "each exchange carries 27 of 251 octets".into(),
        account: Some("ifs".into()),
        set: vec![turned.set.clone()],
        changes: vec![turned],
        turnable: true,
        applied: true,
        before_kbps: 1_372.0,
        goodput_kbps: 1_400.0,
        costs: vec!["delay p99 12.1 → 48.0 ms".into()],
        ..Rung::default()
    };
    let limit = Limit { goodput_kbps: 1_400.0, account: "ifs".into(), says: "the link is saturated.".into() };
    let explained = Waterfall { ladder: vec![rung], limit: Some(limit), ..Waterfall::of(&booked()) };
    let lost: f64 = explained.steps.iter().map(|step| step.kbps).sum();
    assert!((explained.phy_kbps - lost - explained.goodput_kbps).abs() < 1e-9, "the books balance");
    let mut out = Vec::new();
    Text::default().export_table(&waterfall(&explained), &mut out).unwrap();
    assert_snapshot!(String::from_utf8(out).unwrap());
}

#[test]
fn a_run_that_never_connected_has_a_waterfall_without_water() {
    let table = waterfall(&Waterfall::of(&airtime_lab::Record::default()));
    assert_eq!(table.rows, [["goodput", "0.0", ""]]);
    assert!(table.remarks.iter().any(|remark| remark.contains("nothing was carried by air")));
}

#[test]
fn a_waterfall_ends_at_the_goodput_of_the_record_and_says_what_the_books_lack() {
    let mut record = booked();
    let carried = Waterfall::of(&record).goodput_kbps;
    record.goodput_kbps.median = carried * 1.05;
    let early = Waterfall::of(&record);
    assert!((early.goodput_kbps - carried * 1.05).abs() < 1e-9);
    assert!(early.facts.iter().any(|fact| fact.ends_with("kbps had been on the air before the time that is measured")));
    record.goodput_kbps.runs = 4;
    assert!(
        Waterfall::of(&record).facts.iter().any(|fact| fact.starts_with("the accounts are those of one of 4 runs"))
    );
}

#[test]
fn every_column_of_a_sheet_has_a_legend() {
    let sheets = [
        Sheet::new(SheetKind::Runs, [single("coc-mac", 530.1), grid(), field()]),
        Sheet::new(SheetKind::Grid, [grid()]),
        Sheet::new(SheetKind::Field, [field()]),
    ];
    let tables = sheets.iter().flat_map(Sheet::tables).chain([waterfall(&Waterfall::of(&booked()))]);
    let headings = tables.flat_map(|table| table.columns).map(|column| column.heading);
    for heading in headings.filter(|heading| !heading.is_empty()) {
        let known = crate::legend::COLUMNS.iter().any(|(word, _)| *word == heading);
        let key = airtime_lab::schema::find(&heading).is_some();
        assert!(known || key, "`{heading}` has no line in report/src/legend.rs");
    }
}
