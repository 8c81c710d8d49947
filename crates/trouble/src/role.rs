//! Role of an end, as far as its connections differ by it: a peripheral is built without what only a central does.

use airtime_app::Event;
use trouble_host::connection::Connection;
use trouble_host::{PacketPool, Stack};

use crate::LinkController;

/// Duties of an end on its connections besides the stream.
pub(crate) trait Role {
    /// Set if the peer may open channels.
    const LISTENS: bool;

    /// Exchanges the ATT MTU, where this role asks for it: the connection knows the result.
    async fn exchange_mtu<C, P>(stack: &Stack<'_, C, P>, connection: &Connection<'_, P>)
    where
        C: LinkController,
        P: PacketPool;

    /// Looks for the PSM that the peer publishes; gives what the machine is told.
    async fn discover<C, P>(stack: &Stack<'_, C, P>, connection: &Connection<'_, P>) -> Event
    where
        C: LinkController,
        P: PacketPool;
}

/// Answer of who has found so much on a connection. The stream of this application is in channels.
pub(crate) fn discovered<P: PacketPool>(connection: &Connection<'_, P>, psm: Option<u16>) -> Event {
    Event::Discovered { conn: connection.handle().raw(), psm, stream: false }
}

/// The end that is connected to: it takes channels, and asks for no attributes.
pub(crate) struct Advertiser;

impl Role for Advertiser {
    const LISTENS: bool = true;

    async fn exchange_mtu<C, P>(_stack: &Stack<'_, C, P>, _connection: &Connection<'_, P>)
    where
        C: LinkController,
        P: PacketPool,
    {
    }

    async fn discover<C, P>(_stack: &Stack<'_, C, P>, connection: &Connection<'_, P>) -> Event
    where
        C: LinkController,
        P: PacketPool,
    {
        discovered(connection, None)
    }
}
