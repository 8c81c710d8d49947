//! The tests of this package, one program: each more would be linked, and compiled in part, anew.

mod air;
mod answered;
mod blind;
mod captured;
mod closed_form;
mod goodput_grid;
mod images;
mod link_layer;
mod offered;
mod perfetto;
mod priority;
mod properties;
mod read_back;
mod retry;
mod rpc;
mod rpc_ceiling;
mod rpc_conformance;
mod rpc_grid;
mod rpc_link;
mod seeds;
mod subrating;
#[path = "../../lab/tests/support/mod.rs"]
mod support;
mod timeline;
mod transport;
mod trouble;
mod upload;
