//! Same seed, same bytes, on any number of threads, though several nodes take turns on each.

use airtime_ble_link::run::run;
use rayon::prelude::*;

use super::hosts::{Trouble, plan};
use crate::support;

/// Everything that a run came to, as text.
fn figures(threads: usize) -> Vec<String> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool of threads");
    let runs: Vec<(&str, u64)> =
        ["245", "492", "2000"].into_iter().flat_map(|sdu| (1..=6).map(move |seed| (sdu, seed))).collect();
    pool.install(|| {
        runs.par_iter()
            .map(|(sdu, seed)| {
                let set = [
                    ("coc.sdu", *sdu),
                    ("coc.mtu", "2000"),
                    ("coc.credits", "{ initial = 24, on_connect = 0, grant = 1, every = 1 }"),
                    ("ble.loss", "{ per = 0.05 }"),
                    ("run.duration", "5s"),
                ];
                let (_, point) = plan([Trouble, Trouble], &set);
                format!("{:?}", run(support::ble(&point), *seed))
            })
            .collect()
    })
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let alone = figures(1);
    assert_eq!(alone, figures(8));
    assert_ne!(alone[0], alone[1], "with loss, another seed is another run");
}
