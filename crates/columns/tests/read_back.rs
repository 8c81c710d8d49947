//! What was written as Parquet is read again as the records that it was made of.

use airtime_columns::{COMMAND_KEY, Columns, PLANS_KEY, RECORDS_KEY, SCHEMA, SCHEMA_KEY, write};
use airtime_lab::record::{
    DataLength, Environment, Goodput, LabFigure, Latency, Measured, Narrowing, Negotiated, Ratio,
};
use airtime_lab::{Document, Library, Ordered, Plan, Record, Verdict, run};
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type, UInt64Type};
use arrow_array::{Array, ArrayRef, RecordBatch};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// Plans of every kind of link, a second each.
const PLANS: [&str; 7] = [
    "link = \"ble-coc\"\nsweep.coc.sdu = [100, 492]",
    "link = \"ble-coc\"\nble.peripherals = 2",
    "link = \"ble-gatt\"",
    "link = \"nrf24-ip\"",
    "link = \"wifi-hosted\"",
    "link = \"ieee802154\"",
    "link = \"ble-coc\"\nble.loss = { per = 0.1 }\nrun.repeat = 2",
];

fn of_plan(text: &str) -> Document {
    let text = format!("{text}\nrun.duration = \"2s\"\nrun.warmup = \"500ms\"");
    let plan = Plan::parse("plan.toml", &text, &Library::builtin(), &[]).unwrap();
    let records = plan.points().iter().map(|point| run::record(&plan, point)).collect();
    Document { records, ..Document::new(&plan.name) }
}

/// A record with everything that no virtual run has.
fn full() -> Record {
    Record {
        id: "row/candidate\0\"'".into(),
        label: "<script>é🦀\u{202e}".into(),
        seed: u64::MAX,
        goodput_kbps: Goodput::of(&[1.5, 2.5]),
        negotiated: Some(Negotiated {
            conn_interval: "11.25ms".into(),
            dle: DataLength { c2p: 27, p2c: 251 },
            mtu: Some(65_535),
            encrypted: true,
            ..Negotiated::default()
        }),
        latency_ms: Some(Latency { p50: 1.0, p95: 2.0, p99: 3.0 }),
        accepted_kbps: Some(0.1),
        measured: Some(Measured { value: 530.0, unit: "kbps".into(), link: Some("a".into()), ..Measured::default() }),
        lab: Some(LabFigure { value: 524.2, unit: "kbps".into(), low: 1.0, high: 2.0, ..LabFigure::default() }),
        error_pct: Some(-1.09),
        verdict: Some(Verdict::NotPredicted("because".into())),
        iteration: Some("7".into()),
        note: Some("line\nline".into()),
        unlogged: [("host.latency", [json!("1us"), json!("2us"), json!("3us")])].into_iter().collect(),
        narrowed_by: Some(Narrowing { key: "k".into(), low: 1.0, high: 2.0 }),
        finding: Some("within 6 %".into()),
        against: Some("row0".into()),
        ratios: vec![Ratio { to: "row0".into(), value: 1.83 }],
        radio: Some("real".into()),
        environment: Some(Environment { board: Some("nrf54l15dk".into()), ..Environment::default() }),
        series_kbps: vec![1.0, 2.0],
        outcome: "0x3E connection failed to be established".into(),
        ..Record::default()
    }
}

fn written(documents: &[Document]) -> Vec<u8> {
    let columns = Columns::of(documents).made_by("airtime export 'x y'");
    let mut octets = Vec::new();
    let rows = write(documents, &columns, &mut octets).unwrap();
    assert_eq!(rows, documents.iter().map(|document| document.records.len()).sum::<usize>());
    octets
}

fn read(octets: Vec<u8>) -> Vec<RecordBatch> {
    let reader = ParquetRecordBatchReaderBuilder::try_new(bytes(octets)).unwrap();
    reader.with_batch_size(1_000).build().unwrap().collect::<Result<_, _>>().unwrap()
}

#[test]
fn every_field_of_every_link_comes_back() {
    let mut documents: Vec<Document> = PLANS.map(of_plan).into();
    documents.push(Document { records: vec![full(), Record::default()].into(), ..Document::new("full") });
    let expected: Vec<(String, Record)> = documents
        .iter()
        .flat_map(|document| document.records.iter().map(|record| (document.plan.clone(), sorted(record.into_owned()))))
        .collect();
    let found: Vec<(String, Record)> = read(written(&documents))
        .iter()
        .flat_map(|batch| (0..batch.num_rows()).map(|row| Reader { batch, row }.record()).collect::<Vec<_>>())
        .collect();
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!(found, expected);
    }
    assert!(expected.iter().any(|(_, record)| record.links.len() == 2), "links that share a radio are among them");
}

#[test]
fn a_file_says_how_it_was_made() {
    let octets = written(&[Document { records: vec![Record::default()].into(), ..Document::new("it's") }]);
    let reader = ParquetRecordBatchReaderBuilder::try_new(bytes(octets)).unwrap();
    let told = reader.metadata().file_metadata().key_value_metadata().unwrap();
    let of = |key: &str| told.iter().find(|entry| entry.key == key).and_then(|entry| entry.value.clone()).unwrap();
    assert_eq!(of(SCHEMA_KEY), SCHEMA);
    assert_eq!(of(RECORDS_KEY), airtime_lab::record::SCHEMA);
    assert_eq!(of(PLANS_KEY), "[\"it's\"]");
    assert_eq!(of(COMMAND_KEY), "airtime export 'x y'");
    assert!(reader.metadata().file_metadata().created_by().unwrap().starts_with("airtime "));
}

#[test]
fn no_record_is_a_file_all_the_same() {
    assert!(read(written(&[])).is_empty());
    assert!(read(written(&[Document::new("x")])).is_empty());
}

#[test]
fn the_same_records_are_the_same_octets() {
    let documents = [of_plan(PLANS[0])];
    assert_eq!(written(&documents), written(&documents));
}

fn bytes(octets: Vec<u8>) -> bytes::Bytes {
    octets.into()
}

/// The record with its maps in the order of their names: a table keeps the order of its columns.
fn sorted(record: Record) -> Record {
    fn by_name<V: Clone>(map: &Ordered<V>) -> Ordered<V> {
        let mut entries: Vec<(String, V)> = map.iter().map(|(name, value)| (name.to_owned(), value.clone())).collect();
        entries.sort_by(|a, b| a.0.cmp(&b.0));
        entries.into_iter().collect()
    }
    Record {
        params: by_name(&record.params).iter().map(|(key, value)| (key, as_text(value))).collect(),
        ledger_ns: by_name(&record.ledger_ns),
        steady_ledger_ns: by_name(&record.steady_ledger_ns),
        counters: by_name(&record.counters),
        ..record
    }
}

/// A value as a column of text has it: where one key has numbers and words, that is what becomes of both.
fn as_text(value: &Value) -> Value {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned).into()
}

/// One row of a table.
struct Reader<'a> {
    batch: &'a RecordBatch,
    row: usize,
}

impl Reader<'_> {
    /// The column called `name`, unless it has nothing here.
    fn column(&self, name: &str) -> Option<&ArrayRef> {
        Some(self.batch.column_by_name(name)?).filter(|column| !column.is_null(self.row))
    }

    fn text(&self, name: &str) -> Option<String> {
        Some(self.column(name)?.as_string::<i32>().value(self.row).to_owned())
    }

    fn json<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        self.text(name).map(|text| serde_json::from_str(&text).unwrap())
    }

    fn number(&self, name: &str) -> Option<f64> {
        Some(self.column(name)?.as_primitive::<Float64Type>().value(self.row))
    }

    fn count(&self, name: &str) -> Option<u64> {
        Some(self.column(name)?.as_primitive::<Int64Type>().value(self.row) as u64)
    }

    fn flag(&self, name: &str) -> Option<bool> {
        Some(self.column(name)?.as_boolean().value(self.row))
    }

    fn counts(&self, prefix: &str) -> Ordered<u64> {
        let schema = self.batch.schema();
        let mut names: Vec<&str> =
            schema.fields().iter().filter_map(|field| field.name().strip_prefix(prefix)).collect();
        names.sort_unstable();
        names.into_iter().filter_map(|name| Some((name, self.count(&format!("{prefix}{name}"))?))).collect()
    }

    /// Values of keys by the types of their columns; those that are numbers beside a text are left out.
    fn params(&self) -> Ordered<Value> {
        let schema = self.batch.schema();
        let mut names: Vec<&str> =
            schema.fields().iter().filter_map(|field| field.name().strip_prefix("params.")).collect();
        let is_beside = |name: &str| {
            let ends = |ending: &str| name.strip_suffix(ending).is_some_and(|key| names.contains(&key));
            ["_ms", "_kbps", "_octets", "_hz", "_ghz", "_mhz", "_dbm", "_us", "_ns"].into_iter().any(ends)
        };
        let beside: Vec<&str> = names.iter().copied().filter(|name| is_beside(name)).collect();
        names.retain(|name| !beside.contains(name));
        names.sort_unstable();
        let value = |name: &str| {
            let column = self.column(name)?;
            Some(match column.data_type().to_string().as_str() {
                "Utf8" => json!(column.as_string::<i32>().value(self.row)),
                "Int64" => json!(column.as_primitive::<Int64Type>().value(self.row)),
                "Float64" => json!(column.as_primitive::<Float64Type>().value(self.row)),
                _ => json!(column.as_boolean().value(self.row)),
            })
        };
        let value = |name: &str| value(&format!("params.{name}")).map(|value| as_text(&value));
        names.into_iter().filter_map(|name| Some((name, value(name)?))).collect()
    }

    fn negotiated(&self) -> Option<Negotiated> {
        let small = |name: &str| self.count(name).map(|count| u16::try_from(count).unwrap());
        Some(Negotiated {
            conn_interval: self.text("negotiated.conn_interval")?,
            phy: self.text("negotiated.phy")?,
            dle: DataLength { c2p: small("negotiated.dle.c2p")?, p2c: small("negotiated.dle.p2c")? },
            mtu: small("negotiated.mtu"),
            mps: small("negotiated.mps"),
            initial_credits: small("negotiated.initial_credits"),
            frame_space: self.text("negotiated.frame_space")?,
            encrypted: self.flag("negotiated.encrypted")?,
        })
    }

    fn figures(&self, record: Record) -> Record {
        let latency = |p50| Latency {
            p50,
            p95: self.number("latency_ms.p95").unwrap(),
            p99: self.number("latency_ms.p99").unwrap(),
        };
        Record {
            goodput_kbps: Goodput {
                median: self.number("goodput_kbps.median").unwrap(),
                low: self.number("goodput_kbps.low").unwrap(),
                high: self.number("goodput_kbps.high").unwrap(),
                runs: self.count("goodput_kbps.runs").unwrap() as u32,
            },
            latency_ms: self.number("latency_ms.p50").map(latency),
            accepted_kbps: self.number("accepted_kbps"),
            together: self.number("together.goodput_kbps").map(|goodput_kbps| airtime_lab::record::Together {
                goodput_kbps,
                fairness: self.number("together.fairness").unwrap(),
            }),
            measured: self.number("measured.value").map(|value| Measured {
                value,
                unit: self.text("measured.unit").unwrap(),
                approx: self.flag("measured.approx").unwrap(),
                source: self.text("measured.source").unwrap(),
                accepted: self.flag("measured.accepted").unwrap(),
                link: self.text("measured.link"),
            }),
            lab: self.number("lab.value").map(|value| LabFigure {
                value,
                unit: self.text("lab.unit").unwrap(),
                field: self.text("lab.field").unwrap(),
                low: self.number("lab.low").unwrap(),
                high: self.number("lab.high").unwrap(),
            }),
            ..record
        }
    }

    /// Plan and record of the row.
    fn record(&self) -> (String, Record) {
        let series = self.column("series_kbps").unwrap().as_list::<i32>().value(self.row);
        let record = Record {
            id: self.text("id").unwrap(),
            label: self.text("label").unwrap(),
            link: self.text("link").unwrap(),
            seed: self.column("seed").unwrap().as_primitive::<UInt64Type>().value(self.row),
            params: self.params(),
            negotiated: self.negotiated(),
            delivered_bytes: self.count("delivered_bytes").unwrap(),
            elapsed_ns: self.count("elapsed_ns").unwrap(),
            setup_ns: self.count("setup_ns").unwrap(),
            steady_ns: self.count("steady_ns").unwrap(),
            ledger_ns: self.counts("ledger_ns."),
            steady_ledger_ns: self.counts("steady_ledger_ns."),
            counters: self.counts("counters."),
            series_kbps: series.as_primitive::<Float64Type>().values().to_vec(),
            bottleneck: airtime_lab::record::Bottleneck {
                account: self.text("bottleneck.account").unwrap(),
                says: self.text("bottleneck.says").unwrap(),
            },
            error_pct: self.number("error_pct"),
            verdict: self.text("verdict").map(|text| Verdict::try_from(text).unwrap()),
            replay: self.text("replay").unwrap(),
            outcome: self.text("outcome").unwrap(),
            iteration: self.text("iteration"),
            note: self.text("note"),
            unlogged: self.json("unlogged").unwrap_or_default(),
            narrowed_by: self.json("narrowed_by"),
            ram: self.json("ram").unwrap_or_default(),
            calls: self.json("calls"),
            links: self.json("links").unwrap_or_default(),
            asked: self.json("asked").unwrap_or_default(),
            finding: self.text("finding"),
            against: self.text("against"),
            ratios: self.json("ratios").unwrap_or_default(),
            radio: self.text("radio"),
            environment: self.json("environment"),
            ..Record::default()
        };
        (self.text("plan").unwrap(), self.figures(record))
    }
}
