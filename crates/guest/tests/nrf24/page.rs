//! docs/nrf24-drivers.md, made from the measurements.

use std::fmt::Write;

use airtime_nrf24::trace::Lint;

use super::figures::{HOSTS, Row, Way, ceiling, rows};
use super::nrf24_rs::Waits;
use super::rf24_rs::Asks;
use super::scene::{COUNT, Style};

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/nrf24-drivers.md");

const HEAD: &str = include_str!("page_head.md");

const TAIL: &str = include_str!("page_tail.md");

fn name(way: Way) -> &'static str {
    match way {
        Way::Rf24(..) => "rf24-rs 0.3.1",
        Way::Nrf24(..) => "nrf24-rs 0.2.0",
        Way::Embedded(..) => "embedded-nrf24l01 0.2.0",
        Way::Async(..) => "embedded-nrf24l01-async 0.3.1",
        Way::Ours(..) => "airtime-nrf24",
    }
}

fn usage(way: Way) -> &'static str {
    match way {
        Way::Rf24(Style::Send, Asks::WithConfig) => "`send()`, rate by `with_config()`: **is at 1 Mbps**",
        Way::Rf24(Style::Send, Asks::SetDataRate) => "`send()`",
        Way::Rf24(Style::Stream, _) => "`write()`, CE high",
        Way::Rf24(Style::NoAck, _) => "`write()`, CE high, NO_ACK",
        Way::Nrf24(Waits::Us(_)) => "`write()`, 50 µs apart as in its examples: **is at 1 Mbps, overruns the FIFO**",
        Way::Nrf24(Waits::Irq) => "`write()`, then IRQ: **is at 1 Mbps**",
        Way::Embedded(Style::Send) | Way::Async(Style::Send) => "`send()`, `wait_empty()`",
        Way::Embedded(Style::Stream) | Way::Async(Style::Stream) => "`can_send()`, `send()`, CE high",
        Way::Embedded(Style::NoAck) | Way::Async(Style::NoAck) => "the same, auto-ack off (ShockBurst frames)",
        Way::Ours(Style::NoAck, _) => "CE high, NO_ACK, with the break every 4 ms",
        Way::Ours(..) => "CE high",
    }
}

fn kbps(bps: u64) -> String {
    format!("{}.{}", bps / 1_000, bps / 100 % 10)
}

fn lint(lint: Lint) -> String {
    match lint {
        Lint::UnknownCommand { command } => format!("unknown command {command:#04x}"),
        Lint::WriteWhileActive { register } => format!("register {register:#04x} written while active"),
        Lint::ReservedBits { register } => format!("reserved bits of register {register:#04x}"),
        Lint::NoPowerUpWait => "CE before the crystal has started".into(),
        Lint::SpiTooSoonAfterCe => "SPI within 4 µs of CE".into(),
        Lint::TxBeyond4Ms => "TX for more than 4 ms".into(),
        Lint::TxFifoOverrun => "TX FIFO overrun".into(),
        other => format!("{other:?}"),
    }
}

/// Lints of one side, over all hosts.
fn lints(row: &Row, side: usize) -> String {
    let all: std::collections::BTreeSet<_> =
        row.outcomes.iter().flat_map(|outcome| outcome.seen.lints[side].keys().copied()).collect();
    if all.is_empty() {
        return "none".into();
    }
    all.into_iter().map(lint).collect::<Vec<_>>().join("; ")
}

fn page() -> String {
    let mut page = HEAD.to_string();
    let hosts: Vec<_> = HOSTS.iter().map(|(mhz, us)| format!("{mhz} MHz, {us} µs")).collect();
    writeln!(page, "\n## Goodput, kbps\n\n| driver | used so | {} | ceiling |", hosts.join(" | ")).unwrap();
    writeln!(page, "|---|---|{}---:|", "---:|".repeat(HOSTS.len())).unwrap();
    for row in rows() {
        let figures: Vec<_> = row.outcomes.iter().map(|outcome| kbps(outcome.bps)).collect();
        let (name, usage, ceiling) = (name(row.way), usage(row.way), kbps(ceiling(row.way)));
        writeln!(page, "| {name} | {usage} | {} | {ceiling} |", figures.join(" | ")).unwrap();
    }
    writeln!(page, "\n## What arrived, and lints\n").unwrap();
    writeln!(
        page,
        "| driver | used so | read of {COUNT} | failures reported | lints of the sender | lints of the receiver |"
    )
    .unwrap();
    writeln!(page, "|---|---|---:|---:|---|---|").unwrap();
    for row in rows() {
        let range = |of: fn(&super::figures::Outcome) -> u32| {
            let (low, high) = (row.outcomes.iter().map(of).min(), row.outcomes.iter().map(of).max());
            if low == high {
                format!("{}", low.unwrap_or(0))
            } else {
                format!("{}–{}", low.unwrap_or(0), high.unwrap_or(0))
            }
        };
        let (read, reported) = (range(|outcome| outcome.read), range(|outcome| outcome.reported));
        let (name, usage) = (name(row.way), usage(row.way));
        writeln!(page, "| {name} | {usage} | {read} | {reported} | {} | {} |", lints(row, 0), lints(row, 1)).unwrap();
    }
    page + TAIL
}

#[test]
fn the_page_of_drivers_is_up_to_date() {
    let page = page();
    if std::env::var_os("AIRTIME_BLESS").is_some() {
        std::fs::write(PATH, &page).unwrap();
    }
    let written = std::fs::read_to_string(PATH).unwrap_or_default();
    assert!(written == page, "docs/nrf24-drivers.md is out of date: AIRTIME_BLESS=1 cargo test -p airtime-guest nrf24");
}
