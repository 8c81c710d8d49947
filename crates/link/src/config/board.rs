//! Board that a build configuration makes: a plan as a link's configurations look at it, and what they set in it.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::any::Any;

use airtime_keys::{Fault, Key, Value};

use super::{File, Line};
use crate::{Ordered, Scenario};

/// End of a link whose ends differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The one that initiates the connection.
    Central,
    /// The one that advertises.
    Peripheral,
}

impl End {
    /// Name as keys and options write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Central => "central",
            Self::Peripheral => "peripheral",
        }
    }
}

/// Plan as the configurations of its link look at it.
pub trait Planned {
    /// Name of the link.
    fn link(&self) -> &str;

    /// Tells every point, with the values in effect of the keys that it shows.
    fn points(&self, told: &mut dyn FnMut(&dyn Scenario, &Ordered<Value>));

    /// Values that the plan sets for `key`: in the base, and in its rows.
    fn said(&self, key: &Key) -> Vec<Value>;

    /// Option, or axis of the grid, that stands above a board's setting of `key`; none where nothing does.
    fn above(&self, key: &Key) -> Option<String>;

    /// The device of this name, as its kind of personality is declared.
    fn device(&self, name: &str) -> Option<&dyn Any>;

    /// Name of the device that the one of this name is based on.
    fn based_on(&self, name: &str) -> Option<&str>;
}

/// A value that a line gives a key of the plan.
#[derive(Clone, Debug)]
pub struct Assigned {
    /// The key.
    pub key: &'static Key,
    /// Its value, checked.
    pub value: Value,
    /// The line, as the file writes it.
    pub line: String,
}

/// Device with a build configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuiltDevice {
    /// Name of the device that the plan names.
    pub base: String,
    /// Name of what it becomes.
    pub name: String,
    /// The file of its personality.
    pub text: String,
}

/// Settings that are built into a board, and the device that it becomes.
#[derive(Clone, Debug, Default)]
pub struct Board {
    /// End that the board is; none where the link has no such ends.
    pub end: Option<End>,
    /// Values of keys of the plan.
    pub set: Vec<Assigned>,
    /// Devices of the plan, with the configuration in them.
    pub devices: Vec<BuiltDevice>,
    /// Lines of the files, and those that they lack, with the fate of each.
    pub lines: Vec<Line>,
}

/// A file that is not for the plan: why, and at which line.
#[derive(Clone, Debug)]
pub struct Refused {
    /// Name of the file.
    pub file: String,
    /// Line and column from 1; none where it is the file as a whole.
    pub place: Option<(u32, u32)>,
    /// Reason, behind a pointer for the sake of what is returned instead.
    pub fault: Box<Fault>,
}

impl Refused {
    /// A refusal of all of `file`.
    pub fn whole(file: &File, fault: Fault) -> Self {
        Self { file: file.name.clone(), place: None, fault: Box::new(fault) }
    }
}

/// Text of a setting, as `--set` takes it: `coc.sdu=495`, `coc.credits={ initial = 10 }`.
pub fn set_argument(name: &str, value: &Value) -> String {
    format!("{name}={}", toml_text(value))
}

/// Text of a value as `--set` takes it: texts without quotes at the top.
pub fn toml_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.to_owned(),
        Value::Null => String::new(),
        Value::Object(table) => {
            let part = |(name, value): (&String, &Value)| format!("{name} = {value}");
            format!("{{ {} }}", table.iter().map(part).collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}
