//! Blocks to paste: changes as lines of the build configurations they belong in, or as options.

use airtime_keys::config::Side;
use serde::Serialize;
use serde_json::Value;

use crate::plan::{Point, Scenario, set_argument, turns};
use crate::schema::{self, Key, Turns};

/// Lines that belong in one place.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize)]
pub struct Block {
    /// Place to paste them: `prj.conf`, `sdkconfig of the host`, `options of airtime run`.
    pub to: String,
    /// The lines.
    pub lines: Vec<String>,
}

/// `changes` to `point` as lines, by the place they belong in: build configurations first.
pub fn blocks(point: &Point, changes: &[(String, Value)]) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut lines: Vec<(String, String)> = changes.iter().flat_map(|(name, value)| lines(point, name, value)).collect();
    lines.sort_by_key(|(_, line)| line.starts_with("--"));
    for (to, line) in lines {
        match blocks.iter_mut().find(|block| block.to == to) {
            Some(block) => put(&mut block.lines, line),
            None => blocks.push(Block { to, lines: vec![line] }),
        }
    }
    blocks
}

/// Adds `line`, or of two that set the same option to a number the larger one.
fn put(lines: &mut Vec<String>, line: String) {
    let parts = |line: &str| -> Option<(String, u64)> {
        let (option, number) = line.split_once('=')?;
        Some((option.to_owned(), number.parse().ok()?))
    };
    let Some((option, number)) = parts(&line) else { return lines.push(line) };
    let same = lines.iter_mut().find(|known| parts(known).is_some_and(|(known, _)| known == option));
    match same {
        Some(known) => {
            if parts(known).is_some_and(|(_, known)| known < number) {
                *known = line;
            }
        }
        None => lines.push(line),
    }
}

/// Line that sets the key of this name, with those without which it has no effect, each with the place for it.
fn lines(point: &Point, name: &str, value: &Value) -> Vec<(String, String)> {
    let (to, own) = line(point, name, value);
    // What a line needs beside it is Zephyr's, as [`lines_beside`](airtime_link::Scenario::lines_beside) is.
    let key = schema::find(name).filter(|_| to == file(Side::Zephyr));
    let beside = key.map(|key| point.scenario.lines_beside(key, value)).unwrap_or_default();
    let beside = beside.into_iter().map(|line| (to.clone(), line)).collect::<Vec<_>>();
    std::iter::once((to, own)).chain(beside).collect()
}

/// Line that sets the key of this name, and the place for it.
fn line(point: &Point, name: &str, value: &Value) -> (String, String) {
    let option = || format!("--set {}", set_argument(name, value));
    let Some(key) = schema::find(name) else { return (place(Turns::Nobody).into(), option()) };
    let turns = turns(key, &point.scenario);
    match option_line(&point.scenario, key, value) {
        Some((side, line)) => (file(side).into(), line),
        None => (place(turns).into(), option()),
    }
}

/// The line that sets `key` to `value` in a build configuration, where it is an option of an image of `scenario`, and the image it is for.
pub fn option_line(scenario: &Scenario, key: &Key, value: &Value) -> Option<(Side, String)> {
    let own = key.config.iter().filter(|option| scenario.has_option(key, option));
    own.into_iter().find_map(|option| Some((option.side, format!("{}={}", option.config, option.form.text(value)?))))
}

/// File that the options of an image are in.
const fn file(side: Side) -> &'static str {
    match side {
        Side::Host => "sdkconfig of the host",
        Side::Coprocessor => "sdkconfig of the co-processor",
        Side::Zephyr => "prj.conf",
        Side::Radio => "sdkconfig",
        Side::SoftDevice => "sdk_config.h",
        Side::Mynewt => "syscfg.yml",
    }
}

/// Place of what no build configuration says.
const fn place(turns: Turns) -> &'static str {
    match turns {
        Turns::Daemon => "options of the daemon, and of airtime run",
        _ => "options of airtime run",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::personality::Library;
    use crate::plan::Plan;

    fn pasted(text: &str, changes: &[(&str, Value)]) -> Vec<(String, Vec<String>)> {
        let plan = Plan::parse("x.toml", text, &Library::builtin(), &[]).unwrap();
        let changes: Vec<(String, Value)> =
            changes.iter().map(|(name, value)| ((*name).into(), value.clone())).collect();
        let blocks = blocks(&plan.point(0).unwrap(), &changes);
        blocks.into_iter().map(|block| (block.to, block.lines)).collect()
    }

    #[test]
    fn every_change_has_a_line_where_it_belongs() {
        let zephyr = "link = \"ble-coc\"\nperipheral.personality = \"zephyr-ll\"\n";
        let changes = [("coc.in_flight", Value::from(4)), ("acl.count", 6.into()), ("coc.tx_buffers", 8.into())];
        assert_eq!(
            pasted(zephyr, &changes),
            [
                (
                    "prj.conf".into(),
                    vec!["CONFIG_BT_BUF_ACL_TX_COUNT=6".into(), "CONFIG_BT_L2CAP_TX_BUF_COUNT=8".into()]
                ),
                ("options of airtime run".to_owned(), vec!["--set coc.in_flight=4".to_owned()]),
            ]
        );
        let changes = [("lwip.rto_time", Value::from("1.5s")), ("hosted.tx_buffers", 40.into())];
        let places = pasted("link = \"wifi-hosted\"\ntraffic.kind = \"tcp\"\n", &changes);
        assert_eq!(places[0], ("sdkconfig of the host".into(), vec!["CONFIG_LWIP_TCP_RTO_TIME=1500".into()]));
        assert_eq!(places[1], ("sdkconfig of the co-processor".into(), vec!["CONFIG_ESP_SDIO_TX_Q_SIZE=40".into()]));
        let tunnel = pasted("link = \"nrf24-ip\"\n", &[("nrf24.window", 32.into())]);
        assert_eq!(
            tunnel,
            [("options of the daemon, and of airtime run".into(), vec!["--set nrf24.window=32".into()])]
        );
    }

    #[test]
    fn a_line_is_of_the_stack_that_is_there() {
        let mps = |device: &str, more: &str| {
            let text =
                format!("link = \"ble-coc\"\nble.direction = \"c2p\"\nperipheral.personality = \"{device}\"\n{more}");
            pasted(&text, &[("coc.mps", 300.into())]).remove(0)
        };
        let option = ("options of airtime run".to_owned(), vec!["--set coc.mps=300".to_owned()]);
        assert_eq!(mps("zephyr-ll", ""), option);
        assert_eq!(mps("zephyr-ll", "peripheral.host = \"trouble\"\n"), option);
        assert_eq!(mps("esp32c3-nimble", "").0, "sdkconfig");
    }

    #[test]
    fn an_operating_system_has_no_configuration_to_paste() {
        let mac = "link = \"ble-coc\"\ncentral.personality = \"macos\"\nble.direction = \"c2p\"\n";
        assert_eq!(pasted(mac, &[("acl.count", 6.into())])[0].0, "options of airtime run");
    }
}
