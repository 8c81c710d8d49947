//! Everything one run needs to know, with every key resolved.

use std::ops::Deref;

use serde_json::Value;

use crate::links;
use crate::schema::Key;
use airtime_link::Ordered;

/// The parameters of one run. Two are equal where every key has the same value in effect.
#[derive(Debug)]
pub struct Scenario {
    /// The link, with everything that is its own.
    pub link: Box<dyn links::Scenario>,
    /// Every key that means something to this link with its value in effect, by dotted name. A key of
    /// the sender's or the receiver's is left out when both ends stream and differ in it.
    pub params: Ordered<Value>,
    /// Every key of this link that the plan sets, with the value that it asks for.
    pub asked: Vec<(&'static Key, Value)>,
}

impl Scenario {
    /// The scenario as what its link makes of a plan, for those who know which one it is.
    pub fn of<S: 'static>(&self) -> Option<&S> {
        self.link.as_any().downcast_ref()
    }
}

impl Clone for Scenario {
    fn clone(&self) -> Self {
        Self { link: self.link.boxed(), params: self.params.clone(), asked: self.asked.clone() }
    }
}

impl PartialEq for Scenario {
    fn eq(&self, other: &Self) -> bool {
        self.link.link() == other.link.link() && self.params == other.params
    }
}

impl Deref for Scenario {
    type Target = dyn links::Scenario;

    fn deref(&self) -> &Self::Target {
        &*self.link
    }
}
