//! One connection, from the moment it stands until it is gone.

use core::convert::Infallible;

use airtime_app::{Event, Phy, Transport};
use embassy_futures::join::{join, join_array, join5};
use embassy_futures::select::{Either, select};
use embassy_sync::blocking_mutex::raw::NoopRawMutex;
use embassy_sync::channel::Channel;
use trouble_host::connection::{Connection, ConnectionParamsRequest};
use trouble_host::gatt::{GattConnection, GattConnectionEvent, Reply};
use trouble_host::l2cap::L2capChannel;
use trouble_host::prelude::PhyKind;
use trouble_host::{PacketPool, Stack};

use crate::attributes::PassingValues;
use crate::lane::{Arrivals, lane};
use crate::procedures::procedures;
use crate::role::Role;
use crate::update::overdue;
use crate::{Desk, LinkController, Terms, clock, values};

/// Parameter requests that may wait for the host to answer.
const REQUESTS: usize = 2;

/// Responses that may wait for the host: a client has one request under way (Core 6.0, Vol 3, Part F, 3.3.2).
const REPLIES: usize = 1;

type Requests = Channel<NoopRawMutex, ConnectionParamsRequest, REQUESTS>;
type Replies<'s, P> = Channel<NoopRawMutex, Reply<'s, P>, REPLIES>;

/// Bench: the things at hand for the tasks that serve a connection.
pub(crate) struct Bench<'b, 's, 'r, C, P: PacketPool> {
    pub(crate) stack: &'s Stack<'r, C, P>,
    pub(crate) terms: &'b Terms,
}

impl<C, P: PacketPool> Clone for Bench<'_, '_, '_, C, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C, P: PacketPool> Copy for Bench<'_, '_, '_, C, P> {}

/// Serves `served` as connection number `place` of the desk until it ends; `passing` are those of its server.
pub(crate) async fn serve<'s, R, C, P, const LINKS: usize, const CHANNELS: usize, const SDU: usize>(
    desk: &Desk<'_, LINKS, CHANNELS, SDU>,
    bench: Bench<'_, 's, '_, C, P>,
    place: usize,
    served: GattConnection<'s, '_, P>,
    passing: &PassingValues,
) where
    R: Role,
    C: LinkController,
    P: PacketPool,
{
    let connection = served.raw();
    let conn = connection.handle().raw();
    desk.links[place].open(conn);
    let arrivals: [Arrivals<'s, P>; CHANNELS] = core::array::from_fn(|_| Channel::new());
    let (requests, replies) = (Requests::new(), Replies::new());
    let accepting = accept::<R, _, _, LINKS, CHANNELS, SDU>(desk, bench, place, connection, &arrivals);
    let interval = clock::interval(connection.params().conn_interval);
    desk.tell(Event::Connected { conn, peer: connection.peer_address().addr.into_inner(), interval });
    let reason = {
        let lanes = join_array::<_, CHANNELS>(core::array::from_fn(|index| {
            lane(desk, bench.stack, (place, index), conn, &arrivals[index])
        }));
        let working = join5(
            procedures::<R, _, _, LINKS, CHANNELS, SDU>(desk, bench, place, connection, &arrivals),
            accepting,
            join(answer(bench.stack, &requests), respond(&replies)),
            overdue(desk, place, connection),
            join(lanes, R::attributes(desk, bench, place, &served, &passing.stream)),
        );
        // The end of the connection comes first: the channels' ends are not told beside it.
        let is_in_values = bench.terms.transport == Transport::Gatt;
        match select(listen(desk, place, &served, (passing, is_in_values), &requests, &replies), working).await {
            Either::First(reason) => reason,
            Either::Second((never, ..)) => match never {},
        }
    };
    // TrouBLE takes the next connection only when nobody holds the last one any more.
    drop((arrivals, replies));
    drop(served);
    desk.links[place].close();
    desk.tell(Event::Disconnected { conn, reason });
}

/// The first free channel of connection number `place`.
pub(crate) fn free<P: PacketPool, const LINKS: usize, const CHANNELS: usize, const SDU: usize>(
    desk: &Desk<'_, LINKS, CHANNELS, SDU>,
    place: usize,
    arrivals: &[Arrivals<'_, P>; CHANNELS],
) -> Option<usize> {
    let lanes = &desk.links[place].lanes;
    (0..CHANNELS).find(|index| !lanes[*index].is_open() && arrivals[*index].is_empty())
}

/// Takes the channels that the peer opens. One more than there are places for is closed again.
async fn accept<'s, R, C, P, const LINKS: usize, const CHANNELS: usize, const SDU: usize>(
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
    if !R::LISTENS || bench.terms.transport == Transport::Gatt {
        return core::future::pending().await;
    }
    let config = bench.terms.config::<P>();
    let listener = L2capChannel::listen(bench.stack, connection);
    loop {
        match listener.accept(&config).await {
            Ok(channel) => {
                if let Some(index) = free(desk, place, arrivals) {
                    let _ = arrivals[index].try_send(channel);
                }
            }
            // The connection is gone, and `listen` is about to say so.
            Err(_) => return core::future::pending().await,
        }
    }
}

/// Accepts whatever connection parameters the peer asks for.
async fn answer<C, P>(stack: &Stack<'_, C, P>, requests: &Requests) -> Infallible
where
    C: LinkController,
    P: PacketPool,
{
    loop {
        let request = requests.receive().await;
        // A refusal by the controller is the peer's to hear, and TrouBLE has told it.
        #[cfg(feature = "central")]
        let _ = request.accept(None, stack).await;
        // Only a central is asked.
        #[cfg(not(feature = "central"))]
        let _ = (request, stack);
    }
}

/// Sends what the attributes have to say: the queue for that may be full while an SDU is sent, and the end of the connection waits for
/// nobody.
async fn respond<P: PacketPool>(replies: &Replies<'_, P>) -> Infallible {
    loop {
        replies.receive().await.send().await;
    }
}

/// Tells the machine what happens on the connection, until it ends; gives the reason.
async fn listen<'s, P, const LINKS: usize, const CHANNELS: usize, const SDU: usize>(
    desk: &Desk<'_, LINKS, CHANNELS, SDU>,
    place: usize,
    served: &GattConnection<'s, '_, P>,
    passing: (&PassingValues, bool),
    requests: &Requests,
    replies: &Replies<'s, P>,
) -> u8
where
    P: PacketPool,
{
    let conn = served.raw().handle().raw();
    loop {
        match served.next().await {
            GattConnectionEvent::Disconnected { reason } => return reason.into_inner(),
            GattConnectionEvent::PhyUpdated { tx_phy, .. } => {
                desk.witness().phy(clock::now(), conn, phy(tx_phy));
                desk.tell(Event::PhyUpdated { conn, status: 0 });
            }
            GattConnectionEvent::ConnectionParamsUpdated { conn_interval, .. } => {
                let interval = clock::interval(conn_interval);
                desk.links[place].update.answer();
                desk.tell(Event::IntervalUpdated { conn, status: 0, interval });
            }
            GattConnectionEvent::DataLengthUpdated { max_tx_octets, max_rx_octets, .. } => {
                desk.tell(Event::DataLength { conn, tx_octets: max_tx_octets, rx_octets: max_rx_octets });
            }
            // A third request while two wait is dropped: the peer's procedure times out.
            GattConnectionEvent::RequestConnectionParams(request) => {
                let _ = requests.try_send(request);
            }
            // Without a packet for its response a request is lost, and its client waits; so is a second one that does not wait.
            GattConnectionEvent::Gatt { event } => {
                if let Ok(reply) = values::serve(desk, place, served, passing, event) {
                    let _ = replies.try_send(reply);
                }
            }
            _ => {}
        }
    }
}

/// The machine's word for a PHY in use. HCI does not tell S=2 from S=8 (Core 6.0, Vol 4, Part E,
/// 7.7.65.12).
pub(crate) fn phy(kind: PhyKind) -> Phy {
    match kind {
        PhyKind::Le1M => Phy::Le1M,
        PhyKind::Le2M => Phy::Le2M,
        PhyKind::LeCoded => Phy::LeCodedS8,
        PhyKind::LeCodedS2 => Phy::LeCodedS2,
    }
}
