//! A connection stands, or does not: what the host is told.

use alloc::boxed::Box;

use super::Controller;
use crate::air::DATA_OCTETS_MIN;
use crate::hci::{Status, event};
use crate::ll::address::DeviceAddress;
use crate::ll::connection::{Connection, NewConnection};
use crate::ll::identity::Sender;
use crate::ll::pdu::SCA_PPM;
use crate::ll::procedure::Local;
use crate::trace::Trace;
use crate::words::Role;

/// The two ends of a new connection, as they have shown themselves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ends {
    /// Own address.
    pub own: DeviceAddress,
    /// Set if that is a resolvable address the controller has made.
    pub own_is_made: bool,
    /// The other end.
    pub peer: Sender,
}

impl Controller {
    pub(super) fn open(&mut self, slot: usize, new: &NewConnection, ends: &Ends) {
        let connection = Connection::new(new);
        self.out.trace(Trace::ConnectionOpened { link: connection.link, role: new.role, handle: new.handle });
        self.report_connection(new, ends);
        let mut packet = event::le_event(self.out.pool(), event::LE_CHANNEL_SELECTION_ALGORITHM);
        packet.put_u16(new.handle);
        packet.put_u8(u8::from(new.csa2));
        self.out.le_event(event::finish(packet));
        debug_assert!(usize::from(new.data.sca) < SCA_PPM.len());
        self.connections[slot] = Some(Box::new(connection));
        // Core 6.0, Vol 6, Part B, 4.5.10.
        if self.personality.begins_data_length && new.offer.max_tx_octets > DATA_OCTETS_MIN {
            self.with(slot, new.created, |connection, ctx| connection.start(ctx, Local::Length));
        }
    }

    /// LE Enhanced Connection Complete `[v1]` to a host that takes it, else LE Connection Complete.
    /// Core 6.0, Vol 4, Part E, 7.7.65.1 and 7.7.65.10.
    fn report_connection(&mut self, new: &NewConnection, ends: &Ends) {
        let enhanced = self.out.wants_le(event::LE_ENHANCED_CONNECTION_COMPLETE);
        let code = if enhanced { event::LE_ENHANCED_CONNECTION_COMPLETE } else { event::LE_CONNECTION_COMPLETE };
        let peer = ends.peer;
        let mut packet = event::le_event(self.out.pool(), code);
        packet.put_u8(Status::SUCCESS.0);
        packet.put_u16(new.handle);
        packet.put_u8(if new.role == Role::Central { 0 } else { 1 });
        packet.put_u8(if enhanced { peer.hci_kind() } else { peer.address().kind as u8 });
        packet.put(&peer.address().octets);
        if enhanced {
            packet.put(&if ends.own_is_made { ends.own.octets } else { [0; 6] });
            packet.put(&if peer.identity.is_some() { peer.shown.octets } else { [0; 6] });
        }
        packet.put_u16(new.data.interval);
        packet.put_u16(new.data.latency);
        packet.put_u16(new.data.timeout);
        // The accuracy counts from the central's side only; a peripheral's is not known to its central.
        packet.put_u8(if new.role == Role::Peripheral { new.data.sca } else { 0 });
        self.out.le_event(event::finish(packet));
    }

    /// An attempt that came to nothing ends with a Connection Complete that says why.
    pub(super) fn report_no_connection(&mut self, status: Status, role: Role) {
        let enhanced = self.out.wants_le(event::LE_ENHANCED_CONNECTION_COMPLETE);
        let code = if enhanced { event::LE_ENHANCED_CONNECTION_COMPLETE } else { event::LE_CONNECTION_COMPLETE };
        let mut packet = event::le_event(self.out.pool(), code);
        packet.put_u8(status.0);
        packet.put_u16(0);
        packet.put_u8(if role == Role::Central { 0 } else { 1 });
        packet.put(&[0; 14]);
        packet.put(if enhanced { &[0; 12] } else { &[] });
        self.out.le_event(event::finish(packet));
    }
}
