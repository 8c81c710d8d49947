use super::*;
use airtime_core::Duration;

#[test]
fn fields_keep_the_order_of_the_contract() {
    let json = serde_json::to_value(Record::default()).unwrap();
    let names: Vec<&str> = json.as_object().unwrap().keys().map(String::as_str).collect();
    let contract = [
        "id",
        "link",
        "params",
        "seed",
        "negotiated",
        "goodput_kbps",
        "latency_ms",
        "accepted_kbps",
        "delivered_bytes",
        "elapsed_ns",
        "ledger_ns",
        "series_kbps",
        "measured",
        "lab",
        "error_pct",
        "verdict",
        "bottleneck",
        "counters",
        "replay",
    ];
    assert_eq!(names[..contract.len()], contract);
    let document = serde_json::to_value(Document::new("p")).unwrap();
    let names: Vec<&str> = document.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(names, ["schema", "airtime", "plan", "records"]);
}

#[test]
fn a_document_survives_json() {
    let mut document = Document::new("coc-mac");
    document.records.push(Record {
        id: "coc-macos-492".into(),
        params: [("coc.sdu", 492.into()), ("ble.phy", "2M".into())].into_iter().collect(),
        negotiated: Some(Negotiated { mtu: Some(1251), ..Negotiated::default() }),
        goodput_kbps: Goodput::of(&[529.96, 530.04, 540.0]),
        measured: Some(Measured {
            value: 530.0,
            unit: "kbps".into(),
            approx: false,
            source: "log".into(),
            accepted: false,
            link: Some("peripheral1".into()),
        }),
        verdict: Some(Verdict::NotModelled("no figure logged".into())),
        ledger_ns: [("payload.p2c", 7_u64), ("tail", 8)].into_iter().collect(),
        ..Record::default()
    });
    let text = serde_json::to_string(&document).unwrap();
    assert_eq!(serde_json::from_str::<Document>(&text).unwrap(), document);
}

#[test]
fn a_document_of_borrowed_records_is_written_like_its_own() {
    let records = ["a", "b"].map(|id| Record { id: id.into(), ..Record::default() });
    let document =
        Document { note: Some("a note".into()), records: records.into_iter().collect(), ..Document::new("x") };
    let borrowed = document.clone().with(&document.records);
    assert_eq!(serde_json::to_string(&borrowed).unwrap(), serde_json::to_string(&document).unwrap());
}

#[test]
fn rates_are_rounded_to_a_tenth() {
    assert!((kbps(994_000, Duration::from_secs(15)) - 530.1).abs() < 1e-9);
    assert_eq!(kbps(5, Duration::ZERO).to_bits(), 0.0f64.to_bits());
    let goodput = Goodput::of(&[3.0, 1.0, 2.0, 10.04]);
    assert_eq!(goodput, Goodput { median: 2.5, low: 1.0, high: 10.0, runs: 4 });
    assert_eq!(Goodput::of(&[]).runs, 0);
    assert_eq!(error_pct(540.0, 530.0), Some(1.89));
    assert_eq!(error_pct(1.0, 0.0), None);
}

#[test]
fn the_published_schema_has_every_field() {
    let schema: serde_json::Value = serde_json::from_str(include_str!("../../../../schemas/run.schema.json")).unwrap();
    let fields = |object: &serde_json::Value| -> Vec<String> { object.as_object().unwrap().keys().cloned().collect() };
    let record = Record {
        iteration: Some("5".into()),
        note: Some(String::new()),
        negotiated: Some(Negotiated::default()),
        latency_ms: Some(Latency::default()),
        measured: Some(Measured { accepted: true, link: Some("peripheral0".into()), ..Measured::default() }),
        unlogged: [("path.rtt", [1.into(), 2.into(), 3.into()])].into_iter().collect(),
        narrowed_by: Some(Narrowing::default()),
        ram: vec![Ram::default()],
        calls: Some(CallFigures { benches: vec![whole_bench()], checks: vec![CheckFigure::default()] }),
        lab: Some(LabFigure::default()),
        links: vec![LinkFigures {
            exchanges_per_event: Some(1.0),
            conn_interval: Some(String::new()),
            bottleneck: Some(Bottleneck::default()),
            steady_ledger_ns: [("tail", 8_u64)].into_iter().collect(),
            ..LinkFigures::default()
        }],
        together: Some(Together::default()),
        asked: vec![Asked::default()],
        finding: Some(String::new()),
        against: Some(String::new()),
        ratios: vec![Ratio::default()],
        radio: Some(REAL.into()),
        environment: Some(everywhere()),
        ..Record::default()
    };
    let json = serde_json::to_value(&record).unwrap();
    assert_eq!(fields(&schema["$defs"]["record"]["properties"]), fields(&json));
    let of_link = &schema["$defs"]["record"]["properties"]["links"]["items"]["properties"];
    assert_eq!(fields(of_link), fields(&json["links"][0]));
    let of_asked = &schema["$defs"]["record"]["properties"]["asked"]["items"]["properties"];
    assert_eq!(fields(of_asked), fields(&json["asked"][0]));
    let of_environment = &schema["$defs"]["record"]["properties"]["environment"]["properties"];
    assert_eq!(fields(of_environment), fields(&json["environment"]));
    let parts = [
        ("negotiated", "negotiated"),
        ("goodput", "goodput_kbps"),
        ("latency", "latency_ms"),
        ("measured", "measured"),
        ("lab", "lab"),
    ];
    for (part, field) in parts {
        assert_eq!(fields(&schema["$defs"][part]["properties"]), fields(&json[field]), "{part}");
    }
    assert_eq!(fields(&schema["$defs"]["bench"]["properties"]), fields(&json["calls"]["benches"][0]));
    assert_eq!(schema["properties"]["schema"]["const"], SCHEMA);
}

/// With everything that may be absent.
fn everywhere() -> Environment {
    let some = || Some(String::new());
    Environment {
        board: some(),
        serial: some(),
        firmware: some(),
        os: some(),
        controller: some(),
        date: some(),
        distance: some(),
        conditions: some(),
    }
}

/// With everything that may be absent.
fn whole_bench() -> BenchFigures {
    BenchFigures {
        failure: Some(String::new()),
        ms_per_item: Some(0.0),
        latency_ms: Some(Latency::default()),
        per_call: Some(PerCall::default()),
        ..BenchFigures::default()
    }
}
