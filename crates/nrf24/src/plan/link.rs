//! The link as it declares itself to the laboratory.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use alloc::{format, vec};
use core::any::Any;

use airtime_keys::{Fault, Key, Mechanism, Run, Source, Table, Value};
use airtime_link::{Captures, Delivery, Devices, Form, Link, Ran, Stop, Told};

use super::facts;
use super::keys::Radio;
use super::limited;
use super::scenario::{LINKS, Scenario, TABLES, TRAFFIC};
use crate::run;

/// IP over the nRF24L01+: two nodes with a tunnel between them.
#[derive(Clone, Copy, Debug)]
pub struct Nrf24;

impl Link for Nrf24 {
    fn names(&self) -> &'static [&'static str] {
        LINKS
    }

    fn about(&self) -> &'static str {
        "IP over the nRF24L01+"
    }

    fn tables(&self) -> &'static [Table] {
        TABLES
    }

    fn accounts(&self) -> &'static [(&'static str, &'static str)] {
        crate::ledger::Account::LEGEND
    }

    fn traffic(&self) -> &'static [Table] {
        TRAFFIC
    }

    fn phy_kbps(&self, told: &Told<'_>) -> f64 {
        facts::phy_kbps(told)
    }

    fn facts(&self, told: &Told<'_>) -> Vec<String> {
        facts::facts(told)
    }

    fn limited(&self, mechanism: Mechanism, before: &Told<'_>, after: &Told<'_>) -> Option<String> {
        limited::limited(mechanism, before, after)
    }

    fn prices(&self, before: &Told<'_>, after: &Told<'_>) -> Vec<String> {
        facts::prices(before, after)
    }

    fn delivery(&self, told: &Told<'_>) -> Delivery {
        facts::delivery(told)
    }

    fn read(&self, _: &str, from: &dyn Source, _: &dyn Devices) -> Result<Box<dyn airtime_link::Scenario>, Fault> {
        Ok(Box::new(Scenario::read(from)?))
    }
}

impl airtime_link::Scenario for Scenario {
    fn link(&self) -> &'static str {
        LINKS[0]
    }

    fn run(&self) -> &Run {
        &self.run
    }

    fn show(&self, told: &mut dyn FnMut(&'static Key, Value)) {
        self.show(told);
    }

    fn fitting(&self, key: &Key, _: u64) -> Vec<u64> {
        self.fitting(key)
    }

    /// Another number of radios needs another channel of `b`, where the plan says one.
    fn companion(&self, key: &Key) -> Option<(&'static Key, Value)> {
        let others = if self.radios() == 1 { 2 } else { 1 };
        let is_mode = key.name == Radio::MODE.name && !self.is_raw();
        is_mode.then(|| (Radio::CHANNEL_B, u64::from(self.radio.own_channel_b(others)).into()))
    }

    fn keeper(&self, key: &Key) -> String {
        run::keeper(key, self)
    }

    fn ran_unless(&self, seed: u64, stop: Stop<'_>) -> Ran {
        run::ran(self, seed, stop)
    }

    fn captures(&self, form: Form) -> Result<Vec<String>, String> {
        match form {
            Form::Timeline => Ok(vec![String::new()]),
            Form::Air | Form::Host => Err(format!("a run over `{}` is captured as .perfetto, its time line", LINKS[0])),
        }
    }

    fn captured(&self, seed: u64, captures: Captures<'_>) {
        run::captured(self, seed, captures);
    }

    fn boxed(&self) -> Box<dyn airtime_link::Scenario> {
        Box::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
