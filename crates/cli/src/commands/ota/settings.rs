//! Settings that `--set` of `airtime ota run` changes.

use airtime_core::Duration;
use airtime_core::units::Frequency;
use airtime_lab::spelling;
use airtime_ota::hosted::SessionConfig;

use crate::exit::Failure;

/// Keys, what each is, and an example.
const KEYS: [(&str, &str); 7] = [
    ("ota.transport", "a time, such as 18s: from power on until the handshake is through; 300ms to 10min"),
    ("ota.not_before", "a time, such as 18s: no update begins before it"),
    ("ota.connect", "a time, such as 2s: until the host is on the network"),
    ("ota.sdio_clock", "a clock from 400kHz to 50MHz, such as 40MHz"),
    ("ota.pause", "a time, such as 10ms: behind each write"),
    ("ota.chunk", "octets of a write, 288 to 4096; esp-hosted sends 1400"),
    ("ota.rollback", "true or false: whether firmware that is not confirmed boots once"),
];

/// Settings of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Configuration of both sides and of the link between them.
    pub link: SessionConfig,
    /// Set if the co-processor's bootloader takes the old firmware back.
    pub rollback: bool,
}

impl Settings {
    /// The published sequence for a partition of `octets`, with `changes` made to it.
    ///
    /// # Errors
    /// When a change is malformed, or its key or value makes no sense.
    pub fn of(octets: u32, changes: &[String]) -> Result<Self, Failure> {
        let mut settings = Self { link: SessionConfig::published(octets), rollback: false };
        for change in changes {
            let (key, value) = change.split_once('=').unwrap_or((change, ""));
            settings
                .change(key.trim(), value.trim())
                .map_err(|why| Failure::BadInput(format!("--set {change}: {why}")))?;
        }
        Ok(settings)
    }

    fn change(&mut self, key: &str, value: &str) -> Result<(), String> {
        let Some((_, allowed)) = KEYS.iter().find(|(name, _)| *name == key) else { return Err(unknown(key)) };
        let time = || value.parse::<Duration>().map_err(|error| format!("{error}; allowed here: {allowed}"));
        let link = &mut self.link;
        match key {
            "ota.transport" => {
                let bounds = Duration::from_millis(300)..=Duration::from_secs(600);
                link.set_transport(
                    Some(time()?)
                        .filter(|time| bounds.contains(time))
                        .ok_or_else(|| format!("allowed here: {allowed}"))?,
                );
            }
            "ota.not_before" => link.boot.not_before = time()?,
            "ota.connect" => link.connect = time()?,
            "ota.sdio_clock" => {
                let clock = value.parse::<Frequency>().map_err(|error| format!("{error}; allowed here: {allowed}"))?;
                let hz = u32::try_from(clock.0).ok().filter(|hz| (400_000..=50_000_000).contains(hz));
                link.bus.hz = hz.ok_or_else(|| format!("allowed here: {allowed}"))?;
            }
            "ota.pause" => link.boot.pause = time()?,
            "ota.rollback" => self.rollback = value.parse().map_err(|_| format!("allowed here: {allowed}"))?,
            _ => {
                let chunk = value.parse().ok().filter(|chunk| (288..=4096).contains(chunk));
                link.boot.chunk = chunk.ok_or_else(|| format!("allowed here: {allowed}"))?;
            }
        }
        Ok(())
    }
}

fn unknown(key: &str) -> String {
    let names = KEYS.iter().map(|(name, _)| *name);
    let hint =
        spelling::nearest(key, names.clone()).map_or_else(String::new, |nearest| format!("did you mean `{nearest}`? "));
    format!("there is no such key; {hint}allowed here: {}", names.collect::<Vec<_>>().join(", "))
}
