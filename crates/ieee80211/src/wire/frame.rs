//! Any frame, read.

use airtime_core::bytes::Reader;

use super::control::Control;
use super::fcs;
use super::frame_control::{FrameControl, FrameType};
use super::header::Header;
use super::management::Management;

/// Reason that octets are no frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FrameError {
    /// It ends before its header or its fixed fields do.
    #[error("a frame of {0} octets, too short for its kind")]
    Short(usize),
    /// Another version of the protocol.
    #[error("protocol version {0}")]
    Version(u8),
    /// Its check is wrong.
    #[error("the frame check sequence is wrong")]
    Fcs,
}

/// A frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame<'a> {
    /// Management.
    Management {
        /// Header of the frame.
        header: Header,
        /// Body of the frame.
        body: Management<'a>,
    },
    /// Control.
    Control(Control<'a>),
    /// Data.
    Data {
        /// Header of the frame.
        header: Header,
        /// Octets that follow the header: an MSDU, or its encrypted form.
        payload: &'a [u8],
    },
    /// Extension.
    Extension(FrameControl),
}

impl<'a> Frame<'a> {
    /// Reads a frame without FCS.
    ///
    /// # Errors
    /// When it is too short for its kind, or of another version.
    pub fn parse(octets: &'a [u8]) -> Result<Self, FrameError> {
        let short = FrameError::Short(octets.len());
        let mut reader = Reader::new(octets);
        let control = FrameControl(reader.u16().ok_or(short)?);
        if control.version() != 0 {
            return Err(FrameError::Version(control.version()));
        }
        let frame = match control.kind() {
            FrameType::Control => Control::parse(control, reader.rest()).map(Self::Control),
            FrameType::Extension => Some(Self::Extension(control)),
            FrameType::Management => Header::parse(control, &mut reader).and_then(|header| {
                let body = Management::parse(control, reader.rest())?;
                Some(Self::Management { header, body })
            }),
            FrameType::Data => {
                Header::parse(control, &mut reader).map(|header| Self::Data { header, payload: reader.rest() })
            }
        };
        frame.ok_or(short)
    }

    /// Reads a frame with FCS.
    ///
    /// # Errors
    /// When the check is wrong, or the frame is none.
    pub fn parse_checked(octets: &'a [u8]) -> Result<Self, FrameError> {
        Self::parse(fcs::check(octets).ok_or(FrameError::Fcs)?)
    }
}
