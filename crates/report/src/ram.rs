//! Lines on the RAM of buffers.

use airtime_lab::Record;
use airtime_lab::record::Ram;

use crate::cells::figure;

/// For each memory a line on how much of it the buffers may take, and below it a line for each class of them: how many, and what
/// twice as many would take on top, which is the step that explanations try.
pub(crate) fn ram(record: &Record) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let same = |a: &Ram, b: &Ram| (&a.chip, &a.memory) == (&b.chip, &b.memory);
    for (position, first) in record.ram.iter().enumerate() {
        if record.ram[..position].iter().any(|earlier| same(earlier, first)) {
            continue;
        }
        let group: Vec<&Ram> = record.ram.iter().filter(|class| same(class, first)).collect();
        let octets: u64 = group.iter().map(|class| class.octets).sum();
        lines.push(format!(
            "{} RAM of the {}: {} of {} kB, {:.0} %",
            first.memory,
            first.chip,
            figure(octets as f64 / 1e3),
            figure(first.of as f64 / 1e3),
            100.0 * octets as f64 / first.of.max(1) as f64
        ));
        lines.extend(group.into_iter().map(class));
    }
    lines
}

fn class(class: &Ram) -> String {
    let kilooctets = figure(class.octets as f64 / 1e3);
    format!(
        "  {}: {} x {} octets = {kilooctets} kB; {} -> {}: +{kilooctets} kB",
        class.class,
        class.count,
        class.each,
        class.count,
        class.count * 2
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memories_come_with_their_classes() {
        let class = |class: &str, count| Ram {
            chip: "co-processor".into(),
            class: class.into(),
            count,
            each: 1_600,
            octets: count * 1_600,
            memory: "internal".into(),
            of: 524_288,
        };
        let classes =
            vec![class("static", 10), Ram { memory: "external".into(), ..class("pbuf", 1) }, class("dynamic", 32)];
        let lines = ram(&Record { ram: classes, ..Record::default() });
        assert_eq!(lines[0], "internal RAM of the co-processor: 67.2 of 524.3 kB, 13 %");
        assert_eq!(lines[1], "  static: 10 x 1600 octets = 16.0 kB; 10 -> 20: +16.0 kB");
        assert_eq!(lines[2], "  dynamic: 32 x 1600 octets = 51.2 kB; 32 -> 64: +51.2 kB");
        assert_eq!(lines[3], "external RAM of the co-processor: 1.6 of 524.3 kB, 0 %");
        assert_eq!(lines.len(), 5);
        assert!(ram(&Record::default()).is_empty());
    }
}
