//! The back end of every system: our own host on a controller behind H4.

use std::io::{self, ErrorKind};

use airtime_ble_link::plan::Transport;
use airtime_ble_link::station::Application;
use airtime_core::Duration;
use airtime_lab::record::{DataLength, Negotiated};
use airtime_live::{Dialled, PeerConfig, Place, Stopper};

use super::back_end::{BackEnd, Status};
use super::refusal::Refusal;

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
            dle: DataLength { c2p: own.tx_octets, p2c: own.rx_octets },
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
