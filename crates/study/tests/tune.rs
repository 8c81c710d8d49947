//! Searches: coordinate descent finds what running every point finds, and a folder of points is gone on with.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use airtime_lab::run::record;
use airtime_lab::tune::{Goal, Space, Tuned, free_key};
use airtime_lab::{Figure, Library, Plan, Point};
use airtime_study::tune::{Search, tune};
use airtime_study::{KeptFolder, Merged, Opening, RECORDS_FILE, RunFolder, Shard};

/// A plan with the keys that are free, each with its values.
type Case = (&'static str, &'static [(&'static str, &'static str)]);

const COC: &str = "link = \"ble-coc\"\ncentral.personality = \"zephyr-ll\"\nperipheral.personality = \"zephyr-ll\"\n\
    coc.credits = { initial = 10, on_connect = 10, grant = 1, every = 1 }\nrun.duration = \"2s\"\nrun.warmup = \"500ms\"\n";
const TUNNEL: &str = "link = \"nrf24-ip\"\nrun.duration = \"1s\"\nrun.warmup = \"200ms\"\n";
const WIFI: &str = "link = \"wifi-hosted\"\ntraffic.kind = \"tcp\"\nrun.duration = \"500ms\"\nrun.warmup = \"100ms\"\n";
const MESH: &str = "link = \"ieee802154\"\nrun.duration = \"2s\"\nrun.warmup = \"200ms\"\n";

const GATT: &str = "link = \"ble-gatt\"\ncentral.personality = \"zephyr-ll\"\nperipheral.personality = \"zephyr-ll\"\n\
    run.duration = \"1s\"\nrun.warmup = \"200ms\"\n";
const UDP: &str = "link = \"wifi-hosted\"\ntraffic.kind = \"udp\"\nrun.duration = \"300ms\"\nrun.warmup = \"100ms\"\n";

/// Spaces of which every point is run.
const CASES: [Case; 6] = [
    (
        COC,
        &[
            ("coc.sdu", "244,492,741"),
            ("ble.conn_interval", "7.5ms,15ms,30ms"),
            ("coc.in_flight", "1,2,6"),
            ("acl.count", "3,6"),
        ],
    ),
    (TUNNEL, &[("nrf24.window", "4,12,32"), ("nrf24.rate", "1M,2M"), ("traffic.payload", "200,1400")]),
    (WIFI, &[("lwip.snd_buf", "5760,11520,23040"), ("lwip.wnd", "5760,23040"), ("wifi.ampdu_max", "2,6,16")]),
    (MESH, &[("ieee802154.payload", "20,60,116"), ("ieee802154.ack", "true,false")]),
    (GATT, &[("gatt.payload", "61,122,244"), ("ble.conn_interval", "7.5ms,15ms,30ms"), ("gatt.in_flight", "1,2,6")]),
    (UDP, &[("traffic.payload", "350,700,1400,1472"), ("hosted.tx_queue", "20,60"), ("wifi.ampdu_max", "4,16,32")]),
];

/// Spaces of some 20,000 points and more, of which a search runs a few.
const LARGER: [Case; 6] = [
    (
        COC,
        &[
            ("coc.sdu", "61,123,245,246,492,739,741,984,1230,1476,1722,1968"),
            ("ble.conn_interval", "7.5ms,8.75ms,11.25ms,15ms,18.75ms,30ms,45ms,60ms,100ms,200ms"),
            ("coc.in_flight", "1,2,3,4,6,12"),
            ("acl.count", "1,2,3,4,6,12"),
            ("coc.channels", "1,2"),
            ("ble.phy", "1M,2M,S2"),
        ],
    ),
    (
        GATT,
        &[
            ("gatt.payload", "20,61,122,182,244,495"),
            ("gatt.mtu", "65,128,247,498"),
            ("ble.conn_interval", "7.5ms,8.75ms,11.25ms,15ms,18.75ms,30ms,45ms,60ms,100ms,200ms"),
            ("gatt.in_flight", "1,2,3,4,6,8,12"),
            ("gatt.tx_buffers", "1,2,6,12"),
            ("acl.count", "1,3,6,12"),
        ],
    ),
    (
        TUNNEL,
        &[
            ("nrf24.rate", "250k,1M,2M"),
            ("nrf24.window", "4,6,8,12,16,20,24,32"),
            ("traffic.payload", "100,200,400,600,800,1000,1200,1400"),
            ("nrf24.ack_every", "1,2,3,4,6,8"),
            ("nrf24.ard", "250us,500us,1ms,2ms,4ms"),
            ("nrf24.queue", "5ms,20ms,80ms,320ms"),
        ],
    ),
    (
        WIFI,
        &[
            ("lwip.snd_buf", "2880,5760,11520,17280,23040,34560,46080,65535"),
            ("lwip.wnd", "5760,11520,23040,46080"),
            ("wifi.ampdu_max", "1,2,4,8,16,32"),
            ("hosted.tx_queue", "10,20,60,120"),
            ("hosted.rx_queue", "10,20,60,120"),
            ("hosted.sdio_clock", "20MHz,40MHz"),
            ("hosted.sdio_lines", "1,4"),
            ("lwip.tcpip_recvmbox", "32,64,128"),
        ],
    ),
    (
        MESH,
        &[
            ("ieee802154.payload", "7,14,29,40,50,58,70,80,90,100,110,116"),
            ("ieee802154.ack", "true,false"),
            ("ieee802154.min_be", "0,1,2,3,4,5"),
            ("ieee802154.max_be", "5,6,7,8"),
            ("ieee802154.max_backoffs", "1,2,3,4,5"),
            ("ieee802154.retries", "0,1,3,7"),
            ("ieee802154.pan_compression", "true,false"),
        ],
    ),
    (
        UDP,
        &[
            ("traffic.payload", "87,175,350,500,700,900,1100,1200,1400,1472"),
            ("hosted.tx_queue", "5,10,20,40,60,120"),
            ("hosted.tx_buffers", "10,20,40,80"),
            ("wifi.ampdu_max", "1,2,4,8,16,32"),
            ("hosted.sdio_clock", "20MHz,40MHz"),
            ("hosted.sdio_lines", "1,4"),
            ("lwip.on_error", "spin,yield,sleep"),
            ("hosted.mode", "streaming,packet"),
        ],
    ),
];

fn read((text, free): Case) -> (Plan, Point, Space) {
    let plan = Plan::parse("x.toml", text, &Library::builtin(), &[]).unwrap();
    let point = plan.point(0).unwrap();
    let axis = |(key, values): &(&str, &str)| {
        let values: Vec<String> = values.split(',').map(str::to_owned).collect();
        free_key(&plan, &point, key, &values).unwrap_or_else(|error| panic!("{key}: {error}"))
    };
    let space = Space { axes: free.iter().map(axis).collect() };
    (plan, point, space)
}

fn found((plan, point, space): &(Plan, Point, Space), goal: &Goal, exhaustive_max: u64) -> Tuned {
    let runner = |plan: &Plan, point: &Point| record(plan, point);
    let search = Search { exhaustive_max, ..Search::new(space, goal) };
    tune(plan, point, &search, &runner, &|_, _| (), &AtomicBool::new(false)).unwrap()
}

#[test]
fn descent_finds_what_all_points_have() {
    for case in CASES {
        let read = read(case);
        for figure in [Figure::Goodput, Figure::DelayP99] {
            let goal = Goal::new(figure, Vec::new());
            let all = found(&read, &goal, u64::MAX);
            assert!(all.exhaustive && all.tried as u64 == all.points, "{} of {}", all.tried, all.points);
            let some = found(&read, &goal, 0);
            let value = |tuned: &Tuned| tuned.best.as_ref().and_then(|best| best.goal);
            assert_eq!(value(&some), value(&all), "{}: {} of {} points", all.goal, some.tried, some.points);
            assert_eq!(found(&read, &goal, 0), some, "the same again");
        }
    }
}

/// Of a larger space a search finds 99 % of the best in 2 % of the points; what it is told by is all of them.
#[test]
#[ignore = "all points of six large spaces: run it in release"]
fn descent_finds_nearly_all_of_a_large_space_in_few_of_its_points() {
    for case in LARGER {
        let read = read(case);
        let goal = Goal::new(Figure::Goodput, Vec::new());
        let some = found(&read, &goal, 0);
        let all = found(&read, &goal, u64::MAX);
        let value = |tuned: &Tuned| tuned.best.as_ref().and_then(|best| best.goal).unwrap();
        let (part, run) = (value(&some) / value(&all), some.tried as f64 / all.tried as f64);
        println!(
            "{}: {:.1} of {:.1} kbps, {:.2} %, in {} of {} points, {:.2} %",
            read.1.scenario.link.link(),
            value(&some),
            value(&all),
            100.0 * part,
            some.tried,
            all.tried,
            100.0 * run
        );
        assert!(all.exhaustive && all.points >= 20_000, "{}", all.points);
        assert!(part >= 0.99 && run <= 0.02, "{part} {run}");
    }
}

#[test]
fn limits_are_kept_and_the_best_has_neighbours_a_front_and_lines() {
    let read = read(CASES[0]);
    let free = found(&read, &Goal::new(Figure::Goodput, Vec::new()), u64::MAX);
    let best = free.best.clone().unwrap();
    let goodput = |tuned: &Tuned| tuned.best.as_ref().unwrap().goal.unwrap();
    assert!(free.gain_pct.unwrap() > 0.0 && !free.around.is_empty() && !free.paste.is_empty(), "{free:?}");
    assert!(free.around.iter().all(|one| one.goal.is_none_or(|goal| goal <= goodput(&free))));
    assert!(
        free.front
            .is_sorted_by(|one, other| one.goodput_kbps > other.goodput_kbps && one.delay_p99_ms > other.delay_p99_ms)
    );
    assert!(free.runners_up.is_sorted_by(|one, other| one.goal >= other.goal));
    // Half of the delay that the best has is had by another one, which carries no more.
    let limit = format!("delay_p99 < {:.3}ms", best.delay_p99_ms.unwrap() / 2.0);
    let goal = Goal::new(Figure::Goodput, vec![limit.parse().unwrap()]);
    let within = found(&read, &goal, u64::MAX);
    let kept = within.best.clone().unwrap();
    assert!(
        kept.delay_p99_ms < Some(best.delay_p99_ms.unwrap() / 2.0) && goodput(&within) <= goodput(&free),
        "{kept:?}"
    );
    let goal = Goal::new(Figure::Goodput, vec!["delay_p99 < 1us".parse().unwrap()]);
    assert_eq!(found(&read, &goal, u64::MAX).best, None);
}

#[test]
fn a_search_that_was_stopped_goes_on_from_its_folder() {
    let home = tempfile::tempdir().unwrap();
    let (plan, point, space) = read(CASES[3]);
    let goal = Goal::new(Figure::Goodput, Vec::new());
    let (runs, cancel) = (AtomicUsize::new(0), AtomicBool::new(false));
    let runner = |plan: &Plan, point: &Point| {
        runs.fetch_add(1, Ordering::Relaxed);
        record(plan, point)
    };
    let stop_at = |most: usize| {
        let cancel = &cancel;
        move |done: usize, _: Option<u64>| cancel.store(done == most, Ordering::Relaxed)
    };
    let run = |opening: Opening, most: usize| {
        cancel.store(false, Ordering::Relaxed);
        let folder = RunFolder::open(home.path(), "x", opening).unwrap();
        let search = Search { folder: Some(&folder), threads: 1, ..Search::new(&space, &goal) };
        tune(&plan, &point, &search, &runner, &stop_at(most), &cancel).unwrap()
    };
    let first = run(Opening::Fresh, 3);
    assert!(first.stopped && !first.exhaustive, "{first:?}");
    let before = runs.load(Ordering::Relaxed);
    let whole = run(Opening::Resume, usize::MAX);
    assert!(whole.exhaustive && !whole.stopped);
    // The one that was running when it was stopped is not kept.
    assert_eq!(runs.load(Ordering::Relaxed) - before, whole.tried - (before - 1));
    assert_eq!(whole.best, found(&(plan.clone(), point.clone(), space.clone()), &goal, u64::MAX).best);
}

/// Outcome of a search that went on with the folders of all its `count` parts, put together, and the points that it had to run for it.
fn in_parts(
    (plan, point, space): &(Plan, Point, Space),
    goal: &Goal,
    exhaustive_max: u64,
    count: usize,
) -> (Tuned, usize) {
    let home = tempfile::tempdir().unwrap();
    let runs = AtomicUsize::new(0);
    let runner = |plan: &Plan, point: &Point| {
        runs.fetch_add(1, Ordering::Relaxed);
        record(plan, point)
    };
    let whole = Search { exhaustive_max, ..Search::new(space, goal) };
    let search = |search: &Search<'_>, folder: &str, opening: Opening| {
        let folder = RunFolder::open_part(&home.path().join(folder), "x", search.part(plan, point), opening).unwrap();
        let search = Search { folder: Some(&folder), ..*search };
        tune(plan, point, &search, &runner, &|_, _| (), &AtomicBool::new(false)).unwrap()
    };
    for part in 1..=count {
        let shard: Shard = format!("{part}/{count}").parse().unwrap();
        search(&Search { shard, ..whole }, &part.to_string(), Opening::Fresh);
    }
    let kept = (1..=count).map(|part| KeptFolder::read(&home.path().join(part.to_string())).unwrap()).collect();
    let merged = home.path().join("merged");
    std::fs::create_dir(&merged).unwrap();
    let path = merged.join(RECORDS_FILE);
    Merged::of(kept).unwrap().write(&path, &mut std::fs::File::create(&path).unwrap()).unwrap();
    runs.store(0, Ordering::Relaxed);
    let found = search(&whole, "merged", Opening::Resume);
    (found, runs.into_inner())
}

#[test]
fn parts_of_a_search_come_to_what_it_comes_to_whole() {
    for case in [CASES[1], CASES[3]] {
        let read = read(case);
        let goal = Goal::new(Figure::Goodput, Vec::new());
        let all = in_parts(&read, &goal, u64::MAX, 3);
        assert_eq!(all, (found(&read, &goal, u64::MAX), 0), "nothing is run twice");
        let (some, around) = in_parts(&read, &goal, 0, 4);
        assert_eq!(some, found(&read, &goal, 0));
        assert!(around <= some.around.len(), "{around} points are run when all parts are there");
    }
}

#[test]
fn parts_of_another_search_are_told_apart() {
    let (plan, point, space) = read(CASES[1]);
    let goal = |limits: &[&str]| {
        let limits = limits.iter().map(|limit| limit.parse().unwrap()).collect();
        Goal::new(Figure::Goodput, limits)
    };
    let (plain, limited) = (goal(&[]), goal(&["delay_p99 < 50ms"]));
    let shard: Shard = "1/2".parse().unwrap();
    let search = Search { shard, ..Search::new(&space, &plain) };
    let grid = |search: Search<'_>| search.part(&plan, &point).unwrap().grid;
    let narrow = Space { axes: space.axes[1..].to_vec() };
    assert_eq!(grid(search), grid(Search { threads: 7, ..search }));
    for other in [
        Search { goal: &limited, ..search },
        Search { space: &narrow, ..search },
        Search { restarts: 1, ..search },
        Search { exhaustive_max: 1, ..search },
    ] {
        assert_ne!(grid(search), grid(other));
    }
    assert_eq!(Search::new(&space, &plain).part(&plan, &point), None);
}
