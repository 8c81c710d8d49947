//! Client of attributes, which a central is: it asks for what a peripheral publishes, and has the stream where that is in values.

use core::convert::Infallible;

use airtime_app::{Command, Event, Transport};
use embassy_futures::join::join3;
use embassy_futures::select::{Either, select};
use trouble_host::attribute::Characteristic;
use trouble_host::connection::Connection;
use trouble_host::gatt::{GattClient, GattConnection, ServiceHandle};
use trouble_host::{BleHostError, Error, PacketPool, config};

use crate::attributes::{PSM, Passing, SERVICE, STREAM, uuid};
use crate::link::Bench;
use crate::role::{Role, discovered};
use crate::{Desk, LinkController, values};

/// The end that connects: it opens channels, on the PSM that it finds.
pub(crate) struct Initiator;

/// Client that keeps one service: a peripheral has the test service once.
type Client<'s, C, P> = GattClient<'s, C, P, 1>;

/// Client characteristic configuration that turns notifications on. Core 6.0, Vol 3, Part G, 3.3.3.3.
const NOTIFICATIONS: [u8; 2] = [1, 0];

// TrouBLE hands over all notifications that have come before their listener is polled, and overwrites the oldest where its queue is shorter.
const _: () = assert!(
    config::GATT_CLIENT_NOTIFICATION_QUEUE_SIZE >= config::L2CAP_RX_QUEUE_SIZE,
    "notifications wait in a queue that is as long as that of the values that have come"
);

impl Role for Initiator {
    const LISTENS: bool = false;

    async fn exchange_mtu<C, P>(bench: Bench<'_, '_, '_, C, P>, connection: &Connection<'_, P>)
    where
        C: LinkController,
        P: PacketPool,
    {
        // TrouBLE's client begins with the exchange; a peer that refuses it leaves the MTU at 23 octets.
        let _: Result<Client<'_, C, P>, _> = GattClient::new(bench.stack, connection).await;
    }

    async fn attributes<'s, C, P, const LINKS: usize, const CHANNELS: usize, const SDU: usize>(
        desk: &Desk<'_, LINKS, CHANNELS, SDU>,
        bench: Bench<'_, 's, '_, C, P>,
        place: usize,
        served: &GattConnection<'s, '_, P>,
        _stream: &Characteristic<Passing>,
    ) -> Infallible
    where
        C: LinkController,
        P: PacketPool,
    {
        let connection = served.raw();
        loop {
            let Command::Discover { .. } = desk.links[place].asked.receive().await else { continue };
            let psm = match GattClient::new(bench.stack, connection).await {
                // The task hands the peer's answers over; it ends with the connection. Whoever waits for them goes first: the queue
                // between both is empty then when the task fills it.
                Ok(client) => match select(ask(desk, bench, place, connection, &client), client.task()).await {
                    Either::First(psm) => psm,
                    Either::Second(_) => None,
                },
                Err(_) => None,
            };
            desk.tell(discovered(connection, psm));
        }
    }
}

/// Looks for the PSM that the peer's test service publishes, zero being none; has the stream that is found there, where the stream is in
/// values, and does not return then.
async fn ask<C, P, const LINKS: usize, const CHANNELS: usize, const SDU: usize>(
    desk: &Desk<'_, LINKS, CHANNELS, SDU>,
    bench: Bench<'_, '_, '_, C, P>,
    place: usize,
    connection: &Connection<'_, P>,
    client: &Client<'_, C, P>,
) -> Option<u16>
where
    C: LinkController,
    P: PacketPool,
{
    let services = client.services_by_uuid(&uuid(SERVICE)).await.ok()?;
    let service = services.first()?;
    let psm = published(client, service).await;
    if bench.terms.transport == Transport::Gatt {
        let stream = client.characteristic_by_uuid(service, &uuid(STREAM)).await.ok()?;
        match stream_by(desk, place, connection, client, &stream, psm).await {}
    }
    psm
}

/// The PSM of the peer's test service.
async fn published<C, P>(client: &Client<'_, C, P>, service: &ServiceHandle) -> Option<u16>
where
    C: LinkController,
    P: PacketPool,
{
    let mut value = [0; 2];
    let octets = client.read_characteristic_by_uuid(service, &uuid(PSM), &mut value).await.ok()?;
    Some(u16::from_le_bytes(value)).filter(|psm| octets == value.len() && *psm != 0)
}

/// Carries values of `stream` both ways for as long as the connection lasts.
async fn stream_by<C, P, const LINKS: usize, const CHANNELS: usize, const SDU: usize>(
    desk: &Desk<'_, LINKS, CHANNELS, SDU>,
    place: usize,
    connection: &Connection<'_, P>,
    client: &Client<'_, C, P>,
    stream: &Characteristic<Passing>,
    psm: Option<u16>,
) -> Infallible
where
    C: LinkController,
    P: PacketPool,
{
    let conn = connection.handle().raw();
    values::open(desk, place);
    let hearing = async {
        // Before anybody subscribes: what comes while nobody listens is gone.
        let Ok(mut notifications) = client.listen(stream) else { return core::future::pending().await };
        desk.tell(Event::Discovered { conn, psm, stream: true });
        loop {
            values::arrived(desk, conn, notifications.next().await.as_ref());
        }
    };
    let subscribing = async {
        loop {
            if let (Command::Subscribe { .. }, Some(handle)) =
                (desk.links[place].asked.receive().await, stream.cccd_handle)
                && client.write_handle(handle, &NOTIFICATIONS).await.is_ok()
            {
                desk.tell(Event::Subscribed { conn });
            }
        }
    };
    let give = async |value: &[u8]| match client.write_handle_without_response(stream.handle, value).await {
        Err(BleHostError::BleHost(error)) => Err(error),
        Err(BleHostError::Controller(_)) => Err(Error::Disconnected),
        Ok(()) => Ok(()),
    };
    let (never, ..) = join3(hearing, subscribing, values::speak(desk, place, connection, give)).await;
    match never {}
}
