//! ShockBurst and Enhanced ShockBurst frames, bit for bit. 7.3.
//!
//! Preamble, address (most significant octet first), in Enhanced ShockBurst a control field of nine bits, payload, check.
//! The check covers everything between preamble and check, bit by bit; behind the control field nothing is aligned to
//! octets, but what the check covers still is octets and one bit, counted from the address.

use crate::air::{Crc, PAYLOAD_MAX};
use crate::wire::crc;

/// Length field of a frame whose length is static, where the receiver does not read it. The data sheet leaves it open;
/// genuine parts send this (captures in repository vad7/nrf24scan).
pub const LENGTH_STATIC: u8 = 0b11_0011;

/// Packet control field. 7.3.3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Control {
    /// Length field, 0..=63; a length only with dynamic payload length.
    pub length: u8,
    /// Packet identity, 0..=3.
    pub pid: u8,
    /// The NO_ACK bit as it is on the air.
    pub no_ack: bool,
}

/// The address of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address {
    /// Its value: the octet that SPI has first is the least significant one. Nothing above `8 * width` bits.
    pub value: u64,
    /// Octets on the air, 3..=5; 2 is what SETUP_AW 0 makes of silicon.
    pub width: u8,
}

impl Address {
    /// The lowest `width` octets of a register of five, least significant first as on the bus.
    pub fn from_register(octets: [u8; 5], width: u8) -> Self {
        let [a, b, c, d, e] = octets;
        let value = u64::from_le_bytes([a, b, c, d, e, 0, 0, 0]);
        Self { value: value & ((1 << (8 * width)) - 1), width }
    }
}

/// One frame as it is on the air, from the first bit of the preamble.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    bits: [u8; Frame::OCTETS_MAX],
    len: u16,
}

/// Content of a frame for a receiver that knows how it is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The payload; zeros behind its length.
    pub payload: [u8; PAYLOAD_MAX],
    /// The check, right; zero when there is none.
    pub crc: u16,
}

impl Frame {
    /// Preamble, address of 5, control field of 9 bits, payload of 32, CRC of 2: 337 bits.
    pub const OCTETS_MAX: usize = 43;

    /// No frame at all.
    pub(crate) const EMPTY: Self = Self { bits: [0; Self::OCTETS_MAX], len: 0 };

    /// Length of the frame in bits.
    pub const fn len_bits(&self) -> u16 {
        self.len
    }

    /// The bits, most significant first; those behind the last are zero.
    pub fn octets(&self) -> &[u8] {
        &self.bits
    }

    /// Inverts bit `index`: noise. Nothing happens beyond the end.
    pub fn flip(&mut self, index: u16) {
        if index < self.len {
            self.bits[usize::from(index / 8)] ^= 0x80 >> (index % 8);
        }
    }

    /// A frame of Enhanced ShockBurst. Of `payload` the first 32 octets count.
    pub fn enhanced(address: Address, control: Control, payload: &[u8], check: Crc) -> Self {
        let (mut frame, at) = Self::addressed(address);
        let len = payload.len().min(PAYLOAD_MAX);
        frame.bits[at] = control.length << 2 | (control.pid & 3);
        frame.put_behind_bit(at + 1, control.no_ack, &padded(&payload[..len]));
        let last = at + 1 + len;
        let sum = crc::over(check, &frame.bits[1..last], Some(frame.bits[last] != 0));
        match check {
            Crc::None => {}
            Crc::One => {
                frame.bits[last] |= (sum >> 1) as u8;
                frame.bits[last + 1] = (sum << 7) as u8;
            }
            Crc::Two => {
                let [high, middle] = (sum >> 1).to_be_bytes();
                frame.bits[last] |= high;
                frame.bits[last + 1] = middle;
                frame.bits[last + 2] = (sum << 7) as u8;
            }
        }
        frame.len = (last * 8 + 1) as u16 + check.octets() as u16 * 8;
        frame
    }

    /// A frame of ShockBurst: no control field. Of `payload` the first 32 octets count. 7.9.1.
    pub fn plain(address: Address, payload: &[u8], check: Crc) -> Self {
        let (mut frame, at) = Self::addressed(address);
        let len = payload.len().min(PAYLOAD_MAX);
        let last = at + len;
        frame.bits[at..last].copy_from_slice(&payload[..len]);
        let sum = crc::over(check, &frame.bits[1..last], None);
        match check {
            Crc::None => {}
            Crc::One => frame.bits[last] = sum as u8,
            Crc::Two => frame.bits[last..last + 2].copy_from_slice(&sum.to_be_bytes()),
        }
        frame.len = (last * 8) as u16 + check.octets() as u16 * 8;
        frame
    }

    /// Preamble and address, and where the rest goes.
    fn addressed(address: Address) -> (Self, usize) {
        let width = usize::from(address.width.clamp(2, 5));
        let mut bits = [0; Self::OCTETS_MAX];
        let value = address.value << (64 - 8 * width);
        bits[1..9].copy_from_slice(&value.to_be_bytes());
        // Alternating, and away from the first bit of the address. 7.3.1.
        bits[0] = if bits[1] & 0x80 != 0 { 0xAA } else { 0x55 };
        (Self { bits, len: 0 }, 1 + width)
    }

    /// Its address, if it is one of `width` octets.
    pub fn address(&self, width: u8) -> u64 {
        let mut octets = [0; 8];
        octets[..5].copy_from_slice(&self.bits[1..6]);
        u64::from_be_bytes(octets) >> (64 - 8 * u32::from(width.clamp(2, 5)))
    }

    /// Its control field behind an address of `width` octets.
    pub fn control(&self, width: u8) -> Control {
        let at = 1 + usize::from(width.clamp(2, 5));
        Control { length: self.bits[at] >> 2, pid: self.bits[at] & 3, no_ack: self.bits[at + 1] & 0x80 != 0 }
    }

    /// Content of the frame if it is Enhanced ShockBurst with an address of `width` octets and `len` octets of payload;
    /// none if it is too short for that or its check is wrong.
    pub fn check_enhanced(&self, width: u8, len: u8, check: Crc) -> Option<Checked> {
        let at = 1 + usize::from(width.clamp(2, 5));
        let len = usize::from(len);
        let last = at + 1 + len;
        if len > PAYLOAD_MAX || usize::from(self.len) < last * 8 + 1 + check.octets() as usize * 8 {
            return None;
        }
        let sum = crc::over(check, &self.bits[1..last], Some(self.bits[last] & 0x80 != 0));
        let sent = match check {
            Crc::None => 0,
            Crc::One => u16::from(self.octet_behind(last)),
            Crc::Two => u16::from_be_bytes([self.octet_behind(last), self.octet_behind(last + 1)]),
        };
        (sum == sent).then(|| Checked { payload: self.taken_behind_bit(at + 1, len), crc: sum })
    }

    /// Content of the frame if it is one of ShockBurst.
    pub fn check_plain(&self, width: u8, len: u8, check: Crc) -> Option<Checked> {
        let at = 1 + usize::from(width.clamp(2, 5));
        let len = usize::from(len);
        let last = at + len;
        if len > PAYLOAD_MAX || usize::from(self.len) < (last + check.octets() as usize) * 8 {
            return None;
        }
        let sum = crc::over(check, &self.bits[1..last], None);
        let sent = match check {
            Crc::None => 0,
            Crc::One => u16::from(self.bits[last]),
            Crc::Two => u16::from_be_bytes([self.bits[last], self.bits[last + 1]]),
        };
        (sum == sent).then(|| Checked { payload: padded(&self.bits[at..last]), crc: sum })
    }

    /// Writes `bit` and behind it `octets`, from the start of octet `at` on; word by word, since it is done for every frame.
    fn put_behind_bit(&mut self, at: usize, bit: bool, octets: &[u8; PAYLOAD_MAX]) {
        let mut carry = u64::from(bit);
        let (words, _) = octets.as_chunks::<8>();
        for (to, &word) in self.bits[at..at + PAYLOAD_MAX].as_chunks_mut::<8>().0.iter_mut().zip(words) {
            let word = u64::from_be_bytes(word);
            *to = (carry << 63 | word >> 1).to_be_bytes();
            carry = word & 1;
        }
        self.bits[at + PAYLOAD_MAX] = (carry as u8) << 7;
    }

    /// The `len` octets one bit behind the start of octet `at`.
    fn taken_behind_bit(&self, at: usize, len: usize) -> [u8; PAYLOAD_MAX] {
        let mut octets = [0; PAYLOAD_MAX];
        let words = self.bits[at..at + PAYLOAD_MAX].as_chunks::<8>().0;
        let next = self.bits[at + 8..].iter().step_by(8);
        for ((to, &word), &next) in octets.as_chunks_mut::<8>().0.iter_mut().zip(words).zip(next) {
            *to = (u64::from_be_bytes(word) << 1 | u64::from(next >> 7)).to_be_bytes();
        }
        octets[len..].fill(0);
        octets
    }

    /// The octet that begins one bit behind the start of octet `at`.
    fn octet_behind(&self, at: usize) -> u8 {
        self.bits[at] << 1 | self.bits[at + 1] >> 7
    }
}

/// `octets`, at most 32, and zeros behind them.
fn padded(octets: &[u8]) -> [u8; PAYLOAD_MAX] {
    let mut padded = [0; PAYLOAD_MAX];
    padded[..octets.len()].copy_from_slice(octets);
    padded
}
