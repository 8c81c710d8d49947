//! The build that a file is of, and the links that have such files.

use std::cmp::Ordering;

use airtime_keys::Fault;
use airtime_link::config::{Build, File, Setting};

use crate::links;
use crate::schema::{KEYS, scope};
use crate::toml::PlanError;
use crate::toml::error::{At, Place};

/// The build that `file` is of: what most of its telling lines say, else its name; nothing where neither tells.
pub fn build_of(file: &File) -> Option<Build> {
    let count = |build| file.config.settings().iter().filter(|line| has(build, line)).count();
    match count(Build::Esp).cmp(&count(Build::Zephyr)) {
        Ordering::Greater => Some(Build::Esp),
        Ordering::Less => Some(Build::Zephyr),
        Ordering::Equal => Build::named(&file.name),
    }
}

/// Refuses a file of another build than `build`.
///
/// # Errors
/// At the first line that tells.
pub fn expect(build: Build, file: &File) -> Result<(), PlanError> {
    if !matches!(build, Build::Esp | Build::Zephyr) {
        return Ok(());
    }
    let Some(other) = build_of(file).filter(|other| *other != build) else { return Ok(()) };
    let line = file.config.settings().iter().find(|line| has(other, line));
    let place = line.map_or(Place::File, |line| Place::Line { line: line.line, column: line.column });
    let said = line.map_or_else(String::new, |line| format!("{} is {}: ", line.name, other.whose()));
    let what = format!(
        "{said}the file is {}, and not {}; {} FILE takes it",
        other.article(),
        build.article(),
        other.argument()
    );
    Err(Fault::new(what).at(&file.name, place))
}

/// Refuses a plan of a link no device of which is built so.
///
/// # Errors
/// With the links that are.
pub fn concerns(build: Build, link: &str, file: &File) -> Result<(), PlanError> {
    if links_of(build).any(|known| known == link) {
        return Ok(());
    }
    let links: Vec<&str> = links_of(build).collect();
    let what = format!("no device of the link `{link}` has {}; those of {} have", build.article(), links.join(", "));
    Err(Fault::new(what).at(&file.name, Place::File))
}

/// Links with a key that is an option of it.
fn links_of(build: Build) -> impl Iterator<Item = &'static str> {
    let names = links::ALL.iter().flat_map(|link| link.names().iter().copied());
    names.filter(move |link| {
        let options = KEYS.iter().filter(|key| scope(key).covers(link)).flat_map(|key| key.config.iter());
        options.into_iter().any(|option| build.is_of(option.side))
    })
}

/// Tells if `line` is an option of this build alone: its name begins so, or it is one that a key is.
fn has(build: Build, line: &Setting) -> bool {
    let bare = |name: &str| name.strip_prefix("CONFIG_").unwrap_or(name).to_owned();
    let mut options = KEYS.iter().flat_map(|key| key.config);
    build.begins(line)
        || match build {
            // What is built into a chip with a radio of its own has names that Zephyr has as well.
            Build::Esp => {
                let name = bare(&line.name);
                options.any(|option| option.side.is_hosted() && option.config.strip_prefix("CONFIG_") == Some(&*name))
            }
            Build::Zephyr => options.any(|option| build.is_of(option.side) && option.config == line.name),
            Build::SoftDevice | Build::Mynewt => false,
        }
}

#[cfg(test)]
mod tests {
    use super::*;
    use airtime_link::config::Configuration;

    fn file(name: &str, text: &str) -> File {
        File { name: name.to_owned(), config: Configuration::parse(name, text).unwrap() }
    }

    #[test]
    fn a_file_is_of_the_build_that_its_lines_tell_or_its_name() {
        let of = |name: &str, text: &str| build_of(&file(name, text));
        assert_eq!(of("own", "CONFIG_BT=y\nCONFIG_BT_BUF_ACL_TX_SIZE=251\n"), Some(Build::Zephyr));
        assert_eq!(of("prj.conf", "CONFIG_LWIP_TCP_WND_DEFAULT=65534\n"), Some(Build::Esp));
        assert_eq!(of("a/sdkconfig.defaults", "CONFIG_BT_ENABLED=y\nCONFIG_BT_NIMBLE_ENABLED=y\n"), Some(Build::Esp));
        assert_eq!(of("a/prj.conf", "CONFIG_BT=y\n"), Some(Build::Zephyr));
        assert_eq!(of("sdkconfig.ci", "CONFIG_BT=y\n"), Some(Build::Esp));
        assert_eq!(of("own", "CONFIG_BT=y\n"), None);
        assert_eq!(of("own", ""), None);
    }

    #[test]
    fn another_build_is_refused_at_the_line_that_tells() {
        let zephyr = file("own.txt", "CONFIG_BT=y\nCONFIG_BT_CTLR_PHY_2M=y\n");
        assert_eq!(expect(Build::Zephyr, &zephyr), Ok(()));
        let said = expect(Build::Esp, &zephyr).unwrap_err().to_string();
        assert!(
            said.starts_with("own.txt:2:1: CONFIG_BT_CTLR_PHY_2M is Zephyr's") && said.contains("--prj-conf"),
            "{said}"
        );
        let said = expect(Build::Zephyr, &file("own", "CONFIG_IDF_TARGET=\"esp32s3\"\n")).unwrap_err().to_string();
        assert!(said.contains("an sdkconfig of ESP-IDF, and not a prj.conf") && said.contains("--sdkconfig"), "{said}");
    }

    #[test]
    fn links_have_the_builds_of_their_devices() {
        let is = |build: Build, link: &str| concerns(build, link, &file("f", "")).is_ok();
        assert!(is(Build::Esp, "wifi-hosted") && !is(Build::Zephyr, "wifi-hosted"));
        assert!(is(Build::SoftDevice, "ble-gatt") && is(Build::Mynewt, "ble-coc") && !is(Build::Mynewt, "wifi-hosted"));
        for link in ["ble-coc", "ble-gatt", "ble-rpc"] {
            assert!(is(Build::Zephyr, link) && is(Build::Esp, link), "{link}");
        }
        for link in ["nrf24-ip", "ieee802154"] {
            assert!(!is(Build::Zephyr, link) && !is(Build::Esp, link), "{link}");
        }
        assert!(concerns(Build::Esp, "nrf24-ip", &file("f", "")).unwrap_err().to_string().contains("wifi-hosted"));
    }
}
