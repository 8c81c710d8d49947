//! A chip in hand: the other end of the published tunnel, octet for octet, without a line of ours.
#![cfg(target_os = "linux")]

use airtime_hw::Board;

use super::board::Remote;

/// Commands and registers of Tables 20 and 28 of the Product Specification.
const W_REGISTER: u8 = 0x20;
const R_RX_PL_WID: u8 = 0x60;
const R_RX_PAYLOAD: u8 = 0x61;
const W_TX_PAYLOAD: u8 = 0xA0;
const STATUS: u8 = 0x07;
const FIFO_STATUS: u8 = 0x17;
const TX_DS: u8 = 0x20;
const MAX_RT: u8 = 0x10;
const RX_EMPTY: u8 = 0x01;

/// Set-up of the published program but for channel, address and role: EN_AA, DYNPD, FEATURE, SETUP_AW, RF_SETUP, EN_RXADDR,
/// SETUP_RETR.
const SET_UP: [(u8, u8); 7] =
    [(0x01, 0x3F), (0x1C, 0x3F), (0x1D, 0x06), (0x03, 0x01), (0x06, 0x0E), (0x02, 0x01), (0x04, 0x2F)];

/// A radio that a test drives.
pub struct Hand<'a>(&'a Remote);

impl<'a> Hand<'a> {
    /// A radio that sends as end `a` of the published tunnel does.
    pub fn sender(board: &'a Remote) -> Self {
        Self::set_up(board, 108, b"ad1", 0x4E)
    }

    /// A radio that receives what end `a` sends.
    pub fn receiver(board: &'a Remote) -> Self {
        let hand = Self::set_up(board, 108, b"ad1", 0x3F);
        board.set_ce(true).unwrap();
        hand
    }

    fn set_up(board: &'a Remote, channel: u8, address: &[u8; 3], config: u8) -> Self {
        let hand = Self(board);
        for (register, value) in SET_UP.into_iter().chain([(0x05, channel)]) {
            hand.transfer(&[W_REGISTER | register, value]);
        }
        for register in [0x0A, 0x10] {
            hand.transfer(&[&[W_REGISTER | register][..], address].concat());
        }
        hand.transfer(&[W_REGISTER, config]);
        hand
    }

    /// Sends one frame, until it is acknowledged: a receiver whose thread gets no processor for 12 ms has a full FIFO, and the chip gives up
    /// until it is told to go on (Product Specification, 7.8).
    pub fn send(&self, payload: &[u8]) {
        self.transfer(&[&[W_TX_PAYLOAD], payload].concat());
        self.0.set_ce(true).unwrap();
        loop {
            let status = self.transfer(&[0xFF])[0];
            if status & TX_DS != 0 {
                break;
            }
            if status & MAX_RT != 0 {
                self.transfer(&[W_REGISTER | STATUS, MAX_RT]);
            }
        }
        self.0.set_ce(false).unwrap();
        self.transfer(&[W_REGISTER | STATUS, TX_DS]);
    }

    /// The next frame, which is waited for.
    pub fn receive(&self) -> Vec<u8> {
        while self.transfer(&[FIFO_STATUS, 0])[1] & RX_EMPTY != 0 {}
        let octets = self.transfer(&[R_RX_PL_WID, 0])[1];
        let mut payload = vec![0; 1 + usize::from(octets)];
        payload[0] = R_RX_PAYLOAD;
        self.transfer(&payload).split_off(1)
    }

    fn transfer(&self, octets: &[u8]) -> Vec<u8> {
        let mut octets = octets.to_vec();
        self.0.transfer(&mut octets).unwrap();
        octets
    }
}
