//! Event codes, and the frame every event is built in. Core 6.0, Vol 4, Part E, 7.7.

use airtime_core::{Packet, Pool};

use super::{EVENT, Opcode, Status};

/// Disconnection Complete.
pub const DISCONNECTION_COMPLETE: u8 = 0x05;
/// Encryption Change `[v1]`.
pub const ENCRYPTION_CHANGE: u8 = 0x08;
/// Read Remote Version Information Complete.
pub const READ_REMOTE_VERSION_COMPLETE: u8 = 0x0c;
/// Command Complete.
pub const COMMAND_COMPLETE: u8 = 0x0e;
/// Command Status.
pub const COMMAND_STATUS: u8 = 0x0f;
/// Hardware Error.
pub const HARDWARE_ERROR: u8 = 0x10;
/// Number Of Completed Packets.
pub const NUMBER_OF_COMPLETED_PACKETS: u8 = 0x13;
/// Data Buffer Overflow.
pub const DATA_BUFFER_OVERFLOW: u8 = 0x1a;
/// Encryption Key Refresh Complete.
pub const ENCRYPTION_KEY_REFRESH_COMPLETE: u8 = 0x30;
/// Encryption Change `[v2]`, of the second page of the event mask.
pub const ENCRYPTION_CHANGE_V2: u8 = 0x59;
/// LE Meta event; its first parameter is one of the `LE_` codes.
pub const LE_META: u8 = 0x3e;

/// LE Connection Complete.
pub const LE_CONNECTION_COMPLETE: u8 = 0x01;
/// LE Advertising Report.
pub const LE_ADVERTISING_REPORT: u8 = 0x02;
/// LE Connection Update Complete.
pub const LE_CONNECTION_UPDATE_COMPLETE: u8 = 0x03;
/// LE Read Remote Features Complete.
pub const LE_READ_REMOTE_FEATURES_COMPLETE: u8 = 0x04;
/// LE Long Term Key Request.
pub const LE_LONG_TERM_KEY_REQUEST: u8 = 0x05;
/// LE Remote Connection Parameter Request.
pub const LE_REMOTE_PARAMETER_REQUEST: u8 = 0x06;
/// LE Data Length Change.
pub const LE_DATA_LENGTH_CHANGE: u8 = 0x07;
/// LE Enhanced Connection Complete `[v1]`.
pub const LE_ENHANCED_CONNECTION_COMPLETE: u8 = 0x0a;
/// LE Directed Advertising Report.
pub const LE_DIRECTED_ADVERTISING_REPORT: u8 = 0x0b;
/// LE PHY Update Complete.
pub const LE_PHY_UPDATE_COMPLETE: u8 = 0x0c;
/// LE Extended Advertising Report.
pub const LE_EXTENDED_ADVERTISING_REPORT: u8 = 0x0d;
/// LE Scan Timeout.
pub const LE_SCAN_TIMEOUT: u8 = 0x11;
/// LE Advertising Set Terminated.
pub const LE_ADVERTISING_SET_TERMINATED: u8 = 0x12;
/// LE Scan Request Received.
pub const LE_SCAN_REQUEST_RECEIVED: u8 = 0x13;
/// LE Channel Selection Algorithm.
pub const LE_CHANNEL_SELECTION_ALGORITHM: u8 = 0x14;
/// LE Subrate Change.
pub const LE_SUBRATE_CHANGE: u8 = 0x23;
/// LE Frame Space Update Complete.
pub const LE_FRAME_SPACE_UPDATE_COMPLETE: u8 = 0x35;

/// Starts an event; append the parameters, then [`finish`].
pub fn event(pool: &Pool, code: u8) -> Packet {
    let mut packet = pool.packet();
    packet.put(&[EVENT, code, 0]);
    packet
}

/// Starts an LE Meta event with `subevent`; append the parameters, then [`finish`].
pub fn le_event(pool: &Pool, subevent: u8) -> Packet {
    let mut packet = event(pool, LE_META);
    packet.put_u8(subevent);
    packet
}

/// Starts a Command Complete with its status; append return parameters, then [`finish`].
pub fn command_complete(pool: &Pool, opcode: Opcode, status: Status) -> Packet {
    let mut packet = event(pool, COMMAND_COMPLETE);
    packet.put_u8(1);
    packet.put_u16(opcode.0);
    packet.put_u8(status.0);
    packet
}

/// A whole Command Status.
pub fn command_status(pool: &Pool, opcode: Opcode, status: Status) -> Packet {
    let mut packet = event(pool, COMMAND_STATUS);
    packet.put_u8(status.0);
    packet.put_u8(1);
    packet.put_u16(opcode.0);
    finish(packet)
}

/// A whole Number Of Completed Packets for one connection.
pub fn completed_packets(pool: &Pool, handle: u16, count: u16) -> Packet {
    let mut packet = event(pool, NUMBER_OF_COMPLETED_PACKETS);
    packet.put_u8(1);
    packet.put_u16(handle);
    packet.put_u16(count);
    finish(packet)
}

/// Writes the parameter length.
pub fn finish(mut packet: Packet) -> Packet {
    packet[2] = u8::try_from(packet.len() - 3).expect("event parameters fit 255 octets");
    packet
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hci::opcode;

    #[test]
    fn golden_bytes() {
        let pool = Pool::new();
        let complete = finish(command_complete(&pool, opcode::RESET, Status::SUCCESS));
        assert_eq!(&*complete, &[0x04, 0x0e, 0x04, 0x01, 0x03, 0x0c, 0x00]);
        let status = command_status(&pool, opcode::LE_CREATE_CONNECTION, Status::COMMAND_DISALLOWED);
        assert_eq!(&*status, &[0x04, 0x0f, 0x04, 0x0c, 0x01, 0x0d, 0x20]);
        assert_eq!(&*completed_packets(&pool, 0x40, 2), &[0x04, 0x13, 0x05, 0x01, 0x40, 0x00, 0x02, 0x00]);
    }
}
