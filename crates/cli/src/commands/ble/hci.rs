//! The back end of every UNIX: our own host on a controller behind H4.

use std::io::{self, ErrorKind};

use airtime_ble::host::{Profile, Role};
use airtime_ble_link::plan::Transport;
use airtime_ble_link::run::host_config;
use airtime_ble_link::station::Application;
use airtime_core::Duration;
use airtime_lab::record::{DataLength, Negotiated};
use airtime_live::ble::client::Client;
use airtime_live::ble::options::host;
use airtime_live::ble::scan::Scanning;
use airtime_live::ble::whole::Whole;
use airtime_live::{Dialled, PeerConfig, Place, Stopper};

use super::back_end::{BackEnd, Status};
use super::refusal::Refusal;
use super::scan::Heard;
use super::test;
use crate::arguments::ble::HwBleScanArguments;
use crate::commands::reasons::State;
use crate::exit::{Exit, Failure};
use crate::interrupt::stop_on_signal;
use crate::output;

/// Time beside the scan in which a host's start-up is answered. *Assumed*: some thirty commands, at 9600 Bd.
const STARTUP_MAX: Duration = Duration::from_secs(5);

/// Our own host, and the controller it is on.
pub struct Hci {
    config: PeerConfig,
    host: Dialled,
}

impl Hci {
    /// The host of `config` on the controller at `place`.
    ///
    /// # Errors
    /// When there is none, or it is not to be had.
    pub fn open(config: PeerConfig, place: &Place) -> Result<Self, Refusal> {
        let host = Dialled::open(&config, place).map_err(|error| refused(&error))?;
        Ok(Self { config, host })
    }

    /// Handle that stops it from another thread.
    pub fn stopper(&self) -> Stopper {
        self.host.stopper()
    }

    /// Check of what has arrived, whose numbers the machine has counted; none where this end sends, or the other end's payload has none.
    fn whole(&self) -> Option<Whole> {
        let link = match self.host.client().own().station().application() {
            Application::Central(machine) => machine.link(0),
            Application::Peripheral(machine) => machine.link(),
        }?;
        let units = link.meter().sdus();
        let gaps = link.gaps();
        // The stream of somebody else has no numbers: each of its SDUs would be a gap.
        let is_numbered = gaps.lost < units && gaps.duplicated < units / 2;
        (units > 0 && is_numbered).then_some(Whole { units, gaps, spoilt: None })
    }

    fn negotiated(&self) -> Option<Negotiated> {
        let own = self.host.client().own().station().negotiated(0).filter(|own| !own.interval.is_zero())?;
        // Records have the receiver's terms: what the peer said where this end sends, else what this end says.
        let sends = self.config.name.ends_with("source");
        let peer = own.channel.filter(|_| sends);
        let here = &self.config.scenario.receiver().host;
        let here = own.channel.filter(|_| !sends).map(|_| (here.coc_mtu, here.coc_mps));
        Some(Negotiated {
            conn_interval: own.interval.to_string(),
            phy: own.phy.name().into(),
            dle: match self.config.role {
                Role::Central => DataLength { c2p: own.tx_octets, p2c: own.rx_octets },
                Role::Peripheral => DataLength { c2p: own.rx_octets, p2c: own.tx_octets },
            },
            mtu: match self.config.scenario.transport() {
                Transport::Coc => peer.map(|terms| terms.peer_mtu).or(here.map(|(mtu, _)| mtu)),
                Transport::Gatt => Some(own.att_mtu),
            },
            mps: peer.map(|terms| terms.peer_mps).or(here.map(|(_, mps)| mps)),
            initial_credits: peer.map(|terms| terms.initial_credits),
            frame_space: own.frame_space.to_string(),
            encrypted: own.encrypted,
        })
    }
}

impl BackEnd for Hci {
    fn go_on(&mut self, time: Duration) -> Result<(), Refusal> {
        self.host.run(Some(time)).map_err(|error| refused(&error))
    }

    fn status(&self) -> Status {
        let client = self.host.client();
        let (progress, now) = (client.progress(), client.pacer().now());
        let step = match client.own().station().application() {
            Application::Central(machine) => machine.step(0).map(|step| step.name()),
            Application::Peripheral(_) => None,
        };
        Status {
            up: client.is_up(),
            ready: progress.ready,
            step,
            connections: progress.connections,
            streaming: progress.began.map(|began| now.saturating_since(began)),
            octets: progress.submitted + progress.delivered,
            ended: progress.outcome,
            series_kbps: client.rate().series_by(now),
            steady_kbps: client.rate().steady_by(now),
            negotiated: self.negotiated(),
            whole: self.whole(),
        }
    }

    fn is_stopped(&self) -> bool {
        self.host.stopper().is_asked()
    }
}

/// Refusal that an error of the place is.
pub fn refused(error: &io::Error) -> Refusal {
    match error.kind() {
        ErrorKind::NotFound | ErrorKind::ConnectionRefused => Refusal::NoAdapter { why: error.to_string() },
        ErrorKind::PermissionDenied => Refusal::NoPermission,
        _ => Refusal::Adapter { why: error.to_string() },
    }
}

/// Everybody whom our own host hears on the controller at `place`, and whether somebody has stopped it.
pub fn scan(place: &Place, arguments: &HwBleScanArguments) -> Result<(Vec<Heard>, bool), Failure> {
    let config = listener()?;
    let at = place.to_string();
    let test = test(&config, &at);
    let failed = |error: io::Error| Failure::Machine(refused(&error).said(&test));
    let device = host_config(&config.scenario.central, Profile::Test);
    let client = Client::with(|pool| Scanning::new(device, arguments.name.clone(), arguments.length, pool));
    let mut host = Dialled::over(client, place).map_err(failed)?;
    let stopper = host.stopper();
    stop_on_signal(stopper.clone())?;
    host.run_until(Some(arguments.length + STARTUP_MAX), Scanning::is_over).map_err(failed)?;
    let client = host.client();
    if !stopper.is_asked() && !client.progress().ready {
        let state = State { up: client.is_up(), ..State::default() };
        return Err(Failure::Machine(Refusal::Unmet(state).said(&test)));
    }
    Ok((client.own().heard().iter().map(Heard::from).collect(), stopper.is_asked()))
}

/// Steps by which a controller comes up, and what to do where it does not.
pub fn doctor(place: &Place) -> Result<Exit, Failure> {
    let config = listener()?;
    let at = place.to_string();
    let test = test(&config, &at);
    let failed = |refusal: Refusal| Failure::Machine(refusal.said(&test));
    let mut back_end = Hci::open(config.clone(), place).map_err(failed)?;
    output::say(&format!("ok: {place} opens"));
    // The host's start-up is some thirty commands; a second carries them even at 9600 Bd.
    for _ in 0..3 {
        back_end.go_on(Duration::from_secs(1)).map_err(failed)?;
        if back_end.status().ready {
            break;
        }
    }
    let status = back_end.status();
    if !status.up {
        return Err(failed(Refusal::Unmet(State::default())));
    }
    output::say("ok: HCI Reset is answered");
    if !status.ready {
        return Err(failed(Refusal::Unmet(State { up: true, ..State::default() })));
    }
    output::say("ok: the host's start-up is answered; the controller can be used");
    Ok(Exit::Ok)
}

/// Host that looks for nobody.
fn listener() -> Result<PeerConfig, Failure> {
    let own = host("coc-sink,name=airtime", Some("central"), &airtime_lab::Library::builtin());
    own.map_err(|error| Failure::BadInput(error.to_string()))
}
