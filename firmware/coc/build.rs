//! Reads the plan.
//!
//! | variable | meaning | default |
//! |---|---|---|
//! | `AIRTIME_PLAN` | path of a plan: a whole one, or from this folder | `bench.toml` |
//! | `AIRTIME_SET` | `KEY=VALUE` with a `;` between, as `--set` takes them | none |
//! | `AIRTIME_PSM` | PSM of the channels, as `coc.psm` has it: the central does not look for it then | none: it is discovered |
//! | `AIRTIME_POINT` | id of the point, for a plan of several | the only one |
//! | `AIRTIME_PERIPHERAL` | which peripheral the image `peripheral` is, where a plan has up to four | 1 |

#[path = "build/emit.rs"]
mod emit;
#[path = "build/limits.rs"]
mod limits;

use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

use airtime_ble_link::plan::Scenario;
use airtime_lab::{Library, Plan, Point};

fn main() -> Result<(), Box<dyn Error>> {
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?);
    for variable in ["AIRTIME_PLAN", "AIRTIME_SET", "AIRTIME_PSM", "AIRTIME_POINT", "AIRTIME_PERIPHERAL"] {
        println!("cargo::rerun-if-env-changed={variable}");
    }
    let path = env::var("AIRTIME_PLAN").unwrap_or_else(|_| "bench.toml".into());
    println!("cargo::rerun-if-changed={path}");
    let text = fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?;
    let plan = Plan::parse(&path, &text, &Library::builtin(), &settings()?).map_err(|error| error.to_string())?;
    let point = point(&plan)?;
    let scenario =
        point.scenario.of::<airtime_ble_link::plan::Scenario>().ok_or("link: the boards have Bluetooth LE only")?;
    for warning in limits::warnings(scenario) {
        println!("cargo::warning={path}: {warning}");
    }
    fs::write(out.join("plan.rs"), emit::source(&plan, &point, scenario, peripheral(scenario)?)?)?;
    Ok(())
}

fn settings() -> Result<Vec<(String, String)>, String> {
    let text = env::var("AIRTIME_SET").unwrap_or_default();
    let parts = text.split(';').map(str::trim).filter(|part| !part.is_empty());
    let pair = |part: &str| {
        let (key, value) = part.split_once('=').ok_or(format!("AIRTIME_SET: `{part}` is no KEY=VALUE"))?;
        Ok((key.trim().into(), value.trim().into()))
    };
    let psm = env::var("AIRTIME_PSM").ok().map(|psm| Ok(("coc.psm".into(), psm)));
    parts.map(pair).chain(psm).collect()
}

/// Number of the peripheral, from zero.
fn peripheral(scenario: &Scenario) -> Result<u8, String> {
    let text = env::var("AIRTIME_PERIPHERAL").unwrap_or_else(|_| "1".into());
    let count = scenario.connection.peripherals;
    match text.parse::<u8>() {
        Ok(number) if (1..=count).contains(&number) => Ok(number - 1),
        _ => Err(format!("AIRTIME_PERIPHERAL: `{text}` is not one of the plan's peripherals, 1 to {count}")),
    }
}

/// The point to build: an image does one thing.
fn point(plan: &Plan) -> Result<Point, String> {
    let mut points = plan.points();
    let ids = || points.iter().map(|point| point.id.as_str()).collect::<Vec<_>>().join("\n  ");
    match env::var("AIRTIME_POINT") {
        Ok(id) => match points.iter().position(|point| point.id == id) {
            Some(index) => Ok(points.swap_remove(index)),
            None => Err(format!("AIRTIME_POINT: the plan has no point `{id}`; it has\n  {}", ids())),
        },
        Err(_) if points.len() == 1 => Ok(points.remove(0)),
        Err(_) => Err(format!("the plan has several points: set AIRTIME_POINT to one of\n  {}", ids())),
    }
}
