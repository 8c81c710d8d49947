//! Attribute table of either end of the throughput test: GAP with a name, and the service that publishes the PSM and has the stream; of an end that
//! takes settings, those.

use airtime_app::Name;
use embassy_sync::blocking_mutex::raw::NoopRawMutex;
use trouble_host::PacketPool;
use trouble_host::attribute::{AttributeTable, Characteristic, CharacteristicProp, Service};
use trouble_host::gap::{GAP_SERVICE_ATTRIBUTE_COUNT, GapConfig};
use trouble_host::prelude::{AsGatt, AttributeServer, Uuid};

/// Numbers of the test service, of the characteristic that holds the PSM, of the stream's and of the settings', as [`uuid`]
/// takes them.
pub(crate) const SERVICE: u8 = 1;
pub(crate) const PSM: u8 = 2;
pub(crate) const STREAM: u8 = 3;
const SETTINGS: u8 = 4;

/// 8d5f000N-4c5e-4a7b-9f3a-61697274696d, which the lab's own host and `firmware/zephyr-coc` publish and look for too.
pub(crate) const fn uuid(number: u8) -> Uuid {
    Uuid::new_long([b'm', b'i', b't', b'r', b'i', b'a', 0x3a, 0x9f, 0x7b, 0x4a, 0x5e, 0x4c, number, 0x00, 0x5f, 0x8d])
}

/// Those of GAP and GATT, and the service's eight: its declaration, declaration and value of PSM, stream and settings, and the stream's
/// configuration.
const ATTRIBUTES: usize = GAP_SERVICE_ATTRIBUTE_COUNT + 8;

/// Longest name that TrouBLE's GAP service takes, in octets.
const GAP_NAME_MAX: usize = 22;

/// Longest value of an attribute. Core 6.0, Vol 3, Part F, 3.2.9.
const VALUE_MAX: usize = 512;

/// Value as the table has it: it keeps none, for what is written is taken from the write itself.
pub(crate) struct Passing;

impl AsGatt for Passing {
    const MIN_SIZE: usize = 0;
    const MAX_SIZE: usize = VALUE_MAX;

    fn as_gatt(&self) -> &[u8] {
        &[]
    }
}

/// The server of attributes, for `LINKS` connections at a time.
type Table<'t, P, const LINKS: usize> = AttributeServer<'t, NoopRawMutex, P, ATTRIBUTES, LINKS>;

/// Attributes of an end, and those of them that are more than looked at.
pub(crate) struct Attributes<'t, P: PacketPool, const LINKS: usize> {
    pub(crate) table: Table<'t, P, LINKS>,
    pub(crate) passing: PassingValues,
}

/// Characteristics whose values pass through: the stream, and the settings of an end that takes any.
pub(crate) struct PassingValues {
    pub(crate) stream: Characteristic<Passing>,
    pub(crate) settings: Option<Characteristic<Passing>>,
}

impl<'t, P: PacketPool, const LINKS: usize> Attributes<'t, P, LINKS> {
    /// The attributes of an end with this name and this PSM, least significant octet first; zero when it takes no channels.
    /// Of one that `takes_settings`, they can be written.
    ///
    /// # Panics
    /// Never: the name fits, and there are as many places as attributes.
    pub(crate) fn new(name: &'t Name, psm: &'t [u8; 2], takes_settings: bool) -> Self {
        let mut table = AttributeTable::new();
        let built = GapConfig::default(beginning(name.as_str())).build(&mut table);
        assert!(built.is_ok(), "a name of at most {GAP_NAME_MAX} octets fits");
        let mut service = table.add_service(Service::new(uuid(SERVICE)));
        service.add_characteristic_ro(uuid(PSM), psm).build();
        let properties = [CharacteristicProp::WriteWithoutResponse, CharacteristicProp::Notify];
        let stream = service.add_characteristic(uuid(STREAM), properties, Passing, &mut []).build();
        let settings = takes_settings
            .then(|| service.add_characteristic(uuid(SETTINGS), [CharacteristicProp::Write], Passing, &mut []).build());
        service.build();
        Self { table: AttributeServer::new(table), passing: PassingValues { stream, settings } }
    }
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
