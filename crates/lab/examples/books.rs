//! A Bluetooth LE link in virtual time, and the books of its air: `cargo run -p airtime-lab --example books`.

use std::error::Error;

use airtime_ble_link::plan::Scenario;
use airtime_core::ledger::Account as _;
use airtime_lab::{Library, Plan};

fn main() -> Result<(), Box<dyn Error>> {
    let plan = Plan::parse("mine", "link = \"ble-coc\"\nrun.duration = \"10s\"", &Library::builtin(), &[])?;
    let point = plan.point(0).expect("a plan has a point");
    let scenario = point.scenario.of::<Scenario>().expect("its link is of Bluetooth LE");

    let outcome = airtime_ble_link::run::run(scenario, scenario.run.seed);
    let whole = outcome.ledger.expect("there was a connection");
    assert!(whole.balances(), "no nanosecond is booked twice, and none is missing");
    let books = outcome.steady_ledger.expect("there was a steady state");
    for (account, time) in books.entries().filter(|(_, time)| !time.is_zero()) {
        let share = 100.0 * time.as_nanos() as f64 / books.elapsed().as_nanos() as f64;
        println!("{share:5.1} %  {}: {}", account.name(), account.meaning());
    }
    Ok(())
}
