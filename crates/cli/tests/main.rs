//! The tests of this package, one program: each more would be linked, and compiled in part, anew.

mod check;
mod command_line;
mod completions;
mod config;
mod csv;
mod decide;
mod explain;
mod explore;
#[cfg(feature = "parquet")]
mod export;
mod figures;
mod first;
mod fit;
mod hw_bench;
mod hw_ble;
mod impossible;
mod lists;
mod live;
mod log;
mod ota;
mod ota_bench;
mod ota_cuts;
mod own;
mod perf;
mod places;
mod refused;
mod report;
mod resume;
mod rpc;
mod schema;
mod stopping;
mod trace;
mod zephyr_coc;
