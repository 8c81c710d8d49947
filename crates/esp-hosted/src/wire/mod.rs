//! The frame header, interface types, start-up TLVs, and fragments.
//!
//! A frame is a [`Header`] of 12 octets and a payload; [`Frame::new_checked`] proves both once. [`Frames`] walks what a read of
//! the bus brings, [`Line`] finds those of a UART, [`fragments`] and [`Reassembler`] carry messages that do not fit one frame, [`start`] is what both sides say
//! of themselves before anything else.

mod fragment;
mod frame;
mod header;
mod interface;
mod line;
pub mod start;

pub use fragment::{Fragment, FragmentError, FragmentFaults, MESSAGE_MAX, Order, Reassembler, fragments};
pub use frame::{Frame, FrameError, FrameFaults, Frames};
pub use header::{Flags, Header, Layout, Throttle, checksum};
pub use interface::{Bus, Interface, PRIORITIES, Priority, Transport};
pub use line::{Line, SILENCE};
