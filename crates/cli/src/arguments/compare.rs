//! The command line of `airtime compare` as it was written.

use std::path::PathBuf;

use airtime_lab::Condition;
use airtime_study::compare::{REPEATS_MAX, REPEATS_MIN, THRESHOLD_PCT};
use clap::{Args, ValueHint};

use super::ChangeArguments;

/// Examples below the help.
const EXAMPLES: &str = "\
Examples:
  airtime compare coc-nrf --with ble.conn_interval=30ms          the plan as it is, and with one key changed
  airtime compare coc-nrf --with ble.phy=1M --with ble.phy=2M    two variants of it
  airtime compare a.toml b.toml                                  two plans
  airtime compare --baseline main.json coc-nrf --fail-if 'goodput < -3%'   in a build: what `run --json` gave, and what comes now";

/// `airtime compare`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct CompareArguments {
    /// Plans (files, or names of shipped ones), records that `run --json` printed (.json), run folders: the first is A, each other one is
    /// compared with it. Points of a grid are compared with those of the same values
    #[arg(value_name = "A", value_hint = ValueHint::AnyPath, required = true)]
    pub operands: Vec<String>,
    /// A variant of the one plan that is named, with these keys changed; may be repeated. One alone is compared with the plan as it is, of
    /// several the first is A
    #[arg(long, value_name = "KEY=VALUE,…")]
    pub with: Vec<String>,
    /// A, as it was before: records that `run --json` printed, or a run folder
    #[arg(long, value_name = "FILE", value_hint = ValueHint::AnyPath)]
    pub baseline: Option<PathBuf>,
    /// End with 3 where this holds for sure, such as 'goodput < -3%' (of A), 'delay_p99 > +2ms' (than A), 'loss > 1%'; may be repeated.
    /// Figures: goodput, worst_link, delay_p50, delay_p95, delay_p99, loss, call_time, call_p99, setup, ram, counters.NAME,
    /// ledger.ACCOUNT (ms in a second)
    #[arg(long, value_name = "CONDITION", allow_hyphen_values = true)]
    pub fail_if: Vec<Condition>,
    /// Change up to which two figures are the same, in per cent; of loss, in points
    #[arg(long, value_name = "PERCENT", default_value_t = THRESHOLD_PCT, value_parser = percent)]
    pub threshold: f64,
    /// Pairs of runs at most where something is drawn at random: they grow from 10 until chance no longer decides
    #[arg(long, value_name = "N", default_value_t = REPEATS_MAX as u64, value_parser = clap::value_parser!(u64).range(REPEATS_MIN as u64..=5_120))]
    pub repeats: u64,
    /// Leave out the runs at both ends of what personalities and plans assume
    #[arg(long)]
    pub no_ends: bool,
    /// Write the conditions, or without any the figures, as cases of JUnit's XML
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub junit: Option<PathBuf>,
    /// Write the figures of B and those behind it in Bencher's metric format
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub bmf: Option<PathBuf>,
    /// Say the verdicts and what has failed as annotations of GitHub, on standard error
    #[arg(long)]
    pub github: bool,
    /// Keep the comparison in a file ending in .json, .csv, .md or .txt, or in .svg, .png or .html for figures; may be repeated
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Vec<PathBuf>,
    /// Replace files that are there, whatever they are
    #[arg(long)]
    pub force: bool,
    /// Threads to run on [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Changes to all plans.
    #[command(flatten)]
    pub changes: ChangeArguments,
}

/// A change in per cent, with or without its sign.
fn percent(text: &str) -> Result<f64, String> {
    let number = text.trim().trim_end_matches('%').trim().parse::<f64>().ok();
    number.filter(|number| (0.0..=1000.0).contains(number)).ok_or_else(|| "expected a percentage such as 1%".to_owned())
}
