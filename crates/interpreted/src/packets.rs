//! H4 packets in a stream of octets. Core 6.0, Vol 4, Part A, 2, and Part E, 5.4.

use airtime_ble::hci::ACL_DATA;
use airtime_core::{Packet, Pool};

use crate::fault::Fault;

/// Indicator of a command.
const COMMAND: u8 = 1;

/// The first packet of `octets`, taken out of them once it is whole.
pub(crate) fn take(octets: &mut Vec<u8>, pool: &Pool) -> Result<Option<Packet>, Fault> {
    let length = match *octets.as_slice() {
        [] => None,
        [COMMAND, _, _, parameters, ..] => Some(4 + usize::from(parameters)),
        [ACL_DATA, _, _, low, high, ..] => Some(5 + usize::from(u16::from_le_bytes([low, high]))),
        [COMMAND | ACL_DATA, ..] => None,
        [indicator, ..] => return Err(Fault::NotH4 { indicator }),
    };
    let Some(packet) = length.and_then(|length| octets.get(..length)) else { return Ok(None) };
    let packet = pool.copy(packet);
    octets.drain(..packet.len());
    Ok(Some(packet))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_are_taken_once_they_are_whole() {
        let (pool, mut octets) = (Pool::new(), Vec::new());
        let reset_and_data = [1, 3, 0x0c, 0, 2, 0x40, 0, 2, 0, 0xaa, 0xbb, 1];
        let mut packets = Vec::new();
        for octet in reset_and_data {
            octets.push(octet);
            packets.extend(take(&mut octets, &pool).unwrap().map(|packet| packet.to_vec()));
        }
        assert_eq!(packets, [reset_and_data[..4].to_vec(), reset_and_data[4..11].to_vec()]);
        assert_eq!(octets, [1]);
        assert_eq!(take(&mut vec![9], &pool).unwrap_err(), Fault::NotH4 { indicator: 9 });
    }
}
