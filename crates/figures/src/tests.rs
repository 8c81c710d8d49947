use crate::*;

fn waterfall() -> Figure {
    let step = |account: &str, kbps: f64| Step { account: account.to_owned(), kbps, share: kbps / 1000.0 };
    Figure::Waterfall(Waterfall {
        title: "55 % of the air: waiting for <credits> & more".to_owned(),
        subtitle: "coc \"quoted\" ]]> <script>alert(1)</script> \u{0}\u{202e}".to_owned(),
        phy_kbps: 1000.0,
        steps: vec![
            step("idle.credits", 550.0),
            step("an account with a name that is longer than its column is", 50.4),
        ],
        goodput_kbps: 399.6,
    })
}

fn ladder() -> Figure {
    let rung = |change: &str, who: Option<&str>, before: f64, kbps: f64| Rung {
        change: change.to_owned(),
        who: who.map(str::to_owned),
        before_kbps: before,
        kbps,
        gain: "+10.0 %".to_owned(),
        applied: who.is_some(),
    };
    Figure::Ladder(Ladder {
        title: "cause: each exchange carries 23 octets".to_owned(),
        subtitle: "coc".to_owned(),
        today_kbps: 300.0,
        rungs: vec![
            rung("phone.cpu 1 → 2", None, 300.0, 350.0),
            rung("ble.data_length 27 → 251", Some("firmware"), 300.0, 900.0),
        ],
        limit: (900.0, "the air".to_owned()),
    })
}

fn rows(largest: f64) -> Figure {
    let dot = |value: f64| Some(Dot { value, range: Some((value - 1.0, value + 1.0)) });
    let row =
        |name: &str, value: f64| Row { name: name.to_owned(), dots: vec![dot(value), None], says: "+1 %".to_owned() };
    Figure::Rows(Rows {
        title: "2 rows".to_owned(),
        subtitle: String::new(),
        axis: "goodput (kbps)".to_owned(),
        legend: vec!["measured".to_owned(), "lab".to_owned()],
        band: None,
        rows: vec![row("one", 10.0), row("two", largest)],
    })
}

#[test]
fn golden_waterfall() {
    insta::assert_snapshot!(document(&[waterfall()], "airtime run 'a b' --set x=1 -o x.svg"));
}

#[test]
fn golden_ladder() {
    insta::assert_snapshot!(document(&[ladder()], ""));
}

#[test]
fn golden_rows() {
    insta::assert_snapshot!(document(&[rows(40.0)], ""));
}

#[test]
fn golden_heat() {
    let names = |names: [&str; 2]| names.map(str::to_owned).to_vec();
    let heat = Heat {
        title: "Best: 1312.0 kbps".to_owned(),
        subtitle: "3 points".to_owned(),
        across: ("coc.sdu".to_owned(), names(["247", "492"])),
        down: ("ble.phy".to_owned(), names(["1M", "2M"])),
        cells: vec![vec![Some(0.0), Some(50.5)], vec![None, Some(1312.0)]],
        unit: "kbps".to_owned(),
    };
    insta::assert_snapshot!(document(&[Figure::Heat(heat)], ""));
}

#[test]
fn golden_timeline() {
    let span = |from_us, to_us, name: &str, spent| Span { from_us, to_us, name: name.to_owned(), spent };
    let lane = |name: &str, spans| Lane { name: name.to_owned(), spans };
    let line = Timeline {
        title: "Half".to_owned(),
        subtitle: "2.5 ms from 1 s on".to_owned(),
        length_us: 2_500.0,
        lanes: vec![
            lane("events", vec![span(0.0, 1_194.0, "event", Spent::Frame)]),
            lane(
                "PDUs",
                vec![span(0.0, 1_000.0, "data", Spent::Data), span(1_150.0, 1_194.0, "empty", Spent::Overhead)],
            ),
            lane("stalls", vec![span(1_194.0, 2_500.0, "tail", Spent::Lost)]),
        ],
    };
    insta::assert_snapshot!(document(&[Figure::Timeline(line)], ""));
}

#[test]
fn decades_are_spaced_by_their_logarithm() {
    let svg = document(&[rows(4000.0)], "");
    assert!(svg.contains(">1000<") && svg.contains(">10000<"), "{svg}");
    assert!(!document(&[rows(40.0)], "").contains(">1000<"));
}

#[test]
fn a_band_is_on_the_axis_and_in_the_legend() {
    let Figure::Rows(rows) = rows(40.0) else { unreachable!("they are rows") };
    let band = Some(Band { low: -2.0, high: 2.0, says: "the same <".to_owned() });
    let svg = document(&[Figure::Rows(Rows { band, ..rows })], "");
    assert_eq!(svg.matches("<title>the same &lt;</title></rect>").count(), 2, "{svg}");
    // From -10 to 50 are six steps: what is 4 wide of 60 is a fifteenth of the plane between its ends.
    let (axis, rest) = svg.split_once("<path class=\"axis\" fill=\"none\" d=\"M").unwrap();
    assert!(axis.contains(">-10<") && axis.contains(">50<"), "{svg}");
    let ends = rest.split('"').next().unwrap();
    let number = |text: &str| text.parse::<f64>().unwrap();
    let left = number(ends.split(' ').next().unwrap());
    let right = number(ends.rsplit('H').next().unwrap());
    let drawn = svg.lines().filter(|line| line.contains("fill-opacity")).nth(1).unwrap();
    let width = number(drawn.split(" width=\"").nth(1).unwrap().split('"').next().unwrap());
    assert!((width - (right - left) / 15.0).abs() < 0.1, "{width} of {left} to {right}");
}

#[test]
fn a_mark_tells_what_it_is_of() {
    let marks = vec![Mark { note: "coc.sdu=492".to_owned(), ..Mark::new(10.0, 20.0) }];
    let chart = Chart {
        title: String::new(),
        subtitle: String::new(),
        x: Axis::linear("delay (ms)"),
        y: Axis::linear("goodput (kbps)"),
        series: vec![Series { name: "front".to_owned(), look: Look::Line, marks }],
    };
    assert!(document(&[Figure::Chart(chart)], "").contains("<title>front: 20.0 at 10; coc.sdu=492</title>"));
}

#[test]
fn hostile_text_is_shown_and_every_mark_tells_itself() {
    let svg = document(&[waterfall(), ladder()], "airtime run '<script>' --set x=1");
    assert!(!svg.contains("<script") && svg.contains("&lt;script&gt;alert(1)"), "{svg}");
    assert!(!svg.contains(['\u{0}', '\u{202e}']));
    assert!(svg.contains("<desc>made by: airtime run &#39;&lt;script&gt;&#39; --set x=1</desc>"));
    // The paper of each figure stands for nothing.
    let bars = svg.matches("<rect ").count() - svg.matches("class=\"paper\"").count();
    assert_eq!((svg.matches("</title></rect>").count(), bars), (4 + 4 + 2, 4 + 4 + 2));
    assert_eq!(svg.matches("role=\"img\"").count(), 3);
    assert!(svg.contains("nobody can turn it"));
}

#[test]
fn each_account_falls_from_where_the_one_before_ended() {
    let svg = document(&[waterfall()], "");
    let edge = |class: &str, attribute: &str| -> Vec<f64> {
        let bars = svg.lines().filter(|line| line.starts_with(&format!("<rect class=\"{class}\"")));
        let value = |line: &str| line.split(&format!(" {attribute}=\"")).nth(1)?.split('"').next()?.parse().ok();
        bars.filter_map(value).collect()
    };
    let (left, width) = (edge("loss", "x"), edge("loss", "width"));
    let (whole, kept) = (edge("whole", "width")[0], edge("kept", "width")[0]);
    assert!((left[0] + width[0] - edge("whole", "x")[0] - whole).abs() < 0.2);
    assert!((left[1] + width[1] - left[0]).abs() < 0.2);
    assert!((kept - whole * 0.3996).abs() < 0.2);
}

#[test]
fn a_run_without_air_has_its_goodput_alone() {
    let svg = document(&[Figure::Waterfall(Waterfall { goodput_kbps: 5.0, ..Waterfall::default() })], "");
    assert!(svg.contains("goodput: 5.0 kbps</title>") && !svg.contains("PHY"), "{svg}");
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
}

#[test]
fn long_words_are_cut_and_long_texts_end_in_an_ellipsis() {
    let lines = |text: &str| crate::paper::lines(text, 80.0, 8.0, 2);
    assert_eq!(lines("one two three"), ["one two", "three"]);
    assert_eq!(lines("abcdefghijklmnop"), ["abcdefghij", "klmnop"]);
    assert_eq!(lines("abcdefghij klmnopqrst uvw"), ["abcdefghij", "klmnopqrs…"]);
    assert!(lines("").is_empty());
}

#[test]
fn a_figure_for_a_phone_keeps_its_letters_within_its_width() {
    for figure in [waterfall(), ladder(), rows(20.0)] {
        let svg = figure.element_of(340.0);
        assert!(svg.contains("viewBox=\"0 0 340 "), "{svg}");
        let places = svg.split(" x=\"").skip(1).filter_map(|rest| rest.split('"').next()?.parse::<f64>().ok());
        let places: Vec<f64> = places.collect();
        assert!(places.len() > 8 && places.iter().all(|x| (0.0..=340.0).contains(x)), "{places:?}");
        let widths = svg.split("<rect class=\"").skip(2).filter_map(|rest| {
            let of = |name: &str| rest.split(&format!(" {name}=\"")).nth(1)?.split('"').next()?.parse::<f64>().ok();
            Some(of("x")? + of("width")?)
        });
        assert!(widths.clone().all(|right| right <= 340.0), "{:?}", widths.collect::<Vec<_>>());
    }
    assert!(waterfall().element().contains("share of air") && !waterfall().element_of(340.0).contains("share of air"));
}
