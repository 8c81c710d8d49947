//! The buffers of its controller, and its start.

use coc::plan::{CENTRAL, Device, LINKS, PERIPHERAL};
use embassy_executor::Spawner;
use nrf54l15::{Board, Buffers, Mem, Role};
use static_cell::StaticCell;

const fn buffers(device: &Device, links: usize) -> Buffers {
    Buffers { links: links as u8, acl_packets: device.acl_packets, rx_packets: device.rx_packets }
}

const OF_CENTRAL: Buffers = buffers(&CENTRAL, LINKS);
const OF_PERIPHERAL: Buffers = buffers(&PERIPHERAL, 1);

/// Memory for either role.
const MEMORY: usize = {
    let (central, peripheral) = (OF_CENTRAL.memory(), OF_PERIPHERAL.memory());
    if central > peripheral { central } else { peripheral }
};

/// Starts the board in `role`, with the buffers of the plan.
///
/// # Panics
/// When called a second time, or when the controller's library refuses the configuration.
pub fn start(spawner: Spawner, role: Role) -> Board {
    static CONTROLLER: StaticCell<Mem<MEMORY>> = StaticCell::new();
    let buffers = match role {
        Role::Central => OF_CENTRAL,
        Role::Peripheral => OF_PERIPHERAL,
    };
    nrf54l15::start(spawner, role, buffers, CONTROLLER.init(Mem::new()))
}
