//! Keys of ESP-NOW: whom frames are for, and how an application hands over the next one.

use airtime_core::Duration;
use airtime_keys::{Keys, Words};

use super::Context;
use crate::wire::espnow::Version;

/// Keys of a plan's `[espnow]` table. The rate of its frames is that of `[wifi]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Keys)]
#[keys(table = "espnow", context = Context)]
pub struct EspNow {
    /// Receiver of the frames: one peer, who acknowledges each, and is sent it again otherwise; or everybody, and nobody acknowledges.
    #[key(default = "unicast", when = Context::is_espnow, whose = Application, mechanism = Answers)]
    pub to: Receiver,
    /// Version of the protocol: a body has up to 250 octets in 1.0, up to 1470 in 2.0, which ESP-IDF has from 5.4 on.
    #[key(default = "2.0", when = Context::is_espnow, whose = Application, mechanism = Packet)]
    pub version: Version,
    /// Encryption of frames for a peer whose key is set (LMK): 16 octets of CCMP in each.
    #[key(default = false, when = Context::is_espnow, whose = Application, mechanism = Packet, guards = Security)]
    pub encrypted: bool,
    /// Frames that are handed over before the send callback of the first of them: with 1 the next one follows the callback of the last, as ESP-IDF's
    /// documentation recommends.
    #[key(range = 1..=32, default = 1, when = Context::is_espnow, whose = Application, mechanism = Underway, way = More)]
    pub in_flight: u8,
    /// Time from a send callback until the next frame is in a transmit buffer: the callback in the Wi-Fi task, the switch to the task that
    /// sends, `esp_now_send`. It is published for no chip: none, *assumed*.
    #[key(range = "0us"..="1s", default = "0us", when = Context::is_espnow, whose = Machine, mechanism = Cpu, way = Less)]
    pub call: Duration,
}

/// Receiver of frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Words)]
pub enum Receiver {
    /// One peer.
    Unicast,
    /// Everybody.
    Broadcast,
}
