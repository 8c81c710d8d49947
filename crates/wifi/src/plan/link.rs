//! The link as it declares itself to the laboratory.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::any::Any;

use airtime_keys::config::ConfigOption;
use airtime_keys::{Fault, Key, Keys, Mechanism, Run, Source, Table, Value, Words};
use airtime_link::config::Configurations;
use airtime_link::figures::Ram;
use airtime_link::{Captures, Delivery, DeviceKind, Devices, Form, Link, Ran, Stop, Told};
use airtime_net::traffic::{Direction, Traffic};

use super::chain::{Board, Chain};
use super::facts;
use super::limited;
use super::scenario::{LINKS, Scenario, TABLES, TRAFFIC};
use super::sdkconfig::{Sdkconfigs, is_built};
use crate::run;

/// IP over Wi-Fi through an ESP-hosted co-processor.
#[derive(Clone, Copy, Debug)]
pub struct WifiHosted;

/// Kind of personality: a chain of host, bus and co-processor.
const CHAIN: DeviceKind = DeviceKind::of::<Chain>();

impl Link for WifiHosted {
    fn names(&self) -> &'static [&'static str] {
        LINKS
    }

    fn about(&self) -> &'static str {
        "IP over Wi-Fi through an ESP-hosted co-processor"
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

    fn facts(&self, told: &Told<'_>) -> Vec<String> {
        facts::facts(told)
    }

    fn limited(&self, mechanism: Mechanism, before: &Told<'_>, after: &Told<'_>) -> Option<String> {
        limited::limited(mechanism, before, after)
    }

    fn delivery(&self, told: &Told<'_>) -> Delivery {
        facts::delivery(told)
    }

    fn device_kind(&self) -> Option<&'static DeviceKind> {
        Some(&CHAIN)
    }

    fn configurations(&self) -> Option<&'static dyn Configurations> {
        Some(&Sdkconfigs)
    }

    fn read(
        &self,
        _: &str,
        from: &dyn Source,
        devices: &dyn Devices,
    ) -> Result<Box<dyn airtime_link::Scenario>, Fault> {
        let board = Board::read(from)?;
        let chain: Chain = devices.of(Board::PERSONALITY, &board.personality)?;
        Ok(Box::new(Scenario::read(from, chain)?))
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

    fn devices(&self, told: &mut dyn FnMut(&'static str, &'static Key, Value)) {
        self.chain.show(&(), &mut |key, value| told(Board::PERSONALITY.table(), key, value));
    }

    fn fitting(&self, key: &Key, _: u64) -> Vec<u64> {
        self.fitting(key)
    }

    fn keeper(&self, key: &Key) -> String {
        run::keeper(key, self)
    }

    fn has_option(&self, _: &Key, option: &ConfigOption) -> bool {
        option.side.is_hosted() && is_built(option, self.bus.bus.word())
    }

    fn turned_round(&self) -> Option<(&'static Key, Value)> {
        let back = match self.traffic.direction {
            Direction::Up => Direction::Down,
            Direction::Down => Direction::Up,
            Direction::Both => return None,
        };
        Some((Traffic::DIRECTION, back.word().into()))
    }

    fn ran_unless(&self, seed: u64, stop: Stop<'_>) -> Ran {
        run::ran(self, seed, stop)
    }

    fn captures(&self, form: Form) -> Result<Vec<String>, String> {
        run::captures(self, form)
    }

    fn captured(&self, seed: u64, captures: Captures<'_>) {
        run::captured(self, seed, captures);
    }

    fn ram(&self) -> Vec<Ram> {
        run::ram(self)
    }

    fn faster(&self) -> Vec<(String, Box<dyn airtime_link::Scenario>)> {
        let boxed = |(what, scenario)| (what, Box::new(scenario) as Box<dyn airtime_link::Scenario>);
        self.faster().into_iter().map(boxed).collect()
    }

    fn remarks(&self) -> Vec<String> {
        let asked = self.lwip.so_sndbuf.filter(|_| self.context().has_streams());
        let remark = asked.map(|asked| {
            format!(
                "# SO_SNDBUF ({asked}) has no effect: lwIP's sockets do not implement it; \
                 CONFIG_LWIP_TCP_SND_BUF_DEFAULT does"
            )
        });
        remark.into_iter().collect()
    }

    fn boxed(&self) -> Box<dyn airtime_link::Scenario> {
        Box::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
