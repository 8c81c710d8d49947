//! A plan in, its record out: `cargo run -p airtime-lab --example record`.

use std::error::Error;

use airtime_lab::run::record;
use airtime_lab::{Library, Plan};

fn main() -> Result<(), Box<dyn Error>> {
    let plan = Plan::parse("mine", "link = \"ble-coc\"", &Library::builtin(), &[])?;
    let point = plan.point(0).expect("a plan has a point");
    println!("{}", serde_json::to_string(&record(&plan, &point))?);
    Ok(())
}
