//! From the tunnel into the TX FIFO.

use airtime_core::Instant;
use embedded_hal::digital::OutputPin;
use embedded_hal_async::delay::DelayNs;
use embedded_hal_async::digital::Wait;
use embedded_hal_async::spi::SpiDevice;

use super::desk::{Bell, Desk, Woken};
use super::receive::store_all;
use super::report::look;
use crate::air::PAYLOAD_MAX;
use crate::driver::{Config, Error, Radio, Role};
use crate::trace::{Activity, Note};
use crate::tunnel::{Outgoing, Tunnel};

/// Number of the radio that transmits.
const RADIO: usize = 0;

/// The task of the radio that transmits. It keeps the TX FIFO full, waits for {IRQ, bell, the tunnel's deadline}, and does nothing
/// else. What rides on acknowledgements goes to the ring, so the end that polls needs no other task for its radio.
///
/// Returns once the desk stops.
///
/// # Errors
/// When the radio cannot be set up, or its bus or pins fail.
pub async fn transmit<D, SPI, CE, IRQ, DELAY>(
    desk: &D,
    radio: &mut Radio<SPI, CE, IRQ, DELAY>,
    config: &Config,
) -> Result<(), Error>
where
    D: Desk,
    SPI: SpiDevice,
    CE: OutputPin,
    IRQ: Wait,
    DELAY: DelayNs,
{
    radio.configure(config, Role::Transmitter).await?;
    radio.start()?;
    let mut slot = Slot::new();
    let mut drained = true;
    while !desk.stops() {
        while let Some(payload) = slot.next(desk, radio.has_room()) {
            let no_ack = payload.no_ack;
            if !radio.write(slot.octets(), no_ack).await? {
                break;
            }
            slot.written(desk);
            drained = false;
        }
        let (reason, until) = slot.outlook(desk, radio.has_room());
        match desk.wait_or_irq(radio.wait_irq(), Bell::Transmit, until, reason).await {
            Woken::Irq(line) => {
                line?;
                radio.irq_is_low()?;
                let events = radio.on_irq().await?;
                if events.max_rt {
                    slot.forget();
                    desk.with_tunnel(|tunnel, now| tunnel.gave_up(now));
                    drained = true;
                }
                if events.rx {
                    store_all(desk, radio).await?;
                }
                // Asked only when nothing waits to be written: under load it would cost a transaction per frame.
                if events.sent && !drained && reason != Activity::AwaitsChip && radio.is_drained().await? {
                    desk.with_tunnel(|tunnel, now| tunnel.drained(now));
                    drained = true;
                }
            }
            Woken::Otherwise => {}
        }
        desk.with_tunnel(wake_if_due);
    }
    radio.stop()
}

/// The tunnel's deadline may have come whatever ended a wait.
pub(super) fn wake_if_due(tunnel: &mut Tunnel, now: Instant) {
    if tunnel.deadline().is_some_and(|due| due <= now) {
        tunnel.wake(now);
    }
}

/// The next payload for the chip: taken from the tunnel when the FIFO has room, kept until it is written.
pub(super) struct Slot {
    frame: [u8; PAYLOAD_MAX],
    outgoing: Option<Outgoing>,
}

impl Slot {
    pub(super) const fn new() -> Self {
        Self { frame: [0; PAYLOAD_MAX], outgoing: None }
    }

    /// Payload to write now.
    pub(super) fn next(&mut self, desk: &impl Desk, has_room: bool) -> Option<Outgoing> {
        if !has_room || desk.stops() {
            return None;
        }
        if self.outgoing.is_none() {
            // A radio that sends as fast as it is filled never lets its task wait, so the deadline is kept here as well.
            self.outgoing = desk.with_tunnel(|tunnel, now| {
                wake_if_due(tunnel, now);
                tunnel.next_frame(now, &mut self.frame)
            });
        }
        self.outgoing
    }

    /// The octets of it.
    pub(super) fn octets(&self) -> &[u8] {
        &self.frame[..self.outgoing.map_or(0, |outgoing| outgoing.len.into())]
    }

    /// The chip has it.
    pub(super) fn written(&mut self, desk: &impl Desk) {
        if let Some(outgoing) = self.outgoing.take() {
            desk.note(Note::Upload { radio: RADIO, upload: outgoing.upload });
        }
    }

    /// It goes the way of what was in the FIFO.
    pub(super) fn forget(&mut self) {
        self.outgoing = None;
    }

    /// Reason that nothing more is written, and the instant at which the tunnel wants to be woken.
    pub(super) fn outlook(&self, desk: &impl Desk, has_room: bool) -> (Activity, Option<Instant>) {
        let (full, until) = look(desk, |tunnel| (tunnel.window_is_full(), tunnel.deadline()));
        let reason = match full {
            _ if !has_room || self.outgoing.is_some() => Activity::AwaitsChip,
            true => Activity::Window,
            false => Activity::NoData,
        };
        (reason, until)
    }
}
