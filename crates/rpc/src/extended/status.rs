//! Statuses by their numbers on the wire.

use crate::Status;

/// The status of `code`; none for one of a later version.
pub(super) fn of_code(code: u8) -> Option<Status> {
    const ALL: [Status; 8] = [
        Status::UnknownCommand,
        Status::BadArgument,
        Status::Busy,
        Status::TooLarge,
        Status::Cancelled,
        Status::Deadline,
        Status::Internal,
        Status::Lost,
    ];
    ALL.into_iter().find(|status| *status as u8 == code)
}
