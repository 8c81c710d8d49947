//! Records as rows: the schema, the types of keys, what does not fit.

use airtime_columns::{BATCH, Columns, Row, Rows, SCHEMA, SCHEMA_KEY, Unfit};
use airtime_lab::{Document, Record};
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use serde_json::{Value, json};

fn with_params(params: &[(&str, Value)]) -> Record {
    Record { params: params.iter().cloned().collect(), ..Record::default() }
}

fn documents(records: Vec<Record>) -> [Document; 1] {
    [Document { records: records.into(), ..Document::new("x") }]
}

#[test]
fn the_schema_is_a_contract() {
    let record = Record {
        params: [("ble.conn_interval", json!("15ms")), ("coc.sdu", json!(492))].into_iter().collect(),
        ledger_ns: [("tail", 1)].into_iter().collect(),
        steady_ledger_ns: [("tail", 1)].into_iter().collect(),
        counters: [("events", 1)].into_iter().collect(),
        ..Record::default()
    };
    let schema = Columns::of(&documents(vec![record])).made_by("airtime export x").schema();
    let mut metadata: Vec<String> = schema.metadata().iter().map(|(key, value)| format!("{key} = {value}")).collect();
    metadata.sort();
    let fields = schema.fields().iter().map(|field| format!("{}: {}", field.name(), field.data_type()));
    insta::assert_snapshot!(metadata.into_iter().chain(fields).collect::<Vec<_>>().join("\n"));
    assert!(schema.fields().iter().all(|field| field.is_nullable()));
}

#[test]
fn a_key_has_the_type_of_all_its_values() {
    let records = [
        [
            ("ble.conn_interval", json!("15ms")),
            ("a", json!(1)),
            ("b", json!(1)),
            ("c", json!(true)),
            ("d", Value::Null),
        ],
        [
            ("ble.conn_interval", json!("none")),
            ("a", json!(2)),
            ("b", json!(0.5)),
            ("c", json!("auto")),
            ("d", json!([1])),
        ],
        [
            ("ble.conn_interval", json!("7.5ms")),
            ("a", Value::Null),
            ("b", json!(2)),
            ("c", json!(7)),
            ("d", Value::Null),
        ],
    ];
    let documents = documents(records.iter().map(|params| with_params(params)).collect());
    let columns = Columns::of(&documents);
    let batch = columns.batches(&documents).next().unwrap().unwrap();
    let column = |name: &str| batch.column_by_name(name).unwrap();
    let texts = |name: &str| column(name).as_string::<i32>().iter().collect::<Vec<_>>();
    let numbers = |name: &str| column(name).as_primitive::<Float64Type>().iter().collect::<Vec<_>>();
    assert_eq!(texts("params.ble.conn_interval"), [Some("15ms"), Some("none"), Some("7.5ms")]);
    assert_eq!(numbers("params.ble.conn_interval_ms"), [Some(15.0), None, Some(7.5)]);
    assert_eq!(column("params.a").as_primitive::<Int64Type>().iter().collect::<Vec<_>>(), [Some(1), Some(2), None]);
    assert_eq!(numbers("params.b"), [Some(1.0), Some(0.5), Some(2.0)]);
    assert_eq!(texts("params.c"), [Some("true"), Some("auto"), Some("7")]);
    assert_eq!(texts("params.d"), [None, Some("[1]"), None]);
}

#[test]
fn no_two_columns_have_one_name() {
    let record = with_params(&[
        ("ble.conn_interval", json!("15ms")),
        ("ble.conn_interval_ms", json!("mine")),
        ("", json!("")),
        ("\0\n\"'; DROP TABLE records; --", json!("\u{202e}\0 '\" \\")),
        ("<b>é🦀</b>", json!("x".repeat(100_000))),
    ]);
    let documents = documents(vec![record]);
    let columns = Columns::of(&documents);
    let batch = columns.batches(&documents).next().unwrap().unwrap();
    let schema = columns.schema();
    let mut names: Vec<&String> = schema.fields().iter().map(|field| field.name()).collect();
    let count = names.len();
    names.sort();
    names.dedup();
    assert_eq!((names.len(), batch.num_columns()), (count, count));
    let text = |name: &str| batch.column_by_name(name).unwrap().as_string::<i32>().value(0).to_owned();
    assert_eq!(text("params.ble.conn_interval_ms"), "mine");
    assert_eq!(text("params.\0\n\"'; DROP TABLE records; --"), "\u{202e}\0 '\" \\");
}

#[test]
fn batches_have_their_rows_and_no_record_is_one_without_columns() {
    let of = |count: usize| documents(vec![Record::default(); count]);
    let rows = |documents: &[Document]| {
        let columns = Columns::of(documents);
        columns.batches(documents).map(|batch| batch.unwrap().num_rows()).collect::<Vec<_>>()
    };
    assert_eq!(rows(&of(BATCH + 1)), [BATCH, 1]);
    assert_eq!(rows(&of(BATCH)), [BATCH]);
    assert_eq!(rows(&of(0)), [0; 0]);
    assert_eq!(Columns::new().schema().metadata()[SCHEMA_KEY], SCHEMA);
}

fn row(record: &Record) -> Row<'_> {
    Row { plan: "x", version: "1", digest: None, record }
}

#[test]
fn what_the_columns_do_not_know_is_told() {
    let mut columns = Columns::new();
    let known = with_params(&[("a", json!(1))]);
    columns.see(&row(&known));
    let pushed = |record: &Record| Rows::new(&columns).push(&row(record)).map_err(|unfit| unfit.to_string());
    assert_eq!(pushed(&known), Ok(()));
    assert!(pushed(&with_params(&[("b", json!(1))])).unwrap_err().contains("`b`"));
    assert!(pushed(&with_params(&[("a", json!("text"))])).is_err());
    let large = Record { id: "p/1".into(), delivered_bytes: u64::MAX, ..Record::default() };
    let unfit = Rows::new(&columns).push(&row(&large)).unwrap_err();
    assert!(matches!(&unfit, Unfit::TooLarge { id, value: u64::MAX, .. } if id == "p/1"), "{unfit}");
    // A seed may be anything.
    assert_eq!(pushed(&Record { seed: u64::MAX, ..Record::default() }), Ok(()));
}
