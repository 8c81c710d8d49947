//! Filter of a co-processor that listens to everything: the frames it hands over.
//! `components/esp_wifi/include/esp_wifi_types_generic.h` of ESP-IDF v5.5.1, `WIFI_PROMIS_FILTER_MASK_*` and
//! `WIFI_PROMIS_CTRL_FILTER_MASK_*`.

use airtime_ieee80211::wire::{FrameControl, FrameType};

/// Kinds of frames that are handed over, a bit each.
///
/// The masks of ESP-IDF for kinds and for control frames have no bit in common, and the extension has one command for both: of
/// control frames those are handed over whose bits are set, and all if none is (*assumed*, the firmware is not public).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filter(pub u32);

impl Filter {
    /// Mask that takes management frames.
    pub const MANAGEMENT: Self = Self(1);
    /// Mask that takes control frames.
    pub const CONTROL: Self = Self(1 << 1);
    /// Mask that takes data frames.
    pub const DATA: Self = Self(1 << 2);
    /// Frames without octets: those of formats that the chip does not read.
    pub const MISC: Self = Self(1 << 3);
    /// Data frames that came alone.
    pub const DATA_MPDU: Self = Self(1 << 4);
    /// Data frames that came in an A-MPDU.
    pub const DATA_AMPDU: Self = Self(1 << 5);
    /// Frames with a wrong check.
    pub const FCS_FAIL: Self = Self(1 << 6);
    /// Mask that takes every frame.
    pub const ALL: Self = Self(0xFFFF_FFFF);
    /// All control frames, as a mask of their own. Bit 16 and the subtype, from subtype 7 on.
    pub const CONTROL_ALL: Self = Self(0xFF80_0000);

    /// Filter in force until one is set: management and data. The filter of kinds lets all pass but frames without
    /// octets, that of control frames none. `esp_wifi.h`, `esp_wifi_set_promiscuous_filter` and
    /// `esp_wifi_set_promiscuous_ctrl_filter`.
    pub const DEFAULT: Self = Self(Self::MANAGEMENT.0 | Self::DATA.0);

    /// Adds the bits of `other`.
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Adds control frames of `subtype`, 7..=15; others have no bit.
    pub const fn with_control(self, subtype: u8) -> Self {
        if subtype < 7 || subtype > 15 { self } else { Self(self.0 | Self::CONTROL.0 | 1 << (16 + subtype)) }
    }

    /// True if any bit of `other` is set.
    const fn any(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Tells if a frame of this kind is handed over.
    pub fn passes(self, control: FrameControl, aggregated: bool, fcs_ok: bool) -> bool {
        if !fcs_ok && !self.any(Self::FCS_FAIL) {
            return false;
        }
        match control.kind() {
            FrameType::Management => self.any(Self::MANAGEMENT),
            FrameType::Control => {
                let all = !self.any(Self::CONTROL_ALL);
                self.any(Self::CONTROL) && (all || self.any(Self(1 << (16 + u32::from(control.subtype())))))
            }
            FrameType::Data => {
                self.any(Self::DATA) || self.any(if aggregated { Self::DATA_AMPDU } else { Self::DATA_MPDU })
            }
            FrameType::Extension => self.any(Self::MISC),
        }
    }
}
