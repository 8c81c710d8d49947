//! Nordic's SoftDevice Controller, set up for one role.

use embassy_nrf::cracen::Cracen;
use embassy_nrf::mode::Blocking;
use nrf_mpsl::MultiprotocolServiceLayer;
use nrf_sdc::{Builder, Error, Mem, Peripherals, SoftdeviceController};

use crate::Role;
use crate::plan::{CENTRAL, Device, LINKS, PERIPHERAL};

/// Longest LL payload; what is agreed with the peer is the application's business. Core 6.0, Vol 6,
/// Part B, 4.5.10.
const LL_OCTETS: u16 = 251;

/// Memory for either role.
pub(crate) type Memory = Mem<{ memory(&CENTRAL, LINKS) + memory(&PERIPHERAL, 1) + FIXED }>;

/// What does not depend on buffers, from the same place as [`memory`]: what links share, a scanner of
/// three reports, an advertising set of 31 octets, a filter accept list of eight. The last is in
/// reserve, *assumed*: the library says only on the chip what it takes, and warns when it has more.
const FIXED: usize = (21 + 17) + (408 + 3 * 104) + (5_184 + 31 * 18) / 10 + (4 + 8 * 8) + 1_024;

/// Octets for `links` links of a device. sdc.h of nrf-sdc-sys 0.3.0, "memory requirement defines": an
/// upper limit, for the larger of both roles' links.
const fn memory(device: &Device, links: usize) -> usize {
    const LINK: usize = 923;
    const OVERHEAD: usize = 15;
    const PACKET_DEFAULT: usize = 27 + OVERHEAD;
    let packets = device.acl_packets as usize + device.rx_packets as usize;
    links * (LINK + packets * (LL_OCTETS as usize + OVERHEAD) - 2 * PACKET_DEFAULT)
}

/// A controller in `role`, with the buffers of the plan.
pub(crate) fn build(
    role: Role,
    peripherals: Peripherals<'static>,
    random: &'static mut Cracen<'static, Blocking>,
    mpsl: &'static MultiprotocolServiceLayer<'static>,
    memory: &'static mut Memory,
) -> Result<SoftdeviceController<'static>, Error> {
    let builder = Builder::new()?.support_le_2m_phy().support_le_coded_phy();
    let (builder, device) = match role {
        Role::Central => (central(builder)?, CENTRAL),
        Role::Peripheral => (peripheral(builder)?, PERIPHERAL),
    };
    builder.buffer_cfg(LL_OCTETS, LL_OCTETS, device.acl_packets, device.rx_packets)?.build(
        peripherals,
        random,
        mpsl,
        memory,
    )
}

fn central(builder: Builder) -> Result<Builder, Error> {
    let builder = builder.support_scan().support_central().support_dle_central().support_phy_update_central();
    builder.central_count(LINKS as u8)?.peripheral_count(0)
}

fn peripheral(builder: Builder) -> Result<Builder, Error> {
    let builder = builder.support_adv().support_peripheral().support_dle_peripheral().support_phy_update_peripheral();
    builder.central_count(0)?.peripheral_count(1)?.adv_count(1)
}
