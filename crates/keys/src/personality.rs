//! Kinds of personality: files about a device, or about a chain of devices.

use crate::{Fault, Keys};

/// A device, or a chain of devices, as a file describes it.
///
/// A key in a table has a value, a status and a source in the file; a key in no table is a value alone.
///
/// ```
/// use airtime_core::Duration;
/// use airtime_keys::{Key, Keys, Personality, Value};
///
/// /// Properties of a radio that hops.
/// #[derive(Clone, Debug, PartialEq, Keys)]
/// #[keys(table = "radio", required)]
/// struct Radio {
///     /// Time between two hops.
///     #[key(range = "1ms"..="1s")]
///     hop: Duration,
///     /// Time after which it rests.
///     #[key(range = "1s"..="1h")]
///     rest: Option<Duration>,
/// }
///
/// /// A device with such a radio.
/// #[derive(Clone, Debug, PartialEq, Keys)]
/// #[keys(table = "", required)]
/// struct Hopper {
///     /// Set if somebody has one.
///     #[key(default = true)]
///     built: bool,
///     /// Its radio.
///     #[key(nested)]
///     radio: Radio,
/// }
///
/// impl Personality for Hopper {
///     const LINK: &'static str = "hopping";
///     const ABOUT: &'static str = "a radio that hops";
/// }
///
/// let names: Vec<&str> = Hopper::KEYS.iter().map(|key| key.name).collect();
/// assert_eq!(names, ["built", "radio.hop", "radio.rest"]);
///
/// let said = |key: &Key| match key.name {
///     "radio.hop" => Some(Value::from("5ms")),
///     "radio.rest" => Some(Value::from("none")),
///     _ => None,
/// };
/// let hopper = Hopper::read(&said).unwrap();
/// let radio = Radio { hop: Duration::from_millis(5), rest: None };
/// assert_eq!(hopper, Hopper { built: true, radio });
///
/// // A key without a default has to be there.
/// let missing = Hopper::read(&|key: &Key| (key.name == "radio.rest").then(|| Value::from("5s"))).unwrap_err();
/// assert_eq!((missing.what.as_str(), missing.about[0]), ("`radio.hop` is missing", "radio.hop"));
/// ```
pub trait Personality: Keys<Context = ()> {
    /// Word of the key `link` in files of this kind.
    const LINK: &'static str;

    /// Noun with its article, for sentences: `a Bluetooth LE device`.
    const ABOUT: &'static str;

    /// Refuses values that do not belong together.
    ///
    /// # Errors
    /// The first of them, and why.
    fn check(&self) -> Result<(), Fault> {
        Ok(())
    }
}
