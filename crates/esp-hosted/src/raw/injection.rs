//! Injection: the frames that the chip sends of those it is given. `esp_wifi_80211_tx` in `esp_wifi.h`,
//! `docs/en/api-guides/wifi.rst` of ESP-IDF v5.5.1.

use airtime_ieee80211::wire::{Frame, FrameType, subtype};

/// The shortest frame, in octets without FCS.
pub const INJECTED_MIN: usize = 24;
/// Octets of the longest frame that is injected.
pub const INJECTED_MAX: usize = 1500;

/// Reason that the chip does not send a frame. All are invalid arguments to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InjectionError {
    /// Too short or too long.
    #[error("{0} octets; {INJECTED_MIN} to {INJECTED_MAX} are sent")]
    Length(usize),
    /// Not a frame.
    #[error("not an 802.11 frame")]
    NoFrame,
    /// A kind that is not sent.
    #[error("only beacons, probe requests and responses, actions and data without QoS are sent")]
    Kind,
    /// A sequence number of its own while the station is connected.
    #[error("while connected the driver numbers frames: set en_sys_seq")]
    Sequence,
}

/// Checks that the chip sends `frame`, which has no FCS.
///
/// # Errors
/// When it does not, and why.
pub fn check(frame: &[u8], system_sequence: bool, connected: bool) -> Result<(), InjectionError> {
    if !(INJECTED_MIN..=INJECTED_MAX).contains(&frame.len()) {
        return Err(InjectionError::Length(frame.len()));
    }
    let parsed = Frame::parse(frame).map_err(|_| InjectionError::NoFrame)?;
    let (Frame::Management { header, .. } | Frame::Data { header, .. }) = parsed else {
        return Err(InjectionError::Kind);
    };
    let control = header.control;
    let allowed = match control.kind() {
        FrameType::Management => matches!(
            control.subtype(),
            subtype::BEACON | subtype::PROBE_REQUEST | subtype::PROBE_RESPONSE | subtype::ACTION
        ),
        _ => !control.is_qos(),
    };
    if !allowed {
        return Err(InjectionError::Kind);
    }
    if connected && !system_sequence { Err(InjectionError::Sequence) } else { Ok(()) }
}
