//! The attributes of the test peripheral: GAP with a device name, and the test service.

use airtime_core::Packet;

use crate::host::link::Local;

/// An attribute type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Uuid {
    /// Assigned by the Bluetooth SIG.
    Short(u16),
    /// Anybody's, least significant octet first.
    Long([u8; 16]),
}

pub(super) const PRIMARY_SERVICE: Uuid = Uuid::Short(0x2800);
pub(super) const CHARACTERISTIC: Uuid = Uuid::Short(0x2803);
pub(super) const CLIENT_CONFIGURATION: Uuid = Uuid::Short(0x2902);
const GAP_SERVICE: Uuid = Uuid::Short(0x1800);
const DEVICE_NAME: Uuid = Uuid::Short(0x2a00);
const APPEARANCE: Uuid = Uuid::Short(0x2a01);

/// 8d5f0001-4c5e-4a7b-9f3a-61697274696d: the test service.
pub(super) const TEST_SERVICE: Uuid = test_uuid(1);
/// 8d5f0002-…: the PSM to open channels on, two octets, zero when there is none.
pub(super) const PSM: Uuid = test_uuid(2);
/// 8d5f0003-…: the stream, written without response or notified.
pub(super) const STREAM: Uuid = test_uuid(3);

const fn test_uuid(number: u8) -> Uuid {
    Uuid::Long([b'm', b'i', b't', b'r', b'i', b'a', 0x3a, 0x9f, 0x7b, 0x4a, 0x5e, 0x4c, number, 0x00, 0x5f, 0x8d])
}

/// Characteristic properties. Core 6.0, Vol 3, Part G, 3.3.1.1.
const READ: u8 = 0x02;
const WRITE_WITHOUT_RESPONSE: u8 = 0x04;
const NOTIFY: u8 = 0x10;

/// What an attribute holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// A service of this type, up to the attribute with this handle.
    Service { uuid: Uuid, end: u16 },
    /// A characteristic whose value is the next attribute.
    Characteristic { properties: u8 },
    /// The name of the device.
    Name,
    /// Generic.
    Appearance,
    /// The PSM.
    Psm,
    /// The stream, which cannot be read.
    Stream,
    /// Whether the client takes notifications of the stream.
    StreamConfiguration,
}

/// One attribute; its handle is its place in [`ATTRIBUTES`], counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Attribute {
    pub(super) uuid: Uuid,
    pub(super) value: Value,
}

const fn attribute(uuid: Uuid, value: Value) -> Attribute {
    Attribute { uuid, value }
}

const fn characteristic(properties: u8) -> Attribute {
    attribute(CHARACTERISTIC, Value::Characteristic { properties })
}

/// Handle of the stream's value.
pub(super) const STREAM_VALUE: u16 = 10;

/// Everything the server has.
pub(super) const ATTRIBUTES: [Attribute; 11] = [
    attribute(PRIMARY_SERVICE, Value::Service { uuid: GAP_SERVICE, end: 5 }),
    characteristic(READ),
    attribute(DEVICE_NAME, Value::Name),
    characteristic(READ),
    attribute(APPEARANCE, Value::Appearance),
    attribute(PRIMARY_SERVICE, Value::Service { uuid: TEST_SERVICE, end: 11 }),
    characteristic(READ),
    attribute(PSM, Value::Psm),
    characteristic(WRITE_WITHOUT_RESPONSE | NOTIFY),
    attribute(STREAM, Value::Stream),
    attribute(CLIENT_CONFIGURATION, Value::StreamConfiguration),
];

/// The attribute with this handle.
pub(super) fn find(handle: u16) -> Option<&'static Attribute> {
    ATTRIBUTES.get(usize::from(handle).checked_sub(1)?)
}

/// The attributes with handles in `start..=end`.
pub(super) fn range(start: u16, end: u16) -> impl Iterator<Item = (u16, &'static Attribute)> {
    (1u16..).zip(&ATTRIBUTES).filter(move |(handle, _)| (start..=end).contains(handle))
}

impl Uuid {
    /// Reads two or sixteen octets.
    pub(super) fn parse(bytes: &[u8]) -> Option<Self> {
        match bytes.len() {
            2 => Some(Self::Short(u16::from_le_bytes(bytes.try_into().ok()?))),
            16 => Some(Self::Long(bytes.try_into().ok()?)),
            _ => None,
        }
    }

    /// Writes two or sixteen octets.
    pub(super) fn emit(self, packet: &mut Packet) {
        match self {
            Self::Short(uuid) => packet.put_u16(uuid),
            Self::Long(uuid) => packet.put(&uuid),
        }
    }
}

impl Attribute {
    /// Appends what the attribute with `handle` holds; says no when it cannot be read.
    pub(super) fn read(&self, handle: u16, local: &Local, subscribed: bool, packet: &mut Packet) -> bool {
        match self.value {
            Value::Service { uuid, .. } => uuid.emit(packet),
            Value::Characteristic { properties } => {
                packet.put_u8(properties);
                packet.put_u16(handle + 1);
                if let Some(value) = find(handle + 1) {
                    value.uuid.emit(packet);
                }
            }
            Value::Name => packet.put(&local.name),
            Value::Appearance => packet.put_u16(0),
            Value::Psm => packet.put_u16(local.psm.unwrap_or(0)),
            Value::Stream => return false,
            Value::StreamConfiguration => packet.put_u16(subscribed.into()),
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use airtime_core::Pool;

    #[test]
    fn the_table_hangs_together() {
        assert_eq!(find(STREAM_VALUE).map(|a| a.value), Some(Value::Stream));
        assert_eq!((find(0), find(12)), (None, None));
        for (handle, attribute) in range(1, u16::MAX) {
            if let Value::Service { end, .. } = attribute.value {
                assert!(usize::from(end) <= ATTRIBUTES.len());
                assert!(find(end + 1).is_none_or(|next| next.uuid == PRIMARY_SERVICE), "service {handle}");
            }
        }
    }

    #[test]
    fn golden_bytes_of_the_psm_characteristic() {
        let mut packet = Pool::new().packet();
        let mut local = Local::new();
        local.psm = Some(0x0080);
        assert!(find(7).unwrap().read(7, &local, false, &mut packet));
        assert_eq!(&packet[..5], &[0x02, 8, 0, b'm', b'i']);
        packet.truncate(0);
        assert!(find(8).unwrap().read(8, &local, false, &mut packet));
        assert_eq!(&*packet, &[0x80, 0]);
    }
}
