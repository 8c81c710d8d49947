//! Role of an end, as far as its connections differ by it: a peripheral is built without what only a central does.

use core::convert::Infallible;

use airtime_app::{Event, Transport};
use trouble_host::PacketPool;
use trouble_host::attribute::Characteristic;
use trouble_host::connection::Connection;
use trouble_host::gatt::GattConnection;

use crate::attributes::Passing;
use crate::link::Bench;
use crate::{Desk, LinkController, values};

/// Duties of an end on its connections besides the stream in channels.
pub(crate) trait Role {
    /// Set if the peer may open channels.
    const LISTENS: bool;

    /// Exchanges the ATT MTU, where this role asks for it: the connection knows the result.
    async fn exchange_mtu<C, P>(bench: Bench<'_, '_, '_, C, P>, connection: &Connection<'_, P>)
    where
        C: LinkController,
        P: PacketPool;

    /// Asks for the attributes of the peer of connection number `place` when the machine does, and has the stream in values.
    async fn attributes<'s, C, P, const LINKS: usize, const CHANNELS: usize, const SDU: usize>(
        desk: &Desk<'_, LINKS, CHANNELS, SDU>,
        bench: Bench<'_, 's, '_, C, P>,
        place: usize,
        served: &GattConnection<'s, '_, P>,
        stream: &Characteristic<Passing>,
    ) -> Infallible
    where
        C: LinkController,
        P: PacketPool;
}

/// Answer of who has found so much on a connection, and no stream.
pub(crate) fn discovered<P: PacketPool>(connection: &Connection<'_, P>, psm: Option<u16>) -> Event {
    Event::Discovered { conn: connection.handle().raw(), psm, stream: false }
}

/// The end that is connected to: it takes channels, and asks for no attributes.
pub(crate) struct Advertiser;

impl Role for Advertiser {
    const LISTENS: bool = true;

    async fn exchange_mtu<C, P>(_bench: Bench<'_, '_, '_, C, P>, _connection: &Connection<'_, P>)
    where
        C: LinkController,
        P: PacketPool,
    {
    }

    async fn attributes<'s, C, P, const LINKS: usize, const CHANNELS: usize, const SDU: usize>(
        desk: &Desk<'_, LINKS, CHANNELS, SDU>,
        bench: Bench<'_, 's, '_, C, P>,
        place: usize,
        served: &GattConnection<'s, '_, P>,
        stream: &Characteristic<Passing>,
    ) -> Infallible
    where
        C: LinkController,
        P: PacketPool,
    {
        if bench.terms.transport == Transport::Gatt {
            match values::notify(desk, place, served, stream).await {}
        }
        loop {
            desk.links[place].asked.receive().await;
            desk.tell(discovered(served.raw(), None));
        }
    }
}
