//! From settings to the remote calls of a scenario.

use airtime_rpc::client::Mode;
use airtime_rpc::suite::{BenchConfig, Method};

use super::published::{BENCHES, of};
use super::{RpcScenario, RpcScript, Transport};
use crate::plan::ble::scenario::{Device, Gatt};
use crate::plan::resolve::Resolver;
use crate::schema::{CHECKS, METHODS};
use airtime_core::units::Size;

/// The basic header of a K-frame and the SDU length in its first one. Core 6.0, Vol 3, Part A, 3.4.3.
const FIRST_K_FRAME: u16 = 6;

/// What a plan says of calls.
pub(in crate::plan) struct Carriers<'a> {
    pub central: &'a Device,
    pub peripheral: &'a Device,
    pub gatt: &'a Gatt,
    pub data_length: u16,
}

impl Resolver<'_> {
    /// What carries the calls of a plan.
    pub(in crate::plan) fn rpc_transport(&self) -> Transport {
        if self.set.text("rpc.transport") == Some("coc") { Transport::Coc } else { Transport::Gatt }
    }

    /// The calls of a plan.
    pub(in crate::plan) fn rpc(&self, carriers: &Carriers<'_>) -> RpcScenario {
        let set = self.set;
        let transport = self.rpc_transport();
        let window = set.text("rpc.window").and_then(|text| text.parse::<Size>().ok());
        RpcScenario {
            script: match set.text("rpc.suite") {
                Some("conformance") => RpcScript::Conformance(self.one_check()),
                Some(_) => RpcScript::Benches(BENCHES.map(|bench| self.as_often(bench)).to_vec()),
                None => RpcScript::Benches(vec![self.bench()]),
            },
            transport,
            mode: if set.text("rpc.mode") == Some("extended") { Mode::Extended } else { Mode::Compatible },
            sealed: set.flag("rpc.encrypted"),
            in_flight: set.count("rpc.in_flight").and_then(|n| u16::try_from(n).ok()),
            window: window.and_then(|size| u32::try_from(size.0).ok()).unwrap_or(u32::MAX),
            frame: self.count("rpc.frame", fitting(transport, carriers)),
        }
    }

    /// The one check that counts, if it is one.
    fn one_check(&self) -> Option<&'static str> {
        let name = self.set.text("rpc.check")?;
        CHECKS.iter().copied().find(|check| *check == name)
    }

    /// The one benchmark of a plan.
    fn bench(&self) -> BenchConfig {
        let index = METHODS.iter().position(|name| self.set.text("rpc.call") == Some(*name)).unwrap_or_default();
        let published = of(METHOD_OF[index]);
        let bench = BenchConfig { payload: self.count("rpc.payload", published.payload), ..published };
        self.as_often(bench)
    }

    /// `bench` as often, and with as many calls at a time, as the plan says.
    fn as_often(&self, bench: BenchConfig) -> BenchConfig {
        let calls = match self.set.set("rpc.calls") {
            None => bench.calls,
            Some(said) => said.as_u64().and_then(|n| u32::try_from(n).ok()),
        };
        BenchConfig {
            calls,
            warmup: self.count("rpc.warmup", bench.warmup),
            outstanding: self.count("rpc.outstanding", bench.outstanding),
            ..bench
        }
    }
}

/// The methods of [`METHODS`].
const METHOD_OF: [Method; 7] = [
    Method::Echo,
    Method::FlashRead,
    Method::DataWrite,
    Method::CounterStream,
    Method::CounterUpload,
    Method::BulkRead,
    Method::BulkWrite,
];

/// The frame that fills one LL PDU both ways.
fn fitting(transport: Transport, carriers: &Carriers<'_>) -> u16 {
    let Carriers { central, peripheral, gatt, data_length, .. } = carriers;
    match transport {
        Transport::Gatt => gatt.payload,
        Transport::Coc => {
            let mps = central.host.coc_mps.min(peripheral.host.coc_mps);
            let mtu = central.host.coc_mtu.min(peripheral.host.coc_mtu);
            // What a K-frame has besides its payload is counted once: in the PDU, and in the MPS but for the basic header.
            data_length.saturating_sub(FIRST_K_FRAME).min(mps.saturating_sub(2)).min(mtu)
        }
    }
}
