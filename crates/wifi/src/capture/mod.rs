//! Captures of Wi-Fi: 802.11 frames for Wireshark, and the time line of a run for Perfetto.

mod monitor;
mod timeline;

pub use monitor::WifiCapture;
pub use timeline::TimelineCapture;
