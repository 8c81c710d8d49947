//! Lists as documents: what a program reads names its schema, and the version that printed it.

use serde::Serialize;
use serde::ser::SerializeMap;

/// Document of a list: an object with `schema`, `airtime` and the entries under the list's own name.
#[derive(Clone, Copy, Debug)]
pub struct List<'a, T> {
    /// Schema of the document, such as `airtime/keys/1`.
    pub schema: &'static str,
    /// Name of the list in it.
    pub name: &'static str,
    /// The entries, in their order.
    pub entries: &'a [T],
}

impl<T: Serialize> Serialize for List<'_, T> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut document = serializer.serialize_map(Some(3))?;
        document.serialize_entry("schema", self.schema)?;
        document.serialize_entry("airtime", env!("CARGO_PKG_VERSION"))?;
        document.serialize_entry(self.name, self.entries)?;
        document.end()
    }
}
