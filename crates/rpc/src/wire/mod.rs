//! Octets of the published protocol, all little-endian. A [`Container`] is one frame: one value of the characteristic or one SDU.
//! The payloads of a transaction's containers, joined, are one [`Command`], in the clear or sealed; a [`Control`] is the
//! payload of a control container.

mod command;
mod container;
mod control;

pub use command::{Command, CommandError, CommandHeader, Direction};
pub use container::{Container, ContainerError, Content, FIRST_HEADER, HEADER, Header, HeaderKind};
pub use control::{Capabilities, Control, ControlCode, ControlError, PeerError};
