//! Pace of an application between SDUs or values.

use core::fmt;
use core::str::FromStr;

use airtime_core::Duration;
use airtime_keys::{Field, Kind, Value};

/// Values of a key that says how the application paces itself.
pub(super) const PACING: Kind = Kind::Parsed {
    allowed: "\"semaphore\", or \"sleep:\" with a time such as \"sleep:2ms\"",
    alternatives: &["semaphore"],
    canonical: |text| match text.parse::<Pacing>()? {
        pacing @ (Pacing::Semaphore | Pacing::Sleep(_)) => Ok(pacing.to_string()),
        _ => Err(format!("`{text}` is a pacing of values: a channel has credits")),
    },
};

/// Values of a key that says how an application paces the values of a characteristic.
pub(super) const VALUE_PACING: Kind = Kind::Parsed {
    allowed: "\"semaphore\", \"ready\", \"sleep:\" with a time such as \"sleep:2ms\", \"retry:\" with one such as \"retry:10ms\", or \"blind:\" with one such as \"blind:2ms\"",
    // One word stands for both that wait: what a wider window gains is `gatt.in_flight`'s to say.
    alternatives: &["semaphore"],
    canonical: |text| text.parse::<Pacing>().map(|pacing| pacing.to_string()),
};

/// Shortest sleep before another try; a task that sleeps less holds its processor.
const RETRY_MIN: Duration = Duration::from_micros(100);

/// Longest sleep.
const SLEEP_MAX: Duration = Duration::from_secs(60);

/// Pace of an application between SDUs or values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pacing {
    /// Waits until fewer than `in_flight` are under way.
    Semaphore,
    /// Waits, and sleeps this long after each.
    Sleep(Duration),
    /// Waits until its stack has room for a value.
    Ready,
    /// Gives values until its stack refuses one, sleeps this long and gives that one again.
    Retry(Duration),
    /// Gives a value each so long, whether there is room for it or not.
    Blind(Duration),
}

impl fmt::Display for Pacing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Semaphore => f.write_str("semaphore"),
            Self::Sleep(span) => write!(f, "sleep:{span}"),
            Self::Ready => f.write_str("ready"),
            Self::Retry(span) => write!(f, "retry:{span}"),
            Self::Blind(span) => write!(f, "blind:{span}"),
        }
    }
}

impl FromStr for Pacing {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "semaphore" {
            return Ok(Self::Semaphore);
        }
        if text == "ready" {
            return Ok(Self::Ready);
        }
        let (word, span) = text.split_once(':').ok_or_else(|| format!("`{text}` is no pacing"))?;
        let (name, pacing): (_, fn(Duration) -> Self) = match word {
            "sleep" => ("a sleep", Self::Sleep),
            "retry" => ("a retry", Self::Retry),
            "blind" => ("a pace", Self::Blind),
            _ => return Err(format!("`{text}` is no pacing")),
        };
        let span = span.parse::<Duration>().map_err(|error| error.to_string())?;
        let least = if word == "retry" { RETRY_MIN } else { Duration::from_nanos(1) };
        if span < least || span > SLEEP_MAX {
            return Err(format!("{name} of {span} is out of range, {least} to {SLEEP_MAX}"));
        }
        Ok(pacing(span))
    }
}

impl Field for Pacing {
    fn parse(value: &Value) -> Option<Self> {
        value.as_str()?.parse().ok()
    }

    fn shown(&self) -> Value {
        self.to_string().into()
    }
}
