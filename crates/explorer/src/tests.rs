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
    let ran = Ran::new(&short("coc-nrf", &[("ble.phy", "1M")])).unwrap();
    let (answer, rest) = (ran.answer(340.0), ran.rest(340.0));
    assert_eq!((answer.plan.as_str(), answer.link.as_str(), answer.outcome.as_str()), ("coc-nrf", "ble-coc", "ok"));
    assert!(answer.figure.contains("viewBox=\"0 0 340 ") && answer.figure.contains(">PHY rate<"));
    assert!(answer.command.starts_with("airtime run coc-nrf --set ") && answer.command.contains("--set ble.phy=1M"));
    let phy = rest.controls.iter().find(|control| control.key == "ble.phy").unwrap();
    assert_eq!((phy.now.as_str(), phy.said), ("1M", true));
    assert_eq!(phy.stops, ["1M", "2M", "S2", "S8"]);
    assert!(rest.controls.iter().all(|control| control.form != control::Form::Slider || control.stops.len() > 1));
}

#[test]
fn every_stop_is_a_value_of_its_key_and_they_rise() {
    for link in ["coc-nrf", "nrf24-stream", "wifi-udp-tx", "ieee802154"] {
        for control in Ran::new(&short(link, &[])).unwrap().rest(760.0).controls {
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
    let rest = Ran::new(&short("coc-nrf", &[])).unwrap().rest(760.0);
    let interval = rest.controls.iter().find(|control| control.key == "ble.conn_interval").unwrap();
    assert_eq!(interval.stops[..4], ["7.5ms", "8.75ms", "10ms", "11.25ms"]);
    assert!((60..=240).contains(&interval.stops.len()), "{:?}", interval.stops);
}

#[test]
fn the_plan_of_a_point_runs_as_the_point() {
    let asked = short("coc-nrf", &[("ble.loss", "{ per = 0.1 }"), ("coc.sdu", "247")]);
    let ran = Ran::new(&asked).unwrap();
    let text = ran.rest(760.0).text;
    let own = Ask { plan: "plan.toml".into(), text: Some(text.clone()), ..Ask::default() };
    assert_eq!(Ran::new(&own).unwrap().answer(760.0).goodput, ran.answer(760.0).goodput, "{text}");
}

#[test]
fn every_link_has_its_cycle_to_scale() {
    for plan in ["coc-nrf", "nrf24-stream", "wifi-udp-tx", "ieee802154"] {
        let svg = event(&short(plan, &[]), 760.0).unwrap();
        assert!(svg.starts_with("<svg") && svg.contains(">data<"), "{plan}: {svg}");
    }
    assert_ne!(
        event(&short("coc-nrf", &[("ble.conn_interval", "15ms")]), 760.0),
        event(&short("coc-nrf", &[("ble.conn_interval", "30ms")]), 760.0)
    );
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
    let ran = Ran::new(&Ask { config: pasted(lines), ..short("coc-nrf", &[]) }).unwrap();
    let (answer, rest) = (ran.answer(760.0), ran.rest(760.0));
    assert!(rest.lines.iter().any(|line| line.sets.iter().any(|set| set == "acl.count=3")), "{:?}", rest.lines);
    assert!(answer.command.contains("--prj-conf prj.conf"), "{}", answer.command);
    let refused = Ran::new(&Ask { config: pasted("CONFIG_X=1\n"), ..short("nrf24-stream", &[]) }).err().unwrap();
    assert!(refused.contains("prj.conf"), "{refused}");
}

#[test]
fn mistakes_are_told() {
    let said = |asked: Ask| Ran::new(&asked).err().unwrap();
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
    assert!(Ran::new(&own).unwrap().answer(760.0).goodput.median > 0.0);
}

/// A trace of half a second of a shipped plan, in this form.
fn captured(plan: &str, form: airtime_lab::links::Form) -> Vec<u8> {
    use airtime_lab::links::{Capture, Captures, Origin};
    let point = short(plan, &[]).read().unwrap().point().unwrap();
    let scenario = &*point.scenario.link;
    let mut octets = Vec::new();
    let wanted = vec![Capture { form, view: 0, sink: &mut octets }];
    scenario.captured(scenario.run().seed, Captures { wanted, origin: Origin::VIRTUAL, apart: false, stop: &|| false });
    octets
}

/// The answer to `octets` that come in pieces of this size.
fn heard(octets: &[u8], piece: usize) -> Result<Heard, String> {
    let mut capture = Capture::of(octets.len() as u64)?;
    octets.chunks(piece).try_for_each(|piece| capture.take(piece))?;
    capture.heard(340.0)
}

#[test]
fn a_capture_of_the_air_has_its_tables_and_its_waterfall_however_it_comes() {
    let octets = captured("coc-nrf", airtime_lab::links::Form::Air);
    let told = heard(&octets, 1 << 20).unwrap();
    assert!(told.figures.contains("viewBox=\"0 0 340 ") && told.figures.contains(">PHY rate<"), "{}", told.figures);
    assert!(told.tables.iter().any(|table| table.title.starts_with("connection ") && !table.rows.is_empty()));
    assert_eq!((told.cut.as_ref(), &heard(&octets, 37).unwrap()), (None, &told));
    let cut = heard(&octets[..octets.len() - 3], 1 << 20).unwrap().cut.unwrap();
    assert!(cut.contains("octet"), "{cut}");
}

#[test]
fn what_is_no_capture_is_told() {
    let said = |octets: &[u8]| heard(octets, 1 << 20).unwrap_err();
    assert!(said(b"PK\x03\x04\x14\0").contains("ZIP archive"));
    assert!(said(b"\x00\x01\x02\x03\x04").contains("no capture"));
    assert!(said(b"").contains("octet 0"), "{}", said(b""));
    assert_eq!(
        Capture::of(300 << 20).err().unwrap(),
        "the capture has 300 MiB, and a page reads up to 256; `airtime trace read` reads longer ones"
    );
}
