//! Credit policies as words and as tables: of a plan, and of the files of personalities.

use alloc::format;
use alloc::vec::Vec;

use airtime_keys::{Fault, Field, Keys, Kind, Value, Whole, Words};

use super::CreditPolicy;

/// Keys that belong together in a table: every K-frames, at half, below a mark, socket buffer, Linux, Zephyr up to v3.3 with and without
/// `alloc_buf`.
const FORMS: &[&[&str]] = &[PER_FRAMES, AT_HALF, BELOW_MARK, SOCKET, LINUX, ALLOC_BUF, NO_ALLOC_BUF];

const PER_FRAMES: &[&str] = &["initial", "on_connect", "grant", "every"];
const AT_HALF: &[&str] = &["max"];
const BELOW_MARK: &[&str] = &["initial", "below"];
const SOCKET: &[&str] = &["octets"];
const LINUX: &[&str] = &["rcvbuf"];
const ALLOC_BUF: &[&str] = &["init_credits"];
const NO_ALLOC_BUF: &[&str] = &["acl_rx_count"];

/// Largest receive buffer of a Linux socket: what fills it, 18,000 K-frames of 464 at most, are credits that a channel can have.
const LINUX_RCVBUF_MAX: u32 = 16_777_216;

/// Values of a key that is a credit policy: the word of one, or the parts of a form.
pub const CREDITS: Kind = Kind::Forms {
    words: CreditWord::WORDS,
    forms: FORMS,
    parts: |word| {
        let parts = CreditWord::from_word(word).map(|named| Credits::of(named.policy()).parts());
        parts.unwrap_or_default().into_iter().map(|(name, number)| (name, number.into())).collect()
    },
    whole: Some(Whole { keys: Credits::KEYS, check: |table| of_table(table).map(|_| ()) }),
};

/// Policies that have a name, as somebody's stack ships them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Words)]
pub enum CreditWord {
    /// Zephyr with the `recv` callback.
    ZephyrRecv,
    /// Zephyr with `seg_recv`, as the published firmware used it.
    ZephyrSegRecv,
    /// Many at once, and ten for every ten.
    Batched,
    /// Bumble.
    Bumble,
    /// Android.
    Android,
    /// Linux since 6.10, and its stable branches with "compute LE flow credits based on recvbuf space" (6.1, 6.6 and 6.8 of June 2024).
    Bluez,
    /// Linux before that: those of one SDU.
    #[word("bluez-v6.9")]
    BluezV69,
    /// Zephyr up to v3.3, with the `alloc_buf` callback.
    #[word("zephyr-v3.2-alloc-buf")]
    ZephyrV32AllocBuf,
    /// Zephyr up to v3.3 without `alloc_buf`: an SDU is one K-frame.
    #[word("zephyr-v3.2-recv")]
    ZephyrV32Recv,
}

impl CreditWord {
    /// Every word.
    pub const ALL: [Self; 9] = [
        Self::ZephyrRecv,
        Self::ZephyrSegRecv,
        Self::Batched,
        Self::Bumble,
        Self::Android,
        Self::Bluez,
        Self::BluezV69,
        Self::ZephyrV32AllocBuf,
        Self::ZephyrV32Recv,
    ];

    /// Policy that the word stands for.
    pub const fn policy(self) -> CreditPolicy {
        match self {
            Self::ZephyrRecv => CreditPolicy::ZephyrRecv,
            // Ten before the connect, ten on connected, one per segment.
            Self::ZephyrSegRecv => CreditPolicy::PerFrames { initial: 10, on_connect: 10, grant: 1, every: 1 },
            Self::Batched => CreditPolicy::PerFrames { initial: 200, on_connect: 0, grant: 10, every: 10 },
            Self::Bumble => CreditPolicy::RefillAtHalf { max: 256 },
            Self::Android => CreditPolicy::RefillBelow { initial: 65_535, below: 64 },
            // The receive buffer Linux gives a socket by default, net.core.rmem_default.
            Self::Bluez => CreditPolicy::LinuxSocket { rcvbuf: 212_992 },
            Self::BluezV69 => CreditPolicy::LinuxSocket { rcvbuf: 0 },
            // Zephyr v3.2, l2cap.c, l2cap_chan_rx_init: of its own accord as many as the MTU needs, or BT_BUF_ACL_RX_COUNT - 1,
            // whose default is 6 (subsys/bluetooth/common/Kconfig).
            Self::ZephyrV32AllocBuf => CreditPolicy::ZephyrAllocBuf { init_credits: 0 },
            Self::ZephyrV32Recv => CreditPolicy::ZephyrNoAllocBuf { acl_rx_count: 6 },
        }
    }

    /// Word of a policy, if it has one.
    pub fn of(policy: CreditPolicy) -> Option<Self> {
        Self::ALL.into_iter().find(|word| word.policy() == policy)
    }
}

/// Keys of the parts of a credit policy. Those left out of the first form are `on_connect = 0`, `grant = 1`, `every = 1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Keys)]
#[keys(table = "coc.credits")]
pub struct Credits {
    /// Credits in the handshake.
    #[key(range = 0..=65_535, whose = Receiver, steps = [Half, Double])]
    pub initial: Option<u16>,
    /// Credits granted as soon as the channel is open.
    #[key(range = 0..=65_535, whose = Receiver, steps = [Half, Double])]
    pub on_connect: Option<u16>,
    /// Credits per grant.
    #[key(range = 1..=65_535, whose = Receiver, steps = [Half, Double])]
    pub grant: Option<u16>,
    /// K-frames received between grants.
    #[key(range = 1..=65_535, whose = Receiver, steps = [Half, Double])]
    pub every: Option<u16>,
    /// Credits when full, refilled at half.
    #[key(range = 1..=65_535, whose = Receiver, steps = [Half, Double])]
    pub max: Option<u16>,
    /// Mark below which what is outstanding is refilled to `initial`.
    #[key(range = 1..=65_535, whose = Receiver, steps = [Half, Double])]
    pub below: Option<u16>,
    /// Octets of the receive buffer the credits fill.
    #[key(range = 1..=4_294_967_295, whose = Receiver, steps = [Half, Double])]
    pub octets: Option<u32>,
    /// Octets of the receive buffer of a Linux socket (`net.core.rmem_default`); 0: kernels whose credits do not look at it.
    #[key(range = 0..=16_777_216, whose = Receiver, steps = [Half, Double])]
    pub rcvbuf: Option<u32>,
    /// Credits in the handshake and most at any time, of Zephyr up to v3.3 with `alloc_buf` (`rx.init_credits`); 0: those of an MTU.
    #[key(range = 0..=65_535, whose = Receiver, steps = [Half, Double])]
    pub init_credits: Option<u16>,
    /// ACL receive buffers of Zephyr up to v3.3 without `alloc_buf`, whose credits are one less.
    #[key(range = 2..=64, whose = Receiver, steps = [Half, Double])]
    pub acl_rx_count: Option<u16>,
}

impl Credits {
    /// Parts of a policy; none of Zephyr's `recv`, which has no numbers.
    pub fn of(policy: CreditPolicy) -> Self {
        let none = Self::default();
        match policy {
            CreditPolicy::ZephyrRecv => none,
            CreditPolicy::PerFrames { initial, on_connect, grant, every } => Self {
                initial: Some(initial),
                on_connect: Some(on_connect),
                grant: Some(grant),
                every: Some(every),
                ..none
            },
            CreditPolicy::RefillAtHalf { max } => Self { max: Some(max), ..none },
            CreditPolicy::RefillBelow { initial, below } => Self { initial: Some(initial), below: Some(below), ..none },
            CreditPolicy::SocketBuffer { octets } => Self { octets: Some(octets), ..none },
            CreditPolicy::LinuxSocket { rcvbuf } => Self { rcvbuf: Some(rcvbuf), ..none },
            CreditPolicy::ZephyrAllocBuf { init_credits } => Self { init_credits: Some(init_credits), ..none },
            CreditPolicy::ZephyrNoAllocBuf { acl_rx_count } => Self { acl_rx_count: Some(acl_rx_count), ..none },
        }
    }

    /// The parts that are there, with their names.
    pub fn parts(&self) -> Vec<(&'static str, u64)> {
        let mut parts = Vec::new();
        self.show(&(), &mut |key, value| parts.extend(value.as_u64().map(|number| (key.last(), number))));
        parts
    }

    /// The policy that these parts make of `own`: on top of it where it has them all, else on their own.
    ///
    /// # Errors
    /// As [`credit_policy`], about the keys of the parts that are there.
    pub fn over(&self, own: CreditPolicy) -> Result<CreditPolicy, Fault> {
        let set = self.parts();
        if set.is_empty() {
            return Ok(own);
        }
        let among =
            |parts: &[(&str, u64)], name: &str| parts.iter().find(|(other, _)| *other == name).map(|part| part.1);
        let mut parts = Self::of(own).parts();
        if set.iter().all(|(name, _)| among(&parts, name).is_some()) {
            parts.iter_mut().for_each(|(name, number)| *number = among(&set, name).unwrap_or(*number));
        } else {
            parts.clone_from(&set);
        }
        let about = Self::KEYS.iter().filter(|key| among(&set, key.last()).is_some());
        credit_policy(&parts).map_err(|fault| fault.about(about))
    }
}

impl Field for CreditPolicy {
    fn parse(value: &Value) -> Option<Self> {
        match value {
            Value::String(word) => CreditWord::from_word(word).map(CreditWord::policy),
            table => of_table(table).ok(),
        }
    }

    fn shown(&self) -> Value {
        let table = || Credits::of(*self).parts().into_iter().collect();
        CreditWord::of(*self).map_or_else(table, |named| named.word().into())
    }
}

/// The policy of a table as a value.
fn of_table(value: &Value) -> Result<CreditPolicy, Fault> {
    let mut parts = Vec::new();
    for (name, value) in value.as_object().into_iter().flatten() {
        let number =
            value.as_u64().ok_or_else(|| Fault::new(format!("`{name}` of a credit policy is a whole number")))?;
        parts.push((name.as_str(), number));
    }
    credit_policy(&parts)
}

/// The policy a table stands for.
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
    } else if of_form(AT_HALF) {
        CreditPolicy::RefillAtHalf { max: credits("max", None)? }
    } else if of_form(ALLOC_BUF) {
        CreditPolicy::ZephyrAllocBuf { init_credits: credits("init_credits", None)? }
    } else if of_form(NO_ALLOC_BUF) {
        CreditPolicy::ZephyrNoAllocBuf { acl_rx_count: credits("acl_rx_count", None)? }
    } else if of_form(SOCKET) {
        let octets = part("octets").unwrap_or_default();
        CreditPolicy::SocketBuffer {
            octets: u32::try_from(octets).map_err(|_| Fault::new("`octets` is at most 4294967295"))?,
        }
    } else if of_form(LINUX) {
        let rcvbuf = part("rcvbuf").unwrap_or_default();
        let fits = u32::try_from(rcvbuf).ok().filter(|rcvbuf| *rcvbuf <= LINUX_RCVBUF_MAX);
        CreditPolicy::LinuxSocket { rcvbuf: fits.ok_or_else(|| Fault::new("`rcvbuf` is at most 16777216"))? }
    } else if part("below").is_some() && of_form(BELOW_MARK) {
        CreditPolicy::RefillBelow { initial: credits("initial", None)?, below: credits("below", None)? }
    } else if of_form(PER_FRAMES) {
        CreditPolicy::PerFrames {
            initial: credits("initial", None)?,
            on_connect: credits("on_connect", Some(0))?,
            grant: credits("grant", Some(1))?,
            every: credits("every", Some(1))?,
        }
    } else {
        let names = parts.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
        let allowed = FORMS.iter().map(|keys| format!("{{ {} }}", keys.join(", "))).collect::<Vec<_>>().join(", ");
        return Err(Fault::new(format!("{names} do not belong to one credit policy")).allowing(allowed));
    };
    useful(policy).map(|()| policy)
}

/// Refuses a policy under which no stream can begin, or none can go on.
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
        CreditPolicy::ZephyrNoAllocBuf { acl_rx_count: 0 | 1 } => {
            fault("no credit is ever given: they are one less than `acl_rx_count`")
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_policy_survives_its_table() {
        assert_eq!(CreditWord::WORDS.len(), CreditWord::ALL.len());
        for word in CreditWord::ALL {
            let (policy, parts) = (word.policy(), Credits::of(word.policy()).parts());
            assert_eq!(CreditWord::of(policy), Some(word));
            if !parts.is_empty() {
                assert_eq!(credit_policy(&parts), Ok(policy), "{word:?}");
                assert_eq!(CreditPolicy::parse(&parts.into_iter().collect()), Some(policy), "{word:?}");
            }
            assert_eq!(CreditPolicy::parse(&policy.shown()), Some(policy));
        }
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
            &[("acl_rx_count", 1)],
            &[("rcvbuf", 16_777_217)],
            &[("init_credits", 1), ("acl_rx_count", 6)],
            &[],
        ] {
            assert!(credit_policy(parts).is_err(), "{parts:?}");
        }
    }
}
