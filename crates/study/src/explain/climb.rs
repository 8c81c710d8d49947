//! The climb up the ladder: from the point as it is, mechanism after mechanism, each on top of those before it, until nothing is left
//! to gain.

use airtime_lab::explain::cost::least_gain_pct;
use airtime_lab::explain::{GAIN_MIN_PCT, Guard, Lever, Mechanism, Worth, combined, granted, levers};
use airtime_lab::{Point, Record};

use super::bench::Bench;
use super::even::evened;
use super::reduce::{KEPT, reduced};
use super::relax::{Dull, relax, relax_all, restored, searched};
use super::stage::{Changes, Stage, Tried, lengths};
use super::unit::Unit;

/// Rungs at most.
const RUNGS_MAX: usize = 12;
/// Gain in percent from which a rung that stands on something that nobody can turn is told, *assumed*.
const ALONE_PCT: f64 = 5.0;
/// Gain of one mechanism alone, in percent, from which it tells enough to go on with, *assumed*: below it, those that bind together
/// come first where they gain several times as much.
const TELLING_PCT: f64 = 20.0;
/// Times that all mechanisms together gain what the best of them gains alone, from which some of them bind together, *assumed*.
const TOGETHER: f64 = 4.0;
/// Part of the largest gain from which what somebody set comes before what nobody touched, *assumed*.
const TOUCHED: f64 = 0.25;
/// Part of the gain of a mechanism at its best from which the way back to what nobody set is enough, *assumed*: what is left is a rung of
/// its own.
const NATURAL: f64 = 0.9;
/// Part of the largest gain from which another mechanism shares the cause.
const SHARED: f64 = 0.9;

/// A rung of the climb.
#[derive(Clone, Debug)]
pub struct Step {
    /// Mechanisms that are eased.
    pub mechanisms: Vec<Mechanism>,
    /// Set if nobody can turn it.
    pub is_environment: bool,
    /// Set if the steps after it stand on it.
    pub is_applied: bool,
    /// Changes of keys that the rung makes.
    pub changes: Changes,
    /// The point before it.
    pub before: Point,
    /// The point with it.
    pub point: Point,
    /// Record of a run of it.
    pub record: Record,
}

/// A climb so far: whatever ends it, this is told.
pub struct Climb {
    /// Mechanisms that cost most at the point as it is; several where they share it or bind together.
    pub cause: Vec<Mechanism>,
    /// Rungs of the ladder, lowest first.
    pub steps: Vec<Step>,
    also: Vec<Guard>,
    rungs_max: usize,
}

/// Point that was reached, with its record and everything that can be eased there.
pub struct Reached {
    /// Point that the ladder begins at.
    pub point: Point,
    /// Record of a run of it.
    pub record: Record,
    /// Keys that ease something there.
    pub levers: Vec<Lever>,
    units: Vec<Unit>,
}

impl Reached {
    fn new(bench: &Bench<'_>, point: Point, record: Record, also: &[Guard]) -> Self {
        let levers = levers(bench.plan, &point, also);
        Self { units: Unit::all(&levers), point, record, levers }
    }

    /// The stage for many runs of changes, of the first of the short lengths.
    fn stage<'b, 'a>(&self, bench: &'b mut Bench<'a>) -> Option<Stage<'b, 'a>> {
        let [first, _] = lengths(&self.record);
        Stage::new(bench, &self.point, &self.record, first)
    }

    /// The stage for closer looks at changes that gain this much in percent, of the second of the short lengths.
    pub fn close_stage<'b, 'a>(&self, bench: &'b mut Bench<'a>, gain_pct: f64) -> Option<Stage<'b, 'a>> {
        let [_, second] = lengths(&self.record);
        let length = second.of_faster(1.0 + gain_pct / 100.0, Worth::of(&self.record).units());
        Stage::new(bench, &self.point, &self.record, length)
    }
}

/// Units that are eased next, with what they come to in short runs.
struct Choice {
    units: Vec<usize>,
    changes: Changes,
    gain: f64,
}

impl Climb {
    /// A climb of at most `depth` rungs that somebody can turn, with keys that guard something as far as they are in `also`.
    pub fn new(also: &[Guard], depth: Option<usize>) -> Self {
        Self { cause: Vec::new(), steps: Vec::new(), also: also.to_vec(), rungs_max: depth.unwrap_or(RUNGS_MAX) }
    }

    /// Climbs to the end; nothing when it was stopped before.
    pub fn run(&mut self, bench: &mut Bench<'_>, point: &Point, record: &Record) -> Option<()> {
        let mut at = Reached::new(bench, point.clone(), record.clone(), &self.also);
        let (mut first, mut dull) = (true, Dull::new());
        while self.steps.iter().filter(|step| step.is_applied).count() < self.rungs_max {
            // A link that gets next to nothing comes before what all of them together gain.
            if let Some(step) = evened(bench, &at)? {
                if std::mem::take(&mut first) {
                    self.cause.clone_from(&step.mechanisms);
                }
                at = self.climbed(bench, step);
                continue;
            }
            let mut stage = at.stage(bench)?;
            let relaxed = relax_all(&mut stage, &at.units, &mut dull)?;
            let choices = choices(&mut stage, &at.units, &relaxed, &at.levers)?;
            if first {
                self.name_cause(&at.units, &choices, &relaxed, &stage);
            }
            let Some(step) = self.next(bench, &at, choices, std::mem::take(&mut first))? else { break };
            at = self.climbed(bench, step);
        }
        Some(())
    }

    /// The point that `step` comes to.
    fn climbed(&mut self, bench: &mut Bench<'_>, step: Step) -> Reached {
        let at = Reached::new(bench, step.point.clone(), step.record.clone(), &self.also);
        bench.state = format!(", {:.1} kbps", Worth::of(&at.record).kbps);
        self.steps.push(step);
        at
    }

    /// The mechanism of the best choice, and whatever comes to as much within a tenth.
    fn name_cause(&mut self, units: &[Unit], choices: &[Choice], relaxed: &[Tried], stage: &Stage<'_, '_>) {
        let Some(best) = choices.first() else { return };
        let mut named: Vec<Mechanism> = best.units.iter().map(|unit| units[*unit].mechanism).collect();
        let shares =
            |unit: &usize| stage.gain(&relaxed[*unit]) >= best.gain * SHARED && relaxed[*unit].worth.keeps(&stage.base);
        named.extend((0..units.len()).filter(shares).map(|unit| units[unit].mechanism));
        let mut seen = Vec::new();
        named.retain(|mechanism| {
            !seen.contains(mechanism) && {
                seen.push(*mechanism);
                true
            }
        });
        self.cause = named;
    }

    /// The first of `choices` that gains in runs as long as the plan says. At the first step, what nobody can turn and costs most is
    /// told before it; what is offered is climbed upon, wherever that is the least.
    fn next(&mut self, bench: &mut Bench<'_>, at: &Reached, choices: Vec<Choice>, first: bool) -> Option<Option<Step>> {
        let is_environment = |choice: &Choice| choice.units.iter().any(|unit| at.units[*unit].is_environment);
        let leading = choices.first();
        let is_offered = |unit: &usize| at.units[*unit].mechanism == Mechanism::Offered;
        let offered = leading.is_some_and(|choice| is_environment(choice) && choice.units.iter().all(is_offered));
        let leads = first && leading.is_some_and(is_environment);
        let (theirs, ours): (Vec<Choice>, Vec<Choice>) = choices.into_iter().partition(is_environment);
        // What stands on something that nobody can turn is told only where it matters much.
        let conditional = self.steps.iter().any(|step| step.is_applied && step.is_environment);
        let ours = ours.into_iter().filter(|choice| !conditional || choice.gain >= ALONE_PCT);
        // Where too little is offered nothing else shows what it costs.
        if offered && let Some(step) = first_of(bench, at, &theirs)? {
            return Some(Some(step));
        }
        for choice in ours {
            if let Some(ours) = step(bench, at, &choice)? {
                let beside = if leads { first_of(bench, at, &theirs)? } else { None };
                self.steps.extend(beside.map(|step| Step { is_applied: false, ..step }));
                return Some(Some(ours));
            }
        }
        first_of(bench, at, &theirs)
    }
}

/// The step of the first of `choices` that comes to one.
fn first_of(bench: &mut Bench<'_>, at: &Reached, choices: &[Choice]) -> Option<Option<Step>> {
    for choice in choices {
        if let Some(step) = step(bench, at, choice)? {
            return Some(Some(step));
        }
    }
    Some(None)
}

/// Choices of what to ease next, the best first: each unit alone, or those that bind together.
fn choices(stage: &mut Stage<'_, '_>, units: &[Unit], relaxed: &[Tried], levers: &[Lever]) -> Option<Vec<Choice>> {
    let alone = |(unit, tried): (usize, &Tried)| Choice {
        units: vec![unit],
        changes: tried.changes.clone(),
        gain: if tried.worth.keeps(&stage.base) { stage.gain(tried) } else { 0.0 },
    };
    let mut found: Vec<Choice> = relaxed.iter().enumerate().map(alone).collect();
    found.retain(|choice| choice.gain >= GAIN_MIN_PCT / 2.0);
    found.sort_by(|a, b| b.gain.total_cmp(&a.gain));
    let most = found.first().map_or(0.0, |best| best.gain);
    prefer_touched(stage, units, &mut found, most)?;
    if most < TELLING_PCT
        && let Some(joint) = joint(stage, units, relaxed, levers, most)?
    {
        found.insert(0, joint);
    }
    Some(found)
}

/// Moves the unit to the front that gains most by a way back from what somebody set, where that is much of what there is to gain.
fn prefer_touched(stage: &mut Stage<'_, '_>, units: &[Unit], found: &mut [Choice], most: f64) -> Option<()> {
    if found.len() < 2 {
        return Some(());
    }
    let mut best: Option<(usize, f64)> = None;
    for (index, choice) in found.iter().enumerate() {
        let unit = &units[choice.units[0]];
        if !unit.is_touched() {
            continue;
        }
        let back = restored(stage, &unit.levers)?;
        let gain = stage.gain(&back);
        if gain >= (most * TOUCHED).max(GAIN_MIN_PCT) && best.is_none_or(|(_, most)| gain > most) {
            best = Some((index, gain));
        }
    }
    if let Some((index, _)) = best {
        found[..=index].rotate_right(1);
    }
    Some(())
}

/// The fewest units that gain together what none of them does alone, if all of them do.
fn joint(
    stage: &mut Stage<'_, '_>,
    units: &[Unit],
    relaxed: &[Tried],
    levers: &[Lever],
    most: f64,
) -> Option<Option<Choice>> {
    let least = (most * TOGETHER).max(GAIN_MIN_PCT);
    let gains = |stage: &Stage<'_, '_>, tried: &Tried| tried.worth.keeps(&stage.base) && stage.gain(tried) >= least;
    let Some((parts, mut all)) = united(stage, units, relaxed)? else { return Some(None) };
    if !gains(stage, &all) {
        if most >= GAIN_MIN_PCT {
            return Some(None);
        }
        // What neither more nor less of it eases may matter only where all else is eased.
        all = searched(stage, levers, all, &mut Dull::new())?;
        if !gains(stage, &all) {
            return Some(None);
        }
        let set = (0..units.len()).filter(|unit| has(&units[*unit], &all.changes)).collect();
        return Some(Some(Choice { units: set, gain: stage.gain(&all), changes: all.changes }));
    }
    let mut set: Vec<usize> = (0..units.len()).filter(|unit| !parts[*unit].is_empty()).collect();
    let floor = stage.base.kbps + KEPT * (all.worth.kbps - stage.base.kbps);
    for unit in set.clone() {
        let less: Vec<usize> = set.iter().copied().filter(|other| *other != unit).collect();
        let changes = less.iter().flat_map(|unit| parts[*unit].clone()).collect();
        let Some(tried) = stage.run(vec![changes])?.pop() else { continue };
        if tried.worth.keeps(&stage.base) && tried.worth.kbps >= floor {
            (set, all) = (less, tried);
        }
    }
    Some(Some(Choice { units: set, gain: stage.gain(&all), changes: all.changes }))
}

/// All units eased together, and the part of each in it, in the way that comes to most and loses nothing: as each of them was eased alone; without
/// what neither more nor less of it eases, since such a value that gains a little by itself may cost all that the others gain; and with
/// everything set back that somebody set.
fn united(stage: &mut Stage<'_, '_>, units: &[Unit], relaxed: &[Tried]) -> Option<Option<(Vec<Changes>, Tried)>> {
    let alone = |of: &dyn Fn(&Unit, &Changes) -> Changes| -> Vec<Changes> {
        units.iter().zip(relaxed).map(|(unit, tried)| of(unit, &tried.changes)).collect()
    };
    let ways = [alone(&|_, changes| changes.clone()), alone(&Unit::sided), alone(&Unit::back)];
    let mut best: Option<(Vec<Changes>, Tried)> = None;
    for parts in ways {
        let Some(tried) = stage.run(vec![parts.concat()])?.pop() else { continue };
        if !tried.worth.keeps(&stage.base) {
            continue;
        }
        if best.as_ref().is_none_or(|(_, known)| tried.worth.kbps > known.worth.kbps) {
            best = Some((parts, tried));
        }
    }
    Some(best)
}

fn has(unit: &Unit, changes: &Changes) -> bool {
    unit.levers.iter().any(|lever| changes.iter().any(|(name, _)| name == lever.key.name))
}

/// Changes of `choice`; or those alone that set back what somebody touched, or else that are to keys somebody speaks of, where they gain
/// nearly as much: nothing is nearer to what went wrong.
fn natural(stage: &mut Stage<'_, '_>, units: &[Unit], choice: &Choice) -> Option<Changes> {
    let levers: Vec<Lever> = choice.units.iter().flat_map(|unit| units[*unit].levers.clone()).collect();
    let whole = stage.run(vec![choice.changes.clone()])?.pop().map_or(0.0, |tried| stage.gain(&tried));
    let touched: Vec<Lever> = levers.iter().filter(|lever| lever.is_touched()).cloned().collect();
    let said: Vec<Lever> = levers.into_iter().filter(|lever| lever.said).collect();
    let is_enough =
        |stage: &Stage<'_, '_>, tried: &Tried| tried.worth.keeps(&stage.base) && stage.gain(tried) >= whole * NATURAL;
    if !touched.is_empty() {
        let back = restored(stage, &touched)?;
        // Where nothing arrives, whatever brings back a stream is a remedy by itself.
        let begins = stage.base.kbps <= 0.0 && back.worth.kbps > 0.0;
        if is_enough(stage, &back) || begins {
            return Some(back.changes);
        }
    }
    if choice.changes.iter().any(|(name, _)| said.iter().all(|lever| lever.key.name != name)) && !said.is_empty() {
        let nearer = relax(stage, &said)?;
        if is_enough(stage, &nearer) {
            return Some(nearer.changes);
        }
    }
    Some(choice.changes.clone())
}

/// The step that `choice` comes to in a run as long as the plan says; none where it gains too little there, or loses something.
fn step(bench: &mut Bench<'_>, at: &Reached, choice: &Choice) -> Option<Option<Step>> {
    let mut stage = at.close_stage(bench, choice.gain)?;
    let changes = natural(&mut stage, &at.units, choice)?;
    let tried = reduced(&mut stage, &changes, &at.levers)?;
    // What gains next to nothing in a part of the time is not worth the whole of it.
    if !tried.worth.keeps(&stage.base) || stage.gain(&tried) < GAIN_MIN_PCT / 2.0 {
        return Some(None);
    }
    let changes = tried.changes;
    let base = Worth::of(&at.record);
    let Some(point) = combined(bench.plan, &at.point, &changes) else { return Some(None) };
    let record = bench.whole(&point)?;
    let (changes, point, record) = match granted(&record, &changes, &at.point) {
        Some(changes) => {
            let Some(point) = combined(bench.plan, &at.point, &changes) else { return Some(None) };
            let record = bench.whole(&point)?;
            (changes, point, record)
        }
        None => (changes, point, record),
    };
    let after = Worth::of(&record);
    let gain = after.gain_pct(&base);
    if changes.is_empty() || !after.keeps(&base) || gain < GAIN_MIN_PCT || gain < least_gain_pct(&at.record, &record) {
        return Some(None);
    }
    let eased = at.units.iter().enumerate().filter(|(index, unit)| choice.units.contains(index) && has(unit, &changes));
    let eased: Vec<&Unit> = eased.map(|(_, unit)| unit).collect();
    let mut mechanisms: Vec<Mechanism> = eased.iter().map(|unit| unit.mechanism).collect();
    mechanisms.dedup();
    let is_environment = eased.iter().any(|unit| unit.is_environment);
    Some(Some(Step { mechanisms, is_environment, is_applied: true, changes, before: at.point.clone(), point, record }))
}
