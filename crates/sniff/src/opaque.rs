//! Stands in for payloads that are encrypted and cannot be read.

use airtime_ble::ll::pdu::{LLID_CONTROL, LLID_START};

/// Octets of a credit indication with its L2CAP header. Core 6.0, Vol 3, Part A, 4.24.
const CREDIT_INDICATION: usize = 12;

/// Writes over the start of an encrypted payload what it most likely says: 12 octets are a credit indication, and any
/// other start of an L2CAP PDU is a K-frame of its own. What follows it is payload.
pub(super) fn veil(pdu: &mut [u8], mic: usize) {
    let Some((&mut [first, _], payload)) = pdu.split_first_chunk_mut::<2>() else { return };
    let clear = payload.len().saturating_sub(mic);
    let payload = &mut payload[..clear];
    let said: &[u8] = match first & 0b11 {
        // An opcode that does nothing: LL_PING_RSP.
        LLID_CONTROL => &[0x13],
        LLID_START if clear == CREDIT_INDICATION => &[8, 0, 5, 0, 0x16, 1, 4, 0, 0, 0, 0, 0],
        // A length that no continuation exhausts, the first dynamic channel, an SDU of no known length.
        LLID_START => &[0xff, 0xff, 0x40, 0, 0, 0],
        _ => &[],
    };
    let octets = said.len().min(clear);
    payload[..octets].copy_from_slice(&said[..octets]);
}

#[cfg(test)]
mod tests {
    use alloc::vec;
    use alloc::vec::Vec;

    use super::*;
    use airtime_ble::ledger::l2cap::{Kind, Parser};

    fn kinds(pdus: &[(u8, usize)]) -> Vec<Kind> {
        let mut parser = Parser::default();
        let veiled = pdus.iter().map(|(llid, octets)| {
            let mut pdu = vec![0xa5; 2 + octets + 4];
            pdu[0] = *llid;
            veil(&mut pdu, 4);
            assert_eq!(pdu[2 + octets..], [0xa5; 4], "the MIC stays");
            parser.fragment(*llid, &pdu[2..2 + octets])
        });
        veiled.collect()
    }

    #[test]
    fn data_credits_and_continuations_are_told_by_their_size() {
        let found = kinds(&[(LLID_START, 251), (1, 40), (LLID_START, 12), (LLID_START, 100)]);
        let data = |headers, payload| Kind::Data { headers, payload };
        assert_eq!(found, [data(6, 245), data(0, 40), Kind::Credits, data(6, 94)]);
    }

    #[test]
    fn short_payloads_are_left_whole() {
        for octets in 1..6 {
            kinds(&[(LLID_START, octets), (LLID_CONTROL, octets)]);
        }
    }
}
