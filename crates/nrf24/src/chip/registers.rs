//! The register file, and what its bits mean to the radio. Table 28.

use airtime_core::Duration;

use crate::air::{Crc, Framing, Rate};
use crate::wire::command::PIPES;
use crate::wire::frame::Address;
use crate::wire::register::{Register, config, feature, rf_setup, setup_retr};

/// A delay of ARD is this much longer with each step. Table 28, SETUP_RETR.
const ARD_STEP: Duration = Duration::from_micros(250);

/// Registers that can be written, as they were written, and the settings that follow from them.
#[derive(Debug)]
pub struct Registers {
    octets: [u8; 0x20],
    addresses: [[u8; 5]; 3],
    settings: Settings,
}

/// Settings that the radio works with; made anew with every write, so that a frame looks nothing up.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Framing of payloads.
    pub framing: Framing,
    /// RF channel, 0..=127: 2400 MHz and as many more.
    pub channel: u8,
    /// Addresses of the pipes, as wide as the framing says.
    pub pipes: [u64; PIPES],
    /// Address to transmit to.
    pub to: u64,
    /// Pipes that receive, a bit each.
    pub enabled: u8,
    /// Pipes that acknowledge, a bit each.
    pub acknowledged: u8,
    /// Pipes with dynamic payload length, a bit each: DYNPD, EN_DPL and ENAA together. Table 28, DYNPD.
    pub dynamic: u8,
    /// Value of the register FEATURE.
    pub feature: u8,
    /// Value of the register CONFIG.
    pub config: u8,
    /// From the end of a frame to its repetition.
    pub ard: Duration,
    /// Retransmissions that are allowed (ARC), 0..=15.
    pub arc: u8,
}

impl Settings {
    /// True if any of these bits of CONFIG is set.
    pub const fn configured(&self, bits: u8) -> bool {
        self.config & bits != 0
    }

    /// True if any of these bits of FEATURE is set.
    pub const fn features(&self, bits: u8) -> bool {
        self.feature & bits != 0
    }

    /// `value` as an address on the air.
    pub const fn address(&self, value: u64) -> Address {
        Address { value, width: self.framing.address_width }
    }

    /// The pipe that `address` is for, the lowest if several have it.
    pub fn pipe_of(&self, address: u64) -> Option<u8> {
        (0..PIPES as u8).find(|&pipe| self.enabled & (1 << pipe) != 0 && self.pipes[usize::from(pipe)] == address)
    }
}

impl Registers {
    /// Registers as they are after power-on.
    pub fn new() -> Self {
        let mut octets = [0; 0x20];
        for register in Register::ALL {
            octets[usize::from(register.address())] = register.reset()[0];
        }
        let addresses = [Register::RxAddrP0, Register::RxAddrP1, Register::TxAddr].map(Register::reset);
        let settings = settings(&octets, &addresses);
        Self { octets, addresses, settings }
    }

    /// Settings that follow from the registers.
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Octet `index` of `register` as written.
    pub fn octet(&self, register: Register, index: usize) -> u8 {
        match address_index(register) {
            Some(address) => self.addresses[address].get(index).copied().unwrap_or(0),
            None if index == 0 => self.octets[usize::from(register.address())],
            None => 0,
        }
    }

    /// Writes the octets given, least significant first; those that are not given stay. 8.3.1.
    pub fn write(&mut self, register: Register, data: &[u8]) {
        match address_index(register) {
            Some(address) => {
                for (to, &octet) in self.addresses[address].iter_mut().zip(data) {
                    *to = octet;
                }
            }
            None => {
                if let Some(octet) = data.first() {
                    self.octets[usize::from(register.address())] = octet & register.mask();
                }
            }
        }
        self.settings = settings(&self.octets, &self.addresses);
    }

    /// Static payload width of `pipe`; 0 is not used.
    pub fn width(&self, pipe: u8) -> u8 {
        self.octets[usize::from(Register::RxPwP0.address() + pipe)]
    }
}

/// Index of `register` among those of five octets, if it is one.
const fn address_index(register: Register) -> Option<usize> {
    match register {
        Register::RxAddrP0 => Some(0),
        Register::RxAddrP1 => Some(1),
        Register::TxAddr => Some(2),
        _ => None,
    }
}

fn settings(octets: &[u8; 0x20], [p0, p1, to]: &[[u8; 5]; 3]) -> Settings {
    let of = |register: Register| octets[usize::from(register.address())];
    let (config, feature, acknowledged) = (of(Register::Config), of(Register::Feature), of(Register::EnAa));
    let retransmission = of(Register::SetupRetr);
    let arc = retransmission & setup_retr::ARC;
    let width = of(Register::SetupAw) + 2;
    let pipe = |n: usize| {
        let mut address = if n == 0 { *p0 } else { *p1 };
        if n >= 2 {
            address[0] = octets[usize::from(Register::RxAddrP0.address()) + n];
        }
        Address::from_register(address, width).value
    };
    Settings {
        framing: Framing {
            rate: rate(of(Register::RfSetup)),
            address_width: width,
            crc: check(config, acknowledged),
            // ShockBurst, whose frames have no control field (7.9.1), is "disable Enhanced ShockBurst": EN_AA 0 and ARC 0 (7.9). Table 28 has
            // EN_AA alone "to be compatible with nRF2401", and a receiver with EN_AA 0 and the ARC of its reset strips no such field:
            // nrf-research-firmware, src/radio.c at e9ee298, finds it among the octets of the payload. That ARC is as little to a
            // transmitter, which has nobody to wait for, is *assumed*.
            enhanced: acknowledged != 0,
        },
        channel: of(Register::RfCh),
        pipes: core::array::from_fn(pipe),
        to: Address::from_register(*to, width).value,
        enabled: of(Register::EnRxAddr),
        acknowledged,
        dynamic: if feature & feature::EN_DPL != 0 { of(Register::DynPd) & acknowledged } else { 0 },
        feature,
        config,
        ard: ARD_STEP * u64::from((retransmission >> setup_retr::ARD_SHIFT) + 1),
        arc,
    }
}

/// RF_DR_HIGH is "don't care" where RF_DR_LOW is set. Table 28, RF_SETUP.
const fn rate(setup: u8) -> Rate {
    if setup & rf_setup::RF_DR_LOW != 0 {
        Rate::K250
    } else if setup & rf_setup::RF_DR_HIGH != 0 {
        Rate::M2
    } else {
        Rate::M1
    }
}

/// EN_CRC is forced high where any pipe acknowledges. Table 28, CONFIG.
const fn check(config: u8, acknowledged: u8) -> Crc {
    if config & config::EN_CRC == 0 && acknowledged == 0 {
        Crc::None
    } else if config & config::CRCO == 0 {
        Crc::One
    } else {
        Crc::Two
    }
}
