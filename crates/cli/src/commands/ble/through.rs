//! Streams that go through the system's own Bluetooth, whichever system it is.

use airtime_ble::host::ValueMethod;
use airtime_core::Duration;
use airtime_live::ble::system::{SystemHost, Values, Way};
use airtime_live::{PeerConfig, Stopper};

use super::back_end::{BackEnd, Status};
use super::refusal::Refusal;
use crate::arguments::ble::HwBleArguments;
use crate::exit::Failure;

/// Set where the system says when it takes the next write command; others keep what they are given, without end.
const COMMANDS_WAIT: bool = cfg!(target_os = "macos");

/// A stream of values that goes through the system.
pub struct Through<H: SystemHost> {
    values: Values<H>,
    stopper: Stopper,
}

impl<H: SystemHost> Through<H> {
    /// The stream of `values`, which `stopper` stops.
    pub fn new(values: Values<H>, stopper: Stopper) -> Self {
        Self { values, stopper }
    }
}

/// Way of a stream of values that the system can carry.
///
/// # Errors
/// Refusal of one that it cannot.
pub fn way(arguments: &HwBleArguments, config: &PeerConfig) -> Result<Way, Failure> {
    let bad = |what: &str| Err(Failure::BadInput(what.to_owned()));
    if arguments.address.is_some() {
        return bad("--address is for channels of Linux's; values are found by --name, for the system has them");
    }
    let octets = config.scenario.value();
    match config.scenario.method() {
        ValueMethod::WriteRequest => Ok(Way::Written { octets, long: false }),
        ValueMethod::LongWrite => Ok(Way::Written { octets, long: true }),
        ValueMethod::Read => Ok(Way::Read),
        ValueMethod::Unanswered if config.name.ends_with("source") && COMMANDS_WAIT => Ok(Way::Commanded { octets }),
        ValueMethod::Unanswered if config.name.ends_with("source") => bad(
            "--adapter: this system takes write commands without end, so that what it has taken is no figure; --set gatt.method=write-request \
             has each value answered, and --hci writes commands",
        ),
        ValueMethod::Unanswered | ValueMethod::Indication => Ok(Way::Notified),
    }
}

impl<H: SystemHost> BackEnd for Through<H> {
    fn go_on(&mut self, time: Duration) -> Result<(), Refusal> {
        match self.values.run(time) {
            // Whoever asks is told by `is_stopped`.
            Ok(()) => Ok(()),
            Err(_) if self.is_stopped() => Ok(()),
            Err(error) => Err(Refusal::System { why: error.to_string() }),
        }
    }

    fn status(&self) -> Status {
        let (rate, now) = self.values.rate();
        Status {
            up: true,
            ready: true,
            step: if self.values.is_open() { None } else { self.values.host().step() },
            connections: self.values.host().is_heard().into(),
            streaming: self.values.streaming(),
            octets: self.values.octets(),
            ended: None,
            series_kbps: rate.series_by(now),
            steady_kbps: rate.steady_by(now),
            negotiated: None,
            whole: self.values.whole(),
        }
    }

    fn is_stopped(&self) -> bool {
        self.stopper.is_asked()
    }
}

impl<H: SystemHost> Drop for Through<H> {
    fn drop(&mut self) {
        self.values.hang_up();
    }
}
