//! Rules between the keys of remote calls.

use airtime_keys::{Fault, Source};
use airtime_rpc::client::Mode;
use airtime_rpc::suite::Method;

use super::{Rpc, Suite, Transport};
use crate::plan::coc::Coc;
use crate::plan::gatt::Gatt;
use crate::plan::link::Connection;
use crate::plan::scenario::Scenario;

/// Longest text of the published `echo`, in octets.
const ECHO_MAX: u32 = 256;

/// Longest read and write of the published service, in octets.
const FLASH_MAX: u32 = 8_192;

/// Longest stream of the published service, in items.
const ITEMS_MAX: u32 = 10_000;

/// A frame of the key exchange: 4 octets of header and 129 of the server's answer; an ATT value of it needs an MTU of 136.
const KEY_EXCHANGE_FRAME: u16 = 133;

type Rule = fn(&Scenario, &Rpc) -> Result<(), Fault>;

const RULES: &[Rule] = &[one_at_a_time, large_objects, payload, frame, sealed, one_peripheral];

/// Refuses what a plan says of calls that its suite does not have.
pub fn said(rpc: &Rpc, from: &dyn Source) -> Result<(), Fault> {
    if rpc.suite.is_some()
        && let Some(key) = [Rpc::CALL, Rpc::PAYLOAD].into_iter().find(|key| from.value(key).is_some())
    {
        let what = format!("`{}`: a suite has calls and payloads of its own", key.name);
        return Err(Fault::new(what).about([key, Rpc::SUITE]));
    }
    if rpc.suite != Some(Suite::Conformance) && rpc.check.is_some() {
        let fault = Fault::new("`rpc.check`: only the suite `conformance` has checks");
        return Err(fault.near("rpc.suite = \"conformance\"").about([Rpc::CHECK, Rpc::SUITE]));
    }
    Ok(())
}

/// Refuses calls with the first rule that they break.
pub fn check(scenario: &Scenario) -> Result<(), Fault> {
    let Some(rpc) = &scenario.rpc else { return Ok(()) };
    RULES.iter().try_for_each(|rule| rule(scenario, rpc))
}

/// The published protocol knows its answers by their order.
fn one_at_a_time(_: &Scenario, rpc: &Rpc) -> Result<(), Fault> {
    let most = rpc.benches().iter().map(|bench| bench.outstanding).max().unwrap_or(1);
    if rpc.mode == Mode::Extended || most <= 1 {
        return Ok(());
    }
    let what = format!("`rpc.outstanding`: compatible mode has one call at a time, not {most}");
    let fault = Fault::new(what).allowing("1").near("rpc.mode = \"extended\"");
    Err(fault.about([Rpc::OUTSTANDING, Rpc::MODE]))
}

/// Large objects are of extended mode, and the test service has memory for the state of one upload.
fn large_objects(_: &Scenario, rpc: &Rpc) -> Result<(), Fault> {
    for bench in rpc.benches() {
        let name = bench.call.name();
        if matches!(bench.call, Method::BulkRead | Method::BulkWrite) && rpc.mode == Mode::Compatible {
            let what = format!("`rpc.call`: compatible mode has no `{name}`");
            return Err(Fault::new(what).near("rpc.mode = \"extended\"").about([Rpc::CALL, Rpc::MODE]));
        }
        if bench.call == Method::BulkWrite && bench.outstanding > 1 {
            let what = format!("`rpc.outstanding`: one `{name}` at a time, not {}", bench.outstanding);
            return Err(Fault::new(what).allowing("1").about([Rpc::OUTSTANDING, Rpc::CALL]));
        }
    }
    Ok(())
}

/// Refuses a payload that the test service does not take.
fn payload(_: &Scenario, rpc: &Rpc) -> Result<(), Fault> {
    let about = [Rpc::PAYLOAD, Rpc::CALL, Rpc::MODE];
    for bench in rpc.benches() {
        let most = match (bench.call, rpc.mode) {
            (Method::Echo, _) => ECHO_MAX,
            (Method::CounterStream | Method::CounterUpload, _) => ITEMS_MAX,
            (_, Mode::Compatible) => FLASH_MAX,
            (_, Mode::Extended) => u32::MAX,
        };
        if bench.payload > most {
            let what = format!("`rpc.payload`: {} is above what `{}` takes", bench.payload, bench.call.name());
            return Err(Fault::new(what).allowing(format!("0 to {most}")).about(about));
        }
        let stream = matches!(bench.call, Method::CounterStream | Method::CounterUpload);
        if stream && bench.payload == 0 {
            return Err(Fault::new("`rpc.payload`: a stream without items has nothing to measure").about(about));
        }
    }
    Ok(())
}

fn frame(scenario: &Scenario, rpc: &Rpc) -> Result<(), Fault> {
    let (most, carrier) = match rpc.transport {
        Transport::Gatt => (scenario.att_mtu().saturating_sub(3), "the ATT MTU"),
        Transport::Coc => (scenario.central.host.coc_mtu.min(scenario.peripheral.host.coc_mtu), "the channel"),
    };
    let frame = scenario.payload();
    if frame <= most {
        return Ok(());
    }
    let what = format!("`rpc.frame`: {frame} does not fit {carrier}, which takes {most}");
    Err(Fault::new(what).allowing(format!("20 to {most}")).about([Rpc::FRAME, Gatt::MTU, Coc::MTU]))
}

fn sealed(scenario: &Scenario, rpc: &Rpc) -> Result<(), Fault> {
    let frame = scenario.payload();
    if !rpc.encrypted || frame >= KEY_EXCHANGE_FRAME {
        return Ok(());
    }
    let what = format!(
        "`rpc.encrypted`: the key exchange needs frames of {KEY_EXCHANGE_FRAME} octets, and these have {frame}"
    );
    Err(Fault::new(what).about([Rpc::ENCRYPTED, Rpc::FRAME, Gatt::MTU]))
}

fn one_peripheral(scenario: &Scenario, _: &Rpc) -> Result<(), Fault> {
    if scenario.connection.peripherals == 1 {
        return Ok(());
    }
    let fault = Fault::new("`ble.peripherals`: remote calls are made of one peripheral").allowing("1");
    Err(fault.about([Connection::PERIPHERALS]))
}
