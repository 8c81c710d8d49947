use std::sync::Mutex;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::SeqCst;

use super::*;
use crate::record::{Bottleneck, Goodput, Record};
use crate::{Library, Plan, run};

/// The record of a real run, as points of a grid repeat and vary it.
fn base() -> Record {
    let text = "link = \"ieee802154\"\nrun.duration = \"2s\"\nrun.warmup = \"100ms\"\n";
    let plan = Plan::parse("x.toml", text, &Library::builtin(), &[]).unwrap();
    run::record(&plan, &plan.point(0).unwrap())
}

/// That record with figures of its own in every place where points of a grid differ.
fn varied(base: &Record, number: u64) -> Record {
    let own = |figure: u64| figure + number.wrapping_mul(6_364_136_223_846_793_005).rotate_left(figure as u32) % 99_991;
    Record {
        id: format!("x/a.key={number}/another={}", own(1)),
        label: format!("a.key {number}, another {}", own(1)),
        replay: format!("airtime run x --point x/a.key={number}/another={} --seed 1", own(1)),
        goodput_kbps: Goodput::of(&[own(2) as f64 / 10.0]),
        delivered_bytes: own(3),
        elapsed_ns: own(4),
        ledger_ns: base.ledger_ns.iter().map(|(name, ns)| (name, own(*ns))).collect(),
        steady_ledger_ns: base.steady_ledger_ns.iter().map(|(name, ns)| (name, own(ns / 2))).collect(),
        counters: base.counters.iter().map(|(name, count)| (name, own(*count))).collect(),
        series_kbps: base.series_kbps.iter().map(|kbps| own(*kbps as u64) as f64 / 10.0).collect(),
        bottleneck: Bottleneck { says: format!("{} % of the air", own(5)), ..base.bottleneck.clone() },
        ..base.clone()
    }
}

fn records(count: usize) -> Vec<Record> {
    let base = base();
    (0..count as u64).map(|number| varied(&base, number)).collect()
}

#[test]
fn what_is_packed_comes_back_in_its_order() {
    let all = records(2 * BLOCK + 3);
    for count in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK, 2 * BLOCK + 3] {
        let packed: Packed<Record> = all[..count].iter().cloned().collect();
        assert_eq!((packed.len(), packed.is_empty(), packed.iter().len()), (count, count == 0, count));
        assert!(packed.blocks.iter().all(|block| matches!(block, Block::Deflated(_))));
        assert!(packed.iter().map(Cow::into_owned).eq(all[..count].iter().cloned()), "{count}");
        let borrowed = packed.iter().filter(|record| matches!(record, Cow::Borrowed(_))).count();
        assert_eq!(borrowed, count % BLOCK, "those behind the last block are not copied");
        for position in [0, 1, BLOCK - 1, BLOCK, BLOCK + 2, 2 * BLOCK, 2 * BLOCK + 1, count].map(|at| at.min(count)) {
            let rest = packed.iter_from(position).map(Cow::into_owned);
            assert!(rest.eq(all[position..count].iter().cloned()), "from {position} of {count}");
        }
    }
}

#[test]
fn lists_are_equal_if_their_entries_are() {
    let all = records(BLOCK + 1);
    let packed = Packed::from(all.clone());
    assert_eq!(packed, all.iter().cloned().collect());
    let mut other = all.clone();
    other[7].seed += 1;
    assert_ne!(packed, Packed::from(other));
    assert_ne!(packed, Packed::from(all[1..].to_vec()));
    assert_eq!(format!("{:?}", Packed::from(vec![1, 2])), "[1, 2]");
}

#[test]
fn json_is_that_of_a_plain_list() {
    for count in [0, 2, BLOCK + 2] {
        let all = records(count);
        let packed = Packed::from(all.clone());
        assert_eq!(serde_json::to_string_pretty(&packed).unwrap(), serde_json::to_string_pretty(&all).unwrap());
        let json = serde_json::to_string(&packed).unwrap();
        assert_eq!(serde_json::from_str::<Packed<Record>>(&json).unwrap(), packed);
    }
    assert!(serde_json::from_str::<Packed<Record>>("{}").is_err());
}

#[test]
fn what_is_read_is_held_as_it_is_until_it_is_a_large_list() {
    let all = records(BLOCK + 2);
    let json = serde_json::to_string(&all).unwrap();
    for list in [Packed::read(all.clone()), serde_json::from_str::<Packed<Record>>(&json).unwrap()] {
        assert!(list.blocks.is_empty() && list.iter().all(|record| matches!(record, Cow::Borrowed(_))));
        assert_eq!(list, Packed::from(all.clone()));
    }
    for count in [HELD - 1, HELD, HELD + 3] {
        let all: Vec<usize> = (0..count).collect();
        let json = serde_json::to_string(&all).unwrap();
        for list in [Packed::read(all.clone()), serde_json::from_str::<Packed<usize>>(&json).unwrap()] {
            assert_eq!(list.blocks.is_empty(), count < HELD, "{count}");
            assert!(list.iter().len() == count && list.iter().map(Cow::into_owned).eq(0..count), "{count}");
        }
    }
}

#[test]
fn what_json_has_no_word_for_is_kept_as_it_is() {
    let mut all = records(3 * BLOCK);
    // The one would be read back as a figure that is absent, the other not at all.
    all[3].error_pct = Some(f64::NAN);
    all[BLOCK + 4].series_kbps = vec![f64::INFINITY, -0.0];
    let packed = Packed::from(all);
    assert!(matches!(packed.blocks[..], [Block::Plain(_), Block::Plain(_), Block::Deflated(_)]));
    let read: Vec<_> = packed.iter().take(BLOCK + 5).collect();
    assert!(read[3].error_pct.is_some_and(f64::is_nan));
    assert_eq!(read[BLOCK + 4].series_kbps, [f64::INFINITY, -0.0]);
}

#[test]
fn figures_come_back_to_the_last_bit() {
    let figures: Vec<f64> = (0..BLOCK).map(|n| (n as f64 + 0.1).ln() / 3.0).chain([-0.0]).collect();
    let packed = Packed::from(figures.clone());
    assert!(matches!(packed.blocks[..], [Block::Deflated(_)]));
    assert!(packed.iter().zip(&figures).all(|(read, figure)| read.to_bits() == figure.to_bits()));
}

#[test]
fn a_record_among_thousands_takes_less_than_a_kilobyte() {
    let base = base();
    let packed: Packed<Record> = (0..10_000).map(|number| varied(&base, number)).collect();
    let octets = packed.blocks.iter().map(|block| match block {
        Block::Deflated(octets) => octets.len(),
        Block::Plain(_) | Block::Shelved { .. } => {
            panic!("everything in it can be written as JSON, and there is no shelf")
        }
    });
    let each = octets.sum::<usize>() / (packed.blocks.len() * BLOCK);
    assert!(each < 1_000, "{each} octets a record");
}

#[test]
fn a_list_that_was_read_is_packed_once_it_grows_too_long() {
    let mut list = Packed::read((0..HELD - 2).collect());
    list.push(HELD - 2);
    assert!(list.blocks.is_empty());
    list.extend([HELD - 1, HELD]);
    assert_eq!((list.blocks.len(), list.last.len(), list.len()), (HELD / BLOCK, 1, HELD + 1));
    assert!(list.iter().map(Cow::into_owned).eq(0..=HELD));
    assert_eq!(list.iter_from(300).next().map(Cow::into_owned), Some(300));
}

/// A shelf in memory that takes so many blocks.
#[derive(Debug)]
struct Boards {
    octets: Mutex<Vec<u8>>,
    left: AtomicUsize,
}

impl Boards {
    fn new(blocks: usize) -> Arc<Self> {
        Arc::new(Self { octets: Mutex::default(), left: blocks.into() })
    }
}

impl Shelf for Boards {
    fn put(&self, octets: &[u8]) -> io::Result<u64> {
        let left = self.left.fetch_update(SeqCst, SeqCst, |left| left.checked_sub(1));
        left.map_err(|_| io::Error::from(io::ErrorKind::StorageFull))?;
        let mut held = self.octets.lock().unwrap();
        held.extend_from_slice(octets);
        Ok((held.len() - octets.len()) as u64)
    }

    fn take(&self, place: u64, length: usize) -> io::Result<Vec<u8>> {
        Ok(self.octets.lock().unwrap()[place as usize..][..length].to_vec())
    }
}

#[test]
fn blocks_beyond_those_that_are_held_are_put_aside_and_come_back() {
    let count = (BLOCKS_HELD + 5) * BLOCK + 3;
    for room in [5, 2, 0] {
        let mut list = Packed::on(Boards::new(room));
        list.extend(0..count);
        let shelved: Vec<bool> = list.blocks.iter().map(|block| matches!(block, Block::Shelved { .. })).collect();
        // Where the disk is full the rest is held.
        let expected: Vec<bool> =
            (0..BLOCKS_HELD + 5).map(|n| (BLOCKS_HELD..BLOCKS_HELD + room).contains(&n)).collect();
        assert_eq!(shelved, expected, "{room}");
        assert!(list.iter().map(Cow::into_owned).eq(0..count));
        let at = (BLOCKS_HELD + 1) * BLOCK + 7;
        assert_eq!(list.iter_from(at).next().map(Cow::into_owned), Some(at));
        assert_eq!(list.clone(), (0..count).collect());
    }
}
