//! The task that asks the system, through `bluest`: orders come in, reports go out. It decides nothing.

use std::pin::Pin;
use std::sync::mpsc::{Sender, channel};
use std::{io, thread};

use async_channel::Receiver;
use bluest::error::ErrorKind;
use bluest::{Adapter, Characteristic, ConnectionEvent, Device, Uuid};
use futures_lite::{Stream, StreamExt, future, stream};

use super::error::NativeError;
use super::host::{Native, NativeConfig};
use super::order::{Heard, Order, Report};
use crate::ble::scan::shown;
use crate::ble::system::{ATT_HEADER, FRAMES, PSM, Part, STREAM, Written};

/// Octets of a piece that a channel hands over: `bluest` reads no more at once.
#[cfg(target_os = "macos")]
const PIECE: usize = 1_024;

/// Values or pieces as they come.
type Values<'a> = Pin<Box<dyn Stream<Item = bluest::Result<Vec<u8>>> + 'a>>;

impl Native {
    /// The Bluetooth of this machine; the task that asks it ends with this.
    ///
    /// # Errors
    /// When the system has no threads left.
    pub fn open(config: NativeConfig) -> io::Result<Self> {
        let (order, orders) = async_channel::unbounded();
        let (report, reports) = channel();
        thread::Builder::new().name("bluetooth".to_owned()).spawn(move || {
            let tells = Tells(report);
            if let Err(error) = future::block_on(serve(&orders, &tells)) {
                tells.tell(Report::Failed(error));
            }
        })?;
        // A task that has ended is told of by its reports.
        let order = move |of| {
            let _ = order.try_send(of);
        };
        Self::over(config, Box::new(order), reports)
    }
}

/// Whoever is told; one who has gone listens no more.
struct Tells(Sender<Report>);

impl Tells {
    fn tell(&self, report: Report) {
        let _ = self.0.send(report);
    }

    /// Tells that an order is carried out, or why not.
    fn done(&self, done: bluest::Result<usize>) {
        self.tell(match done {
            Ok(octets) => Report::Done(octets),
            Err(error) => gone(&error),
        });
    }
}

/// Report that an error is.
fn gone(error: &bluest::Error) -> Report {
    match error.kind() {
        ErrorKind::NotConnected => Report::Gone,
        _ => Report::Failed(failed(error)),
    }
}

/// Reason that an error of the system's is.
fn failed(error: &bluest::Error) -> NativeError {
    use bluest::error::AttError;
    match error.kind() {
        ErrorKind::AdapterUnavailable | ErrorKind::NotAuthorized => NativeError::Off,
        ErrorKind::Protocol(AttError::INSUFFICIENT_AUTHENTICATION | AttError::INSUFFICIENT_ENCRYPTION) => {
            NativeError::Pairing
        }
        _ => NativeError::Other(error.to_string()),
    }
}

/// Carries out orders until nobody gives any.
async fn serve(orders: &Receiver<Order>, tells: &Tells) -> Result<(), NativeError> {
    let adapter = Adapter::default().await.ok_or(NativeError::NoAdapter)?;
    adapter.wait_available().await.map_err(|error| failed(&error))?;
    tells.tell(Report::Up);
    let mut next = orders.recv().await.ok();
    while let Some(order) = next {
        next = match order {
            Order::Scan => scan(&adapter, orders, tells).await?,
            // Of nobody who was not heard, or is connected no more, anything can be had.
            _ => orders.recv().await.ok(),
        };
    }
    Ok(())
}

/// Tells of everybody who is heard, until one of them is to be connected; the order behind that connection.
async fn scan(adapter: &Adapter, orders: &Receiver<Order>, tells: &Tells) -> Result<Option<Order>, NativeError> {
    let mut known: Vec<(String, Device)> = Vec::new();
    let order = {
        let mut heard = adapter.scan(&[]).await.map_err(|error| failed(&error))?;
        let hears = async {
            while let Some(device) = heard.next().await {
                let id = device.device.id().to_string();
                tells.tell(Report::Heard(Heard {
                    id: id.clone(),
                    name: device.adv_data.local_name.as_deref().map(shown),
                    rssi_dbm: device.rssi.and_then(|rssi| i8::try_from(rssi).ok()),
                    connectable: device.adv_data.is_connectable,
                }));
                if !known.iter().any(|(of, _)| *of == id) {
                    known.push((id, device.device));
                }
            }
            // The adapter was switched off.
            tells.tell(Report::Failed(NativeError::Off));
            future::pending().await
        };
        future::or(async { orders.recv().await.ok() }, hears).await
    };
    let Some(Order::Connect { id, part, psm }) = order else { return Ok(order) };
    let Some((_, device)) = known.iter().find(|(of, _)| *of == id) else { return Ok(orders.recv().await.ok()) };
    let connection = Connection { adapter, device, orders, tells };
    match connection.serve(part, psm).await {
        Ok(order) => Ok(order),
        Err(error) => {
            tells.tell(Report::Failed(error));
            Ok(orders.recv().await.ok())
        }
    }
}

/// Connection to a device.
struct Connection<'a> {
    adapter: &'a Adapter,
    device: &'a Device,
    orders: &'a Receiver<Order>,
    tells: &'a Tells,
}

impl Connection<'_> {
    /// Connects, and carries out orders until the connection ends; the order behind that.
    async fn serve(&self, part: Part, psm: Option<u16>) -> Result<Option<Order>, NativeError> {
        self.adapter.connect_device(self.device).await.map_err(|error| failed(&error))?;
        let watched = async {
            let events = self.adapter.device_connection_events(self.device).await;
            if let Ok(mut events) = events {
                while events.next().await != Some(ConnectionEvent::Disconnected) {}
                self.tells.tell(Report::Gone);
            }
            future::pending().await
        };
        let served = future::or(self.carry(part, psm), watched).await;
        // One that has gone needs no farewell.
        let _ = self.adapter.disconnect_device(self.device).await;
        served
    }

    /// Has the part ready that is wanted of the device, and carries out orders; the one that ends the connection is none any more.
    async fn carry(&self, part: Part, psm: Option<u16>) -> Result<Option<Order>, NativeError> {
        match part {
            Part::Address => Ok(self.orders.recv().await.ok()),
            Part::Psm => {
                let psm = match psm {
                    Some(psm) => psm,
                    None => self.published().await?,
                };
                self.channel(psm).await
            }
            Part::Stream => self.values(&self.characteristic(STREAM, "the test's stream").await?).await,
            Part::Frames => self.values(&self.characteristic(FRAMES, "remote calls").await?).await,
        }
    }

    /// The device's characteristic `uuid`.
    async fn characteristic(&self, uuid: &str, what: &'static str) -> Result<Characteristic, NativeError> {
        let uuid = Uuid::try_parse(uuid).map_err(|error| NativeError::Other(error.to_string()))?;
        let services = self.device.discover_services().await.map_err(|error| failed(&error))?;
        for service in services {
            let found = service.discover_characteristics_with_uuid(uuid).await.map_err(|error| failed(&error))?;
            if let Some(found) = found.into_iter().next() {
                return Ok(found);
            }
        }
        Err(NativeError::Lacks(what))
    }

    /// PSM that the device publishes.
    async fn published(&self) -> Result<u16, NativeError> {
        let found = self.characteristic(PSM, "a PSM").await.map_err(|error| match error {
            NativeError::Lacks(_) => NativeError::NoPsm,
            error => error,
        })?;
        match found.read().await.map_err(|error| failed(&error))?.as_slice() {
            // Zero is published where there is none.
            [low, high, ..] if (*low, *high) != (0, 0) => Ok(u16::from_le_bytes([*low, *high])),
            _ => Err(NativeError::NoPsm),
        }
    }

    /// Values of `characteristic`, by orders.
    async fn values(&self, characteristic: &Characteristic) -> Result<Option<Order>, NativeError> {
        let room = characteristic.max_write_len_async().await.map_err(|error| failed(&error))?;
        self.tells.tell(Report::Connected(u16::try_from(room).unwrap_or(u16::MAX).saturating_add(ATT_HEADER)));
        let mut values: Values<'_> = Box::pin(stream::pending());
        while let Some(order) = self.next(&mut values).await {
            match order {
                Order::Subscribe => match characteristic.notify().await {
                    Ok(notified) => {
                        values = Box::pin(notified);
                        self.tells.done(Ok(0));
                    }
                    Err(error) => self.tells.done(Err(error)),
                },
                Order::Read => {
                    let read = async { characteristic.read().await.map(|value| value.len()) };
                    self.tells.done(self.beside(&mut values, read).await);
                }
                Order::Write(value, way) => {
                    let write = async {
                        match way {
                            Written::Command => characteristic.write_without_response(&value).await,
                            Written::Request => characteristic.write(&value).await,
                        }
                    };
                    self.tells.done(self.beside(&mut values, write).await.map(|()| value.len()));
                }
                Order::HangUp => break,
                order @ (Order::Scan | Order::Connect { .. }) => return Ok(Some(order)),
            }
        }
        Ok(self.orders.recv().await.ok())
    }

    /// Pieces of the channel on `psm`, by orders.
    #[cfg(target_os = "macos")]
    async fn channel(&self, psm: u16) -> Result<Option<Order>, NativeError> {
        let opened = self.device.open_l2cap_channel(psm, false).await;
        let channel = opened.map_err(|error| NativeError::Channel { psm, why: error.to_string() })?;
        // The ATT MTU is nobody's affair here.
        self.tells.tell(Report::Connected(0));
        let mut values: Values<'_> = Box::pin(stream::pending());
        let mut channel = Some(channel);
        while let Some(order) = self.next(&mut values).await {
            match (order, channel.take()) {
                (Order::Subscribe, Some(channel)) => {
                    values = Box::pin(stream::unfold(channel, |mut channel| async {
                        let mut piece = [0; PIECE];
                        let read = channel.read(&mut piece).await;
                        Some((read.map(|octets| piece[..octets].to_vec()), channel))
                    }));
                    self.tells.done(Ok(0));
                }
                (Order::HangUp, _) => break,
                (order @ (Order::Scan | Order::Connect { .. }), _) => return Ok(Some(order)),
                (_, kept) => channel = kept,
            }
        }
        Ok(self.orders.recv().await.ok())
    }

    #[cfg(windows)]
    async fn channel(&self, _psm: u16) -> Result<Option<Order>, NativeError> {
        Err(NativeError::NoChannels)
    }

    /// Tells `values` until somebody gives an order.
    async fn next(&self, values: &mut Values<'_>) -> Option<Order> {
        self.beside(values, async { self.orders.recv().await.ok() }).await
    }

    /// Outcome of `what`, while `values` are told.
    async fn beside<T>(&self, values: &mut Values<'_>, what: impl Future<Output = T>) -> T {
        let told = async {
            while let Some(value) = values.next().await {
                match value {
                    Ok(value) => self.tells.tell(Report::Value(value)),
                    Err(error) => {
                        self.tells.tell(gone(&error));
                        break;
                    }
                }
            }
            future::pending().await
        };
        future::or(what, told).await
    }
}
