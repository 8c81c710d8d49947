//! Transactions that the host asks of the bus, and their length in blocks.

use airtime_core::Packet;

use super::{BLOCK, register::WINDOW_END};

/// Transaction that the host's driver asks of the bus. It holds the bus until it has the answer.
#[derive(Debug)]
pub enum Transaction {
    /// The identification of the card: CMD5, CMD3, CMD7, bus width, function 1 enabled, block size 512.
    Initialise,
    /// CMD53 read of `octets` registers from `address` on.
    ReadRegisters {
        /// Offset of the first.
        address: u32,
        /// Number of octets.
        octets: u16,
    },
    /// CMD53 or CMD52 write of a register.
    WriteRegister {
        /// Offset.
        address: u32,
        /// Value, little endian on the bus.
        value: u32,
    },
    /// CMD53 read of `octets` from the data window, padded to blocks.
    ReadData {
        /// True octets.
        octets: u32,
    },
    /// CMD53 write of a frame into the data window, padded to blocks.
    WriteData(Packet),
    /// CMD9 of SPI in half duplex: the host has read the registers, and the data-ready line falls.
    ClearReady,
}

impl Transaction {
    /// True octets that it moves through the data window; 0 for registers.
    pub fn octets(&self) -> u32 {
        match self {
            Self::ReadData { octets } => *octets,
            Self::WriteData(frame) => frame.len() as u32,
            Self::Initialise | Self::ReadRegisters { .. } | Self::WriteRegister { .. } | Self::ClearReady => 0,
        }
    }
}

/// The bus has done it.
#[derive(Debug)]
pub enum Completion<'a> {
    /// A write is through.
    Written,
    /// A read is through, with these octets.
    Read(&'a [u8]),
    /// The bus has failed; nothing is known of what the card did.
    Failed(BusError),
}

/// Failure of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BusError {
    /// The card does not answer: it is in reset, or was not initialised since.
    Timeout,
    /// A CRC was wrong.
    Crc,
}

/// Blocks of a transfer of `octets`.
pub const fn blocks(octets: u32) -> u32 {
    octets.div_ceil(BLOCK)
}

/// Address in the data window that says how many `octets` are meant; none when there are more than it holds.
pub const fn window(octets: u32) -> Option<u32> {
    WINDOW_END.checked_sub(octets)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transfer_is_whole_blocks_at_an_address_that_says_how_many_octets() {
        assert_eq!((blocks(1), blocks(512), blocks(513), blocks(1472)), (1, 1, 2, 3));
        assert_eq!(window(41), Some(0x1_f7d7));
        assert_eq!(window(0x1_f800), Some(0));
        assert_eq!(window(0x1_f801), None);
    }
}
