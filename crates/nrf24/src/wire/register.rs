//! Registers and their bits. Table 28.

/// A register of the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Register {
    /// Interrupt masks, CRC, power, role: [`config`].
    Config = 0x00,
    /// Auto-acknowledgement, a bit per pipe.
    EnAa = 0x01,
    /// Receiving pipes, a bit each.
    EnRxAddr = 0x02,
    /// Address width less two.
    SetupAw = 0x03,
    /// Delay and number of retransmissions: [`setup_retr`].
    SetupRetr = 0x04,
    /// Channel: 2400 MHz plus this.
    RfCh = 0x05,
    /// Rate and power: [`rf_setup`].
    RfSetup = 0x06,
    /// Interrupts and FIFOs: [`status`]; what the first octet of every transaction reads.
    Status = 0x07,
    /// Lost packets and retransmissions: [`observe_tx`].
    ObserveTx = 0x08,
    /// Received power detector, bit 0.
    Rpd = 0x09,
    /// Address of pipe 0, five octets.
    RxAddrP0 = 0x0A,
    /// Address of pipe 1, five octets.
    RxAddrP1 = 0x0B,
    /// Least significant octet of the address of pipe 2; the others are those of pipe 1.
    RxAddrP2 = 0x0C,
    /// Likewise of pipe 3.
    RxAddrP3 = 0x0D,
    /// Likewise of pipe 4.
    RxAddrP4 = 0x0E,
    /// Likewise of pipe 5.
    RxAddrP5 = 0x0F,
    /// Address to transmit to, five octets.
    TxAddr = 0x10,
    /// Static payload width of pipe 0, 1..=32; 0 is a pipe not used.
    RxPwP0 = 0x11,
    /// Likewise of pipe 1.
    RxPwP1 = 0x12,
    /// Likewise of pipe 2.
    RxPwP2 = 0x13,
    /// Likewise of pipe 3.
    RxPwP3 = 0x14,
    /// Likewise of pipe 4.
    RxPwP4 = 0x15,
    /// Likewise of pipe 5.
    RxPwP5 = 0x16,
    /// State of both FIFOs: [`fifo_status`].
    FifoStatus = 0x17,
    /// Dynamic payload length, a bit per pipe.
    DynPd = 0x1C,
    /// Further features that are on: [`feature`].
    Feature = 0x1D,
}

impl Register {
    /// Registers in the order of their addresses.
    pub const ALL: [Self; 26] = [
        Self::Config,
        Self::EnAa,
        Self::EnRxAddr,
        Self::SetupAw,
        Self::SetupRetr,
        Self::RfCh,
        Self::RfSetup,
        Self::Status,
        Self::ObserveTx,
        Self::Rpd,
        Self::RxAddrP0,
        Self::RxAddrP1,
        Self::RxAddrP2,
        Self::RxAddrP3,
        Self::RxAddrP4,
        Self::RxAddrP5,
        Self::TxAddr,
        Self::RxPwP0,
        Self::RxPwP1,
        Self::RxPwP2,
        Self::RxPwP3,
        Self::RxPwP4,
        Self::RxPwP5,
        Self::FifoStatus,
        Self::DynPd,
        Self::Feature,
    ];

    /// Its address on the bus, 0..=31.
    pub const fn address(self) -> u8 {
        self as u8
    }

    /// The register at `address`; none where the map has a hole.
    pub fn at(address: u8) -> Option<Self> {
        const MAP: [Option<Register>; 0x20] = {
            let mut map = [None; 0x20];
            let mut index = 0;
            while index < Register::ALL.len() {
                map[Register::ALL[index].address() as usize] = Some(Register::ALL[index]);
                index += 1;
            }
            map
        };
        MAP.get(usize::from(address)).copied().flatten()
    }

    /// Octets of it: five of an address, one otherwise.
    pub const fn octets(self) -> usize {
        match self {
            Self::RxAddrP0 | Self::RxAddrP1 | Self::TxAddr => 5,
            _ => 1,
        }
    }

    /// Its value after power-on, least significant octet first as on the bus; those beyond [`octets`](Self::octets) are zero.
    pub const fn reset(self) -> [u8; 5] {
        let octet = match self {
            Self::RxAddrP0 | Self::TxAddr => return [0xE7; 5],
            Self::RxAddrP1 => return [0xC2; 5],
            Self::Config => 0x08,
            Self::EnAa => 0x3F,
            Self::EnRxAddr | Self::SetupAw | Self::SetupRetr => 0x03,
            Self::RfCh => 0x02,
            Self::RfSetup | Self::Status => 0x0E,
            Self::RxAddrP2 => 0xC3,
            Self::RxAddrP3 => 0xC4,
            Self::RxAddrP4 => 0xC5,
            Self::RxAddrP5 => 0xC6,
            Self::FifoStatus => 0x11,
            _ => 0x00,
        };
        [octet, 0, 0, 0, 0]
    }

    /// Bits that can be written, alike in all its octets. In STATUS these are cleared by writing 1.
    pub const fn mask(self) -> u8 {
        match self {
            Self::Config | Self::RfCh => 0x7F,
            Self::SetupAw => 0x03,
            Self::RfSetup => 0xBE,
            Self::Status => 0x70,
            Self::ObserveTx | Self::Rpd | Self::FifoStatus => 0x00,
            Self::EnAa | Self::EnRxAddr | Self::DynPd => 0x3F,
            Self::RxPwP0 | Self::RxPwP1 | Self::RxPwP2 | Self::RxPwP3 | Self::RxPwP4 | Self::RxPwP5 => 0x3F,
            Self::Feature => 0x07,
            _ => 0xFF,
        }
    }

    /// Bits that are reserved and "only 0 allowed". Bit 0 of RF_SETUP is "don't care", so it is none of them.
    pub const fn reserved(self) -> u8 {
        match self {
            Self::RfSetup => 0x40,
            Self::Status => 0x80,
            Self::ObserveTx | Self::Rpd | Self::FifoStatus => 0x00,
            _ => !self.mask(),
        }
    }

    /// True if it cannot be written at all.
    pub const fn is_read_only(self) -> bool {
        self.mask() == 0
    }
}

/// Bits of CONFIG.
pub mod config {
    /// RX_DR is not on IRQ.
    pub const MASK_RX_DR: u8 = 1 << 6;
    /// TX_DS is not on IRQ.
    pub const MASK_TX_DS: u8 = 1 << 5;
    /// MAX_RT is not on IRQ.
    pub const MASK_MAX_RT: u8 = 1 << 4;
    /// CRC on; forced on while any pipe acknowledges.
    pub const EN_CRC: u8 = 1 << 3;
    /// CRC of two octets.
    pub const CRCO: u8 = 1 << 2;
    /// PWR_UP: the oscillator runs.
    pub const PWR_UP: u8 = 1 << 1;
    /// Receiver; otherwise transmitter.
    pub const PRIM_RX: u8 = 1 << 0;
}

/// Fields of SETUP_RETR.
pub mod setup_retr {
    /// Position of ARD: a delay of (n + 1) × 250 µs from the end of a frame to its repetition.
    pub const ARD_SHIFT: u8 = 4;
    /// ARC: retransmissions, 0 for none.
    pub const ARC: u8 = 0x0F;
}

/// Bits of RF_SETUP.
pub mod rf_setup {
    /// CONT_WAVE: a carrier without end, for tests.
    pub const CONT_WAVE: u8 = 1 << 7;
    /// RF_DR_LOW: 250 kbit/s on the air.
    pub const RF_DR_LOW: u8 = 1 << 5;
    /// Forces the PLL lock; for tests.
    pub const PLL_LOCK: u8 = 1 << 4;
    /// 2 Mbit/s; without either bit 1 Mbit/s.
    pub const RF_DR_HIGH: u8 = 1 << 3;
    /// Position of RF_PWR: −18, −12, −6, 0 dBm.
    pub const RF_PWR_SHIFT: u8 = 1;
    /// RF_PWR, two bits: output power in steps of 6 dB from −18 dBm.
    pub const RF_PWR: u8 = 0b11 << RF_PWR_SHIFT;
}

/// Bits of STATUS.
pub mod status {
    /// A payload has arrived; cleared by writing 1.
    pub const RX_DR: u8 = 1 << 6;
    /// A payload has been sent, or acknowledged where that was asked for; cleared by writing 1.
    pub const TX_DS: u8 = 1 << 5;
    /// Retransmissions are used up; cleared by writing 1, and nothing is sent before that.
    pub const MAX_RT: u8 = 1 << 4;
    /// All three causes of an interrupt.
    pub const INTERRUPTS: u8 = RX_DR | TX_DS | MAX_RT;
    /// Position of RX_P_NO: the pipe of the first payload in the RX FIFO.
    pub const RX_P_NO_SHIFT: u8 = 1;
    /// RX_P_NO; all ones when the RX FIFO is empty.
    pub const RX_P_NO: u8 = 0b111 << RX_P_NO_SHIFT;
    /// The TX FIFO is full.
    pub const TX_FULL: u8 = 1 << 0;
}

/// Fields of OBSERVE_TX.
pub mod observe_tx {
    /// Position of PLOS_CNT: packets lost since the channel was written, at most 15.
    pub const PLOS_CNT_SHIFT: u8 = 4;
    /// ARC_CNT: retransmissions of the present packet.
    pub const ARC_CNT: u8 = 0x0F;
}

/// Bits of FIFO_STATUS.
pub mod fifo_status {
    /// The last payload is sent again and again.
    pub const TX_REUSE: u8 = 1 << 6;
    /// The TX FIFO is full.
    pub const TX_FULL: u8 = 1 << 5;
    /// The TX FIFO is empty.
    pub const TX_EMPTY: u8 = 1 << 4;
    /// The RX FIFO is full.
    pub const RX_FULL: u8 = 1 << 1;
    /// The RX FIFO is empty.
    pub const RX_EMPTY: u8 = 1 << 0;
}

/// Bits of FEATURE.
pub mod feature {
    /// Dynamic payload length.
    pub const EN_DPL: u8 = 1 << 2;
    /// Payloads on acknowledgements.
    pub const EN_ACK_PAY: u8 = 1 << 1;
    /// EN_DYN_ACK: W_TX_PAYLOAD_NOACK is understood.
    pub const EN_DYN_ACK: u8 = 1 << 0;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_map_has_no_doubles_and_stays_within_five_bits() {
        let addresses = Register::ALL.map(Register::address);
        assert!(addresses.is_sorted_by(|a, b| a < b) && addresses.iter().all(|&address| address < 0x20));
        assert_eq!(Register::at(0x18), None);
        assert_eq!(Register::at(0x1D), Some(Register::Feature));
    }

    #[test]
    fn nothing_is_both_writable_and_reserved() {
        for register in Register::ALL {
            assert_eq!(register.mask() & register.reserved(), 0, "{register:?}");
        }
    }
}
