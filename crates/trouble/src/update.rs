//! Connection updates that TrouBLE says nothing of any more.
//!
//! A request that the peer or its controller refuses ends with a status that TrouBLE logs and tells
//! nobody. What has not happened in time is taken for bad timing: another procedure was under way.

use core::convert::Infallible;

use airtime_app::Event;
use embassy_futures::select::{Either, select};
use embassy_sync::blocking_mutex::raw::NoopRawMutex;
use embassy_sync::signal::Signal;
use embassy_time::Timer;
use trouble_host::PacketPool;
use trouble_host::connection::Connection;

use crate::{Desk, clock};

/// Anchors at which the peripheral listens that an update may take: request, answer and an instant six
/// events ahead (Core 6.0, Vol 6, Part B, 5.1.1), twice over (*assumed*).
const EVENTS: u32 = 20;

/// Controller busy: the status that an application repeats its request after. Core 6.0, Vol 1, Part F,
/// 2.54.
const BUSY: u8 = 0x3a;

/// Update of the connection parameters, between its request and its answer.
pub(crate) struct Update {
    asked: Signal<NoopRawMutex, ()>,
    answered: Signal<NoopRawMutex, ()>,
}

impl Update {
    pub(crate) const fn new() -> Self {
        Self { asked: Signal::new(), answered: Signal::new() }
    }

    /// An update was asked for.
    pub(crate) fn ask(&self) {
        self.answered.reset();
        self.asked.signal(());
    }

    /// Nothing is waited for.
    pub(crate) fn answer(&self) {
        self.asked.reset();
        self.answered.signal(());
    }
}

/// Tells the machine of updates of connection number `place` that did not happen. Never returns.
pub(crate) async fn overdue<P, const LINKS: usize, const CHANNELS: usize, const SDU: usize>(
    desk: &Desk<'_, LINKS, CHANNELS, SDU>,
    place: usize,
    connection: &Connection<'_, P>,
) -> Infallible
where
    P: PacketPool,
{
    let (conn, update) = (connection.handle().raw(), &desk.links[place].update);
    loop {
        update.asked.wait().await;
        let params = connection.params();
        let events = EVENTS * (u32::from(params.peripheral_latency) + 1);
        let patience = Timer::after(params.conn_interval * events);
        if let Either::First(()) = select(patience, update.answered.wait()).await {
            let interval = clock::interval(connection.params().conn_interval);
            desk.tell(Event::IntervalUpdated { conn, status: BUSY, interval });
        }
    }
}
