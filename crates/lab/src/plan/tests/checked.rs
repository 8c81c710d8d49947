//! Points that are checked when a plan is read, and those of a large grid that are checked when they are made.

use airtime_ble_link::plan::Scenario;

use crate::personality::Library;
use crate::plan::Plan;

#[test]
fn the_largest_grid_is_read() {
    let text = "[sweep]\n\"coc.sdu\" = { from = 1, to = 1000, step = 1 }\n\"coc.in_flight\" = { from = 1, to = 100, step = 1 }\n";
    let plan = Plan::parse("x.toml", text, &Library::builtin(), &[]).unwrap();
    assert_eq!(plan.len(), 100_000);
    let last = plan.point(99_999).unwrap().scenario.of::<Scenario>().cloned().unwrap().coc;
    assert_eq!((last.sdu, last.in_flight), (Some(1_000), 100));
}

/// Points that are impossible though each value is fine with the first of every other, and so is each corner: so many times a list
/// that has the largest SDU and the smallest MTU in its middle.
fn hidden(times: u32) -> String {
    format!(
        "[sweep]\n\"coc.sdu\" = [100, 900, 101]\n\"coc.mtu\" = [1000, 500, 1001]\n\
         \"coc.in_flight\" = {{ from = 1, to = {times}, step = 1 }}\n"
    )
}

#[test]
fn every_point_of_a_small_plan_is_checked_when_it_is_read() {
    let error = Plan::parse("x.toml", &hidden(100), &Library::builtin(), &[]).unwrap_err();
    let expected =
        "x.toml:2:19: `coc.sdu`: 900 is above the MTU of the receiver `zephyr-ll`, 500; allowed here: 1 to 500";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn a_point_of_a_large_grid_is_checked_at_the_latest_when_it_is_made() {
    let plan = Plan::parse("x.toml", &hidden(200), &Library::builtin(), &[]).unwrap();
    assert_eq!((plan.len(), plan.points().len()), (1_800, 1_600));
    // The second SDU with the second MTU and one in flight.
    let index = 3 * 200 + 200;
    let error = plan.made(index).unwrap_err();
    assert_eq!((plan.point(index).is_none(), plan.check_all().unwrap_err()), (true, error.clone()));
    assert_eq!(plan.made(index - 1).unwrap().id, "x/coc.sdu=900/coc.mtu=1000/coc.in_flight=200");
    let record = crate::run::impossible(&plan, index, &error);
    assert_eq!((record.id.as_str(), record.link.as_str()), ("x/coc.sdu=900/coc.mtu=500/coc.in_flight=1", "ble-coc"));
    assert_eq!(record.params.get("coc.mtu"), Some(&500.into()));
    assert_eq!(record.outcome, format!("impossible: {error}"));
    assert_eq!(record.replay, "airtime run x.toml --point x/coc.sdu=900/coc.mtu=500/coc.in_flight=1");
    assert_eq!((record.goodput_kbps.runs, record.elapsed_ns), (0, 0));
}

#[test]
fn a_corner_and_a_value_of_a_large_grid_are_checked_when_it_is_read() {
    // At a corner; in the middle of the first axis, of the second one.
    let grids = [
        ("[100, 900]", "[1000, 1001, 500]"),
        ("[100, 900, 101]", "[500, 1000, 1001]"),
        ("[900, 100, 101]", "[1000, 500, 1001]"),
    ];
    for (sdus, mtus) in grids {
        let text = format!(
            "[sweep]\n\"coc.sdu\" = {sdus}\n\"coc.mtu\" = {mtus}\n\"coc.in_flight\" = {{ from = 1, to = 250, step = 1 }}\n"
        );
        let error = Plan::parse("x.toml", &text, &Library::builtin(), &[]).unwrap_err();
        assert!(error.what.starts_with("`coc.sdu`: 900 is above the MTU"), "{sdus} {mtus}: {error}");
    }
}
