//! Tells payload from headers in the PDUs of one direction of a link.

use alloc::vec::Vec;

use airtime_core::bytes::Reader;

use crate::l2cap::{ATT_CHANNEL, BASIC_HEADER_OCTETS, DYNAMIC_CHANNELS, SDU_LENGTH_OCTETS, SIGNALLING_CHANNEL};
use crate::ll::pdu::LLID_START;

/// Octets of opcode and handle in front of a value. Core 6.0, Vol 3, Part F, 3.4.
const ATT_VALUE_HEADER: usize = 3;
/// Flow control credit indication. Core 6.0, Vol 3, Part A, 4.24.
const CREDIT_INDICATION: u8 = 0x16;
/// Handle value notification and write command. Core 6.0, Vol 3, Part F, 3.4.7.1 and 3.4.5.3.
const ATT_STREAM: [u8; 2] = [0x1b, 0x52];
/// Handle value indication and write request, which wait for an answer (Core 6.0, Vol 3, Part F, 3.4.7.2 and 3.4.5.1), each with the octets
/// of the longest value that is none of a stream: the handles of Service Changed (Part G, 7.1), and the bits of a Client Characteristic
/// Configuration (Part G, 3.3.3.3).
const ATT_ANSWERED: [(u8, usize); 2] = [(0x1d, 4), (0x12, 2)];

/// Read request and its response, which carries a value of a stream where one handle is read again and again: Core 6.0, Vol 3, Part F,
/// 3.4.4.3 and 3.4.4.4. Prepared write with an offset behind its handle: 3.4.6.1.
const ATT_READ_REQUEST: u8 = 0x0a;
const ATT_READ_RESPONSE: u8 = 0x0b;
const ATT_PREPARE_WRITE: u8 = 0x16;
const ATT_PREPARE_HEADER: usize = 5;

/// Channels whose SDUs are followed; with more, the one followed longest is forgotten. A connection of
/// a test has four, and what has more only makes them up.
const CHANNELS_MAX: usize = 16;

/// Content of a PDU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Empty PDU.
    Empty,
    /// Stream data: octets of L2CAP and ATT headers, and of payload.
    Data {
        /// Header octets.
        headers: usize,
        /// Payload octets.
        payload: usize,
    },
    /// A credit indication.
    Credits,
    /// Beginning of an answer to a request of an upload.
    Answer,
    /// Other L2CAP signalling, ATT requests and responses.
    Signalling,
    /// A link layer control PDU.
    Control,
}

/// Follows the L2CAP PDUs of both directions of a link.
#[derive(Clone, Debug, Default)]
pub struct Parsers {
    of: [Parser; 2],
    /// Handle that each side has asked to read last.
    asked: [Option<u16>; 2],
}

impl Parsers {
    /// Parsers of a link whose stream is read: every response is a value of it, the first too.
    pub fn of_reads() -> Self {
        let mut parsers = Self::default();
        parsers.of.iter_mut().for_each(|parser| parser.is_read = true);
        parsers
    }

    /// Parsers of a link whose central uploads: what the peripheral notifies are answers, and no stream.
    pub fn of_uploads() -> Self {
        let mut parsers = Self::default();
        parsers.of[1].is_answer = true;
        parsers
    }

    /// Reads the payload of one PDU without MIC that side `from` has sent.
    pub fn fragment(&mut self, from: usize, llid: u8, payload: &[u8]) -> Kind {
        if let Some(handle) = read_handle(llid, payload) {
            let again = self.asked[from].replace(handle) == Some(handle);
            // A name is read once; a value of a stream is read for its next.
            self.of[1 - from].is_read |= again;
        }
        self.of[from].fragment(llid, payload)
    }

    /// True if the last PDU of side `from` began a K-frame or a value.
    pub fn began_frame(&self, from: usize) -> bool {
        self.of[from].began
    }
}

/// Handle that the PDU asks to read.
fn read_handle(llid: u8, payload: &[u8]) -> Option<u16> {
    let mut r = Reader::new(payload);
    let (_, cid, opcode) = (r.u16()?, r.u16()?, r.u8()?);
    (llid == LLID_START && cid == ATT_CHANNEL && opcode == ATT_READ_REQUEST).then(|| r.u16())?
}

/// Follows the L2CAP PDUs of one direction.
#[derive(Clone, Debug, Default)]
pub struct Parser {
    /// Octets of the running L2CAP PDU still to come.
    left: usize,
    /// Kind of the running L2CAP PDU: true for data.
    data: bool,
    began: bool,
    /// Octets still to come of the running SDU of each channel.
    sdus: Vec<(u16, usize)>,
    /// Set if read responses carry the stream.
    is_read: bool,
    /// Set if values are answers to what the other side sends.
    is_answer: bool,
}

impl Parser {
    /// Reads the payload of one PDU without MIC.
    pub fn fragment(&mut self, llid: u8, payload: &[u8]) -> Kind {
        self.began = false;
        if llid != LLID_START {
            let taken = payload.len().min(self.left);
            self.left -= taken;
            return if self.data {
                Kind::Data { headers: payload.len() - taken, payload: taken }
            } else {
                Kind::Signalling
            };
        }
        let mut r = Reader::new(payload);
        self.data = false;
        let (Some(len), Some(cid)) = (r.u16(), r.u16()) else { return Kind::Signalling };
        let information = r.rest();
        self.left = usize::from(len).saturating_sub(information.len());
        match cid {
            ATT_CHANNEL => self.value(information),
            SIGNALLING_CHANNEL if information.first() == Some(&CREDIT_INDICATION) => Kind::Credits,
            cid if cid >= *DYNAMIC_CHANNELS.start() => self.k_frame(cid, usize::from(len), information),
            _ => Kind::Signalling,
        }
    }

    fn value(&mut self, information: &[u8]) -> Kind {
        let read = (self.is_read && information.first() == Some(&ATT_READ_RESPONSE)).then_some(1);
        let Some(header) = read.or_else(|| value_header(information)) else { return Kind::Signalling };
        if self.is_answer {
            return Kind::Answer;
        }
        self.data = true;
        self.began = true;
        Kind::Data { headers: BASIC_HEADER_OCTETS + header, payload: information.len() - header }
    }

    fn k_frame(&mut self, cid: u16, len: usize, information: &[u8]) -> Kind {
        self.data = true;
        self.began = true;
        let index = match self.sdus.iter().position(|(c, _)| *c == cid) {
            Some(index) => index,
            None => {
                if self.sdus.len() == CHANNELS_MAX {
                    self.sdus.remove(0);
                }
                self.sdus.push((cid, 0));
                self.sdus.len() - 1
            }
        };
        let left = &mut self.sdus[index].1;
        let headers = if *left == 0 {
            let announced = Reader::new(information).u16().unwrap_or(0);
            *left = usize::from(announced).saturating_sub(len.saturating_sub(SDU_LENGTH_OCTETS));
            SDU_LENGTH_OCTETS.min(information.len())
        } else {
            *left = left.saturating_sub(len);
            0
        };
        Kind::Data { headers: BASIC_HEADER_OCTETS + headers, payload: information.len() - headers }
    }
}

/// Value of the stream that this ATT PDU carries, acknowledged by its receiver or not; none where it carries none. A read response is not
/// told by itself.
pub fn value(information: &[u8]) -> Option<&[u8]> {
    information.get(value_header(information)?..)
}

/// Octets in front of the value of the stream that this ATT PDU carries; none where it carries none.
fn value_header(information: &[u8]) -> Option<usize> {
    let code = *information.first()?;
    let has = |header: usize, most: usize| (information.len() > header + most).then_some(header);
    if ATT_STREAM.contains(&code) {
        return (information.len() >= ATT_VALUE_HEADER).then_some(ATT_VALUE_HEADER);
    }
    if let Some((_, most)) = ATT_ANSWERED.iter().find(|(own, _)| *own == code) {
        return has(ATT_VALUE_HEADER, *most);
    }
    match code {
        ATT_PREPARE_WRITE => has(ATT_PREPARE_HEADER, 0),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ll::pdu::LLID_CONTINUATION;
    use alloc::vec;

    #[test]
    fn a_changed_service_is_no_stream() {
        assert_eq!(value(&[0x1d, 9, 0, 1, 0, 0xff, 0xff]), None);
        assert_eq!(value(&[0x1d, 9, 0, 1, 0, 0xff, 0xff, 0]), Some(&[1, 0, 0xff, 0xff, 0][..]));
        assert_eq!(value(&[0x12, 9, 0, 1, 0]), None);
        assert_eq!(value(&[0x12, 9, 0, 1, 0, 2]), Some(&[1, 0, 2][..]));
    }

    #[test]
    fn a_name_that_is_read_is_no_stream_and_a_handle_that_is_read_again_is_one() {
        let ask = |parsers: &mut Parsers, handle| parsers.fragment(0, LLID_START, &[3, 0, 4, 0, 0x0a, handle, 0]);
        let response = [9, 0, 4, 0, 0x0b, b'a', b' ', b'p', b'h', b'o', b'n', b'e', b'.'];
        let mut parsers = Parsers::default();
        for handle in [3, 9] {
            ask(&mut parsers, handle);
            assert_eq!(parsers.fragment(1, LLID_START, &response), Kind::Signalling);
        }
        ask(&mut parsers, 9);
        assert_eq!(parsers.fragment(1, LLID_START, &response), Kind::Data { headers: 5, payload: 8 });
        assert!(parsers.began_frame(1));
        let mut first = Parsers::of_reads();
        assert_eq!(first.fragment(1, LLID_START, &response), Kind::Data { headers: 5, payload: 8 });
    }

    #[test]
    fn what_a_peripheral_notifies_in_an_upload_is_an_answer() {
        let mut parsers = Parsers::of_uploads();
        let value = [23, 0, 4, 0, 0x1b, 9, 0, 1, 2];
        assert_eq!(parsers.fragment(1, LLID_START, &value), Kind::Answer);
        assert_eq!(parsers.fragment(1, LLID_CONTINUATION, &[3; 18]), Kind::Signalling);
        assert_eq!(parsers.fragment(0, LLID_START, &value), Kind::Data { headers: 7, payload: 2 });
        assert_eq!(Parsers::default().fragment(1, LLID_START, &value), Kind::Data { headers: 7, payload: 2 });
    }

    #[test]
    fn an_sdu_over_two_k_frames() {
        let mut parser = Parser::default();
        let mut first = vec![247, 0, 0x40, 0, 0xec, 0x01];
        first.resize(251, 0);
        assert_eq!(parser.fragment(LLID_START, &first), Kind::Data { headers: 6, payload: 245 });
        let mut second = vec![247, 0, 0x40, 0];
        second.resize(251, 0);
        assert_eq!(parser.fragment(LLID_START, &second), Kind::Data { headers: 4, payload: 247 });
        assert_eq!(parser.fragment(LLID_START, &first), Kind::Data { headers: 6, payload: 245 }, "the next SDU");
    }

    #[test]
    fn a_k_frame_that_spills_into_a_second_pdu() {
        let mut parser = Parser::default();
        let mut first = vec![249, 0, 0x40, 0, 247, 0];
        first.resize(251, 0);
        assert_eq!(parser.fragment(LLID_START, &first), Kind::Data { headers: 6, payload: 245 });
        assert_eq!(parser.fragment(LLID_CONTINUATION, &[1, 2]), Kind::Data { headers: 0, payload: 2 });
    }

    #[test]
    fn values_credits_and_the_rest() {
        let mut parser = Parser::default();
        assert_eq!(parser.fragment(LLID_START, &[5, 0, 4, 0, 0x1b, 9, 0, 1, 2]), Kind::Data { headers: 7, payload: 2 });
        let request = [6, 0, 4, 0, 0x12, 9, 0, 1, 2, 3];
        assert_eq!(parser.fragment(LLID_START, &request), Kind::Data { headers: 7, payload: 3 }, "a write request");
        let configuration = [5, 0, 4, 0, 0x12, 9, 0, 1, 0];
        assert_eq!(parser.fragment(LLID_START, &configuration), Kind::Signalling, "a descriptor's two octets");
        assert_eq!(parser.fragment(LLID_START, &[1, 0, 4, 0, 0x13]), Kind::Signalling, "its answer");
        assert_eq!(parser.fragment(LLID_START, &[3, 0, 4, 0, 0x02, 247, 0]), Kind::Signalling);
        assert_eq!(parser.fragment(LLID_START, &[8, 0, 5, 0, 0x16, 1, 4, 0, 0x40, 0, 1, 0]), Kind::Credits);
        assert_eq!(parser.fragment(LLID_START, &[1]), Kind::Signalling, "not even a header");
    }
}
