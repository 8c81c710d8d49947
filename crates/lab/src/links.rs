//! The registry: every kind of link that declares itself. A new kind is one crate, and one line here.

pub use airtime_link::{Link, Scenario};

/// Kinds of link that the laboratory knows by what they declare, in the order of documentation.
pub const DECLARED: &[&dyn Link] = &[&airtime_ieee802154::plan::Ieee802154];

/// The kind of link that has this name.
pub fn find(name: &str) -> Option<&'static dyn Link> {
    DECLARED.iter().copied().find(|link| link.names().contains(&name))
}
