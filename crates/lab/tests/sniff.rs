//! Captures of runs, explained: what the explanation says against what the run knows.

mod support;

#[path = "sniff/capture.rs"]
mod capture;
#[path = "sniff/capturing.rs"]
mod capturing;
#[path = "sniff/ledger.rs"]
mod ledger;
#[path = "sniff/rules.rs"]
mod rules;
#[path = "sniff/sweep.rs"]
mod sweep;
