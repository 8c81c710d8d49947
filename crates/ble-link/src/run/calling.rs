//! The ends of a scenario's remote calls.

use crate::plan::{Device, Program, Rpc, Scenario};
use airtime_app::IntervalConfig;
use airtime_app::rpc::{self as app, Central, FrameConfig, Peripheral};
use airtime_ble::host::Profile;
use airtime_ble::network::{Network, Observer};
use airtime_core::{Duration, Pool};
#[cfg(not(target_family = "wasm"))]
use airtime_guest::trouble::{CalledConfig, CalledTroubleStation, Wanted};
use airtime_rpc::client::{ClientConfig, Encryption, Mode};
use airtime_rpc::crypto::Pin;
use airtime_rpc::server::ServerConfig;
use airtime_rpc::service::{PatternFlash, TestService};

use super::ends::{central_config, model, peripheral_config};
use super::joined::joined;
use super::rpc::LabScript;
use crate::station::{AnyScript, EitherStation, SeededSecrets, StationOutput};

/// Octets of the peripheral's flash.
pub const FLASH_OCTETS: u32 = 1 << 24;

/// Wait for the next frame that the published firmware advertises.
const ADVERTISED_TIMEOUT: Duration = Duration::from_millis(100);

/// Longest wait of the published clients for the first frame of an answer.
const PATIENCE: Duration = Duration::from_secs(2);

/// Deadline of a call of extended mode, *assumed*: eight reads of 8192 octets that share the link of a phone take two seconds each.
const DEADLINE: Duration = Duration::from_secs(60);

/// Longest request that the published firmware takes, and the longest response that it advertises.
const PUBLISHED_LENGTHS: (u16, u16) = (12_288, 65_535);

/// Number of times that a central connects again: an hour of one lost connection every four seconds.
const RECONNECTS_MAX: u16 = 1_000;

/// The devices of `scenario`, whose central calls what `script` says.
///
/// # Panics
/// If the scenario has no remote calls.
pub fn build_calling<O: Observer<StationOutput>>(
    scenario: &Scenario,
    seed: u64,
    observer: O,
    script: AnyScript,
) -> Network<EitherStation, O> {
    let calls = scenario.rpc.as_ref().expect("a scenario of remote calls");
    let pool = Pool::new();
    let central = central(scenario, calls, script, seed, &pool);
    let peripherals =
        (0..scenario.connection.peripherals).map(|index| peripheral(scenario, calls, index, seed, &pool)).collect();
    joined(scenario, seed, observer, central, peripherals, &pool)
}

pub(super) fn central(scenario: &Scenario, calls: &Rpc, script: AnyScript, seed: u64, pool: &Pool) -> EitherStation {
    let machine = Central::new(calling_config(scenario, calls), script, SeededSecrets::new(seed, "central"));
    model(&scenario.central, Profile::Rpc, machine, pool).into()
}

pub(super) fn peripheral(scenario: &Scenario, calls: &Rpc, index: u8, seed: u64, pool: &Pool) -> EitherStation {
    let service = TestService::new(PatternFlash::new(FLASH_OCTETS));
    let secrets = SeededSecrets::new(seed, &format!("peripheral/{index}"));
    let config = called_config(scenario, calls, index);
    match &scenario.peripheral.program {
        Program::Model => {
            model(&scenario.peripheral, Profile::Rpc, Peripheral::new(config, service, secrets), pool).into()
        }
        #[cfg(not(target_family = "wasm"))]
        Program::Trouble => {
            CalledTroubleStation::new(trouble(scenario, &config), service, secrets, pool.clone()).into()
        }
        #[cfg(target_family = "wasm")]
        Program::Trouble => unreachable!("a plan with TrouBLE is refused where it does not run"),
        Program::Firmware(_) => unreachable!("a plan of calls to an image is refused"),
    }
}

/// The same end on TrouBLE, as the image has it: it asks for its interval wherever that lies, and its host says how many frames
/// it takes.
#[cfg(not(target_family = "wasm"))]
fn trouble(scenario: &Scenario, config: &app::PeripheralConfig) -> CalledConfig {
    let asked = config.set_up.interval;
    let published = Wanted::PUBLISHED;
    let longest = asked.request.unwrap_or(published.longest);
    let wanted = Wanted {
        shortest: asked.request_from.unwrap_or(longest),
        longest,
        latency: asked.latency,
        supervision_timeout: asked.supervision_timeout,
    };
    CalledConfig {
        name: config.set_up.name,
        frame: config.frames.octets,
        // The image suggests what its controller can do; a plan may say that it does not.
        data_octets: scenario.peripheral.controller.suggested_octets,
        wanted,
        ..CalledConfig::published(config.server)
    }
}

/// Script of calls for a scenario's central.
pub(super) fn script(calls: &Rpc) -> AnyScript {
    AnyScript::new(LabScript::new(calls))
}

/// The application of the end that calls.
pub fn calling_config(scenario: &Scenario, calls: &Rpc) -> app::CentralConfig {
    let mut set_up = central_config(scenario);
    // Only the peripheral's notifications have to be turned on.
    set_up.stream.direction = airtime_app::Direction::P2c;
    app::CentralConfig {
        set_up,
        client: ClientConfig {
            mode: calls.mode,
            encryption: if calls.encrypted { Encryption::Required(Pin::FirstUse) } else { Encryption::Off },
            patience: if calls.mode == Mode::Extended { DEADLINE } else { PATIENCE },
            window: calls.window(),
        },
        frames: frames(scenario, calls, &scenario.central),
        reconnects: RECONNECTS_MAX,
    }
}

/// The application of peripheral number `index`, which is called.
pub fn called_config(scenario: &Scenario, calls: &Rpc, index: u8) -> app::PeripheralConfig {
    let mut set_up = peripheral_config(scenario, index);
    if set_up.interval.request.is_none() {
        // The central decides; its own choice stays where it lies within.
        let IntervalConfig { request, request_from, .. } = app::PeripheralConfig::PUBLISHED;
        set_up.interval = IntervalConfig { request, request_from, ..set_up.interval };
    }
    let (max_request, max_response) = PUBLISHED_LENGTHS;
    app::PeripheralConfig {
        set_up,
        server: ServerConfig {
            extended: true,
            encrypted: calls.encrypted,
            timeout: ADVERTISED_TIMEOUT,
            max_request,
            max_response,
            window: calls.window(),
        },
        frames: frames(scenario, calls, &scenario.peripheral),
    }
}

/// As many frames with the host as its controller has buffers, unless the plan says otherwise.
fn frames(scenario: &Scenario, calls: &Rpc, device: &Device) -> FrameConfig {
    let in_flight = calls.in_flight.unwrap_or(u16::from(device.controller.acl_count));
    FrameConfig { in_flight, octets: scenario.payload() }
}
