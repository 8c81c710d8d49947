//! The tests of this package, one program: each more would be linked, and compiled in part, anew.

mod asked;
mod closed_form;
mod cost_of_loss;
mod declared;
mod goodput_grid;
mod interrupted;
mod link_layer;
mod nrf24;
mod one_goodput;
mod properties;
mod rpc_ceiling;
mod rpc_conformance;
mod rpc_grid;
mod rpc_link;
mod sentences;
mod sniff;
mod support;
mod trouble;
mod wifi;
