//! One connection: what is written goes to the server, what it has to say is notified.

use core::cell::{Cell, RefCell};
use core::convert::Infallible;

use airtime_rpc::crypto::ServerSecrets;
use airtime_rpc::server::{Server, ServerConfig};
use airtime_rpc::{COMPATIBLE_FRAME_MAX, Service};
use bt_hci::param::Status;
use embassy_futures::select::{Either, select};
use embassy_sync::blocking_mutex::raw::NoopRawMutex;
use embassy_sync::signal::Signal;
use embassy_time::Timer;
use trouble_host::PacketPool;
use trouble_host::gatt::{GattConnection, GattConnectionEvent, GattEvent};

use super::Witness;
use super::attributes::Frames;
use crate::{clock, link};

/// Octets of a notification in front of its value. Core 6.0, Vol 3, Part F, 3.4.7.1.
const HEADER: u16 = 3;

/// Line of one connection, which both directions share.
pub(super) struct Line<'a, V, const OCTETS: usize> {
    server: RefCell<Server<OCTETS>>,
    service: RefCell<&'a mut V>,
    witness: &'a dyn Witness,
    /// Longest frame, whatever the MTU.
    frame: u16,
    /// Set by the first frame.
    begun: Cell<bool>,
    /// Bell for the task that sends: something may be there.
    bell: Signal<NoopRawMutex, ()>,
}

impl<'a, V: Service, const OCTETS: usize> Line<'a, V, OCTETS> {
    pub(super) fn new(server: ServerConfig, frame: u16, service: &'a mut V, witness: &'a dyn Witness) -> Self {
        Self {
            server: RefCell::new(Server::new(server)),
            service: RefCell::new(service),
            witness,
            frame: frame.min(COMPATIBLE_FRAME_MAX as u16),
            begun: Cell::new(false),
            bell: Signal::new(),
        }
    }

    /// Carries frames both ways until the connection ends, and the calls under way with it.
    pub(super) async fn serve<P: PacketPool>(
        self,
        connection: &GattConnection<'_, '_, P>,
        frames: &Frames<'_, P>,
        secrets: ServerSecrets,
    ) {
        let conn = connection.raw().handle().raw();
        // The end of the connection comes first.
        let reason = match select(self.hear(connection, frames, secrets), self.speak(connection, frames)).await {
            Either::First(reason) => reason,
            Either::Second(never) => match never {},
        };
        self.server.borrow_mut().disconnected(clock::now(), *self.service.borrow_mut());
        let faults = self.server.borrow().faults();
        self.witness.disconnected(clock::now(), conn, reason, &faults);
    }

    /// Takes what happens on the connection until it ends; gives the reason.
    async fn hear<P: PacketPool>(
        &self,
        connection: &GattConnection<'_, '_, P>,
        frames: &Frames<'_, P>,
        secrets: ServerSecrets,
    ) -> Status {
        let (conn, witness) = (connection.raw().handle().raw(), self.witness);
        loop {
            match connection.next().await {
                GattConnectionEvent::Disconnected { reason } => return reason,
                GattConnectionEvent::Gatt { event: GattEvent::Write(write) }
                    if write.handle() == frames.value.handle =>
                {
                    if !self.begun.replace(true) {
                        self.begin(conn, connection.raw().att_mtu(), secrets);
                    }
                    write.with_data(|_, frame| self.receive(conn, frame));
                }
                GattConnectionEvent::ConnectionParamsUpdated { conn_interval, .. } => {
                    witness.interval(clock::now(), conn, clock::interval(conn_interval));
                }
                GattConnectionEvent::DataLengthUpdated { max_tx_octets, max_rx_octets, .. } => {
                    witness.data_length(clock::now(), conn, max_tx_octets, max_rx_octets);
                }
                GattConnectionEvent::PhyUpdated { tx_phy, .. } => {
                    witness.phy(clock::now(), conn, link::phy(tx_phy));
                }
                // Whoever discovers is answered as the event is dropped.
                _ => {}
            }
        }
    }

    /// The MTU has been exchanged by whoever sends the first frame, or never will be.
    fn begin(&self, conn: u16, att_mtu: u16, secrets: ServerSecrets) {
        let longest = att_mtu.saturating_sub(HEADER);
        self.witness.begun(clock::now(), conn, att_mtu, longest);
        self.server.borrow_mut().connected(clock::now(), longest.min(self.frame), secrets);
    }

    fn receive(&self, conn: u16, frame: &[u8]) {
        self.witness.received(clock::now(), conn, octets(frame));
        self.server.borrow_mut().receive(clock::now(), frame, *self.service.borrow_mut());
        self.bell.signal(());
    }

    /// The next frame; a function of its own, for nothing may be borrowed while a frame is sent.
    fn next(&self, frame: &mut [u8]) -> Option<usize> {
        self.server.borrow_mut().transmit(clock::now(), frame, *self.service.borrow_mut())
    }

    /// Pulls frames while there are any; each waits for room in the host.
    async fn speak<P: PacketPool>(&self, connection: &GattConnection<'_, '_, P>, frames: &Frames<'_, P>) -> Infallible {
        let conn = connection.raw().handle().raw();
        let mut frame = [0; COMPATIBLE_FRAME_MAX];
        loop {
            while let Some(len) = self.next(&mut frame) {
                let frame = &frame[..len];
                self.witness.submitted(clock::now(), conn, octets(frame));
                if let Err(error) = frames.value.notify_raw(connection, frame, false).await {
                    self.witness.not_sent(clock::now(), conn, &error);
                }
            }
            let deadline = self.server.borrow().deadline();
            match deadline {
                Some(at) => {
                    let due = Timer::at(clock::timer(at));
                    if let Either::Second(()) = select(self.bell.wait(), due).await {
                        self.server.borrow_mut().wake(clock::now(), *self.service.borrow_mut());
                    }
                }
                None => self.bell.wait().await,
            }
        }
    }
}

/// A value of an attribute has at most 512 octets.
fn octets(frame: &[u8]) -> u16 {
    u16::try_from(frame.len()).unwrap_or(u16::MAX)
}
