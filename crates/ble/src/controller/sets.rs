//! Advertising sets of extended commands. Core 6.0, Vol 4, Part E, 7.8.52 to 7.8.60.

use alloc::vec::Vec;

use crate::ll::advertising::Parameters;

/// Sets a controller holds. The specification leaves the number open; assumed.
pub const SETS_MAX: u8 = 4;
/// Octets of advertising or scan response data of a set: what fits one AUX_ADV_IND with every field of its header,
/// and one report. Core 6.0, Vol 4, Part E, 7.8.57 asks for at least 31.
pub const DATA_OCTETS_MAX: u16 = 229;

/// Operation of a command on data that comes in parts. Core 6.0, Vol 4, Part E, 7.8.54.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fragment {
    /// Neither the first part nor the last.
    Intermediate,
    /// The first of several.
    First,
    /// The last of several.
    Last,
    /// Complete data in one part.
    Complete,
    /// None: only the DID changes.
    Unchanged,
}

impl Fragment {
    /// From the Operation parameter.
    pub const fn from_hci(value: u8) -> Option<Self> {
        Some(match value {
            0 => Self::Intermediate,
            1 => Self::First,
            2 => Self::Last,
            3 => Self::Complete,
            4 => Self::Unchanged,
            _ => return None,
        })
    }
}

/// Data that comes in parts.
#[derive(Clone, Debug, Default)]
pub struct Data {
    /// Octets collected so far.
    pub octets: Vec<u8>,
    /// More is to come.
    pub partial: bool,
}

/// The data would be longer than a set holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLong;

impl Data {
    /// Takes a part in.
    ///
    /// # Errors
    /// [`TooLong`] when there is no room for it.
    pub fn take(&mut self, fragment: Fragment, part: &[u8]) -> Result<(), TooLong> {
        let begins = matches!(fragment, Fragment::First | Fragment::Complete);
        let kept = if begins || fragment == Fragment::Unchanged { 0 } else { self.octets.len() };
        if kept + part.len() > usize::from(DATA_OCTETS_MAX) {
            return Err(TooLong);
        }
        if begins {
            self.octets.clear();
        }
        self.octets.extend_from_slice(part);
        self.partial = matches!(fragment, Fragment::First | Fragment::Intermediate);
        Ok(())
    }
}

/// One advertising set.
#[derive(Clone, Debug)]
pub struct Set {
    /// Handle the host has given it.
    pub handle: u8,
    /// Advertising parameters; the data of a running advertiser is a copy of `data` and `response`.
    pub parameters: Parameters,
    /// Advertising data.
    pub data: Data,
    /// Scan response data.
    pub response: Data,
}
