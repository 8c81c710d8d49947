//! Exceptions: the sentences of the command, by what was wrong.

use airtime_lab::PlanError as NotRead;
use airtime_study::FolderError as NotKept;
use airtime_study::request::Refused;
use pyo3::exceptions::PyException;
use pyo3::{PyErr, create_exception};

create_exception!(airtime, Error, PyException, "Whatever airtime refuses or cannot do, in the words of the command.");
create_exception!(airtime, InputError, Error, "A request that makes no sense: the command ends with 2 then.");
create_exception!(
    airtime,
    PlanError,
    InputError,
    "A plan or a personality that makes no sense, with file, line and column."
);
create_exception!(
    airtime,
    FolderError,
    Error,
    "A folder of records that cannot be read or written, or is somebody else's."
);

/// Reason that something was not done, on its way to an exception.
#[derive(Debug)]
pub enum Failure {
    /// The request makes no sense.
    Refused(String),
    /// A plan or personality makes no sense.
    Plan(NotRead),
    /// A run folder cannot be used.
    Folder(NotKept),
    /// It could not be done.
    Failed(String),
    /// An exception of the interpreter: Ctrl-C, or one of a callback.
    Raised(PyErr),
}

impl From<Refused> for Failure {
    fn from(Refused(says): Refused) -> Self {
        Self::Refused(says)
    }
}

impl From<NotRead> for Failure {
    fn from(error: NotRead) -> Self {
        Self::Plan(error)
    }
}

impl From<NotKept> for Failure {
    fn from(error: NotKept) -> Self {
        Self::Folder(error)
    }
}

impl From<PyErr> for Failure {
    fn from(error: PyErr) -> Self {
        Self::Raised(error)
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Refused(says) => InputError::new_err(says),
            Failure::Plan(error) => PlanError::new_err(error.to_string()),
            Failure::Folder(error) => FolderError::new_err(error.to_string()),
            Failure::Failed(says) => Error::new_err(says),
            Failure::Raised(error) => error,
        }
    }
}
