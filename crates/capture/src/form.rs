//! Forms of a capture, by what they hold.

/// Form of a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Packets of the air, as pcapng.
    Air,
    /// Packets that cross the HCI of one host, as btsnoop.
    Host,
    /// Time line of all devices, as a Perfetto trace.
    Timeline,
}

impl Form {
    /// The form of files with this extension; none for an extension of no capture.
    pub fn of_extension(extension: &str) -> Option<Self> {
        match extension {
            "pcapng" => Some(Self::Air),
            "btsnoop" => Some(Self::Host),
            "perfetto" | "pftrace" => Some(Self::Timeline),
            _ => None,
        }
    }

    /// Extension of its files.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Air => "pcapng",
            Self::Host => "btsnoop",
            Self::Timeline => "perfetto",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_extension_says_its_form() {
        for form in [Form::Air, Form::Host, Form::Timeline] {
            assert_eq!(Form::of_extension(form.extension()), Some(form));
        }
        assert_eq!(Form::of_extension("pftrace"), Some(Form::Timeline));
        assert_eq!(Form::of_extension("pcap"), None);
    }
}
