mod any_text;
mod checked;
mod errors;
mod foreign;
mod nrf24;
mod points;
mod rpc;
mod wifi;
