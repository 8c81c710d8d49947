//! Runs that are made once, however many ask for them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use airtime_lab::links::{Scenario, Stop, identity};
use airtime_lab::run::Repeats;

/// Memory of the runs of equal scenarios: rows of publications repeat each other's conditions. It grows with what it is asked, so it
/// is for a bounded number of points.
#[derive(Debug, Default)]
pub struct Memo {
    runs: Mutex<HashMap<String, Arc<OnceLock<Repeats>>>>,
}

impl Memo {
    /// Runs of `scenario`, made now or before; whoever asks while another thread makes them waits for it.
    pub fn ran(&self, scenario: &dyn Scenario, stop: Stop<'_>) -> Repeats {
        let name = identity(scenario);
        let place = Arc::clone(self.runs.lock().unwrap_or_else(PoisonError::into_inner).entry(name).or_default());
        place.get_or_init(|| Repeats::of(scenario, stop)).clone()
    }
}

#[cfg(test)]
mod tests {
    use airtime_lab::{Library, Plan, run};

    use super::*;

    #[test]
    fn equal_scenarios_run_once_and_answer_each_in_its_own_name() {
        let text = "link = \"ieee802154\"\nrun.duration = \"1s\"\nrun.warmup = \"100ms\"\n\
            [[row]]\nid = \"a\"\n[[row]]\nid = \"b\"\n[[row]]\nid = \"c\"\nset = { \"ieee802154.payload\" = 20 }\n";
        let plan = Plan::parse("x.toml", text, &Library::builtin(), &[]).unwrap();
        let (memo, stop) = (Memo::default(), || false);
        for index in 0..3 {
            let point = plan.point(index).unwrap();
            let found = run::record_of(&plan, &point, &|scenario| memo.ran(scenario, &stop));
            assert_eq!(found, run::record(&plan, &point), "{}", point.id);
        }
        assert_eq!(memo.runs.into_inner().unwrap().len(), 2);
    }
}
