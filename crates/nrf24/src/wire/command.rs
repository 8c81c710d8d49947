//! SPI commands. Table 20.

/// R_REGISTER: 000A AAAA.
pub const R_REGISTER: u8 = 0x00;
/// W_REGISTER: 001A AAAA.
pub const W_REGISTER: u8 = 0x20;
/// Command R_RX_PL_WID: read the octets of the payload at the head of the RX FIFO.
pub const R_RX_PL_WID: u8 = 0x60;
/// Command R_RX_PAYLOAD: read a payload out of the RX FIFO.
pub const R_RX_PAYLOAD: u8 = 0x61;
/// Command W_TX_PAYLOAD: write a payload into the TX FIFO.
pub const W_TX_PAYLOAD: u8 = 0xA0;
/// W_ACK_PAYLOAD: 1010 1PPP.
pub const W_ACK_PAYLOAD: u8 = 0xA8;
/// Command W_TX_PAYLOAD_NOACK: write a payload that asks for no acknowledgement.
pub const W_TX_PAYLOAD_NOACK: u8 = 0xB0;
/// Command FLUSH_TX: empty the TX FIFO.
pub const FLUSH_TX: u8 = 0xE1;
/// Command FLUSH_RX: empty the RX FIFO.
pub const FLUSH_RX: u8 = 0xE2;
/// Command REUSE_TX_PL: send the last payload again.
pub const REUSE_TX_PL: u8 = 0xE3;
/// NOP: reads STATUS.
pub const NOP: u8 = 0xFF;
/// ACTIVATE: of the nRF24L01 without plus; this chip does not have it.
pub const ACTIVATE: u8 = 0x50;

/// Pipes of a receiver.
pub const PIPES: usize = 6;

/// A command: the first octet of an SPI transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// R_REGISTER of this address, 0..=31.
    ReadRegister(u8),
    /// W_REGISTER of this address, 0..=31.
    WriteRegister(u8),
    /// R_RX_PAYLOAD: read a payload out of the RX FIFO.
    ReadRxPayload,
    /// R_RX_PL_WID: read the octets of the payload at the head of the RX FIFO.
    ReadRxPayloadWidth,
    /// W_TX_PAYLOAD: write a payload into the TX FIFO.
    WriteTxPayload,
    /// W_TX_PAYLOAD_NOACK: write a payload that asks for no acknowledgement.
    WriteTxPayloadNoAck,
    /// W_ACK_PAYLOAD for this pipe, 0..=5.
    WriteAckPayload(u8),
    /// FLUSH_TX: empty the TX FIFO.
    FlushTx,
    /// FLUSH_RX: empty the RX FIFO.
    FlushRx,
    /// REUSE_TX_PL: send the last payload again.
    ReuseTxPayload,
    /// NOP: read the register STATUS.
    Nop,
    /// No command of this chip.
    Unknown(u8),
}

impl Command {
    /// Command that `octet` asks for.
    pub const fn parse(octet: u8) -> Self {
        match octet {
            0x00..=0x1F => Self::ReadRegister(octet),
            0x20..=0x3F => Self::WriteRegister(octet & 0x1F),
            R_RX_PL_WID => Self::ReadRxPayloadWidth,
            R_RX_PAYLOAD => Self::ReadRxPayload,
            W_TX_PAYLOAD => Self::WriteTxPayload,
            0xA8..=0xAD => Self::WriteAckPayload(octet & 0x07),
            W_TX_PAYLOAD_NOACK => Self::WriteTxPayloadNoAck,
            FLUSH_TX => Self::FlushTx,
            FLUSH_RX => Self::FlushRx,
            REUSE_TX_PL => Self::ReuseTxPayload,
            NOP => Self::Nop,
            _ => Self::Unknown(octet),
        }
    }

    /// True if data is read behind STATUS.
    pub const fn reads(self) -> bool {
        matches!(self, Self::ReadRegister(_) | Self::ReadRxPayload | Self::ReadRxPayloadWidth)
    }

    /// Its first octet on the bus.
    pub const fn octet(self) -> u8 {
        match self {
            Self::ReadRegister(address) => R_REGISTER | (address & 0x1F),
            Self::WriteRegister(address) => W_REGISTER | (address & 0x1F),
            Self::ReadRxPayload => R_RX_PAYLOAD,
            Self::ReadRxPayloadWidth => R_RX_PL_WID,
            Self::WriteTxPayload => W_TX_PAYLOAD,
            Self::WriteTxPayloadNoAck => W_TX_PAYLOAD_NOACK,
            Self::WriteAckPayload(pipe) => W_ACK_PAYLOAD | (pipe & 0x07),
            Self::FlushTx => FLUSH_TX,
            Self::FlushRx => FLUSH_RX,
            Self::ReuseTxPayload => REUSE_TX_PL,
            Self::Nop => NOP,
            Self::Unknown(octet) => octet,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_octet_comes_back() {
        for octet in 0..=u8::MAX {
            assert_eq!(Command::parse(octet).octet(), octet);
        }
    }

    #[test]
    fn twelve_commands_are_known() {
        // 32 + 32 registers, 6 pipes of acknowledgement payloads, 8 commands of one octet.
        let known = (0..=u8::MAX).filter(|&octet| !matches!(Command::parse(octet), Command::Unknown(_))).count();
        assert_eq!(known, 32 + 32 + 6 + 8);
        assert_eq!(Command::parse(ACTIVATE), Command::Unknown(0x50));
        assert_eq!(Command::parse(0xAE), Command::Unknown(0xAE), "there is no pipe 6");
    }
}
