//! Elements of management frames: identifier, length, octets. 9.4.2.

use airtime_core::Packet;

/// An element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element<'a> {
    /// Its identifier. Table 9-92.
    pub id: u8,
    /// Octets of the element.
    pub value: &'a [u8],
}

impl Element<'_> {
    /// SSID.
    pub const SSID: u8 = 0;
    /// Supported rates.
    pub const RATES: u8 = 1;
    /// The channel.
    pub const DS_PARAMETER: u8 = 3;
    /// Traffic indication map.
    pub const TIM: u8 = 5;
    /// Protection of older stations.
    pub const ERP: u8 = 42;
    /// HT capabilities.
    pub const HT_CAPABILITIES: u8 = 45;
    /// Security.
    pub const RSN: u8 = 48;
    /// More supported rates.
    pub const EXTENDED_RATES: u8 = 50;
    /// HT operation.
    pub const HT_OPERATION: u8 = 61;
    /// Vendor-specific.
    pub const VENDOR: u8 = 221;

    /// Appends it to `out`.
    ///
    /// # Panics
    /// When it has more than 255 octets.
    pub fn emit(&self, out: &mut Packet) {
        out.put_u8(self.id);
        out.put_u8(u8::try_from(self.value.len()).expect("an element fits its length field"));
        out.put(self.value);
    }
}

/// The elements behind a fixed part; ends where one does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Elements<'a> {
    rest: &'a [u8],
}

impl<'a> Elements<'a> {
    /// Elements in `octets`.
    pub const fn new(octets: &'a [u8]) -> Self {
        Self { rest: octets }
    }

    /// The octets that have not been read.
    pub const fn octets(&self) -> &'a [u8] {
        self.rest
    }

    /// The first element `id`.
    pub fn find(mut self, id: u8) -> Option<&'a [u8]> {
        self.find_map(|element| (element.id == id).then_some(element.value))
    }
}

impl<'a> Iterator for Elements<'a> {
    type Item = Element<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        let [id, len, rest @ ..] = self.rest else { return None };
        let (value, rest) = rest.split_at_checked((*len).into())?;
        self.rest = rest;
        Some(Element { id: *id, value })
    }
}
