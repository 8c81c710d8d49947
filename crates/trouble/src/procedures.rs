//! Procedures that the machine asks for on one connection, one after the other.

use core::convert::Infallible;

use airtime_app::{Command, Event, Phy};
use airtime_core::Duration;
use embassy_time::Timer;
use trouble_host::connection::{Connection, RequestedConnParams};
use trouble_host::l2cap::{L2capChannel, LeCreditConnResultCode};
use trouble_host::prelude::PhyKind;
use trouble_host::{BleHostError, Error, PacketPool};

use crate::lane::Arrivals;
use crate::link::{Bench, free};
use crate::role::Role;
use crate::{Desk, LinkController, clock};

/// The longest time of a PDU, 251 octets on LE Coded: the controller takes what its PHY allows. Core
/// 6.0, Vol 4, Part E, 7.8.33.
const TX_TIME_MAX_US: u16 = 17_040;

/// Unsupported feature or parameter value. Core 6.0, Vol 1, Part F, 2.17.
const UNSUPPORTED: u8 = 0x11;

/// Unspecified error, where TrouBLE's is none of HCI. Core 6.0, Vol 1, Part F, 2.31.
const UNSPECIFIED: u8 = 0x1f;

/// Number of times that a channel is asked for that a peer has no resources for. *Assumed*: a TrouBLE peripheral has
/// none until its application listens, which is a matter of one round.
const OPENINGS: u8 = 10;

/// Connection intervals between two of them: the answer to the next one is then another. *Assumed.*
const OPENING_EVENTS: u32 = 2;

/// Carries out the commands about connection number `place`. Never returns.
pub(crate) async fn procedures<'s, R, C, P, const LINKS: usize, const CHANNELS: usize, const SDU: usize>(
    desk: &Desk<'_, LINKS, CHANNELS, SDU>,
    bench: Bench<'_, 's, '_, C, P>,
    place: usize,
    connection: &Connection<'s, P>,
    arrivals: &[Arrivals<'s, P>; CHANNELS],
) -> Infallible
where
    R: Role,
    C: LinkController,
    P: PacketPool,
{
    let conn = connection.handle().raw();
    loop {
        let command = desk.links[place].commands.receive().await;
        let stack = bench.stack;
        match command {
            Command::Disconnect { .. } => connection.disconnect(),
            Command::SetDataLength { octets, .. } => {
                // A length that the controller refuses stays as it is, which is told by no event.
                if connection.update_data_length(stack, octets, TX_TIME_MAX_US).await.is_err() {
                    desk.refuse(&command);
                }
            }
            Command::SetPhy { phy, .. } => {
                if let Err(error) = connection.set_phy(stack, kind(phy)).await {
                    desk.tell(Event::PhyUpdated { conn, status: status(&error) });
                }
            }
            Command::UpdateInterval { shortest, interval, latency, supervision_timeout, .. } => {
                let params = requested((shortest, interval), latency, supervision_timeout);
                let update = &desk.links[place].update;
                update.ask();
                if let Err(error) = connection.update_connection_params(stack, &params).await {
                    update.answer();
                    let interval = clock::interval(connection.params().conn_interval);
                    desk.tell(Event::IntervalUpdated { conn, status: status(&error), interval });
                }
            }
            Command::OpenChannel { psm, .. } => match open(bench, connection, psm).await {
                Ok(channel) => {
                    if let Some(index) = free(desk, place, arrivals) {
                        let _ = arrivals[index].try_send(channel);
                    }
                }
                Err(result) => desk.tell(Event::ChannelRefused { conn, result }),
            },
            Command::ExchangeMtu { .. } => {
                R::exchange_mtu(bench, connection).await;
                desk.tell(Event::MtuExchanged { conn, mtu: connection.att_mtu() });
            }
            _ => cannot(desk, &command),
        }
    }
}

/// Opens a channel on `psm`; fails with the peer's result.
async fn open<'s, C, P>(
    bench: Bench<'_, 's, '_, C, P>,
    connection: &Connection<'s, P>,
    psm: u16,
) -> Result<L2capChannel<'s, P>, u16>
where
    C: LinkController,
    P: PacketPool,
{
    let config = bench.terms.config::<P>();
    let mut openings = 1;
    loop {
        match L2capChannel::create(bench.stack, connection, psm, &config).await {
            Ok(channel) => return Ok(channel),
            Err(BleHostError::BleHost(Error::L2capConnectError(LeCreditConnResultCode::NoResources)))
                if openings < OPENINGS =>
            {
                openings += 1;
                Timer::after(connection.params().conn_interval * OPENING_EVENTS).await;
            }
            Err(BleHostError::BleHost(Error::L2capConnectError(result))) => return Err(result as u16),
            // No answer, or no place of its own: as good as no resources.
            Err(_) => return Err(LeCreditConnResultCode::NoResources as u16),
        }
    }
}

/// Answers what this host cannot do, so that the machine does not wait for it.
fn cannot<const LINKS: usize, const CHANNELS: usize, const SDU: usize>(
    desk: &Desk<'_, LINKS, CHANNELS, SDU>,
    command: &Command,
) {
    desk.refuse(command);
    match *command {
        Command::SetFrameSpace { conn, .. } => desk.tell(Event::FrameSpace { conn, status: UNSUPPORTED }),
        Command::Encrypt { conn } => desk.tell(Event::Encrypted { conn, status: UNSUPPORTED }),
        _ => {}
    }
}

/// Connection parameters, with the shortest and the longest interval that will do, in TrouBLE's words.
pub(crate) fn requested(
    (shortest, longest): (Duration, Duration),
    latency: u16,
    supervision_timeout: Duration,
) -> RequestedConnParams {
    RequestedConnParams {
        min_connection_interval: clock::span(shortest),
        max_connection_interval: clock::span(longest),
        max_latency: latency,
        supervision_timeout: clock::span(supervision_timeout),
        ..RequestedConnParams::default()
    }
}

fn kind(phy: Phy) -> PhyKind {
    match phy {
        Phy::Le1M => PhyKind::Le1M,
        Phy::Le2M => PhyKind::Le2M,
        Phy::LeCodedS2 => PhyKind::LeCodedS2,
        Phy::LeCodedS8 => PhyKind::LeCoded,
    }
}

fn status<E>(error: &BleHostError<E>) -> u8 {
    match error {
        BleHostError::BleHost(Error::Hci(error)) => error.to_status().into_inner(),
        _ => UNSPECIFIED,
    }
}
