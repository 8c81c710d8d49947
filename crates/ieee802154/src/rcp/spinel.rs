//! Messages of Spinel for one frame: what the host asks, what the co-processor confirms, and what it has heard.

use airtime_core::{Instant, Packet};

/// Header of a message: its mark, and the transaction, 1 to 15 and round again.
const HEADER: u8 = 0x80;
const TRANSACTIONS: u32 = 15;

/// Commands and properties, each of one octet on the line. OpenThread, src/lib/spinel/spinel.h.
const PROP_VALUE_SET: u8 = 3;
const PROP_VALUE_IS: u8 = 6;
const STREAM_RAW: u8 = 113;
const LAST_STATUS: u8 = 0;

/// Status of a frame that was acknowledged, that was not, and that found no free channel.
const OK: u8 = 0;
const NO_ACK: u8 = 17;
const CCA_FAILURE: u8 = 18;

/// Noise floor, which is not used; level of every acknowledgement, and transmit power, in dBm: both *assumed*.
const NOISE: i8 = -128;
const LEVEL: i8 = -40;
const POWER: i8 = 0;

/// Quality of an acknowledgement, *assumed*: the best there is.
const QUALITY: u8 = 255;

/// Attributes that go with a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attributes {
    /// Channel of the radio, 11..=26.
    pub channel: u8,
    /// Backoffs before access fails, macMaxCsmaBackoffs.
    pub max_backoffs: u8,
    /// Repetitions of a frame, macMaxFrameRetries.
    pub retries: u8,
    /// Flag: CSMA-CA goes in front of it.
    pub csma: bool,
}

fn header(number: u32, command: u8, property: u8, out: &mut Packet) {
    out.put(&[HEADER | (1 + number % TRANSACTIONS) as u8, command, property]);
}

/// Writes the request to send `psdu` as frame `number` into `out`, which is empty: 22 octets besides. The co-processor fills in MIC and
/// check of the frame, which are so many `blank` octets at its end, zero here.
// OpenThread, src/lib/spinel/radio_spinel.cpp, RadioSpinel::Transmit: "d" of the frame, then C C C b b b b L L C c.
pub fn transmit(number: u32, psdu: &[u8], blank: usize, with: Attributes, out: &mut Packet) {
    header(number, PROP_VALUE_SET, STREAM_RAW, out);
    out.put_u16(psdu.len() as u16);
    out.put(&psdu[..psdu.len().saturating_sub(blank)]);
    (0..blank.min(psdu.len())).for_each(|_| out.put_u8(0));
    let Attributes { channel, max_backoffs, retries, csma } = with;
    // CSMA-CA, header updated, a retransmission, security processed: the last three are the co-processor's.
    out.put(&[channel, max_backoffs, retries, csma.into(), 0, 0, 0]);
    // Delay and its base: at once.
    out.put_u32(0);
    out.put_u32(0);
    out.put(&[channel, POWER as u8]);
}

/// Writes what a co-processor says of `psdu`, which it has heard at `now`, into `out`, which is empty: 31 octets besides.
// OpenThread, src/ncp/ncp_base_radio.cpp, NcpBase::LinkRawReceiveDone.
pub fn receive(psdu: &[u8], channel: u8, now: Instant, out: &mut Packet) {
    out.put(&[HEADER, PROP_VALUE_IS, STREAM_RAW]);
    frame(psdu, channel, now, out);
}

/// Writes a frame that was heard, with what goes with it.
// OpenThread, src/ncp/ncp_base_radio.cpp, NcpBase::PackRadioFrame.
fn frame(psdu: &[u8], channel: u8, now: Instant, out: &mut Packet) {
    out.put_u16(psdu.len() as u16);
    out.put(psdu);
    // Level and flags; of the PHY: channel, quality and time; of vendors: no error; of the MAC: key and counter of the answer.
    out.put(&[LEVEL as u8, NOISE as u8, 0, 0, 10, 0, channel, QUALITY]);
    out.put_u64((now - Instant::ZERO).as_micros());
    out.put(&[1, 0, 0, 5, 0, 0, 0, 0, 0, 0]);
}

/// Answer of a co-processor about a frame that it is done with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confirmation<'a> {
    /// It was sent, and acknowledged by this PSDU if it had to be.
    Sent(&'a [u8]),
    /// Nobody acknowledged it.
    NoAck,
    /// The channel was never free.
    ChannelAccess,
}

impl Confirmation<'_> {
    /// Writes the confirmation of frame `number` into `out`, which is empty, as of `now`. `counter` is the frame counter of one that the
    /// co-processor has secured; none without security.
    // OpenThread, src/ncp/ncp_base_radio.cpp, NcpBase::LinkRawTransmitDone.
    pub fn put(self, number: u32, channel: u8, counter: Option<u32>, now: Instant, out: &mut Packet) {
        header(number, PROP_VALUE_IS, LAST_STATUS, out);
        let status = match self {
            Self::Sent(_) => OK,
            Self::NoAck => NO_ACK,
            Self::ChannelAccess => CCA_FAILURE,
        };
        // Status, no frame pending, header updated.
        out.put(&[status, 0, counter.is_some().into()]);
        if let Self::Sent(ack) = self {
            frame(ack, channel, now, out);
        }
        if let Some(counter) = counter {
            out.put_u8(1);
            out.put_u32(counter);
        }
    }
}

#[cfg(test)]
mod tests {
    use airtime_core::{Duration, Pool};

    use super::*;

    const WITH: Attributes = Attributes { channel: 15, max_backoffs: 4, retries: 15, csma: true };

    #[test]
    fn a_request_is_its_frame_and_22_octets() {
        let mut out = Pool::new().packet();
        transmit(14, &[1, 2, 3, 4, 5, 6], 2, WITH, &mut out);
        let expected = [0x8F, 3, 113, 6, 0, 1, 2, 3, 4, 0, 0, 15, 4, 15, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 15, 0];
        assert_eq!(*out, expected);
        let mut next = Pool::new().packet();
        transmit(15, &[0; 127], 6, WITH, &mut next);
        assert_eq!((next.len(), next[0]), (127 + 22, 0x81));
    }

    #[test]
    fn a_confirmation_has_the_acknowledgement() {
        let now = Instant::ZERO + Duration::from_micros(0x0102_0304);
        let put = |confirmation: Confirmation<'_>, counter| {
            let mut out = Pool::new().packet();
            confirmation.put(0, 15, counter, now, &mut out);
            out.to_vec()
        };
        let sent = put(Confirmation::Sent(&[2, 0, 9, 0xAA, 0xBB]), Some(7));
        assert_eq!(sent[..13], [0x81, 6, 0, 0, 0, 1, 5, 0, 2, 0, 9, 0xAA, 0xBB]);
        assert_eq!(sent[13..29], [0xD8, 0x80, 0, 0, 10, 0, 15, 255, 4, 3, 2, 1, 0, 0, 0, 0]);
        assert_eq!(sent[29..], [1, 0, 0, 5, 0, 0, 0, 0, 0, 0, 1, 7, 0, 0, 0]);
        assert_eq!(put(Confirmation::Sent(&[]), None).len(), 6 + 28);
        let mut heard = Pool::new().packet();
        receive(&[1, 2, 3], 15, now, &mut heard);
        assert_eq!((&heard[..8], heard.len()), ([0x80, 6, 113, 3, 0, 1, 2, 3].as_slice(), 3 + 31));
        // Both statuses are of one octet, the first of which is escaped on the line.
        assert_eq!(put(Confirmation::NoAck, None), [0x81, 6, 0, 17, 0, 0]);
        assert_eq!(put(Confirmation::ChannelAccess, Some(1)), [0x81, 6, 0, 18, 0, 1, 1, 1, 0, 0, 0]);
    }
}
