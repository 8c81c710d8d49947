//! The search for what gains most: many changes in short runs, the promising ones longer, the best as long as the plan says.

use airtime_lab::Point;
use airtime_lab::explain::ladder::Side;
use airtime_lab::explain::{CHANGES_SHOWN, Candidate, GAIN_MIN_PCT, Length, Worth};
use airtime_lab::record::Asked;

use super::bench::{Bench, Job};

/// Loss in a short run, in percent, behind which a gain may still hide, *assumed*.
const NOISE_PCT: f64 = 2.0;
/// Gain in the longer of the short runs, in percent, below which a change is not run as a whole, *assumed*: half of what is worth
/// a word.
const HOPE_PCT: f64 = GAIN_MIN_PCT / 2.0;
/// Factor within which two runs come to the same, *assumed*: a packet more or less at the end.
const SAME: f64 = 1.001;
/// Changes among them of any one key.
const LONGER_OF_KEY: usize = 2;
/// Times that changes are run as a whole, because those before have lost something on the way.
const FINALS_MAX: usize = 4;

/// A change that was run, if only for a part of the time.
#[derive(Clone, Debug)]
pub struct Tried {
    /// The change.
    pub candidate: Candidate,
    /// Its gain over a run of the same length without it, in percent.
    pub gain: f64,
    /// Set if everything arrived that did without it.
    kept: bool,
    /// Set if it has no effect at all.
    same: bool,
    /// Answer to it, if it was not granted.
    pub refused: Option<Asked>,
}

/// Breadth of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Breadth {
    /// Changes that are run again for longer.
    longer: usize,
    /// Set to spare the values between two that lose.
    hasty: bool,
}

/// The first search, which tries everything.
pub const FIRST: Breadth = Breadth { longer: 9, hasty: false };
/// A search for what goes with a change that was found: *assumed* that a key two values of which lose has none between that gains.
pub const NEXT: Breadth = Breadth { longer: 6, hasty: true };

/// Lengths of the runs of a search, the shorter one first.
#[derive(Clone, Copy, Debug)]
pub struct Lengths(pub [Length; 2]);

impl Lengths {
    /// The lengths for changes to `point` in which its own run does not end otherwise than as a whole.
    pub fn of(bench: &mut Bench<'_>, point: &Point) -> Option<Self> {
        let whole = bench.run(&[Job { point: point.clone(), set: "" }], None, false)?.remove(0);
        let (mut usable, whole) = (Self(whole.lengths), whole.worth);
        for length in &mut usable.0 {
            let job = Job { point: length.cut(bench.plan, point), set: "" };
            let short = bench.run(&[job], None, false)?.remove(0).worth;
            if short.keeps(&short) != whole.keeps(&whole) || (short.kbps > 0.0) != (whole.kbps > 0.0) {
                length.parts = 1;
            }
        }
        Some(usable)
    }
}

/// Runs `candidates` for changes to `point` in the first length. A key both nearest and farthest values of which make no
/// difference on one side makes none between them either, *assumed*, and they are spared.
pub fn screen(
    bench: &mut Bench<'_>,
    lengths: Lengths,
    point: &Point,
    candidates: Vec<Candidate>,
    breadth: Breadth,
) -> Option<Vec<Tried>> {
    let counts = breadth == FIRST;
    let of_side = |a: &Candidate, b: &Candidate| a.key == b.key && a.side == b.side;
    let is_probe = |candidate: &Candidate| candidate.rung == 0 || candidate.last || candidate.side == Side::Beside;
    let (probes, between): (Vec<_>, Vec<_>) = candidates.into_iter().partition(is_probe);
    let mut tried = short(bench, lengths.0[0], point, probes, counts)?;
    let hopeful = |one: &Tried| !one.same && (!breadth.hasty || one.kept && one.gain > -NOISE_PCT);
    let matters = |candidate: &Candidate| tried.iter().any(|one| of_side(&one.candidate, candidate) && hopeful(one));
    let (between, spared): (Vec<_>, Vec<_>) = between.into_iter().partition(matters);
    if counts {
        bench.spare(spared.len());
    }
    tried.extend(short(bench, lengths.0[0], point, between, counts)?);
    Some(tried)
}

/// Runs `candidates` for changes to `point` for a `length`, beside `point` itself.
fn short(
    bench: &mut Bench<'_>,
    length: Length,
    point: &Point,
    candidates: Vec<Candidate>,
    counts: bool,
) -> Option<Vec<Tried>> {
    let base = bench.run(&[Job { point: length.cut(bench.plan, point), set: "" }], None, false)?.remove(0);
    let job = |candidate: &'_ Candidate| length.cut(bench.plan, &candidate.point);
    let points: Vec<Point> = candidates.iter().map(job).collect();
    let jobs: Vec<Job<'_>> =
        points.into_iter().zip(&candidates).map(|(point, candidate)| Job { point, set: &candidate.set }).collect();
    let outcomes = bench.run(&jobs, Some(&base.worth), counts)?;
    drop(jobs);
    let tried = |(candidate, outcome): (Candidate, super::bench::Outcome)| Tried {
        gain: outcome.worth.gain_pct(&base.worth),
        kept: outcome.worth.keeps(&base.worth),
        same: outcome.is_same(&base),
        refused: outcome.asked.into_iter().find(|asked| asked.key == candidate.key),
        candidate,
    };
    Some(candidates.into_iter().zip(outcomes).map(tried).collect())
}

/// The promising ones of what was `tried` at `point`, run for longer; the best first, and of each key the nearest of those that come
/// to the same.
pub fn promising(
    bench: &mut Bench<'_>,
    lengths: Lengths,
    point: &Point,
    tried: &[Tried],
    breadth: Breadth,
) -> Option<Vec<Tried>> {
    let mut chosen: Vec<&Tried> = tried.iter().filter(|one| one.kept && !one.same && one.gain > -NOISE_PCT).collect();
    sort(&mut chosen);
    let mut longer: Vec<&Tried> = Vec::new();
    for one in chosen {
        let of_key = longer.iter().filter(|other| other.candidate.key == one.candidate.key).count();
        if of_key < LONGER_OF_KEY && longer.len() < breadth.longer {
            longer.push(one);
        }
    }
    let mut found = if lengths.0[1] == lengths.0[0] {
        longer.into_iter().cloned().collect()
    } else {
        let candidates = longer.into_iter().map(|one| one.candidate.clone()).collect();
        short(bench, lengths.0[1], point, candidates, false)?
    };
    found.retain(|one| one.kept && one.gain >= HOPE_PCT);
    let mut sorted: Vec<&Tried> = found.iter().collect();
    sort(&mut sorted);
    Some(sorted.into_iter().cloned().collect())
}

/// Sorts by gain, the best first; of values of a key that come to the same, the nearest to what is in effect.
fn sort(tried: &mut [&Tried]) {
    tried.sort_by(|a, b| b.gain.total_cmp(&a.gain));
    for index in 1..tried.len() {
        let mut at = index;
        while at > 0 && is_nearer(tried[at], tried[at - 1]) {
            tried.swap(at, at - 1);
            at -= 1;
        }
    }
}

/// Tells if `one` comes to the same as `other`, a value of the same key, and is the smaller change.
fn is_nearer(one: &Tried, other: &Tried) -> bool {
    let as_good = (100.0 + one.gain) * SAME >= 100.0 + other.gain;
    one.candidate.key == other.candidate.key && one.candidate.rung < other.candidate.rung && as_good
}

/// The best of what is `promising` in runs as long as the plan says, each with its worth: one of each key, such as lose nothing, the
/// best first.
pub fn finals(
    bench: &mut Bench<'_>,
    base: &Worth,
    promising: &[Tried],
    found: &mut Vec<(Candidate, Worth)>,
) -> Option<()> {
    let mut left: Vec<&Candidate> = promising.iter().map(|one| &one.candidate).collect();
    for _ in 0..FINALS_MAX {
        let mut round: Vec<&Candidate> = Vec::new();
        for candidate in &left {
            if round.len() < CHANGES_SHOWN && !round.iter().any(|other| other.key == candidate.key) {
                round.push(candidate);
            }
        }
        if round.is_empty() || found.len() >= CHANGES_SHOWN {
            break;
        }
        let job = |candidate: &&'_ Candidate| candidate.point.clone();
        let points: Vec<Point> = round.iter().map(job).collect();
        let jobs: Vec<Job<'_>> =
            points.into_iter().zip(&round).map(|(point, candidate)| Job { point, set: &candidate.set }).collect();
        let outcomes = bench.run(&jobs, Some(base), false)?;
        for (candidate, outcome) in round.iter().zip(outcomes) {
            let gains = outcome.worth.keeps(base) && outcome.worth.gain_pct(base) >= GAIN_MIN_PCT;
            // A value that fails leaves its place to another one of its key.
            left.retain(|other| if gains { other.key != candidate.key } else { other.set != candidate.set });
            if gains {
                found.push(((*candidate).clone(), outcome.worth));
            }
        }
        found.sort_by(|a, b| b.1.kbps.total_cmp(&a.1.kbps));
    }
    Some(())
}
