//! Client of attributes, which a central is: it asks for the PSM that a peripheral publishes.

use airtime_app::Event;
use embassy_futures::select::{Either, select};
use trouble_host::connection::Connection;
use trouble_host::gatt::GattClient;
use trouble_host::{PacketPool, Stack};

use crate::LinkController;
use crate::attributes::{PSM, SERVICE, uuid};
use crate::role::{Role, discovered};

/// The end that connects: it opens channels, on the PSM that it finds.
pub(crate) struct Initiator;

/// Client that keeps one service: a peripheral has the test service once.
type Client<'s, C, P> = GattClient<'s, C, P, 1>;

impl Role for Initiator {
    const LISTENS: bool = false;

    async fn exchange_mtu<C, P>(stack: &Stack<'_, C, P>, connection: &Connection<'_, P>)
    where
        C: LinkController,
        P: PacketPool,
    {
        // TrouBLE's client begins with the exchange; a peer that refuses it leaves the MTU at 23 octets.
        let _: Result<Client<'_, C, P>, _> = GattClient::new(stack, connection).await;
    }

    async fn discover<C, P>(stack: &Stack<'_, C, P>, connection: &Connection<'_, P>) -> Event
    where
        C: LinkController,
        P: PacketPool,
    {
        let psm = match GattClient::new(stack, connection).await {
            // The task hands the peer's answers over; it ends with the connection.
            Ok(client) => match select(client.task(), published(&client)).await {
                Either::First(_) => None,
                Either::Second(psm) => psm,
            },
            Err(_) => None,
        };
        discovered(connection, psm)
    }
}

/// The PSM that the peer's test service publishes; zero is none.
async fn published<C, P>(client: &Client<'_, C, P>) -> Option<u16>
where
    C: LinkController,
    P: PacketPool,
{
    let services = client.services_by_uuid(&uuid(SERVICE)).await.ok()?;
    let mut value = [0; 2];
    let octets = client.read_characteristic_by_uuid(services.first()?, &uuid(PSM), &mut value).await.ok()?;
    Some(u16::from_le_bytes(value)).filter(|psm| octets == value.len() && *psm != 0)
}
