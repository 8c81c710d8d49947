//! Nordic's SoftDevice Controller, set up for one role.

use embassy_nrf::cracen::Cracen;
use embassy_nrf::mode::Blocking;
use nrf_mpsl::MultiprotocolServiceLayer;
use nrf_sdc::{Builder, Error, Mem, Peripherals, SoftdeviceController};

/// Role of a board: its end of the link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, defmt::Format)]
pub enum Role {
    /// It scans, connects, and by default counts.
    Central,
    /// It advertises, and by default streams.
    Peripheral,
}

/// Buffers of a controller: the packets that it has room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Buffers {
    /// Connections at a time; a peripheral has one.
    pub links: u8,
    /// Outgoing packets per link.
    pub acl_packets: u8,
    /// Incoming packets per link.
    pub rx_packets: u8,
}

/// Longest LL payload; what is agreed with the peer is the application's business. Core 6.0, Vol 6,
/// Part B, 4.5.10.
const LL_OCTETS: u16 = 251;

/// Memory that does not depend on buffers, from the same place as [`memory`]: that of all links together, a scanner of
/// three reports, an advertising set of 31 octets, a filter accept list of eight. The last is in reserve, *assumed*:
/// the library says only on the chip how much it takes, and warns when it has more.
const FIXED: usize = (21 + 17) + (408 + 3 * 104) + (5_184 + 31 * 18) / 10 + (4 + 8 * 8) + 1_024;

impl Buffers {
    /// Octets that a controller with these buffers needs in either role. sdc.h of nrf-sdc-sys 0.3.0, "memory requirement
    /// defines": an upper limit, for the larger of both roles' links.
    pub const fn memory(&self) -> usize {
        const LINK: usize = 923;
        const OVERHEAD: usize = 15;
        const PACKET_DEFAULT: usize = 27 + OVERHEAD;
        let packets = self.acl_packets as usize + self.rx_packets as usize;
        FIXED + self.links as usize * (LINK + packets * (LL_OCTETS as usize + OVERHEAD) - 2 * PACKET_DEFAULT)
    }
}

/// A controller in `role`.
pub(crate) fn build<const OCTETS: usize>(
    role: Role,
    buffers: Buffers,
    peripherals: Peripherals<'static>,
    random: &'static mut Cracen<'static, Blocking>,
    mpsl: &'static MultiprotocolServiceLayer<'static>,
    memory: &'static mut Mem<OCTETS>,
) -> Result<SoftdeviceController<'static>, Error> {
    let builder = Builder::new()?.support_le_2m_phy().support_le_coded_phy();
    let builder = match role {
        Role::Central => central(builder, buffers.links)?,
        Role::Peripheral => peripheral(builder)?,
    };
    builder.buffer_cfg(LL_OCTETS, LL_OCTETS, buffers.acl_packets, buffers.rx_packets)?.build(
        peripherals,
        random,
        mpsl,
        memory,
    )
}

fn central(builder: Builder, links: u8) -> Result<Builder, Error> {
    let builder = builder.support_scan().support_central().support_dle_central().support_phy_update_central();
    builder.central_count(links)?.peripheral_count(0)
}

fn peripheral(builder: Builder) -> Result<Builder, Error> {
    let builder = builder.support_adv().support_peripheral().support_dle_peripheral().support_phy_update_peripheral();
    builder.central_count(0)?.peripheral_count(1)?.adv_count(1)
}
