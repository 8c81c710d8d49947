//! Errors of an update, or of a boot.

use core::fmt;

use crate::flash::StorageError;

/// Reason that the co-processor refuses a step of an update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SlotError {
    /// Nothing was begun.
    NotBegun,
    /// On trial: the firmware that runs has to be confirmed before it may be replaced.
    OnTrial,
    /// The first write is too short for header and description.
    TooShort,
    /// It is no image for this chip, or damaged.
    Invalid,
    /// More than the slot has room for.
    TooLong,
    /// There is no update that ended well to activate.
    NotComplete,
    /// The flash fails.
    Storage(StorageError),
}

impl SlotError {
    /// The `esp_err_t` of the answer.
    pub fn code(self) -> u32 {
        match self {
            // ESP_ERR_INVALID_ARG: esp_ota_write and esp_ota_end know no such handle.
            Self::NotBegun => 0x102,
            // ESP_ERR_OTA_ROLLBACK_INVALID_STATE.
            Self::OnTrial => 0x1506,
            // ESP_ERR_INVALID_SIZE.
            Self::TooShort | Self::TooLong => 0x104,
            // ESP_ERR_OTA_VALIDATE_FAILED.
            Self::Invalid => 0x1503,
            // ESP_ERR_INVALID_STATE. The published handler answers ESP_OK here and does nothing, which no host can tell from
            // success.
            Self::NotComplete => 0x103,
            // ESP_ERR_FLASH_OP_FAIL.
            Self::Storage(_) => 0x6001,
        }
    }
}

impl From<StorageError> for SlotError {
    fn from(error: StorageError) -> Self {
        Self::Storage(error)
    }
}

impl fmt::Display for SlotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotBegun => f.write_str("no update was begun"),
            Self::OnTrial => f.write_str("what runs is on trial itself"),
            Self::TooShort => f.write_str("the first write is too short for header and description"),
            Self::Invalid => f.write_str("the image is not for this chip, or damaged"),
            Self::TooLong => f.write_str("the image is longer than the slot"),
            Self::NotComplete => f.write_str("no update ended well"),
            Self::Storage(error) => write!(f, "{error}"),
        }
    }
}

impl core::error::Error for SlotError {}

/// Reason that a co-processor does not boot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BootError {
    /// Its partition table has no `otadata` and two slots, or its flash is too small.
    Layout,
    /// No slot holds a whole image.
    NoImage,
    /// The flash fails.
    Storage(StorageError),
}

impl From<StorageError> for BootError {
    fn from(error: StorageError) -> Self {
        Self::Storage(error)
    }
}

impl fmt::Display for BootError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Layout => f.write_str("the table has no otadata and two slots that fit the flash"),
            Self::NoImage => f.write_str("no slot holds a whole image"),
            Self::Storage(error) => write!(f, "{error}"),
        }
    }
}

impl core::error::Error for BootError {}
