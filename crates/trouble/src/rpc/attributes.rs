//! The attribute table: GAP, and the one characteristic that carries frames.

use airtime_app::Name;
use airtime_rpc::COMPATIBLE_FRAME_MAX;
use embassy_sync::blocking_mutex::raw::NoopRawMutex;
use trouble_host::PacketPool;
use trouble_host::attribute::{AttributeTable, Characteristic, CharacteristicProp, Service};
use trouble_host::gap::{GAP_SERVICE_ATTRIBUTE_COUNT, GapConfig};
use trouble_host::prelude::{AsGatt, AttributeServer, Uuid};

use crate::attributes::beginning;

/// Numbers of the published service and its characteristic, as [`uuid`] takes them.
pub(super) const SERVICE: u8 = 1;
const CHARACTERISTIC: u8 = 2;

/// 1234000N-0000-1000-8000-00805f9b34fb, least significant octet first. They look like placeholders in the Bluetooth base range;
/// peers know no others.
pub(super) const fn uuid(number: u8) -> [u8; 16] {
    [0xfb, 0x34, 0x9b, 0x5f, 0x80, 0, 0, 0x80, 0, 0x10, 0, 0, number, 0, 0x34, 0x12]
}

/// Those of GAP and GATT, and the service's four: declaration, characteristic, value, configuration.
const ATTRIBUTES: usize = GAP_SERVICE_ATTRIBUTE_COUNT + 4;

/// Frame as the table has it: any octets up to the longest frame. What was written is taken from the write itself.
pub(super) struct Frame;

impl AsGatt for Frame {
    const MIN_SIZE: usize = 0;
    const MAX_SIZE: usize = COMPATIBLE_FRAME_MAX;

    fn as_gatt(&self) -> &[u8] {
        &[]
    }
}

/// The server of attributes, for one connection at a time.
type Table<'t, P> = AttributeServer<'t, NoopRawMutex, P, ATTRIBUTES, 1>;

/// Frames of the service, and the characteristic by which they come and go.
pub(super) struct Frames<'t, P: PacketPool> {
    pub(super) table: Table<'t, P>,
    pub(super) value: Characteristic<Frame>,
}

impl<'t, P: PacketPool> Frames<'t, P> {
    /// The attributes; the last frame written is kept in `store`, where nobody reads it.
    ///
    /// # Panics
    /// Never: the name fits, and there are as many places as attributes.
    pub(super) fn new(name: &'t Name, store: &'t mut [u8; COMPATIBLE_FRAME_MAX]) -> Self {
        let mut table = AttributeTable::new();
        let built = GapConfig::default(beginning(name.as_str())).build(&mut table);
        assert!(built.is_ok(), "the beginning of a name fits");
        let properties = [CharacteristicProp::WriteWithoutResponse, CharacteristicProp::Notify];
        let mut service = table.add_service(Service::new(Uuid::Uuid128(uuid(SERVICE))));
        let value = service.add_characteristic(Uuid::Uuid128(uuid(CHARACTERISTIC)), properties, Frame, store).build();
        service.build();
        Self { table: AttributeServer::new(table), value }
    }
}
