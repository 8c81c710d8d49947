//! Settings of a build configuration in a plan: of one of its devices, wherever that device is the one a key is about.

use airtime_keys::Key;
use airtime_link::config::{self, Assigned, BuiltDevice, Configurations, End};

use super::settings::{Assignment, Settings};
use crate::personality::Library;
use crate::schema;
use crate::toml::tree::{Data, Node};
use crate::toml::{Place, PlanError};

/// Settings that are built into a board.
#[derive(Clone, Debug, Default)]
pub struct BoardSettings {
    /// Configurations of its link, and the end that the board is; none where the link has no such ends.
    end: Option<(&'static dyn Configurations, End)>,
    /// Values of keys of the plan.
    set: Vec<Assignment>,
    /// Names of devices, and of what each becomes with the configuration.
    devices: Vec<(String, String)>,
    /// Options of the command line that name the files, for the replay of a record.
    pub arguments: Vec<String>,
}

impl BoardSettings {
    /// The settings of `board`, which configurations of the link `own` made, and `library` with its devices.
    ///
    /// # Errors
    /// When one of the devices is impossible.
    pub fn built(
        own: &'static dyn Configurations,
        board: config::Board,
        arguments: Vec<String>,
        library: &Library,
    ) -> Result<(Self, Library), PlanError> {
        let library = with_devices(library, &board.devices)?;
        let devices = board.devices.into_iter().map(|device| (device.base, device.name)).collect();
        let set = board.set.into_iter().map(assignment).collect();
        Ok((Self { end: board.end.map(|end| (own, end)), set, devices, arguments }, library))
    }

    /// Tells if `key` is set by the board at every point, whichever way the stream goes.
    pub fn sets(&self, key: &Key) -> bool {
        let owns = self.end.is_none_or(|(own, end)| own.always_owns(end, key));
        owns && self.set.iter().any(|assignment| assignment.key.name == key.name)
    }

    /// Puts everything into `settings` that is the board's at this point and not `fixed`.
    pub fn put(&self, file: &str, settings: &mut Settings, fixed: &dyn Fn(&Key) -> bool) -> Result<(), PlanError> {
        if self.set.is_empty() && self.devices.is_empty() {
            return Ok(());
        }
        // Which of them are its own is asked of the plan as it is without them.
        let owned =
            |assignment: &&Assignment| self.end.is_none_or(|(own, end)| own.owns(end, assignment.key, settings));
        let own: Vec<&Assignment> = self.set.iter().filter(owned).collect();
        for assignment in own.into_iter().filter(|assignment| !fixed(assignment.key)) {
            settings.assign(file, assignment)?;
        }
        let Some(key) = self.end.and_then(|(own, end)| own.personality(end)) else { return Ok(()) };
        let name = settings.text(key.name).unwrap_or_default();
        let built = self.devices.iter().find(|(base, _)| base == name).map(|(_, built)| built.clone());
        if let (Some(built), Some(key)) = (built, schema::find(key.name)) {
            settings.replace(key, built.into());
        }
        Ok(())
    }
}

/// `library` with the devices that a board makes.
///
/// # Errors
/// When one of them is impossible.
pub fn with_devices(library: &Library, devices: &[BuiltDevice]) -> Result<Library, PlanError> {
    let mut library = library.clone();
    devices.iter().try_for_each(|device| library.add(&device.name, &device.text))?;
    Ok(library)
}

/// The setting that a line of a file is.
fn assignment(assigned: Assigned) -> Assignment {
    let place = Place::Flag(assigned.line);
    Assignment { key: assigned.key, place: place.clone(), node: Node { place, data: Data::Value(assigned.value) } }
}
