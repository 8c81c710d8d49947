//! Both ways of a dongle: transfers, and the octets of H4 that they carry.

use std::io::{Read, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use airtime_ble::hci::{ACL_DATA, COMMAND};
use nusb::transfer::{Bulk, BulkOrInterrupt, ControlOut, ControlType, In, Out, Recipient, TransferError};
use nusb::{Endpoint, Interface, MaybeFuture};

use crate::ble::h4::Framer;

/// Stretch after which a thread looks if it is to end.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Longest time of a transfer to a controller. *Assumed*: a host sends no more than there are buffers for, so that none waits for the air; one that
/// takes nothing has gone, and whoever ends is not kept.
const SEND_MAX: Duration = Duration::from_secs(5);

/// Transfers that wait for a controller at once, so that none of its packets does.
const READS: usize = 4;

/// Octets of a transfer: of an interrupt endpoint one packet (Linux btusb does the same), of a bulk endpoint more than any ACL packet.
const TRANSFER_MAX: usize = 4_608;

/// Octets that are read of the stream at once.
const READ_OCTETS: usize = 4_096;

/// Packets of a controller, whose transfers carry each a part of one or all of it.
#[derive(Debug)]
pub(super) struct Gatherer {
    indicator: u8,
    framer: Framer,
}

impl Gatherer {
    /// Gatherer of packets with the H4 indicator `indicator`.
    pub(super) fn new(indicator: u8) -> Self {
        Self { indicator, framer: Framer::of_controller() }
    }

    /// Takes in a transfer; the packet that it ends, with its indicator.
    pub(super) fn take(&mut self, transfer: &[u8]) -> Option<&[u8]> {
        if self.framer.waiting() == 0 {
            self.framer.push(&[self.indicator]);
        }
        self.framer.push(transfer);
        self.framer.packet()
    }
}

/// Carries packets with the H4 indicator `indicator` from a controller to `stream`, until that is closed or `ended`.
pub(super) fn receive<T: BulkOrInterrupt>(
    mut endpoint: Endpoint<T, In>,
    indicator: u8,
    mut stream: UnixStream,
    ended: &AtomicBool,
) {
    let packet = endpoint.max_packet_size();
    let octets = if indicator == ACL_DATA { TRANSFER_MAX.next_multiple_of(packet) } else { packet };
    for _ in 0..READS {
        let buffer = endpoint.allocate(octets);
        endpoint.submit(buffer);
    }
    let mut gatherer = Gatherer::new(indicator);
    while !ended.load(Ordering::Relaxed) {
        let Some(completion) = endpoint.wait_next_complete(LOOK_EVERY) else { continue };
        let read = &completion.buffer[..completion.actual_len];
        let is_taken = match completion.status {
            Ok(()) => gatherer.take(read).is_none_or(|packet| stream.write_all(packet).is_ok()),
            // A transfer that was spoilt is repeated; what it was of makes no sense, and the host resets it.
            Err(TransferError::Stall) => endpoint.clear_halt().wait().is_ok(),
            Err(_) => false,
        };
        if !is_taken {
            break;
        }
        let mut buffer = completion.buffer;
        buffer.set_requested_len(octets);
        endpoint.submit(buffer);
    }
    // Whoever has the stream is told that the controller has gone.
    let _ = stream.shutdown(Shutdown::Both);
}

/// Carries commands and ACL data from `stream` to a controller, until that is closed, or the controller has gone.
pub(super) fn send(interface: &Interface, mut acl: Endpoint<Bulk, Out>, mut stream: UnixStream) {
    let (mut framer, mut octets) = (Framer::default(), [0; READ_OCTETS]);
    while let Ok(read @ 1..) = stream.read(&mut octets) {
        framer.push(&octets[..read]);
        while let Some(packet) = framer.packet() {
            let sent = match packet {
                [COMMAND, command @ ..] => commanded(interface, command),
                [ACL_DATA, data @ ..] => acl.transfer_blocking(data.to_vec().into(), SEND_MAX).status,
                // Nothing else is sent by a host without sound.
                _ => Ok(()),
            };
            if sent.is_err() {
                let _ = stream.shutdown(Shutdown::Both);
                return;
            }
        }
    }
}

/// Sends a command. Core 6.0, Vol 4, Part B, 2.2.2: request type 0x20, request, value and index zero.
fn commanded(interface: &Interface, data: &[u8]) -> Result<(), TransferError> {
    let request = ControlOut {
        control_type: ControlType::Class,
        recipient: Recipient::Device,
        request: 0,
        value: 0,
        index: 0,
        data,
    };
    interface.control_out(request, SEND_MAX).wait()
}

#[cfg(test)]
mod tests {
    use airtime_ble::hci::EVENT;

    use super::*;

    #[test]
    fn packets_are_put_together_of_their_transfers() {
        let mut events = Gatherer::new(EVENT);
        // Command Complete in packets of sixteen octets, the last of them full; then one that is whole.
        let event: Vec<u8> = [0x0e, 30].into_iter().chain(0..30).collect();
        assert_eq!(events.take(&event[..16]), None);
        let whole = [&[EVENT][..], &event].concat();
        assert_eq!(events.take(&event[16..]), Some(&whole[..]));
        assert_eq!(events.take(&[0x0f, 1, 9]), Some(&[EVENT, 0x0f, 1, 9][..]));
        assert_eq!(events.take(&[0x13, 0]), Some(&[EVENT, 0x13, 0][..]));
        let mut acl = Gatherer::new(ACL_DATA);
        let data: Vec<u8> = [1, 0x20, 44, 1].into_iter().chain(std::iter::repeat_n(7, 300)).collect();
        assert_eq!(acl.take(&data[..64]), None);
        assert_eq!(acl.take(&data[64..128]), None);
        assert_eq!(acl.take(&data[128..]).map(<[u8]>::len), Some(1 + data.len()));
    }
}
