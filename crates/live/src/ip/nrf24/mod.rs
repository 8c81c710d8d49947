//! Two virtual nodes in real time between two TUN devices: what runs in one namespace reaches the other by nothing but the
//! radios.
//!
//! - [`Nodes`]: the two nodes, and what starts their programs · [`link`]: those of a plan, as a [`PacedLink`](crate::ip::PacedLink)
//! - [`Commanded`]: a link whose ends are killed and started in the middle, by [`Command`]s

mod command;
mod commanded;
mod killable;
mod nodes;
mod report;
mod stations;
mod tun_user;
mod watch;

pub use command::{Command, Commands};
pub use commanded::Commanded;
pub use killable::Killable;
pub use nodes::{Nodes, Starter};
pub use report::{Directions, EndFigures, LinkReport, TrafficReport, mode_name};
pub use stations::{Program, agreed, link};
pub use watch::{Watch, drop_name};

/// Name of the device of each end, in its own namespace; the published report's name.
pub const DEVICE: &str = "longge";
