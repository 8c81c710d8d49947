//! Traffic that the host: HCI commands one at a time, ACL packets, events for the application.

use alloc::collections::VecDeque;

use airtime_core::{Packet, Pool};

use super::{ChannelId, ConnHandle, HostEvent, HostOutput};
use crate::hci::{self, Opcode, opcode};

/// Purpose of a command; was sent for; says who is told when it fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum For {
    /// Nobody waits for it.
    Nobody,
    /// The last command of start-up.
    Ready,
    /// A connection.
    Link(ConnHandle),
}

#[derive(Debug)]
struct Queued {
    opcode: Opcode,
    whom: For,
    packet: Packet,
}

/// The outputs of a host, and the commands that wait for their turn.
///
/// One command is outstanding at a time, and none is sent while the controller has no room for it:
/// Num_HCI_Command_Packets of Core 6.0, Vol 4, Part E, 4.4.
#[derive(Debug)]
pub(super) struct Out {
    pub(super) pool: Pool,
    outputs: VecDeque<HostOutput>,
    commands: VecDeque<Queued>,
    outstanding: Option<(Opcode, For)>,
    window: u8,
}

impl Out {
    pub(super) fn new(pool: Pool) -> Self {
        Self { pool, outputs: VecDeque::new(), commands: VecDeque::new(), outstanding: None, window: 1 }
    }

    /// The next output.
    pub(super) fn take(&mut self) -> Option<HostOutput> {
        self.outputs.pop_front()
    }

    /// Tells the application.
    pub(super) fn event(&mut self, event: HostEvent) {
        self.outputs.push_back(HostOutput::Event(event));
    }

    /// Gives the application a whole SDU or value.
    pub(super) fn octets(&mut self, conn: ConnHandle, channel: ChannelId, octets: Packet) {
        self.outputs.push_back(HostOutput::Octets { conn, channel, octets });
    }

    /// Sends a finished ACL packet.
    pub(super) fn acl(&mut self, packet: Packet) {
        self.outputs.push_back(HostOutput::Hci(packet));
    }

    /// Queues a command with the parameters that `params` appends.
    pub(super) fn command(&mut self, opcode: Opcode, whom: For, params: impl FnOnce(&mut Packet)) {
        let mut packet = hci::command(&self.pool, opcode);
        params(&mut packet);
        self.commands.push_back(Queued { opcode, whom, packet: hci::finish_command(packet) });
        self.send_next();
    }

    /// Gives the controller one ACL buffer of ours back. The command has no place in command flow
    /// control: Core 6.0, Vol 4, Part E, 7.3.40.
    pub(super) fn host_completed(&mut self, handle: ConnHandle) {
        let mut packet = hci::command(&self.pool, opcode::HOST_NUMBER_OF_COMPLETED_PACKETS);
        packet.put_u8(1);
        packet.put_u16(handle);
        packet.put_u16(1);
        self.outputs.push_back(HostOutput::Hci(hci::finish_command(packet)));
    }

    /// A Command Complete or Command Status with room for `window` commands; says what the
    /// outstanding command was for, if this ends it.
    pub(super) fn answered(&mut self, opcode: Opcode, window: u8) -> Option<For> {
        self.window = window;
        let ended = self.outstanding.take_if(|(outstanding, _)| *outstanding == opcode);
        self.send_next();
        ended.map(|(_, whom)| whom)
    }

    fn send_next(&mut self) {
        if self.outstanding.is_some() || self.window == 0 {
            return;
        }
        if let Some(queued) = self.commands.pop_front() {
            self.outstanding = Some((queued.opcode, queued.whom));
            self.outputs.push_back(HostOutput::Hci(queued.packet));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opcode_sent(out: &mut Out) -> Option<u16> {
        match out.take()? {
            HostOutput::Hci(packet) => Some(u16::from_le_bytes([packet[1], packet[2]])),
            HostOutput::Event(_) | HostOutput::Octets { .. } => None,
        }
    }

    #[test]
    fn one_command_at_a_time() {
        let mut out = Out::new(Pool::new());
        out.command(opcode::RESET, For::Nobody, |_| ());
        out.command(opcode::READ_BD_ADDR, For::Ready, |_| ());
        assert_eq!(opcode_sent(&mut out), Some(0x0c03));
        assert_eq!(opcode_sent(&mut out), None);
        assert_eq!(out.answered(opcode::READ_BD_ADDR, 1), None, "not the outstanding one");
        assert_eq!(out.answered(opcode::RESET, 1), Some(For::Nobody));
        assert_eq!(opcode_sent(&mut out), Some(0x1009));
        assert_eq!(out.answered(opcode::READ_BD_ADDR, 1), Some(For::Ready));
    }

    #[test]
    fn a_full_controller_is_left_alone() {
        let mut out = Out::new(Pool::new());
        out.command(opcode::RESET, For::Nobody, |_| ());
        out.command(opcode::READ_BD_ADDR, For::Nobody, |_| ());
        assert!(opcode_sent(&mut out).is_some());
        out.answered(opcode::RESET, 0);
        assert_eq!(opcode_sent(&mut out), None);
        // A Command Complete with opcode 0 only says that there is room again.
        out.answered(Opcode(0), 1);
        assert_eq!(opcode_sent(&mut out), Some(0x1009));
    }
}
