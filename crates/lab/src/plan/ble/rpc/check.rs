//! What holds between the keys of remote calls.

use airtime_rpc::client::Mode;
use airtime_rpc::suite::Method;

use super::{RpcScenario, RpcScript, Transport, method_name};
use crate::plan::ble::scenario::Scenario;
use crate::plan::resolve::Resolver;
use crate::toml::error::{Fault, PlanError};

/// Longest text of the published `echo`, in octets.
const ECHO_MAX: u32 = 256;

/// Longest read and write of the published service, in octets.
const FLASH_MAX: u32 = 8_192;

/// Longest stream of the published service, in items.
const ITEMS_MAX: u32 = 10_000;

/// A frame of the key exchange: 4 octets of header and 129 of the server's answer; an ATT value of it needs an MTU of 136.
const KEY_EXCHANGE_FRAME: u16 = 133;

/// What is wrong, and the keys it is about, the likeliest culprit first.
type Broken = (&'static [&'static str], Fault);

type Rule = fn(&Scenario, &RpcScenario) -> Result<(), Broken>;

const RULES: &[Rule] = &[one_at_a_time, large_objects, payload, frame, sealed, one_peripheral];

/// The first rule that the calls of `scenario` break.
pub fn check(resolver: &Resolver<'_>, scenario: &Scenario) -> Result<(), PlanError> {
    let Some(rpc) = &scenario.rpc else { return Ok(()) };
    if rpc.bench().is_none()
        && let Some(key) = ["rpc.call", "rpc.payload"].into_iter().find(|key| resolver.set.set(key).is_some())
    {
        let what = format!("`{key}`: a suite has calls and payloads of its own");
        return Err(resolver.error(&[key, "rpc.suite"], Fault::new(what)));
    }
    if !matches!(rpc.script, RpcScript::Conformance(_)) && resolver.set.set("rpc.check").is_some() {
        let fault = Fault::new("`rpc.check`: only the suite `conformance` has checks");
        let fault = Fault { nearest: Some("rpc.suite = \"conformance\"".into()), ..fault };
        return Err(resolver.error(&["rpc.check", "rpc.suite"], fault));
    }
    for rule in RULES {
        rule(scenario, rpc).map_err(|(keys, fault)| resolver.error(keys, fault))?;
    }
    Ok(())
}

/// The published protocol knows its answers by their order.
fn one_at_a_time(_: &Scenario, rpc: &RpcScenario) -> Result<(), Broken> {
    let most = rpc.benches().iter().map(|bench| bench.outstanding).max().unwrap_or(1);
    if rpc.mode == Mode::Extended || most <= 1 {
        return Ok(());
    }
    let what = format!("`rpc.outstanding`: compatible mode has one call at a time, not {most}");
    let fault = Fault { nearest: Some("rpc.mode = \"extended\"".into()), ..Fault::new(what).allowing("1") };
    Err((&["rpc.outstanding", "rpc.mode"], fault))
}

/// Large objects are of extended mode, and the test service has memory for the state of one upload.
fn large_objects(_: &Scenario, rpc: &RpcScenario) -> Result<(), Broken> {
    for bench in rpc.benches() {
        let name = method_name(bench.call);
        if matches!(bench.call, Method::BulkRead | Method::BulkWrite) && rpc.mode == Mode::Compatible {
            let what = format!("`rpc.call`: compatible mode has no `{name}`");
            let fault = Fault { nearest: Some("rpc.mode = \"extended\"".into()), ..Fault::new(what) };
            return Err((&["rpc.call", "rpc.mode"], fault));
        }
        if bench.call == Method::BulkWrite && bench.outstanding > 1 {
            let what = format!("`rpc.outstanding`: one `{name}` at a time, not {}", bench.outstanding);
            return Err((&["rpc.outstanding", "rpc.call"], Fault::new(what).allowing("1")));
        }
    }
    Ok(())
}

/// What the test service takes.
fn payload(_: &Scenario, rpc: &RpcScenario) -> Result<(), Broken> {
    const KEYS: &[&str] = &["rpc.payload", "rpc.call", "rpc.mode"];
    let RpcScript::Benches(benches) = &rpc.script else { return Ok(()) };
    for bench in benches {
        let most = match (bench.call, rpc.mode) {
            (Method::Echo, _) => ECHO_MAX,
            (Method::CounterStream | Method::CounterUpload, _) => ITEMS_MAX,
            (_, Mode::Compatible) => FLASH_MAX,
            (_, Mode::Extended) => u32::MAX,
        };
        if bench.payload > most {
            let what = format!("`rpc.payload`: {} is above what `{}` takes", bench.payload, method_name(bench.call));
            return Err((KEYS, Fault::new(what).allowing(format!("0 to {most}"))));
        }
        let stream = matches!(bench.call, Method::CounterStream | Method::CounterUpload);
        if stream && bench.payload == 0 {
            return Err((KEYS, Fault::new("`rpc.payload`: a stream without items has nothing to measure")));
        }
    }
    Ok(())
}

fn frame(scenario: &Scenario, rpc: &RpcScenario) -> Result<(), Broken> {
    let most = match rpc.transport {
        Transport::Gatt => scenario.gatt.mtu.saturating_sub(3),
        Transport::Coc => scenario.central.host.coc_mtu.min(scenario.peripheral.host.coc_mtu),
    };
    if rpc.frame <= most {
        return Ok(());
    }
    let what = format!(
        "`rpc.frame`: {} does not fit {}, which takes {most}",
        rpc.frame,
        match rpc.transport {
            Transport::Gatt => "the ATT MTU",
            Transport::Coc => "the channel",
        }
    );
    Err((&["rpc.frame", "gatt.mtu", "coc.mtu"], Fault::new(what).allowing(format!("20 to {most}"))))
}

fn sealed(_: &Scenario, rpc: &RpcScenario) -> Result<(), Broken> {
    if !rpc.sealed || rpc.frame >= KEY_EXCHANGE_FRAME {
        return Ok(());
    }
    let what = format!(
        "`rpc.encrypted`: the key exchange needs frames of {KEY_EXCHANGE_FRAME} octets, and these have {}",
        rpc.frame
    );
    Err((&["rpc.encrypted", "rpc.frame", "gatt.mtu"], Fault::new(what)))
}

fn one_peripheral(scenario: &Scenario, _: &RpcScenario) -> Result<(), Broken> {
    if scenario.peripherals == 1 {
        return Ok(());
    }
    Err((&["ble.peripherals"], Fault::new("`ble.peripherals`: remote calls are made of one peripheral").allowing("1")))
}
