//! Reasons that nothing came of a test over Bluetooth LE, from the controller upwards: one table for all commands that run one.

use airtime_app::Outcome;
use airtime_ble::host::Role;
use airtime_ble_link::plan::Carrier;
#[cfg(unix)]
use airtime_ble_link::station::Application;
use airtime_live::PeerConfig;
#[cfg(unix)]
use airtime_live::ble::client::Client;

/// HCI error: connection timeout. Core 6.0, Vol 1, Part F, 1.3.
const TIMEOUT: u8 = 0x08;

/// L2CAP result: SPSM not supported. Core 6.0, Vol 3, Part A, 4.23.
const NO_SUCH_PSM: u16 = 0x0002;

/// PSM of a peripheral that was told no other: the first dynamic one.
const PSM: u16 = 0x0080;

/// Remedies for a controller that is silent.
const SILENT: &str = "another rate (@115200), no flow control (RTS, CTS), or no image with an H4 HCI";

/// Remedy for a controller that has come up by half.
const HALF_UP: &str = "reset the board, or flash its HCI image again";

/// Test that nothing came of, in the words of the command that ran it.
#[derive(Clone, Copy, Debug)]
pub struct Test<'a> {
    /// Host that ran it.
    pub config: &'a PeerConfig,
    /// Place of its controller, or its adapter.
    pub place: &'a str,
    /// Option that names the other end.
    pub name: &'static str,
    /// Option that names a PSM, up to its value.
    pub psm: &'static str,
}

/// State in which nothing was carried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// The controller has answered.
    pub up: bool,
    /// It has been configured.
    pub ready: bool,
    /// Connections that came about.
    pub connections: u64,
    /// Step of the set-up that is under way, in words.
    pub step: Option<&'static str>,
    /// Outcome of the last test that ended.
    pub outcome: Option<Outcome>,
}

/// Reason that the host of `test` has carried nothing; none if it has.
#[cfg(unix)]
pub fn why_nothing(test: &Test<'_>, client: &Client) -> Option<String> {
    let progress = client.progress();
    if progress.submitted + progress.delivered > 0 {
        return None;
    }
    let step = match client.own().station().application() {
        Application::Central(machine) => machine.step(0).map(|step| step.name()),
        Application::Peripheral(_) => None,
    };
    let (connections, outcome) = (progress.connections, progress.outcome);
    let state = State { up: client.is_up(), ready: progress.ready, connections, step, outcome };
    Some(format!("nothing was carried: {}", test.unmet(&state)))
}

impl Test<'_> {
    /// Reason that no stream has begun in `state`.
    pub fn unmet(&self, state: &State) -> String {
        let (place, name) = (self.place, &self.config.scenario.connection.name);
        match (self.config.role, state) {
            (_, State { up: false, .. }) => {
                format!("the controller at {place} has not answered HCI Reset: {SILENT}")
            }
            (_, State { ready: false, .. }) => {
                format!("the controller at {place} has answered HCI Reset, and no more; {HALF_UP}")
            }
            (Role::Peripheral, State { connections: 0, .. }) => format!(
                "nobody has connected to `{name}`, which it advertises; the other end has to be the central: --role central"
            ),
            (Role::Peripheral, _) => format!("a central has connected, and {}", self.left_out()),
            (Role::Central, State { step: Some(step), .. }) => format!("{step} is not answered by `{name}`"),
            (Role::Central, State { outcome: Some(outcome), .. }) => self.ended(*outcome, 0),
            (Role::Central, State { connections: 0, .. }) => self.ended(Outcome::ScanTimeout, 0),
            (Role::Central, _) => format!(
                "`{name}` is connected, and no stream begins: it may wait for a longer data length, for credits, or for a subscription"
            ),
        }
    }

    /// Reason that a central's test has ended with `outcome`, after so many whole seconds of its stream.
    pub fn ended(&self, outcome: Outcome, seconds: usize) -> String {
        let name = &self.config.scenario.connection.name;
        let after = if seconds > 0 { format!(" after {seconds} s of the stream") } else { String::new() };
        match outcome {
            Outcome::ScanTimeout => format!(
                "nobody advertises as `{name}`; {} says who is meant, the other end has to be the peripheral, and one that is connected \
                 already does not advertise",
                self.name
            ),
            Outcome::NoService if self.config.scenario.link == Carrier::BleCoc => {
                let psm = self.psm;
                format!("`{name}` has no service that publishes a PSM; {psm}0x{PSM:04X} opens the channel without it")
            }
            Outcome::NoService => format!("`{name}` does not have the GATT service of the test"),
            Outcome::ChannelRefused { result: NO_SUCH_PSM } => {
                let which = self.config.psm.map(|psm| format!("PSM 0x{psm:04X}"));
                let which = which.unwrap_or_else(|| "the PSM that it publishes".to_owned());
                format!("`{name}` takes no channels on {which} (0x0002): its log says on which it listens")
            }
            Outcome::Disconnected { reason: TIMEOUT } => {
                format!("`{name}` has gone{after} (0x08, supervision timeout): power, distance, or a crash of it")
            }
            Outcome::Disconnected { reason } => format!("the connection ended{after} (0x{reason:02X})"),
            other => other.to_string(),
        }
    }

    /// Steps that a central leaves out.
    fn left_out(&self) -> String {
        let psm = self.config.psm.unwrap_or(PSM);
        match (self.config.scenario.link, self.config.name.ends_with("source")) {
            (Carrier::BleCoc, _) => format!("has opened no channel on PSM 0x{psm:04X}, or sent nothing on it"),
            (_, true) => "has not subscribed to the stream characteristic of the test service".to_owned(),
            (_, false) => "has written nothing to the stream characteristic of the test service".to_owned(),
        }
    }
}
