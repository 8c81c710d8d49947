//! A plan as the configurations of its link look at it.

use std::any::Any;
use std::cell::OnceCell;

use airtime_link::config::Planned;
use airtime_link::{Ordered, Scenario};
use serde_json::Value;

use crate::plan::{Plan, Point};
use crate::schema::Key;

/// A plan with its points, made once.
pub struct InPlan<'a> {
    plan: &'a Plan,
    points: OnceCell<Vec<Point>>,
}

impl<'a> InPlan<'a> {
    /// `plan`, whose points are made when somebody asks for them.
    pub fn new(plan: &'a Plan) -> Self {
        Self { plan, points: OnceCell::new() }
    }

    /// Name of its link, which all points have.
    ///
    /// # Panics
    /// When no point of the plan is possible, which its reader rules out for the first one.
    pub fn name(&self) -> &'static str {
        self.plan.point(0).expect("a plan has a point").scenario.link.link()
    }
}

impl Planned for InPlan<'_> {
    fn link(&self) -> &str {
        self.name()
    }

    fn points(&self, told: &mut dyn FnMut(&dyn Scenario, &Ordered<Value>)) {
        let points = self.points.get_or_init(|| self.plan.points());
        points.iter().for_each(|point| told(&*point.scenario.link, &point.scenario.params));
    }

    fn said(&self, key: &Key) -> Vec<Value> {
        self.plan.said(key)
    }

    fn above(&self, key: &Key) -> Option<String> {
        self.plan.above_board(key)
    }

    fn device(&self, name: &str) -> Option<&dyn Any> {
        self.plan.library().get(name).map(|device| device.built() as &dyn Any)
    }

    fn based_on(&self, name: &str) -> Option<&str> {
        self.plan.library().get(name)?.based_on.as_deref()
    }
}
