//! The attributes of a peripheral: GAP with a device name, and the services of its profile.

use airtime_core::Packet;

use crate::host::link::Local;
use crate::host::{Profile, ValueMethod};

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
const STREAM: Uuid = test_uuid(3);

/// 12340001-0000-1000-8000-00805f9b34fb: the published RPC service, as advertised too.
pub(in crate::host) const RPC_SERVICE_UUID: [u8; 16] = sig_uuid(0x1234_0001);
/// UUID of the service of remote calls, as a type.
const RPC_SERVICE: Uuid = Uuid::Long(RPC_SERVICE_UUID);
/// 12340002-…: its frames, written without response or notified.
const RPC_FRAMES: Uuid = Uuid::Long(sig_uuid(0x1234_0002));

const fn test_uuid(number: u8) -> Uuid {
    Uuid::Long([b'm', b'i', b't', b'r', b'i', b'a', 0x3a, 0x9f, 0x7b, 0x4a, 0x5e, 0x4c, number, 0x00, 0x5f, 0x8d])
}

/// A number above the Bluetooth base UUID. Core 6.0, Vol 3, Part B, 2.5.1.
const fn sig_uuid(number: u32) -> [u8; 16] {
    let [a, b, c, d] = number.to_le_bytes();
    [0xfb, 0x34, 0x9b, 0x5f, 0x80, 0x00, 0x00, 0x80, 0x00, 0x10, 0x00, 0x00, a, b, c, d]
}

/// Characteristic properties. Core 6.0, Vol 3, Part G, 3.3.1.1.
const READ: u8 = 0x02;
const WRITE_WITHOUT_RESPONSE: u8 = 0x04;
const WRITE: u8 = 0x08;
const NOTIFY: u8 = 0x10;
const INDICATE: u8 = 0x20;

/// Property that a method of values needs besides those of notifications and write commands.
const fn property(values: ValueMethod) -> u8 {
    match values {
        ValueMethod::Unanswered => 0,
        ValueMethod::WriteRequest | ValueMethod::LongWrite => WRITE,
        ValueMethod::Indication => INDICATE,
        ValueMethod::Read => READ,
    }
}

/// Bits of a client characteristic configuration that turn values on. Core 6.0, Vol 3, Part G, 3.3.3.3.
pub(super) const fn configuration(values: ValueMethod) -> u16 {
    match values {
        ValueMethod::Indication => 2,
        _ => 1,
    }
}

/// Content of an attribute.
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
    /// Client characteristic configuration: notifications of the stream on or off.
    StreamConfiguration,
}

/// One attribute; its handle is its place in its profile's table, counted from 1.
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

/// Attributes of the server of the throughput test.
static TEST: [Attribute; 11] = [
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

/// Attributes of the server of remote calls. The test service is there for its PSM.
static RPC: [Attribute; 12] = [
    TEST[0],
    TEST[1],
    TEST[2],
    TEST[3],
    TEST[4],
    attribute(PRIMARY_SERVICE, Value::Service { uuid: RPC_SERVICE, end: 9 }),
    characteristic(WRITE_WITHOUT_RESPONSE | NOTIFY),
    attribute(RPC_FRAMES, Value::Stream),
    attribute(CLIENT_CONFIGURATION, Value::StreamConfiguration),
    attribute(PRIMARY_SERVICE, Value::Service { uuid: TEST_SERVICE, end: 12 }),
    characteristic(READ),
    attribute(PSM, Value::Psm),
];

/// The attributes of a profile.
fn attributes(profile: Profile) -> &'static [Attribute] {
    match profile {
        Profile::Test => &TEST,
        Profile::Rpc => &RPC,
    }
}

/// The services that a client of a profile looks for, in this order.
pub(super) fn services(profile: Profile) -> &'static [Uuid] {
    match profile {
        Profile::Test => &[TEST_SERVICE],
        Profile::Rpc => &[RPC_SERVICE, TEST_SERVICE],
    }
}

/// The type of a profile's stream.
pub(super) fn stream(profile: Profile) -> Uuid {
    match profile {
        Profile::Test => STREAM,
        Profile::Rpc => RPC_FRAMES,
    }
}

/// Handle of the stream's value.
pub(super) fn stream_value(profile: Profile) -> u16 {
    match profile {
        Profile::Test => 10,
        Profile::Rpc => 8,
    }
}

/// The attribute with this handle.
pub(super) fn find(profile: Profile, handle: u16) -> Option<&'static Attribute> {
    attributes(profile).get(usize::from(handle).checked_sub(1)?)
}

/// The attributes with handles in `start..=end`.
pub(super) fn range(profile: Profile, start: u16, end: u16) -> impl Iterator<Item = (u16, &'static Attribute)> {
    (1u16..).zip(attributes(profile)).filter(move |(handle, _)| (start..=end).contains(handle))
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

/// Position of an attribute in the database.
#[derive(Clone, Copy)]
pub(super) struct At<'a> {
    pub(super) profile: Profile,
    pub(super) handle: u16,
    pub(super) local: &'a Local,
}

impl Attribute {
    /// Appends what this attribute holds `at` its place; says no when it cannot be read.
    pub(super) fn read(&self, at: At<'_>, subscribed: bool, packet: &mut Packet) -> bool {
        let At { profile, handle, local } = at;
        match self.value {
            Value::Service { uuid, .. } => uuid.emit(packet),
            Value::Characteristic { properties } => {
                let of_stream = handle + 1 == stream_value(profile);
                packet.put_u8(if of_stream { properties | property(local.values) } else { properties });
                packet.put_u16(handle + 1);
                if let Some(value) = find(profile, handle + 1) {
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
    fn the_tables_hang_together() {
        for profile in [Profile::Test, Profile::Rpc] {
            let count = attributes(profile).len();
            let value = find(profile, stream_value(profile)).map(|a| (a.uuid, a.value));
            assert_eq!(value, Some((stream(profile), Value::Stream)));
            assert_eq!((find(profile, 0), find(profile, count as u16 + 1)), (None, None));
            for (handle, attribute) in range(profile, 1, u16::MAX) {
                if let Value::Service { end, .. } = attribute.value {
                    assert!(usize::from(end) <= count);
                    assert!(find(profile, end + 1).is_none_or(|next| next.uuid == PRIMARY_SERVICE), "service {handle}");
                }
            }
        }
    }

    #[test]
    fn golden_bytes_of_the_psm_characteristic() {
        let mut packet = Pool::new().packet();
        let mut local = Local::new(ValueMethod::Unanswered);
        local.psm = Some(0x0080);
        let at = |handle| At { profile: Profile::Test, handle, local: &local };
        assert!(find(Profile::Test, 7).unwrap().read(at(7), false, &mut packet));
        assert_eq!(&packet[..5], &[0x02, 8, 0, b'm', b'i']);
        packet.truncate(0);
        assert!(find(Profile::Test, 8).unwrap().read(at(8), false, &mut packet));
        assert_eq!(&*packet, &[0x80, 0]);
    }

    #[test]
    fn golden_bytes_of_the_published_service() {
        let mut packet = Pool::new().packet();
        let at = At { profile: Profile::Rpc, handle: 7, local: &Local::new(ValueMethod::Unanswered) };
        assert!(find(Profile::Rpc, 7).unwrap().read(at, false, &mut packet));
        let frames = [0xfb, 0x34, 0x9b, 0x5f, 0x80, 0, 0, 0x80, 0, 0x10, 0, 0, 0x02, 0x00, 0x34, 0x12];
        assert_eq!((packet[0], &packet[1..3], &packet[3..]), (0x14, &[8, 0][..], &frames[..]));
    }
}
