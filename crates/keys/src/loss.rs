//! Keys of packet loss, the same for every link: one head and the parts of its forms.

use alloc::format;
use alloc::vec::Vec;

use airtime_core::loss::Loss;
use serde_json::Value;

use crate::{Fault, Field, Key, Source};

/// Ways in which a table of loss can be written.
pub const FORMS: &[&[&str]] = &[&["per"], &["miss", "damage"], &["ber"], &["good", "bad", "every", "burst", "missed"]];

/// Parts of a table of loss, in the order of [`read`] and [`show`].
pub const PARTS: [&str; 9] = ["per", "miss", "damage", "ber", "good", "bad", "every", "burst", "missed"];

/// The loss that `keys` describe: the head, then its parts.
///
/// # Errors
/// When the parts that are set do not belong to one form.
pub fn read(from: &dyn Source, keys: &'static [Key]) -> Result<Loss, Fault> {
    let part = |name: &str| keys[1..].iter().find(|key| key.last() == name).and_then(|key| from.value(key));
    let number = |name: &str| part(name).as_ref().and_then(f64::parse).unwrap_or_default();
    let span = |name: &str| part(name).as_ref().and_then(Field::parse).unwrap_or_default();
    let set: Vec<&'static Key> = keys[1..].iter().filter(|key| from.value(key).is_some()).collect();
    let names: Vec<&str> = set.iter().map(|key| key.last()).collect();
    match names[..] {
        [] => Ok(Loss::None),
        ["per"] => Ok(Loss::Packet { per: number("per") }),
        ["miss"] | ["damage"] | ["miss", "damage"] => {
            let (miss, damage) = (number("miss"), number("damage"));
            if miss + damage > 1.0 {
                let what = format!("`{}`: {miss} missed and {damage} damaged are more than all", keys[0].name);
                return Err(Fault::new(what).about(set));
            }
            Ok(Loss::Shares { miss, damage })
        }
        ["ber"] => Ok(Loss::Bit { ber: number("ber") }),
        ["good", "bad", "every", "burst"] | ["good", "bad", "every", "burst", "missed"] => Ok(Loss::Burst {
            good: number("good"),
            bad: number("bad"),
            every: span("every"),
            burst: span("burst"),
            missed: number("missed"),
        }),
        _ => {
            let what = format!("`{}` with {} is not one kind of loss", keys[0].name, names.join(", "));
            Err(Fault::new(what)
                .allowing("{ per }, { miss, damage }, { ber }, { good, bad, every, burst, missed }")
                .about(set))
        }
    }
}

/// Tells the parts of `loss`, or the head where nothing is lost.
pub fn show(loss: Loss, keys: &'static [Key], told: &mut dyn FnMut(&'static Key, Value)) {
    let [head, per, miss, damage, ber, good, bad, every, burst, missed] = keys else { return };
    match loss {
        Loss::None => told(head, "none".into()),
        Loss::Packet { per: share } => told(per, share.into()),
        Loss::Shares { miss: unnoticed, damage: damaged } => {
            told(miss, unnoticed.into());
            told(damage, damaged.into());
        }
        Loss::Bit { ber: share } => told(ber, share.into()),
        Loss::Burst { good: outside, bad: within, every: apart, burst: length, missed: unnoticed } => {
            told(good, outside.into());
            told(bad, within.into());
            told(every, apart.shown());
            told(burst, length.shown());
            if unnoticed > 0.0 {
                told(missed, unnoticed.into());
            }
        }
    }
}
