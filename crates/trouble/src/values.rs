//! Values of the stream's characteristic: one sender of them for either role, and what a peripheral makes of those that come.

use core::convert::Infallible;

use airtime_app::{ATT_CHANNEL, Event, payload};
use embassy_futures::yield_now;
use embassy_time::Timer;
use trouble_host::att::AttErrorCode;
use trouble_host::attribute::Characteristic;
use trouble_host::connection::Connection;
use trouble_host::gatt::{GattConnection, GattEvent, Reply};
use trouble_host::{Error, PacketPool};

use crate::attributes::{Passing, PassingValues};
use crate::{Desk, clock};

/// Place among the lanes of a connection that its values have: they need no channel, and take the first.
const LANE: usize = 0;

/// Takes the values that the machine has from here on, for connection number `place`.
pub(crate) fn open<const LINKS: usize, const CHANNELS: usize, const SDU: usize>(
    desk: &Desk<'_, LINKS, CHANNELS, SDU>,
    place: usize,
) {
    if let Some(lane) = desk.links[place].lanes.get(LANE).filter(|lane| !lane.is_open()) {
        lane.open();
    }
}

/// Tells the machine of a value.
pub(crate) fn arrived<const LINKS: usize, const CHANNELS: usize, const SDU: usize>(
    desk: &Desk<'_, LINKS, CHANNELS, SDU>,
    conn: u16,
    value: &[u8],
) {
    let mut head = [0; 8];
    let known = value.len().min(head.len());
    head[..known].copy_from_slice(&value[..known]);
    let len = u16::try_from(value.len()).unwrap_or(u16::MAX);
    desk.witness().delivered(clock::now(), conn, ATT_CHANNEL, len, head);
    desk.tell(Event::Received { conn, channel: ATT_CHANNEL, len, head });
}

/// Sends the values of connection number `place` by `give`, one after the other. Never returns: a connection that is gone takes none,
/// and somebody else says so.
///
/// A value that the host has no packet for waits for one.
pub(crate) async fn speak<P, const LINKS: usize, const CHANNELS: usize, const SDU: usize>(
    desk: &Desk<'_, LINKS, CHANNELS, SDU>,
    place: usize,
    connection: &Connection<'_, P>,
    give: impl AsyncFn(&[u8]) -> Result<(), Error>,
) -> Infallible
where
    P: PacketPool,
{
    let conn = connection.handle().raw();
    let Some(waiting) = desk.links[place].lanes.get(LANE) else { return core::future::pending().await };
    let mut buffer = [0; SDU];
    loop {
        let (sequence, len) = waiting.first().await;
        // TrouBLE takes what is sent on a connection that is being ended, and drops it at once with a warning: the stream would spin,
        // and nothing else be done.
        if !connection.is_connected() {
            return core::future::pending().await;
        }
        let Some(value) = buffer.get_mut(..usize::from(len)) else { return core::future::pending().await };
        payload::write(sequence, value);
        desk.witness().submitted(clock::now(), conn, ATT_CHANNEL, len, sequence);
        loop {
            match give(value).await {
                Ok(()) => break,
                Err(Error::OutOfMemory) => Timer::after(connection.params().conn_interval).await,
                Err(_) => return core::future::pending().await,
            }
        }
        waiting.pop();
        desk.witness().sent(clock::now(), conn, ATT_CHANNEL);
        desk.tell(Event::Sent { conn, channel: ATT_CHANNEL });
        // As between two SDUs: everybody has a turn.
        yield_now().await;
    }
}

/// Notifies the values of connection number `place`, as long as its client wants them.
pub(crate) async fn notify<P, const LINKS: usize, const CHANNELS: usize, const SDU: usize>(
    desk: &Desk<'_, LINKS, CHANNELS, SDU>,
    place: usize,
    served: &GattConnection<'_, '_, P>,
    stream: &Characteristic<Passing>,
) -> Infallible
where
    P: PacketPool,
{
    let give = async |value: &[u8]| {
        // TrouBLE takes a value that nobody wants, and drops it at once: the stream would spin.
        while !stream.should_notify(served) {
            desk.links[place].subscribed.wait().await;
        }
        stream.notify_raw(served, value, false).await
    };
    speak(desk, place, served.raw(), give).await
}

/// Tells the machine of connection number `place` how long its values may be, once: TrouBLE answers the exchange of MTUs by itself and tells
/// nobody, and who subscribes or writes has had it.
fn begin<P, const LINKS: usize, const CHANNELS: usize, const SDU: usize>(
    desk: &Desk<'_, LINKS, CHANNELS, SDU>,
    place: usize,
    served: &GattConnection<'_, '_, P>,
) where
    P: PacketPool,
{
    if desk.links[place].lanes.get(LANE).is_some_and(|lane| !lane.is_open()) {
        open(desk, place);
        desk.tell(Event::MtuExchanged { conn: served.raw().handle().raw(), mtu: served.raw().att_mtu() });
    }
}

/// Carries out what a client asks of the attributes of connection number `place`, and tells the machine what of it is the stream's, where
/// that `is_in_values`; gives the response.
pub(crate) fn serve<'s, P, const LINKS: usize, const CHANNELS: usize, const SDU: usize>(
    desk: &Desk<'_, LINKS, CHANNELS, SDU>,
    place: usize,
    served: &GattConnection<'s, '_, P>,
    (passing, is_in_values): (&PassingValues, bool),
    event: GattEvent<'s, '_, P>,
) -> Result<Reply<'s, P>, Error>
where
    P: PacketPool,
{
    let (conn, stream) = (served.raw().handle().raw(), &passing.stream);
    match event {
        GattEvent::Write(write) if write.handle() == stream.handle => {
            if is_in_values {
                begin(desk, place, served);
                write.with_data(|_, value| arrived(desk, conn, value));
            }
            write.accept_unprocessed()
        }
        GattEvent::Write(write) if Some(write.handle()) == stream.cccd_handle => {
            let reply = write.accept();
            if is_in_values && stream.should_notify(served) {
                begin(desk, place, served);
                desk.links[place].subscribed.signal(());
                desk.tell(Event::Subscribed { conn });
            }
            reply
        }
        GattEvent::Write(write)
            if passing.settings.as_ref().is_some_and(|settings| settings.handle == write.handle()) =>
        {
            match write.with_data(|_, line| desk.witness().settings(clock::now(), line)) {
                true => write.accept_unprocessed(),
                false => write.reject(AttErrorCode::VALUE_NOT_ALLOWED),
            }
        }
        event => event.accept(),
    }
}
