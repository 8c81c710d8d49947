//! The attribute table: GAP, and the one characteristic that carries frames.

use airtime_rpc::COMPATIBLE_FRAME_MAX;
use embassy_sync::blocking_mutex::raw::NoopRawMutex;
use heapless::Vec;
use trouble_host::attribute::{AttributeTable, Characteristic, CharacteristicProp, Service};
use trouble_host::prelude::{AttributeServer, DefaultPacketPool, Uuid};

/// The name it advertises: as the published firmware.
pub(crate) const NAME: &str = "blerpc";

/// The published service and its characteristic. They look like placeholders in the Bluetooth base range; peers know no others.
pub(crate) const SERVICE: Uuid = uuid(1);
const CHARACTERISTIC: Uuid = uuid(2);

/// 1234000N-0000-1000-8000-00805f9b34fb, least significant octet first.
const fn uuid(number: u8) -> Uuid {
    Uuid::Uuid128([0xfb, 0x34, 0x9b, 0x5f, 0x80, 0, 0, 0x80, 0, 0x10, 0, 0, number, 0, 0x34, 0x12])
}

/// One frame.
pub(crate) type Frame = Vec<u8, COMPATIBLE_FRAME_MAX>;

/// GAP and GATT have six attributes, the service four: declaration, characteristic, value, configuration.
const ATTRIBUTES: usize = 10;

/// The server of attributes.
pub(crate) type Table<'t> = AttributeServer<'t, NoopRawMutex, DefaultPacketPool, ATTRIBUTES, 1>;

/// Frames of the service, and the characteristic by which they come and go.
pub(crate) struct Frames<'t> {
    pub(crate) table: Table<'t>,
    pub(crate) value: Characteristic<Frame>,
}

impl<'t> Frames<'t> {
    /// The attributes; the last frame written is kept in `store`, where nobody reads it.
    ///
    /// # Panics
    /// Never: the name fits, and there are as many places as attributes.
    pub(crate) fn new(store: &'t mut [u8; COMPATIBLE_FRAME_MAX]) -> Self {
        let mut table = AttributeTable::new();
        defmt::unwrap!(trouble_host::gap::GapConfig::default(NAME).build(&mut table));
        let properties = [CharacteristicProp::WriteWithoutResponse, CharacteristicProp::Notify];
        let mut service = table.add_service(Service::new(SERVICE));
        let value = service.add_characteristic(CHARACTERISTIC, properties, Frame::new(), store).build();
        service.build();
        Self { table: AttributeServer::new(table), value }
    }
}
