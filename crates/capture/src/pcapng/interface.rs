//! Interfaces as a section describes them (4.2).

use alloc::string::String;

use super::block::Fields;
use super::error::Fault;
use super::time::Resolution;
use super::{IF_NAME, IF_TSOFFSET, IF_TSRESOL};

/// Octets of a name that are kept.
const NAME_MAX: usize = 256;

/// An interface of a section, or the only one of a classic capture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interface {
    /// Link type of its packets.
    pub link_type: u16,
    /// Its name, cut after 256 octets; empty without one.
    pub name: String,
    /// Unit of its stamps.
    pub resolution: Resolution,
    /// Seconds to add to its stamps.
    pub offset_s: i64,
}

impl Interface {
    /// An interface of a classic capture.
    pub(super) fn classic(link_type: u16, resolution: Resolution) -> Self {
        Self { link_type, name: String::new(), resolution, offset_s: 0 }
    }

    /// Reads the body of an interface description block.
    pub(super) fn parse(mut fields: Fields<'_>) -> Result<Self, Fault> {
        let short = Fault::BlockLength(super::BLOCK_FRAMING as u32);
        let link_type = fields.u16().ok_or(short)?;
        let _reserved = fields.u16().ok_or(short)?;
        let _snap_length = fields.u32().ok_or(short)?;
        let mut interface = Self::classic(link_type, Resolution::MICROSECONDS);
        while let Some((code, value)) = fields.option()? {
            let wrong = Fault::Option(code);
            match code {
                IF_NAME => {
                    interface.name = String::from_utf8_lossy(&value[..value.len().min(NAME_MAX)]).into_owned();
                }
                IF_TSRESOL => {
                    let &[octet] = value else { return Err(wrong) };
                    interface.resolution = Resolution::of(octet);
                }
                IF_TSOFFSET => interface.offset_s = fields.order.i64(value.try_into().map_err(|_| wrong)?),
                _ => {}
            }
        }
        Ok(interface)
    }
}
