//! Credit policies as words and as tables.

use airtime_ble::personality::CreditPolicy;

use crate::toml::error::Fault;

/// Policies that have a name, as somebody's stack ships them.
pub const CREDIT_POLICIES: &[(&str, CreditPolicy)] = &[
    ("zephyr-recv", CreditPolicy::ZephyrRecv),
    // As the published firmware used it: ten before the connect, ten on connected, one per segment.
    ("zephyr-seg-recv", CreditPolicy::PerFrames { initial: 10, on_connect: 10, grant: 1, every: 1 }),
    ("batched", CreditPolicy::PerFrames { initial: 200, on_connect: 0, grant: 10, every: 10 }),
    ("bumble", CreditPolicy::RefillAtHalf { max: 256 }),
    ("android", CreditPolicy::RefillBelow { initial: 65_535, below: 64 }),
    // The receive buffer Linux gives a socket by default, net.core.rmem_default.
    ("bluez", CreditPolicy::SocketBuffer { octets: 212_992 }),
];

/// The words of [`CREDIT_POLICIES`].
pub const CREDIT_WORDS: &[&str] = &["zephyr-recv", "zephyr-seg-recv", "batched", "bumble", "android", "bluez"];

/// The keys that belong together in a table: every K-frames, at half, below a mark, socket buffer.
pub const CREDIT_FORMS: &[&[&str]] =
    &[&["initial", "on_connect", "grant", "every"], &["max"], &["initial", "below"], &["octets"]];

/// The policy a table stands for. Keys that are left out of the first form are `on_connect = 0`,
/// `grant = 1`, `every = 1`.
///
/// # Errors
/// When the keys are not those of one form, or a value does not fit or would never grant anything.
pub fn credit_policy(parts: &[(&str, u64)]) -> Result<CreditPolicy, Fault> {
    let part = |name: &str| parts.iter().find(|(n, _)| *n == name).map(|(_, v)| *v);
    let credits = |name: &str, missing: Option<u64>| {
        let value = part(name).or(missing);
        let value = value.ok_or_else(|| Fault::new(format!("a credit policy of this form needs `{name}`")))?;
        u16::try_from(value).map_err(|_| Fault::new(format!("`{name}` is at most 65535 credits")))
    };
    let of_form = |form: &[&str]| parts.iter().all(|(name, _)| form.contains(name));
    let policy = if parts.is_empty() {
        return Err(Fault::new("an empty table is no credit policy"));
    } else if of_form(CREDIT_FORMS[1]) {
        CreditPolicy::RefillAtHalf { max: credits("max", None)? }
    } else if of_form(CREDIT_FORMS[3]) {
        let octets = part("octets").unwrap_or_default();
        CreditPolicy::SocketBuffer {
            octets: u32::try_from(octets).map_err(|_| Fault::new("`octets` is at most 4294967295"))?,
        }
    } else if part("below").is_some() && of_form(CREDIT_FORMS[2]) {
        CreditPolicy::RefillBelow { initial: credits("initial", None)?, below: credits("below", None)? }
    } else if of_form(CREDIT_FORMS[0]) {
        CreditPolicy::PerFrames {
            initial: credits("initial", None)?,
            on_connect: credits("on_connect", Some(0))?,
            grant: credits("grant", Some(1))?,
            every: credits("every", Some(1))?,
        }
    } else {
        let names = parts.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
        return Err(Fault::new(format!("{names} do not belong to one credit policy")).allowing(allowed()));
    };
    useful(policy).map(|()| policy)
}

/// Whether a stream can begin and go on under `policy`.
fn useful(policy: CreditPolicy) -> Result<(), Fault> {
    let fault = |what: &str| Err(Fault::new(what));
    match policy {
        CreditPolicy::PerFrames { initial: 0, on_connect: 0, .. } => {
            fault("no credit is ever given: `initial` and `on_connect` are 0")
        }
        CreditPolicy::PerFrames { grant: 0, .. } | CreditPolicy::PerFrames { every: 0, .. } => {
            fault("`grant` and `every` are at least 1")
        }
        CreditPolicy::RefillAtHalf { max: 0 } => fault("`max` is at least 1"),
        CreditPolicy::RefillBelow { initial: 0, .. } | CreditPolicy::RefillBelow { below: 0, .. } => {
            fault("`initial` and `below` are at least 1")
        }
        CreditPolicy::SocketBuffer { octets: 0 } => fault("`octets` is at least 1"),
        _ => Ok(()),
    }
}

/// The forms a table may have, for messages.
fn allowed() -> String {
    CREDIT_FORMS.iter().map(|keys| format!("{{ {} }}", keys.join(", "))).collect::<Vec<_>>().join(", ")
}

/// The table a policy stands for; empty for Zephyr's `recv`, which has no numbers.
pub fn credit_policy_parts(policy: CreditPolicy) -> Vec<(&'static str, u64)> {
    match policy {
        CreditPolicy::ZephyrRecv => Vec::new(),
        CreditPolicy::PerFrames { initial, on_connect, grant, every } => vec![
            ("initial", initial.into()),
            ("on_connect", on_connect.into()),
            ("grant", grant.into()),
            ("every", every.into()),
        ],
        CreditPolicy::RefillAtHalf { max } => vec![("max", max.into())],
        CreditPolicy::RefillBelow { initial, below } => vec![("initial", initial.into()), ("below", below.into())],
        CreditPolicy::SocketBuffer { octets } => vec![("octets", octets.into())],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_policy_survives_its_table() {
        for (word, policy) in CREDIT_POLICIES {
            assert!(CREDIT_WORDS.contains(word));
            let parts = credit_policy_parts(*policy);
            if !parts.is_empty() {
                assert_eq!(credit_policy(&parts), Ok(*policy), "{word}");
            }
        }
        assert_eq!(CREDIT_WORDS.len(), CREDIT_POLICIES.len());
    }

    #[test]
    fn what_never_grants_is_refused() {
        for parts in [
            &[("initial", 0)][..],
            &[("initial", 1), ("every", 0)],
            &[("max", 0)],
            &[("initial", 70_000)],
            &[("max", 4), ("grant", 1)],
            &[("grant", 1)],
            &[],
        ] {
            assert!(credit_policy(parts).is_err(), "{parts:?}");
        }
    }
}
