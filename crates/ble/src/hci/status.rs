//! Error codes of Core 6.0, Vol 1, Part F.

use core::fmt;

/// An HCI status or disconnect reason.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Status(pub u8);

macro_rules! statuses {
    ($($name:ident = $code:literal, $text:literal;)*) => {
        impl Status {
            $(#[doc = $text] pub const $name: Self = Self($code);)*

            /// The name in the specification.
            pub const fn text(self) -> &'static str {
                match self.0 {
                    $($code => $text,)*
                    _ => "unknown error code",
                }
            }
        }
    };
}

statuses! {
    SUCCESS = 0x00, "success";
    UNKNOWN_COMMAND = 0x01, "unknown HCI command";
    UNKNOWN_CONNECTION = 0x02, "unknown connection identifier";
    MEMORY_EXCEEDED = 0x07, "memory capacity exceeded";
    CONNECTION_TIMEOUT = 0x08, "connection timeout";
    CONNECTION_LIMIT = 0x09, "connection limit exceeded";
    ALREADY_CONNECTED = 0x0b, "connection already exists";
    COMMAND_DISALLOWED = 0x0c, "command disallowed";
    UNSUPPORTED_FEATURE = 0x11, "unsupported feature or parameter value";
    INVALID_PARAMETERS = 0x12, "invalid HCI command parameters";
    REMOTE_USER_TERMINATED = 0x13, "remote user terminated connection";
    LOCAL_HOST_TERMINATED = 0x16, "connection terminated by local host";
    PIN_OR_KEY_MISSING = 0x06, "PIN or key missing";
    UNSUPPORTED_REMOTE_FEATURE = 0x1a, "unsupported remote feature";
    INVALID_LL_PARAMETERS = 0x1e, "invalid LL parameters";
    LL_RESPONSE_TIMEOUT = 0x22, "LL response timeout";
    LL_PROCEDURE_COLLISION = 0x23, "LL procedure collision";
    INSTANT_PASSED = 0x28, "instant passed";
    DIFFERENT_TRANSACTION_COLLISION = 0x2a, "different transaction collision";
    PARAMETER_OUT_OF_MANDATORY_RANGE = 0x30, "parameter out of mandatory range";
    REMOTE_LOW_RESOURCES = 0x14, "remote device terminated connection due to low resources";
    REMOTE_POWER_OFF = 0x15, "remote device terminated connection due to power off";
    AUTHENTICATION_FAILURE = 0x05, "authentication failure";
    UNIT_KEY_PAIRING = 0x29, "pairing with unit key not supported";
    ADVERTISING_TIMEOUT = 0x3c, "advertising timeout";
    UNKNOWN_ADVERTISING_IDENTIFIER = 0x42, "unknown advertising identifier";
    LIMIT_REACHED = 0x43, "limit reached";
    PACKET_TOO_LONG = 0x45, "packet too long";
    CONTROLLER_BUSY = 0x3a, "controller busy";
    UNACCEPTABLE_PARAMETERS = 0x3b, "unacceptable connection parameters";
    MIC_FAILURE = 0x3d, "connection terminated due to MIC failure";
    FAILED_TO_ESTABLISH = 0x3e, "connection failed to be established";
}

impl Status {
    /// True for success.
    pub const fn is_success(self) -> bool {
        self.0 == 0
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0x{:02X} {}", self.0, self.text())
    }
}
