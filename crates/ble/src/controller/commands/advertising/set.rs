//! One advertising set and its data. Core 6.0, Vol 4, Part E, 7.8.54 and 7.8.55.

use alloc::vec::Vec;

use crate::hci::Status;
use crate::ll::advertising::{Kind, Parameters};

/// Octets of advertising or scan response data of a set: what fits one AUX_ADV_IND with every field of its header,
/// and one report. Core 6.0, Vol 4, Part E, 7.8.57 asks for at least 31.
pub const DATA_OCTETS_MAX: u16 = 229;

/// Octets of legacy advertising data.
const LEGACY_DATA_MAX: usize = 31;

/// Selector of the data of a set that a command is about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// Advertising data.
    Advertising,
    /// Scan response data.
    Response,
}

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

impl Set {
    /// Takes a part of its data; `runs` while it advertises.
    ///
    /// # Errors
    /// The status for the host. Nothing was done then.
    pub fn take_data(&mut self, which: Which, fragment: Fragment, part: &[u8], runs: bool) -> Result<(), Status> {
        let whole = matches!(fragment, Fragment::Complete | Fragment::Unchanged);
        let kind = self.parameters.kind;
        let data = if which == Which::Advertising { &mut self.data } else { &mut self.response };
        let nothing = part.is_empty() && !whole;
        let unchanged = fragment == Fragment::Unchanged
            && (!part.is_empty() || data.octets.is_empty() || which == Which::Response || !runs);
        let continues = !matches!(fragment, Fragment::Intermediate | Fragment::Last) || data.partial;
        let legacy = !matches!(kind, Kind::Extended(_)) && fragment != Fragment::Complete;
        if nothing || unchanged || !continues || legacy || !data_fits(&kind, which, part.len()) {
            return Err(Status::INVALID_PARAMETERS);
        }
        if runs && !whole {
            return Err(Status::COMMAND_DISALLOWED);
        }
        data.take(fragment, part).map_err(|_| Status::MEMORY_EXCEEDED)?;
        if let Kind::Extended(extended) = &mut self.parameters.kind {
            // A new DID tells scanners that the data is new. Core 6.0, Vol 6, Part B, 4.4.2.11.
            extended.did = extended.did.wrapping_add(1) & 0x0fff;
        }
        Ok(())
    }

    /// Tells if its kind of events takes the data it has.
    pub fn fits(&self) -> bool {
        let kind = &self.parameters.kind;
        data_fits(kind, Which::Advertising, self.data.octets.len())
            && data_fits(kind, Which::Response, self.response.octets.len())
    }

    /// Tells if nothing is missing of what it advertises.
    pub fn is_complete(&self) -> bool {
        let kind = &self.parameters.kind;
        let missing = matches!(kind, Kind::Extended(_)) && kind.is_scannable() && self.response.octets.is_empty();
        !(self.data.partial || self.response.partial || missing)
    }
}

/// Tells if events of this kind take so much data of this sort.
fn data_fits(kind: &Kind, which: Which, octets: usize) -> bool {
    let takes = match which {
        Which::Advertising => kind.has_data(),
        Which::Response => kind.is_scannable(),
    };
    let most = match (takes, kind) {
        (false, _) => 0,
        (true, Kind::Extended(_)) => usize::from(DATA_OCTETS_MAX),
        (true, _) => LEGACY_DATA_MAX,
    };
    octets <= most
}
