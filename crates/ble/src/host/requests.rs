//! Requests of an application, as a host carries them out.

use airtime_core::{Instant, Packet};

use super::att::{Procedure, VALUES_MAX};
use super::cpu::Made;
use super::l2cap::channel::SDUS_MAX;
use super::link::Env;
use super::{ATT_CHANNEL, ChannelId, ConnHandle, Host, Refused, Request};
use crate::personality::WriteOverflow;

impl Host {
    pub(super) fn on_request(&mut self, now: Instant, request: &Request<'_>) -> Result<(), Refused> {
        match *request {
            Request::Advertise { name, interval } => self.advertise(name, interval),
            Request::StopAdvertising => {
                self.stop_advertising();
                Ok(())
            }
            Request::Broadcast { interval } => self.broadcast(interval),
            Request::Observe { interval, window } => self.observe(interval, window),
            Request::Scan { name, timeout, except } => self.scan(now, name, timeout, except),
            Request::Connect { peer, interval, latency, supervision_timeout } => {
                self.connect(now, peer, interval, latency, supervision_timeout)
            }
            Request::Listen { psm } => {
                self.local.psm = Some(psm);
                Ok(())
            }
            Request::SendSdu { conn, channel, sdu } => self.send_sdu(conn, channel, sdu),
            Request::SendValue { conn, value } => self.send_value(conn, value),
            _ => self.on_link_request(request),
        }
    }

    fn on_link_request(&mut self, request: &Request<'_>) -> Result<(), Refused> {
        let conn = connection(request).ok_or(Refused::UnknownConnection)?;
        let link = self.links.iter_mut().find(|link| link.handle == conn).ok_or(Refused::UnknownConnection)?;
        let mut env = Env { out: &mut self.out, config: &self.config, local: &mut self.local };
        match *request {
            Request::ExchangeMtu { .. } => link.att.start(Procedure::ExchangeMtu, &mut env),
            Request::Discover { .. } => link.att.start(Procedure::Discover, &mut env),
            Request::Subscribe { .. } => link.att.start(Procedure::Subscribe, &mut env),
            Request::OpenChannel { psm, .. } => link.open_channel(psm, &mut env),
            Request::CloseChannel { channel, .. } => link.close_channel(channel, &mut env),
            Request::SetDataLength { octets, .. } => self.set_data_length(conn, octets),
            Request::Subrate { subrate, .. } => self.subrate(conn, subrate),
            Request::SetFrameSpace { space, .. } => self.set_frame_space(conn, space),
            Request::UpdateInterval { shortest, interval, latency, supervision_timeout, .. } => {
                self.update_interval(conn, (shortest, interval), latency, supervision_timeout)
            }
            Request::SetPhy { phy, .. } => {
                self.set_phy(conn, phy);
                Ok(())
            }
            Request::Encrypt { .. } => {
                self.encrypt(conn);
                Ok(())
            }
            Request::Disconnect { .. } => {
                self.disconnect(conn);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn send_sdu(&mut self, conn: ConnHandle, channel: ChannelId, sdu: &[u8]) -> Result<(), Refused> {
        let link = self.links.iter_mut().find(|link| link.handle == conn).ok_or(Refused::UnknownConnection)?;
        let open = link.open_channel_mut(channel).ok_or(Refused::UnknownChannel)?;
        if sdu.len() > open.sender.mtu.into() {
            return Err(Refused::TooLong);
        }
        if open.sender.queued >= SDUS_MAX {
            return Err(Refused::Busy);
        }
        open.sender.queued += 1;
        let (serial, bytes) = (open.serial, self.out.pool.copy(sdu));
        self.cpu.make(Made { conn, channel, serial, bytes });
        Ok(())
    }

    fn send_value(&mut self, conn: ConnHandle, value: &[u8]) -> Result<(), Refused> {
        let overflows = self.config.blind && self.overflows(conn);
        let link = self.links.iter_mut().find(|link| link.handle == conn).ok_or(Refused::UnknownConnection)?;
        if link.att.queued >= VALUES_MAX {
            return Err(Refused::Busy);
        }
        let bytes: Packet = link.value_pdu(&self.config, value, &self.out.pool)?;
        if overflows {
            return Err(Refused::Full);
        }
        link.att.queued += 1;
        self.cpu.make(Made { conn, channel: ATT_CHANNEL, serial: link.serial, bytes });
        Ok(())
    }

    /// Tells if a value for `conn` finds no transmit buffer that no value before it waits for, or one of them still on its way to the stack
    /// where that is refused: Android's `mDeviceBusy` is set until it has called `onCharacteristicWrite`.
    fn overflows(&self, conn: ConnHandle) -> bool {
        let waiting: usize = self.links.iter().map(|link| link.att.queued).sum();
        let is_full = waiting >= self.buffers.l2cap_free;
        let serial = self.links.iter().find(|link| link.handle == conn).map(|link| link.serial);
        match self.config.personality.write_overflow {
            WriteOverflow::Waits => false,
            WriteOverflow::Drops | WriteOverflow::Refuses => is_full,
            WriteOverflow::Busy => is_full || self.cpu.is_making(|making| Some(making) == serial),
        }
    }

    /// The stream task has made an SDU or a value; if its channel still lives, it queues there.
    pub(super) fn on_made(&mut self, made: Made) {
        let Some(link) = self.links.iter_mut().find(|link| link.handle == made.conn) else { return };
        if made.channel == ATT_CHANNEL {
            if link.serial == made.serial {
                link.att.push_value(made.bytes, self.config.values, &self.out.pool);
            }
        } else if let Some(channel) = link.open_channel_mut(made.channel).filter(|c| c.serial == made.serial) {
            channel.sender.push(made.bytes);
        }
    }
}

/// The connection a request is about, if it is about one.
fn connection(request: &Request<'_>) -> Option<ConnHandle> {
    match *request {
        Request::Disconnect { conn }
        | Request::SetDataLength { conn, .. }
        | Request::SetPhy { conn, .. }
        | Request::SetFrameSpace { conn, .. }
        | Request::Subrate { conn, .. }
        | Request::Encrypt { conn }
        | Request::UpdateInterval { conn, .. }
        | Request::ExchangeMtu { conn }
        | Request::Discover { conn }
        | Request::Subscribe { conn }
        | Request::OpenChannel { conn, .. }
        | Request::CloseChannel { conn, .. }
        | Request::SendSdu { conn, .. }
        | Request::SendValue { conn, .. } => Some(conn),
        Request::Advertise { .. }
        | Request::StopAdvertising
        | Request::Broadcast { .. }
        | Request::Observe { .. }
        | Request::Scan { .. }
        | Request::Connect { .. }
        | Request::Listen { .. } => None,
    }
}
