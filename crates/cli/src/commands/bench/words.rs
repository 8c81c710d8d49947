//! Commands of a bench: words with the board's own values put into them.

/// Values of a board that its commands may name.
#[derive(Clone, Debug)]
pub struct Values {
    /// Serial number of the probe.
    pub serial: Option<String>,
    /// Chip, as the probe's program names it.
    pub chip: Option<String>,
    /// Serial console.
    pub port: Option<String>,
    /// Image, from this folder.
    pub image: Option<String>,
    /// Rate of the console.
    pub baud: u32,
}

/// Names that stand in braces.
const NAMES: &str = "{serial}, {chip}, {port}, {baud}, {image}";

/// `probe-rs download [--chip CHIP] --probe VID:PID:SERIAL IMAGE`: probe-rs-tools, `cmd/download.rs`, and `ProbeOptions` of `util/common_options.rs`.
pub fn flash(has_chip: bool) -> Vec<String> {
    probe_rs("download", has_chip, &["{image}"])
}

/// `probe-rs reset [--chip CHIP] --probe VID:PID:SERIAL`: `cmd/reset.rs` there.
pub fn reset(has_chip: bool) -> Vec<String> {
    probe_rs("reset", has_chip, &[])
}

/// `probe-rs attach [--chip CHIP] --probe VID:PID:SERIAL IMAGE`: `cmd/attach.rs` there; it shows RTT, decoded with the image, until it is ended.
pub fn log(has_chip: bool) -> Vec<String> {
    probe_rs("attach", has_chip, &["{image}"])
}

fn probe_rs(command: &str, has_chip: bool, more: &[&str]) -> Vec<String> {
    let chip: &[&str] = if has_chip { &["--chip", "{chip}"] } else { &[] };
    [&["probe-rs", command], chip, &["--probe", "{serial}"], more].concat().into_iter().map(str::to_owned).collect()
}

impl Values {
    /// Checks that probe-rs can be told the probe, for the step `name` that has no command of its own.
    pub fn for_probe_rs(&self, name: &str) -> Result<(), String> {
        let Some(serial) = &self.serial else {
            return Err(format!(
                "the board has no `serial`, and `{name}` is by probe-rs: expected VID:PID:SERIAL, as `probe-rs list` prints it, or `{name}` as a command of your own"
            ));
        };
        let is_hex = |part: Option<&str>| part.is_some_and(|part| u16::from_str_radix(part, 16).is_ok());
        // A serial number may have colons itself.
        let mut parts = serial.splitn(3, ':');
        let known = is_hex(parts.next()) && is_hex(parts.next()) && parts.next().is_some_and(|part| !part.is_empty());
        if known {
            return Ok(());
        }
        Err(format!(
            "serial `{serial}` is none that probe-rs takes: expected VID:PID:SERIAL, as `probe-rs list` prints it, or `{name}` as a command of your own"
        ))
    }

    /// The command `words` of the step `name` with the values put in.
    pub fn put_into(&self, name: &str, words: &[String]) -> Result<Vec<String>, String> {
        words.iter().map(|word| self.put_into_word(name, word)).collect()
    }

    fn put_into_word(&self, name: &str, word: &str) -> Result<String, String> {
        let (mut whole, mut rest) = (String::new(), word);
        while let Some((before, behind)) = rest.split_once('{') {
            let (named, behind) = behind
                .split_once('}')
                .ok_or_else(|| format!("`{name}`: `{word}` has a brace that is not closed: there are {NAMES}"))?;
            let value = match named {
                "serial" => self.serial.clone(),
                "chip" => self.chip.clone(),
                "port" => self.port.clone(),
                "image" => self.image.clone(),
                "baud" => Some(self.baud.to_string()),
                _ => return Err(format!("`{name}`: nothing is called `{{{named}}}`: there are {NAMES}")),
            };
            let value = value.ok_or_else(|| format!("the board has no `{named}`, and `{name}` names it"))?;
            whole.push_str(before);
            whole.push_str(&value);
            rest = behind;
        }
        whole.push_str(rest);
        Ok(whole)
    }
}
