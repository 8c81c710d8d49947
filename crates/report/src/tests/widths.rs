//! Tables of three commands on screens of 60, 80 and 120 columns.

use std::borrow::Cow;

use airtime_lab::explain::{Block, Change, Limit, Rung, Together, Turned};
use airtime_lab::record::{Bottleneck, Goodput, Ram};
use airtime_lab::{Document, Record};
use insta::assert_snapshot;

use crate::samples::{booked, grid, single};
use crate::{Export, Sheet, SheetKind, Spot, Table, Text, Tone, Waterfall, waterfall};

const WIDTHS: [u16; 3] = [60, 80, 120];

/// `tables` within `width`, of which no line is wider but those that nobody could paste in two pieces.
fn within(width: u16, tables: &[Table]) -> String {
    let mut out = Vec::new();
    for table in tables {
        Text { width: Some(width), colour: false }.export_table(table, &mut out).unwrap();
    }
    let text = String::from_utf8(out).unwrap();
    for line in text.lines().filter(|line| !line.contains("CONFIG_") && !line.contains("--set")) {
        assert!(line.chars().count() <= usize::from(width), "{line}");
    }
    text
}

/// Runs of three plans, one of which failed, with columns that only some of them fill.
fn runs() -> Vec<Table> {
    let of = |plan: &str, change: &dyn Fn(Record) -> Record| {
        let document = single(plan, 1285.3);
        Document { records: document.records.iter().map(|one| change(one.into_owned())).collect(), ..document }
    };
    let ram =
        Ram { chip: "host".into(), class: "static".into(), count: 10, each: 1_600, octets: 16_000, ..Ram::default() };
    let says = "64 % of the air: the macos controller ends each event at its own limit, after 4.0 exchanges";
    Sheet::new(
        SheetKind::Runs,
        [
            of("coc-mac", &|record| Record {
                bottleneck: Bottleneck { account: "cap".into(), says: says.into() },
                ..record
            }),
            of("wifi-udp-tx", &|record| Record {
                link: "wifi-hosted".into(),
                accepted_kbps: Some(47_612.5),
                goodput_kbps: Goodput { median: 16_450.0, low: 16_000.0, high: 17_000.0, runs: 3 },
                ram: vec![ram.clone()],
                ..record
            }),
            of("coc-lost", &|record| Record {
                outcome: "0x3E connection failed to be established".into(),
                goodput_kbps: Goodput::default(),
                ..record
            }),
        ],
    )
    .tables()
}

/// A sweep over two keys with long names.
fn sweep() -> Vec<Table> {
    let mut document = grid();
    let mut records: Vec<Record> = document.records.iter().map(Cow::into_owned).collect();
    for (record, interval) in records.iter_mut().zip(["7.5ms", "15ms", "30ms"]) {
        let keys = [
            ("coc.sdu", 492.into()),
            ("ble.conn_interval", interval.into()),
            ("coc.credits.on_connect", interval.len().into()),
        ];
        record.params = keys.into_iter().collect();
        record.accepted_kbps = Some(1_400.0);
    }
    document.records = records.into();
    Sheet::new(SheetKind::Grid, [document]).tables()
}

fn explanation() -> Vec<Table> {
    let change = |set: &str, gain_pct| Change {
        set: set.into(),
        who: "host's sdkconfig".into(),
        goodput_kbps: 1_400.0,
        gain_pct,
        worst_kbps: Some(650.0),
    };
    let changes = vec![change("lwip.snd_buf=65535", 20.4), change("coc.credits.on_connect=20", 2.0)];
    let block =
        |to: &str, lines: &[&str]| Block { to: to.into(), lines: lines.iter().map(|line| (*line).into()).collect() };
    let found = Waterfall {
        facts: vec!["exchanges per connection event: 10.00, 10 to 10; events ended by: tail 100.0 %, the last of them by set-up".into()],
        verdict: "8 % of the air: the event ends before another exchange fits, and the rest of it is too short for one".into(),
        together: Some(Together { set: vec!["lwip.snd_buf=65535".into(), "coc.sdu=495".into()], goodput_kbps: 1_500.0, gain_pct: 22.0, worst_kbps: None }),
        paste: vec![
            block("sdkconfig of the host", &["CONFIG_LWIP_TCP_SND_BUF_DEFAULT=65535"]),
            block("options of airtime run", &["--set coc.credits.on_connect=20 --set coc.sdu=495 --set lwip.snd_buf=65535"]),
        ],
        config: vec![
            "CONFIG_LWIP_TCP_WND_DEFAULT=5760  # host: keep it, 11520 gives -3.1 %".into(),
            "# no difference of 1 % here: CONFIG_LWIP_TCP_RTO_TIME=1500, CONFIG_LWIP_TCP_MSS=1440, CONFIG_LWIP_MAX_SOCKETS=10".into(),
        ],
        changes,
        conclusion: "lwip.snd_buf=65535 gains most: 1580.0 kbps, +20.4 % (host's sdkconfig can make it). All 2 remedies: 1500.0 kbps.".into(),
        ladder: vec![
            rung("lwip.snd_buf", "host's sdkconfig", 1_580.0, true),
            rung("coc.credits.on_connect", "central's application", 1_500.0, true),
            rung("ble.loss", "nobody", 1_700.0, false),
        ],
        limit: Some(Limit { goodput_kbps: 1_700.0, account: "ifs".into(), says: "the link is saturated.".into() }),
        ..Waterfall::of(&booked())
    };
    vec![waterfall(&found)]
}

fn rung(key: &str, who: &str, goodput_kbps: f64, turnable: bool) -> Rung {
    let set = format!("{key}=65535");
    let turned =
        Turned { set: set.clone(), key: key.into(), from: 5_760.into(), to: 65_535.into(), who: who.to_owned() };
    Rung {
        mechanisms: vec!["underway"],
        says: "what may be under way: one buffer of the stack, where six would do and more than that gain nothing"
            .into(),
        account: Some("idle.window".into()),
        set: vec![set],
        changes: vec![turned],
        turnable,
        applied: turnable,
        goodput_kbps,
        before_kbps: 1_312.0,
        costs: vec!["delay p99 2.1 → 14.2 ms".into(), "70400 octets of RAM of the host".into()],
        ..Rung::default()
    }
}

#[test]
fn runs_fit_the_screen() {
    for width in WIDTHS {
        assert_snapshot!(format!("runs_{width}"), within(width, &runs()));
    }
}

#[test]
fn a_sweep_fits_the_screen() {
    for width in WIDTHS {
        assert_snapshot!(format!("sweep_{width}"), within(width, &sweep()));
    }
}

#[test]
fn an_explanation_fits_the_screen() {
    for width in WIDTHS {
        assert_snapshot!(format!("explain_{width}"), within(width, &explanation()));
    }
}

#[test]
fn rows_that_do_not_fit_even_so_are_blocks() {
    let mut table = Table::new("board.toml: the device");
    let mark = ["", "*"];
    table.column("", crate::Align::Left, mark);
    table.column("option", crate::Align::Left, ["CONFIG_ESP_HOSTED_SDIO_OPTIMIZATION_RX_NONE", "CONFIG_LWIP_TCP_MSS"]);
    table.column("source", crate::Align::Left, ["assumed, for nobody has measured it", "lwIP, opt.h"]);
    assert_snapshot!(within(60, &[table]));
}

#[test]
fn a_sweep_that_was_stopped_says_how_far_it_came_and_equals_share_the_mark() {
    let mut document = grid();
    let mut records: Vec<Record> = document.records.iter().map(Cow::into_owned).collect();
    records[0].goodput_kbps.median = 1_311.96;
    document.records = records.into();
    let shown = |points| crate::Shown { points, ..document.clone().into() };
    let table = |points| Sheet::new(SheetKind::Grid, [shown(points)]).tables().remove(0);
    let marks: Vec<String> = table(Some(3)).rows.iter().map(|row| row[0].to_owned()).collect();
    assert_eq!(marks, ["*", "*", ""], "1312.0 and 1312.0, as the table has them");
    assert_eq!(table(Some(3)).remarks, ["* best, 2 alike"]);
    assert_eq!(table(Some(111)).remarks, ["* best so far, 3 of 111 points, 2 alike"]);
}

#[test]
fn tones_are_colours_and_take_no_room() {
    let (mut plain, mut coloured) = (Vec::new(), Vec::new());
    for table in runs().iter().chain(&sweep()).chain(&explanation()) {
        Text { width: Some(80), colour: false }.export_table(table, &mut plain).unwrap();
        Text { width: Some(80), colour: true }.export_table(table, &mut coloured).unwrap();
    }
    let (plain, coloured) = (String::from_utf8(plain).unwrap(), String::from_utf8(coloured).unwrap());
    let mut bare = String::new();
    for (position, part) in coloured.split('\u{1b}').enumerate() {
        bare += if position == 0 { part } else { part.split_once('m').unwrap().1 };
    }
    assert_eq!(bare, plain);
    for toned in ["\u{1b}[1m1312.0\u{1b}[0m", "\u{1b}[33m−400.0", "\u{1b}[31m0x3E connection", "\u{1b}[32m1. lwip"] {
        assert!(coloured.contains(toned), "{toned:?} in {coloured}");
    }
    let mut table = Table::default();
    table.column("a", crate::Align::Right, ["x"]);
    table.remark("y", Tone::Warning);
    assert_eq!((table.tone(Spot::Remark(0)), table.tone(Spot::Cell(0, 0))), (Some(Tone::Warning), None));
}
