use super::*;
use airtime_ble::personality::{Budget, Controller, CreditPolicy, Host, OffGrid};
use airtime_ble_link::plan::Stack;
use airtime_core::Duration;

/// A small personality that differs from `zephyr-ll` by `body`.
fn add(body: &str) -> Result<Personality, String> {
    let mut library = Library::builtin();
    library.add("x.toml", &format!("based_on = \"zephyr-ll\"\n{body}")).map_err(|error| error.to_string())?;
    Ok(library.get("x.toml").unwrap().clone())
}

#[test]
fn every_shipped_personality_is_whole_and_says_where_from() {
    let library = Library::builtin();
    assert_eq!(
        library.names(),
        [
            "zephyr-ll",
            "zephyr-ll-2025",
            "zephyr-ll-v3.2",
            "zephyr-host-v3.2",
            "nordic-sdc",
            "nordic-softdevice",
            "macos",
            "iphone",
            "android-pixel",
            "bluez",
            "esp32-p4-c6",
            "esp32-p4-c5",
            "esp32-p4-esp32",
            "rpi-esp32c6",
            "rpi-esp32c6-ng",
            "rpi-esp32",
            "ideal",
            "ti-cc26x2",
            "cyw43439",
            "esp32c3-bluedroid",
            "esp32-bluedroid",
            "esp32c3-nimble",
            "esp32-nimble",
            "esp32c6-nimble",
            "esp32c6-bluedroid",
            "android-10",
            "nexus-android-6",
            "nexus-android-5",
            "iphone-7",
            "iphone-6",
        ]
    );
    for personality in library.iter() {
        let keys: Vec<&str> = personality.describe().iter().map(|entry| entry.key).collect();
        let of = personality.kind.keys.iter().map(|key| key.name);
        // A key in no table is a value alone.
        let all: Vec<&str> = of.filter(|name| name.contains('.')).collect();
        assert_eq!(keys, all, "{}", personality.name);
        assert!(!personality.description.is_empty());
        for entry in personality.describe() {
            assert!(entry.source.len() > 5, "{} {}", personality.name, entry.key);
        }
    }
}

#[test]
fn checked_rows_are_published_rows_of_that_device() {
    for personality in Library::builtin().iter() {
        for entry in personality.describe() {
            for row in &entry.checked {
                assert!(["coc-", "cal-", "esp-", "s140-", "ti-"].iter().any(|prefix| row.starts_with(prefix)), "{row}");
            }
        }
    }
}

#[test]
fn values_arrive_where_they_belong() {
    let library = Library::builtin();
    let ble = |name: &str| *library.get(name).unwrap().of::<airtime_ble_link::plan::Personality>().unwrap();
    let zephyr = ble("zephyr-ll");
    assert_eq!(zephyr.controller.margin, Duration::from_micros(281));
    assert_eq!(zephyr.controller.event_time_cap, None);
    assert_eq!(zephyr.host.credits, CreditPolicy::ZephyrRecv);
    let sdc = library.get("nordic-sdc").unwrap();
    assert_eq!((ble("nordic-sdc").controller.budget, sdc.based_on.as_deref()), (Budget::FullReply, Some("zephyr-ll")));
    let mac = ble("macos");
    assert_eq!(mac.controller.event_time_cap, Some(Duration::from_micros(5_500)));
    assert_eq!((mac.host.coc_mps, mac.host.intervals.off_grid), (1251, OffGrid::Reject));
    let mac = library.get("macos").unwrap();
    assert_eq!(mac.get("controller.event_time_cap").unwrap().status, Status::Derived);
    assert_eq!(ble("iphone").stack, Stack::Os);
    let android = ble("android-pixel");
    assert_eq!(android.host.credits, CreditPolicy::RefillBelow { initial: 65_535, below: 64 });
}

#[test]
fn phones_of_a_time_grant_what_is_reported_of_them() {
    let library = Library::builtin();
    let granted = |name: &str, us: u64| {
        let asked = Duration::from_micros(us);
        let phone = library.get(name).unwrap().of::<airtime_ble_link::plan::Personality>().unwrap();
        phone.host.intervals.grant(asked, asked).map(|interval| interval.as_nanos() / 1_000)
    };
    for (name, asked, expected) in [
        ("nexus-android-5", 7_500, Some(7_500)),
        ("nexus-android-6", 7_500, None),
        ("nexus-android-6", 15_000, Some(15_000)),
        ("android-10", 7_500, Some(11_250)),
        ("android-10", 15_000, Some(15_000)),
        ("iphone-6", 7_500, None),
        ("iphone-7", 15_000, Some(15_000)),
    ] {
        assert_eq!(granted(name, asked), expected, "{name} asked for {asked} us");
    }
}

#[test]
fn what_code_takes_for_granted_is_the_default_personality() {
    let library = Library::builtin();
    let zephyr = library.get("zephyr-ll").unwrap().of::<airtime_ble_link::plan::Personality>().unwrap();
    assert_eq!((zephyr.controller, zephyr.host), (Controller::default(), Host::default()));
}

#[test]
fn one_value_can_be_changed() {
    let line =
        "[controller]\nacl_count = { value = 20, status = \"assumed\", source = \"my build\", checked = [\"a\"] }";
    let mine = add(line).unwrap();
    assert_eq!(mine.of::<airtime_ble_link::plan::Personality>().unwrap().controller.acl_count, 20);
    let entry = mine.get("controller.acl_count").unwrap();
    assert_eq!((entry.source.as_str(), entry.from.as_deref(), entry.checked.len()), ("my build", None, 1));
    assert_eq!(mine.get("controller.margin").unwrap().from.as_deref(), Some("zephyr-ll"));
}

#[test]
fn what_is_wrong_is_said() {
    let value = |value: &str| format!("status = \"assumed\", source = \"s\", value = {value} }}");
    let cases = [
        ("[controler]\n".to_owned(), "x.toml:2:2: unknown key `controler`; did you mean `controller`?"),
        ("[controller]\nmargn = 4\n".to_owned(), "unknown key `controller.margn`; did you mean `controller.margin`?"),
        (
            "[controller]\nmargin = \"281us\"\n".to_owned(),
            "x.toml:3:10: `controller.margin` needs value, status and source",
        ),
        (format!("[controller]\nmargin = {{ {}", value("281")), "281 has no unit"),
        (format!("[controller]\nbudget = {{ {}", value("\"full\"")), "\"full-reply\""),
        (format!("[host]\ncoc_mps = {{ {}", value("22")), "22 is impossible; allowed here: a whole number from 23"),
        (format!("[host]\ncredits = {{ {}", value("{ initial = 0 }")), "no credit is ever given"),
        (format!("[host]\ncredits = {{ {}", value("\"zephyr-rcv\"")), "did you mean `zephyr-recv`?"),
        (
            "[host]\natt_mtu = { value = 23, status = \"guessed\", source = \"s\" }".to_owned(),
            "expected \"measured\", \"derived\", \"specified\" or \"assumed\"",
        ),
        (
            format!("[host.intervals]\nmin = {{ {}", value("\"4s\""))
                + "\nmax = { value = \"2s\", status = \"assumed\", source = \"s\" }",
            "x.toml:3:51: `host.intervals.min` is above `host.intervals.max`",
        ),
        (format!("[host.intervals]\ninitial = {{ {}", value("\"8ms\"")), "is not a multiple of 1.25ms"),
        ("[host]\ncredits.max = 4\n".to_owned(), "x.toml:3:9: unknown key `max`"),
        ("stack = \"os9\"\n".to_owned(), "did you mean `os`?"),
        ("based_on = \"again\"\n".to_owned(), "duplicate key"),
    ];
    for (body, expected) in cases {
        let error = add(&body).unwrap_err();
        assert!(error.contains(expected), "{body}\n{error}");
    }
    let error = Library::builtin().add("x", "based_on = \"zephir-ll\"").unwrap_err().to_string();
    assert!(error.contains("did you mean `zephyr-ll`?"), "{error}");
    let error = Library::builtin().add("x", "stack = \"os\"").unwrap_err().to_string();
    assert!(error.contains("x: `controller.margin` is missing"), "{error}");
}

#[test]
fn the_chain_costs_what_its_published_curves_say() {
    let library = Library::builtin();
    let chain = library.get("esp32-p4-c6").and_then(Personality::of::<airtime_wifi::plan::Chain>).unwrap();
    assert_eq!(chain.costs(), airtime_wifi::network::Costs::p4_c6());
    assert_eq!((chain.coprocessor.he_mcs_max, chain.coprocessor.band_5ghz), (9, false));
    assert_eq!(chain.memory.host_internal, 768 * 1024);
}

#[test]
fn a_personality_is_of_one_kind_of_link() {
    let refused = |text: &str| Library::builtin().add("x.toml", text).unwrap_err().to_string();
    assert!(refused("link = \"nrf24-ip\"").contains("no personality is of a link `nrf24-ip`"));
    assert!(refused("link = \"wifi-hosted\"\nbased_on = \"macos\"").contains("`macos` is of another kind of link"));
    assert!(refused("link = \"wifi-hosted\"\n[controller]").contains("unknown key `controller`"));
    assert!(refused("link = \"wifi-hosted\"\n[bus]\nwke = 1").contains("did you mean `bus.wake`?"));
    assert!(refused("link = \"wifi-hosted\"").contains("`bus.transaction` is missing"));
    let mut library = Library::builtin();
    let mine = "link = \"wifi-hosted\"\nbased_on = \"esp32-p4-c6\"\n[bus]\nwake = { value = \"1ms\", status = \"assumed\", source = \"mine\" }";
    library.add("x.toml", mine).unwrap();
    assert_eq!(
        library.get("x.toml").and_then(Personality::of::<airtime_wifi::plan::Chain>).unwrap().bus.wake,
        Duration::from_millis(1)
    );
}
