//! Raw frames under RF24, against closed forms of the product specification: to the nanosecond.

mod closed_forms;
mod gateway;
mod rig;
mod serial;
mod trouble;
