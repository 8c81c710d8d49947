//! Procedures on a connection that stands: data length, PHY, frame space, encryption, interval, and the events that
//! tell how each went.

use airtime_core::Duration;
use airtime_core::bytes::Reader;

use super::commands::For;
use super::intervals::{INTERVAL_UNIT, TIMEOUT_UNIT, units};
use super::link::{Env, Link};
use super::{ChannelEnd, ConnHandle, Host, HostEvent, Refused, Role, SubrateTerms};
use crate::air::Phy;
use crate::hci::{Opcode, Status, opcode};

/// Longest PDU time there is, in µs: the octets are the limit that counts, on every PHY.
/// Core 6.0, Vol 4, Part E, 7.8.33.
pub(super) const TX_TIME_MAX: u16 = 0x4290;

/// 1M, 2M and Coded; T_IFS from central to peripheral and back. Core 6.0, Vol 4, Part E, 7.8.151.
const EVERY_PHY: u8 = 0x07;
const BOTH_SPACINGS: u16 = 0x0003;

/// Statuses of a controller that cannot do the connection parameters request procedure.
const NO_LL_PROCEDURE: [Status; 2] = [Status::UNSUPPORTED_REMOTE_FEATURE, Status::UNSUPPORTED_FEATURE];

impl Host {
    pub(super) fn set_data_length(&mut self, conn: ConnHandle, octets: u16) -> Result<(), Refused> {
        if !(27..=251).contains(&octets) {
            return Err(Refused::OutOfRange);
        }
        self.out.command(opcode::LE_SET_DATA_LENGTH, For::Link(conn), |params| {
            [conn, octets, TX_TIME_MAX].iter().for_each(|word| params.put_u16(*word));
        });
        Ok(())
    }

    pub(super) fn set_phy(&mut self, conn: ConnHandle, phy: Phy) {
        let (mask, options) = match phy {
            Phy::Le1M => (0x01, 0),
            Phy::Le2M => (0x02, 0),
            Phy::LeCodedS2 => (0x04, 1),
            Phy::LeCodedS8 => (0x04, 2),
        };
        if let Some(link) = self.link_mut(conn).filter(|_| phy.is_coded()) {
            link.ll.coding = phy;
        }
        self.out.command(opcode::LE_SET_PHY, For::Link(conn), |params| {
            params.put_u16(conn);
            params.put(&[0, mask, mask]);
            params.put_u16(options);
        });
    }

    pub(super) fn set_frame_space(&mut self, conn: ConnHandle, space: Duration) -> Result<(), Refused> {
        let space_us = units(space, Duration::from_micros(1)).ok_or(Refused::OutOfRange)?;
        self.out.command(opcode::LE_FRAME_SPACE_UPDATE, For::Link(conn), |params| {
            [conn, space_us, space_us].iter().for_each(|word| params.put_u16(*word));
            params.put_u8(EVERY_PHY);
            params.put_u16(BOTH_SPACINGS);
        });
        Ok(())
    }

    /// A central has to know first that its peripheral's host supports subrating. Core 6.2, Vol 4, Part E, 7.8.124.
    pub(super) fn subrate(&mut self, conn: ConnHandle, terms: SubrateTerms) -> Result<(), Refused> {
        let timeout = units(terms.supervision_timeout, TIMEOUT_UNIT).ok_or(Refused::OutOfRange)?;
        let SubrateTerms { factor, latency, continuation, .. } = terms;
        let link = self.links.iter_mut().find(|link| link.handle == conn).ok_or(Refused::UnknownConnection)?;
        link.subrate = Some([conn, factor, factor, latency, continuation, timeout]);
        if link.role == Role::Central {
            self.out.command(opcode::LE_READ_REMOTE_FEATURES, For::Link(conn), |params| params.put_u16(conn));
        } else {
            self.ask_to_subrate(conn);
        }
        Ok(())
    }

    fn ask_to_subrate(&mut self, conn: ConnHandle) {
        let Some(wanted) = self.link_mut(conn).and_then(|link| link.subrate.take()) else { return };
        self.out.command(opcode::LE_SUBRATE_REQUEST, For::Link(conn), |params| {
            wanted.iter().for_each(|word| params.put_u16(*word));
        });
    }

    pub(super) fn on_remote_features(&mut self, r: &mut Reader<'_>) -> Option<()> {
        let (_status, conn) = (r.u8()?, r.u16()?);
        self.ask_to_subrate(conn);
        Some(())
    }

    /// Status, handle, factor, latency, continuation number, timeout. Core 6.2, Vol 4, Part E, 7.7.65.35.
    pub(super) fn on_subrate_change(&mut self, r: &mut Reader<'_>) -> Option<()> {
        let (status, conn, factor) = (Status(r.u8()?), r.u16()?, r.u16()?);
        let (_latency, continuation) = (r.u16()?, r.u16()?);
        self.link_mut(conn)?;
        self.out.event(HostEvent::Subrated { conn, status, factor, continuation });
        Some(())
    }

    /// Core 6.0, Vol 4, Part E, 7.8.24; as with a key of LE Secure Connections, Rand and EDIV are zero.
    pub(super) fn encrypt(&mut self, conn: ConnHandle) {
        let key = self.config.long_term_key;
        self.out.command(opcode::LE_ENABLE_ENCRYPTION, For::Link(conn), |params| {
            params.put_u16(conn);
            params.put(&[0; 10]);
            params.put(&key);
        });
    }

    pub(super) fn update_interval(
        &mut self,
        conn: ConnHandle,
        (shortest, longest): (Duration, Duration),
        latency: u16,
        supervision_timeout: Duration,
    ) -> Result<(), Refused> {
        let timeout = units(supervision_timeout, TIMEOUT_UNIT).ok_or(Refused::OutOfRange)?;
        let link = self.links.iter_mut().find(|link| link.handle == conn).ok_or(Refused::UnknownConnection)?;
        let granted = match link.role {
            Role::Central => {
                let granted = self.config.personality.intervals.grant(shortest, longest);
                granted.map(|interval| (interval, interval))
            }
            Role::Peripheral => Some((shortest, longest)),
        };
        let Some((min, max)) = granted else {
            let (status, interval) = (Status::UNACCEPTABLE_PARAMETERS, link.ll.interval);
            self.out.event(HostEvent::IntervalUpdated { conn, status, interval });
            return Ok(());
        };
        let (min, max) = units(min, INTERVAL_UNIT).zip(units(max, INTERVAL_UNIT)).ok_or(Refused::OutOfRange)?;
        link.wanted = (link.role == Role::Peripheral).then_some([min, max, latency, timeout]);
        self.out.command(opcode::LE_CONNECTION_UPDATE, For::Link(conn), |params| {
            [conn, min, max, latency, timeout, 0, 0].iter().for_each(|word| params.put_u16(*word));
        });
        Ok(())
    }

    pub(super) fn disconnect(&mut self, conn: ConnHandle) {
        self.out.command(opcode::DISCONNECT, For::Link(conn), |params| {
            params.put_u16(conn);
            params.put_u8(Status::REMOTE_USER_TERMINATED.0);
        });
    }

    /// A controller that cannot do the LL procedure, or whose peer cannot, leaves it to L2CAP; says
    /// whether that way was taken. Core 6.0, Vol 3, Part A, 4.20.
    fn ask_by_l2cap(&mut self, conn: ConnHandle, status: Status) -> bool {
        let Some(link) = self.links.iter_mut().find(|link| link.handle == conn) else { return false };
        let Some(wanted) = link.wanted.take().filter(|_| NO_LL_PROCEDURE.contains(&status)) else { return false };
        let mut env = Env { out: &mut self.out, config: &self.config, local: &mut self.local };
        link.request_parameters(wanted, &mut env);
        true
    }

    /// A command for a connection was refused at once: the application hears how things stand.
    pub(super) fn on_link_command_failed(&mut self, opcode: Opcode, conn: ConnHandle, status: Status) {
        if opcode == opcode::LE_CONNECTION_UPDATE && self.ask_by_l2cap(conn, status) {
            return;
        }
        let Some(link) = self.links.iter().find(|link| link.handle == conn) else { return };
        let ll = link.ll;
        let event = match opcode {
            opcode::LE_SET_DATA_LENGTH => {
                HostEvent::DataLength { conn, tx_octets: ll.tx_octets, rx_octets: ll.rx_octets }
            }
            opcode::LE_SET_PHY => HostEvent::PhyUpdated { conn, status, tx: ll.tx_phy },
            opcode::LE_FRAME_SPACE_UPDATE => HostEvent::FrameSpace { conn, status, space: ll.frame_space },
            opcode::LE_SUBRATE_REQUEST => HostEvent::Subrated { conn, status, factor: 1, continuation: 0 },
            opcode::LE_ENABLE_ENCRYPTION => HostEvent::Encrypted { conn, status },
            opcode::LE_CONNECTION_UPDATE => HostEvent::IntervalUpdated { conn, status, interval: ll.interval },
            _ => return,
        };
        self.out.event(event);
    }

    pub(super) fn on_disconnection(&mut self, r: &mut Reader<'_>) -> Option<()> {
        let (status, conn, reason) = (Status(r.u8()?), r.u16()?, Status(r.u8()?));
        if status.is_success() && self.forget(conn) {
            self.out.event(HostEvent::Disconnected { conn, reason });
        }
        Some(())
    }

    /// Drops a connection with everything on it; says whether there was one.
    pub(super) fn forget(&mut self, conn: ConnHandle) -> bool {
        let Some(at) = self.links.iter().position(|link| link.handle == conn) else { return false };
        let mut link = self.links.remove(at);
        self.buffers.release_all(&mut link);
        for channel in link.channels.iter().filter(|channel| !channel.is_closing()) {
            let reason = ChannelEnd::LinkLost;
            self.out.event(HostEvent::ChannelClosed { conn, channel: channel.id, reason });
        }
        true
    }

    pub(super) fn on_connection_update(&mut self, r: &mut Reader<'_>) -> Option<()> {
        let (status, conn, units) = (Status(r.u8()?), r.u16()?, r.u16()?);
        if self.ask_by_l2cap(conn, status) {
            return Some(());
        }
        let link = self.link_mut(conn)?;
        if status.is_success() {
            link.ll.interval = INTERVAL_UNIT * u64::from(units);
        }
        let interval = link.ll.interval;
        self.out.event(HostEvent::IntervalUpdated { conn, status, interval });
        Some(())
    }

    /// The peer asks for parameters: a central answers by its grid, a peripheral takes what it is
    /// offered. Core 6.0, Vol 4, Part E, 7.7.65.6.
    pub(super) fn on_parameter_request(&mut self, r: &mut Reader<'_>) -> Option<()> {
        let (conn, min, max) = (r.u16()?, r.u16()?, r.u16()?);
        let (latency, timeout) = (r.u16()?, r.u16()?);
        let role = self.link_mut(conn)?.role;
        let granted = match role {
            Role::Central => {
                let intervals = &self.config.personality.intervals;
                let granted = intervals.grant(INTERVAL_UNIT * u64::from(min), INTERVAL_UNIT * u64::from(max));
                granted.and_then(|interval| units(interval, INTERVAL_UNIT)).map(|units| (units, units))
            }
            Role::Peripheral => Some((min, max)),
        };
        match granted {
            Some((min, max)) => self.out.command(opcode::LE_PARAMETER_REQUEST_REPLY, For::Nobody, |params| {
                [conn, min, max, latency, timeout, 0, 0].iter().for_each(|word| params.put_u16(*word));
            }),
            None => self.out.command(opcode::LE_PARAMETER_REQUEST_NEGATIVE_REPLY, For::Nobody, |params| {
                params.put_u16(conn);
                params.put_u8(Status::UNACCEPTABLE_PARAMETERS.0);
            }),
        }
        Some(())
    }

    pub(super) fn on_data_length(&mut self, r: &mut Reader<'_>) -> Option<()> {
        let (conn, tx_octets, _tx_time, rx_octets) = (r.u16()?, r.u16()?, r.u16()?, r.u16()?);
        let link = self.link_mut(conn)?;
        (link.ll.tx_octets, link.ll.rx_octets) = (tx_octets, rx_octets);
        self.out.event(HostEvent::DataLength { conn, tx_octets, rx_octets });
        Some(())
    }

    pub(super) fn on_phy_update(&mut self, r: &mut Reader<'_>) -> Option<()> {
        let (status, conn, tx) = (Status(r.u8()?), r.u16()?, r.u8()?);
        let link = self.link_mut(conn)?;
        if status.is_success() {
            link.ll.tx_phy = match tx {
                1 => Phy::Le1M,
                2 => Phy::Le2M,
                3 => link.ll.coding,
                _ => return None,
            };
        }
        let tx = link.ll.tx_phy;
        self.out.event(HostEvent::PhyUpdated { conn, status, tx });
        Some(())
    }

    /// Status, handle, initiator, space in µs, PHYs, spacing types. Core 6.0, Vol 4, Part E, 7.7.65.53.
    pub(super) fn on_frame_space(&mut self, r: &mut Reader<'_>) -> Option<()> {
        let (status, conn, _initiator, space_us) = (Status(r.u8()?), r.u16()?, r.u8()?, r.u16()?);
        let link = self.link_mut(conn)?;
        if status.is_success() {
            link.ll.frame_space = Duration::from_micros(space_us.into());
        }
        let space = link.ll.frame_space;
        self.out.event(HostEvent::FrameSpace { conn, status, space });
        Some(())
    }

    pub(super) fn on_encryption_change(&mut self, r: &mut Reader<'_>) -> Option<()> {
        let (status, conn) = (Status(r.u8()?), r.u16()?);
        self.link_mut(conn)?;
        self.out.event(HostEvent::Encrypted { conn, status });
        Some(())
    }

    pub(super) fn on_key_request(&mut self, r: &mut Reader<'_>) -> Option<()> {
        let conn = r.u16()?;
        let key = self.config.long_term_key;
        self.out.command(opcode::LE_LONG_TERM_KEY_REPLY, For::Nobody, |params| {
            params.put_u16(conn);
            params.put(&key);
        });
        Some(())
    }

    pub(super) fn link_mut(&mut self, conn: ConnHandle) -> Option<&mut Link> {
        self.links.iter_mut().find(|link| link.handle == conn)
    }
}
