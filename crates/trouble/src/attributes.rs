//! Attribute table of either end of the throughput test: GAP with a name, and the service that publishes the PSM.

use airtime_app::Name;
use embassy_sync::blocking_mutex::raw::NoopRawMutex;
use trouble_host::PacketPool;
use trouble_host::attribute::{AttributeTable, Service};
use trouble_host::gap::{GAP_SERVICE_ATTRIBUTE_COUNT, GapConfig};
use trouble_host::prelude::{AttributeServer, Uuid};

/// Numbers of the test service and of the characteristic that holds the PSM, as [`uuid`] takes them.
pub(crate) const SERVICE: u8 = 1;
pub(crate) const PSM: u8 = 2;

/// 8d5f000N-4c5e-4a7b-9f3a-61697274696d, which the lab's own host and `firmware/zephyr-coc` publish and look for too.
pub(crate) const fn uuid(number: u8) -> Uuid {
    Uuid::new_long([b'm', b'i', b't', b'r', b'i', b'a', 0x3a, 0x9f, 0x7b, 0x4a, 0x5e, 0x4c, number, 0x00, 0x5f, 0x8d])
}

/// Those of GAP and GATT, and the service's three: declaration, characteristic, value.
const ATTRIBUTES: usize = GAP_SERVICE_ATTRIBUTE_COUNT + 3;

/// Longest name that TrouBLE's GAP service takes, in octets.
const GAP_NAME_MAX: usize = 22;

/// The server of attributes, for `LINKS` connections at a time.
pub(crate) type Table<'t, P, const LINKS: usize> = AttributeServer<'t, NoopRawMutex, P, ATTRIBUTES, LINKS>;

/// The attributes of an end with this name and this PSM, least significant octet first; zero when it takes no channels.
///
/// # Panics
/// Never: the name fits, and there are as many places as attributes.
pub(crate) fn table<'t, P: PacketPool, const LINKS: usize>(name: &'t Name, psm: &'t [u8; 2]) -> Table<'t, P, LINKS> {
    let mut table = AttributeTable::new();
    let built = GapConfig::default(beginning(name.as_str())).build(&mut table);
    assert!(built.is_ok(), "a name of at most {GAP_NAME_MAX} octets fits");
    let mut service = table.add_service(Service::new(uuid(SERVICE)));
    service.add_characteristic_ro(uuid(PSM), psm).build();
    service.build();
    AttributeServer::new(table)
}

/// As much of a name as the GAP service takes. Nobody looks for it there: who scans hears all of it.
pub(crate) fn beginning(name: &str) -> &str {
    &name[..name.floor_char_boundary(GAP_NAME_MAX)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_name_is_cut_at_a_character() {
        assert_eq!(beginning("blerpc"), "blerpc");
        assert_eq!(beginning("twenty-two octets wide"), "twenty-two octets wide");
        assert_eq!(beginning("twenty-two octets of \u{e4}"), "twenty-two octets of ");
    }
}
