//! Plans and links to begin with: what is shipped, by name, with a first sentence on each.

use airtime_lab::{Library, Plan, links};
use serde::Serialize;

/// Shipped plans and kinds of link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Catalogue {
    /// Version of the laboratory.
    pub airtime: &'static str,
    /// Plans that are shipped, in the order of their names.
    pub plans: Vec<Shipped>,
    /// Kinds of link, with what each is.
    pub links: Vec<Kind>,
}

/// Shipped plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Shipped {
    /// Name of the plan.
    pub name: &'static str,
    /// First sentence of it.
    pub about: String,
    /// Link that it is of.
    pub link: String,
    /// Points that it has.
    pub points: usize,
}

/// Kind of link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Kind {
    /// Name of the link, as plans write it.
    pub link: &'static str,
    /// Family that it is of, in words.
    pub about: &'static str,
}

/// Everything that is shipped and can be run here: a plan of a host that is a program of somebody else's cannot.
pub fn catalogue() -> Catalogue {
    let library = Library::builtin();
    let plans = airtime_plans::ALL.iter().filter_map(|(name, text)| {
        let plan = Plan::parse(name, text, &library, &[]).ok()?;
        let link = plan.point(0)?.scenario.link().to_owned();
        Some(Shipped { name, about: about(text), link, points: plan.len() })
    });
    let kinds = links::ALL.iter().flat_map(|link| link.names().iter().map(|name| (*name, link.about())));
    Catalogue {
        airtime: env!("CARGO_PKG_VERSION"),
        plans: plans.collect(),
        links: kinds.map(|(link, about)| Kind { link, about }).collect(),
    }
}

/// A commented plan to begin with, for the link of this name.
///
/// # Errors
/// When there is no such link.
pub fn template(link: &str) -> Result<String, String> {
    let library = Library::builtin();
    airtime_lab::template::template("plan.toml", link, &[], &library).map_err(|error| error.to_string())
}

/// The comment a plan begins with, up to the end of its first sentence.
fn about(text: &str) -> String {
    let comment = text.lines().map_while(|line| line.strip_prefix('#')).map(str::trim).collect::<Vec<_>>().join(" ");
    let end = comment.find(['.', '?', ':']).map_or(comment.len(), |end| end + 1);
    comment[..end].trim_end_matches(['.', ':']).to_owned()
}
