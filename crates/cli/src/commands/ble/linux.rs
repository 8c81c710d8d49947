//! The back end of Linux: its own Bluetooth stack, by an L2CAP socket.

use airtime_app::Outcome;
use airtime_ble_link::plan::{Carrier, Transport};
use airtime_core::Duration;
use airtime_live::PeerConfig;
use airtime_live::ble::linux::l2cap::{Channel, ChannelConfig, ChannelError, Peer};

use super::Opened;
use super::back_end::{BackEnd, Status};
use super::refusal::Refusal;
use crate::arguments::ble::HwBleArguments;
use crate::exit::Failure;

/// Word for whichever adapter the kernel takes.
const ANY: &str = "any";

/// HCI error: connection timeout. Core 6.0, Vol 1, Part F, 2.8.
const TIMEOUT: u8 = 0x08;

/// A channel of the kernel's.
struct Socket {
    channel: Channel,
    outcome: Option<Outcome>,
}

/// Back end for what `arguments` ask for, on the `adapter` with this address.
pub fn open(adapter: &str, arguments: &HwBleArguments, config: &PeerConfig) -> Result<Opened, Failure> {
    let config = channel(adapter, arguments, config).map_err(Failure::BadInput)?;
    let channel = Channel::open(&config).map_err(|error| Failure::Machine(error.to_string()))?;
    let stopper = channel.stopper();
    Ok((Box::new(Socket { channel, outcome: None }), stopper))
}

/// Channel of a test.
///
/// # Errors
/// Refusal of a request that this stack cannot serve, or that lacks an option.
fn channel(adapter: &str, arguments: &HwBleArguments, config: &PeerConfig) -> Result<ChannelConfig, String> {
    if config.scenario.link == Carrier::BleGatt {
        return Err("--adapter: values of GATT are not to be had of Linux's own stack yet; --hci has them".to_owned());
    }
    let psm = arguments.psm.ok_or("--adapter: the characteristic that publishes a PSM is not read; --psm 0x0080")?;
    let peer = |option: &str, text: &str| text.parse::<Peer>().map_err(|what| format!("{option} {what}"));
    let host = &config.scenario.receiver().host;
    let sends = config.name.ends_with("source");
    debug_assert!(config.scenario.transport() == Transport::Coc);
    Ok(ChannelConfig {
        adapter: if adapter == ANY { None } else { Some(peer("--adapter", adapter)?) },
        peer: peer("--address", arguments.address.as_deref().unwrap_or_default())?,
        psm,
        mtu: host.coc_mtu,
        sdu: if sends { Some(config.scenario.sdu()) } else { None },
        warmup: config.scenario.run.warmup,
    })
}

impl BackEnd for Socket {
    fn go_on(&mut self, time: Duration) -> Result<(), Refusal> {
        match self.channel.run(time) {
            Ok(()) => Ok(()),
            // In mid-stream it ends the test, whose figures are kept; before that there is none.
            Err(ChannelError::Gone) => {
                self.outcome = Some(Outcome::Disconnected { reason: TIMEOUT });
                Ok(())
            }
            Err(error) => Err(Refusal::System { why: error.to_string() }),
        }
    }

    fn status(&self) -> Status {
        let (rate, now) = self.channel.rate();
        Status {
            // Its errors come at once, so a kernel that waits for the peer is up.
            up: true,
            ready: true,
            step: None,
            connections: self.channel.is_open().into(),
            streaming: self.channel.streaming(),
            octets: self.channel.octets(),
            ended: self.outcome,
            series_kbps: rate.series_by(now),
            steady_kbps: rate.steady_by(now),
            // The kernel tells a program of the MTUs alone.
            negotiated: None,
        }
    }

    fn is_stopped(&self) -> bool {
        self.channel.stopper().is_asked()
    }
}
