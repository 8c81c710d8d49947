//! Published drivers, unmodified, on virtual chips: what each reaches, and what each gets wrong.

mod bugs;
mod embedded_nrf24l01;
mod embedded_nrf24l01_async;
mod faces;
mod figures;
mod nrf24_rs;
mod ours;
mod page;
mod pair;
mod rf24_rs;
mod scene;
