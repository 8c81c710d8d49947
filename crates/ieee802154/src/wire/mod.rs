//! Frames of the MAC, octet by octet, and what captures put in front of them.
//!
//! Frame versions 0 and 1 (7.2.2): those of 2003 and 2006, which every stack speaks for data and immediate acknowledgements.
//! Version 2, with information elements and sequence numbers that may be left out, is refused as [`FrameError::Version`].

mod address;
pub mod fcs;
mod frame;
mod frame_control;
mod security;
pub mod tap;

pub use address::{Address, Addressing, BROADCAST};
pub use frame::{Frame, FrameError, Header, ack, compose};
pub use frame_control::{FrameControl, FrameType};
pub use security::{AuxiliaryHeader, KeyIdMode, Level, Security, mic};
