//! Captures of runs, explained: what the explanation says against what the run knows.

mod capture;
mod capturing;
mod ledger;
mod rules;
mod sweep;
