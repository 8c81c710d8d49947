//! Events of stations, and who else hears of them.

use airtime_ble::network::Observer;
use airtime_ble_link::station::StationOutput;

/// Event of a station besides H4 packets: only our own hosts have any.
pub type Event = StationOutput;

/// Sink of everything that happens, such as a capture.
pub type Sink = Box<dyn Observer<Event>>;
