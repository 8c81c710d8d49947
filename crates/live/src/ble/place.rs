//! Places of controllers, as people write them.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// Place where a host finds its controller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A TCP port: `127.0.0.1:9000`; port 0 is any free one.
    Tcp(String),
    /// A UNIX socket.
    Unix(PathBuf),
    /// A pseudo terminal, and a link to it if that was asked for.
    Pty(Option<PathBuf>),
    /// A serial port with a controller at the other end; hosts dial it, no server opens it.
    Serial {
        /// Device of the serial port.
        device: PathBuf,
        /// Bits per second.
        baud: u32,
    },
    /// A dongle of this machine's; hosts dial it, no server opens it.
    Usb(Choice),
    /// An adapter of Linux's by its number, taken from the kernel's own host: `hci0`.
    Adapter(u16),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(at) => write!(f, "tcp:{at}"),
            Self::Unix(path) => write!(f, "unix:{}", path.display()),
            Self::Pty(None) => f.write_str("pty"),
            Self::Pty(Some(link)) => write!(f, "pty:{}", link.display()),
            Self::Serial { device, baud } => write!(f, "serial:{}@{baud}", device.display()),
            Self::Usb(choice) => choice.fmt(f),
            Self::Adapter(index) => write!(f, "hci{index}"),
        }
    }
}

/// Dongle that is meant: `usb`, `usb:0A12:0001` or `usb:0A12:0001:SERIAL`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// Numbers of vendor and product; none for the only Bluetooth controller there is.
    pub id: Option<(u16, u16)>,
    /// Serial number, where several have the same numbers.
    pub serial: Option<String>,
}

impl FromStr for Choice {
    type Err = String;

    /// Choice of what is behind `usb`: nothing, or a colon and the rest.
    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || {
            format!(
                "`usb{text}` is no dongle: expected usb, usb:VENDOR:PRODUCT or usb:VENDOR:PRODUCT:SERIAL, as in usb:0A12:0001"
            )
        };
        let Some(rest) = text.strip_prefix(':') else {
            return if text.is_empty() { Ok(Self::default()) } else { Err(expected()) };
        };
        let mut parts = rest.splitn(3, ':');
        let mut number = || {
            let digits = parts.next().filter(|digits| digits.len() == 4);
            digits.and_then(|digits| u16::from_str_radix(digits, 16).ok()).ok_or_else(expected)
        };
        let id = Some((number()?, number()?));
        let serial = parts.next().map(str::to_owned);
        if serial.as_deref() == Some("") { Err(expected()) } else { Ok(Self { id, serial }) }
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("usb")?;
        if let Some((vendor, product)) = self.id {
            write!(f, ":{vendor:04X}:{product:04X}")?;
        }
        self.serial.iter().try_for_each(|serial| write!(f, ":{serial}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dongle_is_said_by_its_numbers() {
        for (text, id, serial) in [
            ("", None, None),
            (":0a12:0001", Some((0x0a12, 1)), None),
            (":2FE3:000B:31:7", Some((0x2fe3, 0xb)), Some("31:7")),
        ] {
            let choice: Choice = text.parse().unwrap();
            assert_eq!((choice.id, choice.serial.as_deref()), (id, serial));
            assert_eq!(choice.to_string().to_lowercase(), format!("usb{text}").to_lowercase());
        }
        for text in ["0a12:0001", ":", ":0a12", ":a12:0001", ":0a12:0001:", ":0a12:xyz1"] {
            let refused = text.parse::<Choice>().unwrap_err();
            assert!(refused.contains("usb:0A12:0001"), "{refused}");
        }
    }
}
