//! A host's options without a line, and lines that no build takes.

use airtime_link::config::Configuration;

use super::silent::{SILENT, SPIRAM, SPIRAM_IGNORED, STATIC_TX, Silent, TX_BUFFERS};

/// Options of which `config` has no line, each with what is built without one.
pub fn silent(config: &Configuration) -> impl Iterator<Item = (&'static Silent, &'static str)> {
    defaults(config).filter(|(silent, _)| config.get(silent.option).is_none())
}

/// Value that an option of a host has without a line; none where the build has no such option, or the default is not known.
pub fn default(config: &Configuration, option: &str) -> Option<&'static str> {
    defaults(config).find(|(silent, _)| silent.option == option).map(|(_, value)| value)
}

/// Tells if `option` depends on what `config` does not choose: Kconfig leaves such a line out. Transmit buffers are either static or dynamic,
/// and in external memory they are static.
pub fn unmet(config: &Configuration, option: &str) -> bool {
    let [dynamic, fixed] = TX_BUFFERS;
    let is_static = spiram(config) || config.chosen(STATIC_TX[0], &STATIC_TX);
    (option == dynamic && is_static) || (option == fixed && !is_static)
}

/// Defaults of the options that the build has.
fn defaults(config: &Configuration) -> impl Iterator<Item = (&'static Silent, &'static str)> {
    let spiram = spiram(config);
    let met = SILENT.iter().filter(|silent| !unmet(config, silent.option));
    met.map(move |silent| (silent, if spiram { silent.spiram } else { silent.value }))
}

/// Tells if Wi-Fi and lwIP are allocated in external memory first.
fn spiram(config: &Configuration) -> bool {
    config.on(SPIRAM) && !config.on(SPIRAM_IGNORED)
}
