use super::*;

fn ask(plan: &str, set: &[(&str, &str)]) -> Ask {
    let set = set.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    Ask { plan: plan.to_owned(), set, ..Ask::default() }
}

const SHORT: [(&str, &str); 2] = [("run.duration", "1s"), ("run.warmup", "0us")];

fn short(plan: &str, set: &[(&str, &str)]) -> Ask {
    ask(plan, &[&SHORT[..], set].concat())
}

#[test]
fn a_run_has_its_figure_its_command_and_the_keys_to_turn() {
    let answer = run(&short("coc-nrf", &[("ble.phy", "1M")]), 340.0).unwrap();
    assert_eq!((answer.plan.as_str(), answer.link.as_str(), answer.outcome.as_str()), ("coc-nrf", "ble-coc", "ok"));
    assert!(answer.figure.contains("viewBox=\"0 0 340 ") && answer.figure.contains(">PHY rate<"));
    assert!(answer.command.starts_with("airtime run coc-nrf --set ") && answer.command.contains("--set ble.phy=1M"));
    let phy = answer.controls.iter().find(|control| control.key == "ble.phy").unwrap();
    assert_eq!((phy.now.as_str(), phy.said), ("1M", true));
    assert_eq!(phy.stops, ["1M", "2M", "S2", "S8"]);
    assert!(answer.controls.iter().all(|control| control.form != control::Form::Slider || control.stops.len() > 1));
}

#[test]
fn every_stop_is_a_value_of_its_key_and_they_rise() {
    for link in ["coc-nrf", "nrf24-stream", "wifi-udp-tx", "ieee802154"] {
        for control in run(&short(link, &[]), 760.0).unwrap().controls {
            let key = airtime_lab::schema::find(control.key).unwrap();
            let numbers: Vec<f64> = control.stops.iter().map(|stop| number(key, stop)).collect();
            if control.form == control::Form::Slider {
                assert!(numbers.is_sorted_by(|a, b| a < b), "{}: {:?}", control.key, control.stops);
                assert!(control.stops.len() <= 240, "{}: {}", control.key, control.stops.len());
                assert!(
                    control.now.is_empty() || control.now == "none" || control.stops.contains(&control.now),
                    "{}",
                    control.key
                );
            }
        }
    }
}

/// Number of a value as behind `--set`, which its key takes.
fn number(key: &'static airtime_lab::schema::Key, text: &str) -> f64 {
    let text = serde_json::Value::from(text);
    let bare = text.as_str().and_then(|text| serde_json::from_str(text).ok()).unwrap_or_else(|| text.clone());
    // A word may be of digits, such as the lines of SDIO.
    let value = key.kind.check(key.name, &bare).or_else(|_| key.kind.check(key.name, &text));
    let value = value.unwrap_or_else(|fault| panic!("{}: {fault:?}", key.name));
    key.kind.number(&value).map(|number| number as f64).or_else(|| value.as_f64()).unwrap_or(0.0)
}

#[test]
fn intervals_stop_where_a_central_grants_them() {
    let answer = run(&short("coc-nrf", &[]), 760.0).unwrap();
    let interval = answer.controls.iter().find(|control| control.key == "ble.conn_interval").unwrap();
    assert_eq!(interval.stops[..4], ["7.5ms", "8.75ms", "10ms", "11.25ms"]);
    assert!((60..=240).contains(&interval.stops.len()), "{:?}", interval.stops);
}

#[test]
fn the_plan_of_a_point_runs_as_the_point() {
    let asked = short("coc-nrf", &[("ble.loss", "{ per = 0.1 }"), ("coc.sdu", "247")]);
    let answer = run(&asked, 760.0).unwrap();
    let own = Ask { plan: "plan.toml".into(), text: Some(answer.text.clone()), ..Ask::default() };
    assert_eq!(run(&own, 760.0).unwrap().goodput, answer.goodput, "{}", answer.text);
}

#[test]
fn a_curve_goes_over_the_values_and_marks_one() {
    let mut sweep = Sweep::new(&short("coc-nrf", &[]), "ble.conn_interval").unwrap();
    for _ in 0..6 {
        assert!(sweep.step());
    }
    let svg = sweep.figure(760.0, "50ms");
    assert!(svg.contains("you are here: ") && svg.contains(" at 50</title>"), "{svg}");
    let words = Sweep::new(&short("coc-nrf", &[]), "ble.phy").unwrap().figure(760.0, "2M");
    assert!(words.contains("2M"), "{words}");
    assert!(Sweep::new(&short("coc-nrf", &[]), "ble.phi").err().unwrap().contains("ble.phi"));
}

#[test]
fn an_explanation_has_its_ladder_and_counts_its_runs() {
    let told = std::sync::atomic::AtomicUsize::new(0);
    let watch = |runs| told.store(runs, std::sync::atomic::Ordering::Relaxed);
    let found = explain(&short("coc-nrf", &[("ble.phy", "1M")]), 760.0, &watch).unwrap();
    assert!(found.figure.contains("today") && found.explanation.waterfall.ladder.iter().any(|rung| rung.turnable));
    assert!(told.into_inner() > 10);
}

#[test]
fn pasted_lines_are_of_the_build_that_they_tell() {
    let pasted = |text: &str| Some(Pasted { text: text.to_owned(), end: String::new() });
    let lines = "CONFIG_BT_BUF_ACL_TX_COUNT=3\nCONFIG_BT_CTLR_PHY_2M=y\n";
    let answer = run(&Ask { config: pasted(lines), ..short("coc-nrf", &[]) }, 760.0).unwrap();
    assert!(answer.lines.iter().any(|line| line.sets.iter().any(|set| set == "acl.count=3")), "{:?}", answer.lines);
    assert!(answer.command.contains("--prj-conf prj.conf"), "{}", answer.command);
    let refused = run(&Ask { config: pasted("CONFIG_X=1\n"), ..short("nrf24-stream", &[]) }, 760.0).unwrap_err();
    assert!(refused.contains("prj.conf"), "{refused}");
}

#[test]
fn mistakes_are_told() {
    let said = |asked: Ask| run(&asked, 760.0).err().unwrap();
    assert!(said(ask("coc-nrv", &[])).contains("did you mean `coc-nrf`?"));
    assert!(said(ask("coc-nrf", &[("coc.sud", "1")])).contains("coc.sdu"));
    assert!(said(Ask { point: Some("x".into()), ..ask("coc-nrf", &[]) }).contains("no point"));
    assert!(Ask::parse("{\"plan\": \"x\", \"sets\": []}").unwrap_err().contains("sets"));
}

#[test]
fn every_link_has_a_shipped_plan_and_a_plan_to_begin_with() {
    let catalogue = catalogue();
    for kind in &catalogue.links {
        assert!(catalogue.plans.iter().any(|plan| plan.link == kind.link), "{}", kind.link);
    }
    assert!(catalogue.plans.iter().all(|plan| !plan.about.is_empty() && plan.points > 0));
    let text = template("ieee802154").unwrap();
    let own = Ask { plan: "plan.toml".into(), text: Some(text), set: short("", &[]).set, ..Ask::default() };
    assert!(run(&own, 760.0).unwrap().goodput.median > 0.0);
}
