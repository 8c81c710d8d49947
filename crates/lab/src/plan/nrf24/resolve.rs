//! From settings to a scenario of IP over the nRF24L01+.

use airtime_core::Duration;
use airtime_core::units::Frequency;
use airtime_net::tcp;
use airtime_nrf24::air::{Crc, Rate};
use airtime_nrf24::driver;
use airtime_nrf24::host::Cost;
use airtime_nrf24::legacy;
use airtime_nrf24::stall::Period;

use super::check;
use super::scenario::{Mode, Radio, Scenario, Tunnel};
use crate::plan::resolve::Resolver;
use crate::plan::traffic::Missing;
use crate::schema::POWERS;
use crate::toml::error::{Fault, PlanError};

/// What IPv4 without options and UDP put in front of a payload. RFC 791, 3.1; RFC 768.
const IP_UDP: u16 = 20 + 8;

/// One step of the retransmission delay. nRF24L01+ Product Specification 1.0, Table 28, SETUP_RETR.
pub const ARD_STEP: Duration = Duration::from_micros(250);

impl Resolver<'_> {
    /// The scenario of a plan with this link, checked.
    pub(in crate::plan) fn nrf24(&self) -> Result<Scenario, PlanError> {
        let set = self.set;
        let mode = Mode::ALL.into_iter().find(|mode| set.text("nrf24.mode") == Some(mode.name()));
        let mode = mode.unwrap_or(Mode::Stream);
        let tunnel = self.tunnel();
        let scenario = Scenario {
            mode,
            radio: self.radio(mode),
            cost: self.cost(),
            loss: self.loss("nrf24.loss")?,
            stall: self.stall()?,
            traffic: self
                .traffic(Missing { payload: tunnel.mtu.saturating_sub(IP_UDP), window: own_window(mode, tunnel.mtu) }),
            tunnel,
            run: self.run(),
        };
        check::check(self, &scenario)?;
        Ok(scenario)
    }

    fn radio(&self, mode: Mode) -> Radio {
        let set = self.set;
        let rate = set.text("nrf24.rate").and_then(|text| text.parse().ok()).unwrap_or(Rate::M2);
        let channel_a = self.count("nrf24.channel_a", 108);
        let channel_b = self.count("nrf24.channel_b", if mode.radios() == 1 { channel_a } else { 116 });
        let power = set.text("nrf24.power").and_then(|text| POWERS.iter().position(|power| *power == text));
        Radio {
            channels: [channel_a, channel_b],
            rate,
            address_width: self.count("nrf24.address_width", 3),
            crc: if set.count("nrf24.crc") == Some(1) { Crc::One } else { Crc::Two },
            auto_ack: set.flag("nrf24.auto_ack"),
            ard: set.span("nrf24.ard").unwrap_or_else(|| own_ard(mode, rate)),
            arc: self.count("nrf24.arc", 15),
            power: power.unwrap_or(POWERS.len() - 1) as u8,
            pll_break: set.flag("nrf24.pll_break"),
        }
    }

    fn tunnel(&self) -> Tunnel {
        let set = self.set;
        Tunnel {
            mtu: self.count("nrf24.mtu", 1_500),
            batch: self.count("nrf24.batch", 3),
            delay: set.span("nrf24.delay").unwrap_or_default(),
            framing: match set.text("nrf24.framing") {
                Some("start-packet") => legacy::Framing::StartPacket,
                Some("sequence") => legacy::Framing::Sequence,
                _ => legacy::Framing::None,
            },
            compression: set.flag("nrf24.compression"),
            encrypted: set.flag("nrf24.encrypted"),
            window: self.count("nrf24.window", 32),
            ack_every: self.count("nrf24.ack_every", 4),
            queue: set.span("nrf24.queue").unwrap_or_default(),
            persistence: set.span("nrf24.persistence").unwrap_or_default(),
        }
    }

    fn cost(&self) -> Cost {
        let span = |name: &str| self.set.span(name).unwrap_or_default();
        let clock = self.set.text("nrf24.spi_clock").and_then(|text| text.parse::<Frequency>().ok());
        Cost {
            // The schema keeps it within 10 MHz.
            spi_hz: clock.map_or(10_000_000, |clock| clock.0 as u32),
            transaction: span("nrf24_host.transaction"),
            pin: span("nrf24_host.pin"),
            wake: span("nrf24_host.wake"),
            sleep_slack: span("nrf24_host.sleep_slack"),
            tun: span("nrf24_host.tun"),
        }
    }

    fn stall(&self) -> Result<Option<Period>, PlanError> {
        match (self.set.span("nrf24.stall.every"), self.set.span("nrf24.stall.for")) {
            (Some(every), Some(length)) => Ok(Some(Period { every, length })),
            (None, None) => Ok(None),
            _ => {
                let fault = Fault::new("`nrf24.stall` needs both `every` and `for`");
                let keys = ["nrf24.stall.every", "nrf24.stall.for"];
                Err(self.error(&keys, fault.allowing("{ every = \"50ms\", for = \"1ms\" }")))
            }
        }
    }
}

/// The retransmission delay when the plan does not say: as published, or the shortest that leaves room for the
/// acknowledgements of the mode.
fn own_ard(mode: Mode, rate: Rate) -> Duration {
    let steps = match mode {
        // The published source: ARD 2.
        Mode::Legacy => 2,
        Mode::AckPayload => driver::Config::shortest_ard(rate, airtime_nrf24::air::PAYLOAD_MAX as u8),
        Mode::AutoAck | Mode::Stream => driver::Config::shortest_ard(rate, 0),
    };
    ARD_STEP * (u64::from(steps) + 1)
}

/// The receive buffer of TCP when the plan does not say: the usual one where a queue without bound takes all of it, else
/// what keeps the link busy without filling a queue of four packets.
fn own_window(mode: Mode, mtu: u16) -> u32 {
    let octets = match mode {
        Mode::Legacy => tcp::WINDOW,
        Mode::AutoAck | Mode::AckPayload | Mode::Stream => tcp::short_window(usize::from(mtu)),
    };
    octets as u32
}
