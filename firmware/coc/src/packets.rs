//! The host's packets, as long as the plan needs them.

use core::cell::RefCell;

use critical_section::Mutex;
use static_cell::ConstStaticCell;
use trouble_host::{Packet, PacketPool};

use crate::plan::{PACKET_OCTETS, PACKETS};

type Octets = [u8; PACKET_OCTETS];

static MEMORY: ConstStaticCell<[Octets; PACKETS]> = ConstStaticCell::new([[0; PACKET_OCTETS]; PACKETS]);
static POOL: Mutex<RefCell<Free>> =
    Mutex::new(RefCell::new(Free { filled: false, packets: [const { None }; PACKETS] }));

/// The packets nobody has; their places are in no order.
struct Free {
    filled: bool,
    packets: [Option<&'static mut Octets>; PACKETS],
}

impl Free {
    fn take(&mut self) -> Option<&'static mut Octets> {
        if !self.filled {
            self.filled = true;
            let memory = MEMORY.take();
            self.packets.iter_mut().zip(memory).for_each(|(place, packet)| *place = Some(packet));
        }
        self.packets.iter_mut().find_map(Option::take)
    }

    fn give(&mut self, packet: &'static mut Octets) {
        // There are as many places as packets.
        if let Some(place) = self.packets.iter_mut().find(|place| place.is_none()) {
            *place = Some(packet);
        }
    }
}

/// The pool: an SDU is put together in one packet, so a packet holds the plan's longest.
pub struct PlanPool;

impl PacketPool for PlanPool {
    type Packet = PlanPacket;
    const MTU: usize = PACKET_OCTETS;

    fn allocate() -> Option<PlanPacket> {
        let octets = critical_section::with(|cs| POOL.borrow_ref_mut(cs).take())?;
        octets.fill(0);
        Some(PlanPacket { octets: Some(octets) })
    }

    fn capacity() -> usize {
        PACKETS
    }
}

/// One packet of [`PlanPool`]; dropped, it goes back.
pub struct PlanPacket {
    /// None only while it is dropped.
    octets: Option<&'static mut Octets>,
}

impl Packet for PlanPacket {}

impl AsRef<[u8]> for PlanPacket {
    fn as_ref(&self) -> &[u8] {
        self.octets.as_deref().map_or(&[], |octets| &octets[..])
    }
}

impl AsMut<[u8]> for PlanPacket {
    fn as_mut(&mut self) -> &mut [u8] {
        self.octets.as_deref_mut().map_or(&mut [], |octets| &mut octets[..])
    }
}

impl Drop for PlanPacket {
    fn drop(&mut self) {
        if let Some(octets) = self.octets.take() {
            critical_section::with(|cs| POOL.borrow_ref_mut(cs).give(octets));
        }
    }
}
