//! Check of what has arrived against what was sent: the test's SDUs and values have their number and a pattern in them.

use std::fmt;

use airtime_app::{Gaps, Order, payload};

/// Check of a stream as it arrives.
#[derive(Clone, Debug, Default)]
pub struct Check {
    order: Order,
    units: u64,
    spoilt: u64,
    /// The stream is of somebody else's, whose payload says nothing.
    foreign: bool,
    expected: Vec<u8>,
}

/// Outcome of a check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Whole {
    /// SDUs or values that have arrived.
    pub units: u64,
    /// Those of them that were not simply the next one.
    pub gaps: Gaps,
    /// Those whose pattern is another one; none where nobody has looked at it.
    pub spoilt: Option<u64>,
}

impl Check {
    /// Takes the next SDU or value.
    pub fn take(&mut self, unit: &[u8]) {
        let mut head = [0; payload::SEQUENCE_OCTETS];
        let octets = unit.len().min(head.len());
        head[..octets].copy_from_slice(&unit[..octets]);
        let len = u16::try_from(unit.len()).unwrap_or(u16::MAX);
        self.expected.resize(unit.len(), 0);
        payload::write(payload::sequence(len, head), &mut self.expected);
        let is_as_sent = self.expected == unit;
        // A stream of ours begins with its first number.
        self.foreign |= self.units == 0 && !(is_as_sent && octets == head.len() && head == [0; 8]);
        self.units += 1;
        self.spoilt += u64::from(!is_as_sent);
        self.order.note(len, head);
    }

    /// Outcome so far; none of a stream whose payload says nothing.
    pub fn outcome(&self) -> Option<Whole> {
        let Self { order, units, spoilt, foreign, .. } = *self;
        (!foreign && units > 0).then(|| Whole { units, gaps: order.gaps(), spoilt: Some(spoilt) })
    }
}

impl fmt::Display for Whole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { units, gaps: Gaps { lost, duplicated, reordered }, spoilt } = self;
        match (self.gaps.is_none(), spoilt) {
            (true, None) => write!(f, "of {units} that arrived none was lost, doubled or out of order"),
            (true, Some(0)) => write!(f, "of {units} that arrived none was lost, doubled, out of order or spoilt"),
            _ => {
                write!(f, "{units} arrived: {lost} lost, {duplicated} doubled, {reordered} out of order")?;
                spoilt.iter().try_for_each(|spoilt| write!(f, ", {spoilt} spoilt"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sdu(number: u64) -> Vec<u8> {
        let mut sdu = vec![0; 300];
        payload::write(number, &mut sdu);
        sdu
    }

    fn checked(units: &[Vec<u8>]) -> Option<Whole> {
        let mut check = Check::default();
        units.iter().for_each(|unit| check.take(unit));
        check.outcome()
    }

    #[test]
    fn a_whole_stream_is_said_to_be() {
        let said = checked(&[0, 1, 2].map(sdu)).unwrap().to_string();
        assert_eq!(said, "of 3 that arrived none was lost, doubled, out of order or spoilt");
    }

    #[test]
    fn each_fault_is_counted() {
        let mut spoilt = sdu(6);
        spoilt[200] ^= 1;
        let units: Vec<_> = [0, 1, 1, 4, 3, 5].map(sdu).into_iter().chain([spoilt]).collect();
        let said = checked(&units).unwrap().to_string();
        assert_eq!(said, "7 arrived: 1 lost, 1 doubled, 1 out of order, 1 spoilt");
        let unlooked = Whole { units: 7, spoilt: None, ..Whole::default() };
        assert_eq!(unlooked.to_string(), "of 7 that arrived none was lost, doubled or out of order");
    }

    #[test]
    fn of_a_stream_of_somebody_else_nothing_is_said() {
        assert_eq!(checked(&[]), None);
        assert_eq!(checked(&[vec![0xaa; 244], vec![0xaa; 244]]), None);
        assert_eq!(checked(&[sdu(1), sdu(2)]), None, "its begin was missed");
        assert_eq!(checked(&[vec![0; 4]]), None, "too short for a number");
    }
}
