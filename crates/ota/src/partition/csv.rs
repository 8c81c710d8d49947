//! From the text of a table to partitions. Source: ESP-IDF, components/partition_table/gen_esp32part.py, and the API guide
//! "Partition Tables".

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::check::{FIRST, PARTITIONS_MAX, alignment};
use super::error::{TableError, TableFault};
use super::{Kind, OTA_0, Partition};

/// Octets of a name in the binary table.
const NAME_MAX: usize = 16;

/// A field of a line, and its column.
#[derive(Clone, Copy)]
struct Field<'a> {
    text: &'a str,
    line: u32,
    column: u32,
}

impl Field<'_> {
    fn fault(self, fault: TableFault) -> TableError {
        TableError { line: self.line, column: self.column, fault }
    }
}

/// Reads every line; offsets left out are filled in as the tool does: behind the partition above, aligned.
pub fn read(text: &str) -> Result<Vec<Partition>, TableError> {
    let mut partitions: Vec<Partition> = Vec::new();
    let mut next = FIRST;
    for (number, line) in text.lines().enumerate() {
        let bare = line.trim_start_matches('\u{feff}').trim();
        if bare.is_empty() || bare.starts_with('#') {
            continue;
        }
        let number = u32::try_from(number + 1).unwrap_or(u32::MAX);
        let partition = partition(line, number, next)?;
        if partitions.len() == PARTITIONS_MAX {
            return Err(TableError { line: number, column: 1, fault: TableFault::TooMany });
        }
        next = partition.end();
        partitions.push(partition);
    }
    Ok(partitions)
}

fn partition(line: &str, number: u32, next: u32) -> Result<Partition, TableError> {
    let fields = fields(line, number);
    let end = Field { text: "", line: number, column: columns(line) + 1 };
    let field = |index: usize| fields.get(index).copied().unwrap_or(end);
    if let Some(extra) = fields.iter().skip(6).find(|field| !field.text.is_empty()) {
        return Err(extra.fault(TableFault::Extra(extra.text.to_string())));
    }
    let name = name(field(0))?;
    let kind = kind(field(1))?;
    let subtype = subtype(kind, field(2))?;
    let size_field = field(4);
    let offset = match field(3).text {
        "" => aligned(next, alignment(kind)).ok_or_else(|| size_field.fault(TableFault::Size(next)))?,
        _ => octets(field(3))?,
    };
    if size_field.text.is_empty() {
        return Err(size_field.fault(TableFault::Missing("size")));
    }
    let size = octets(size_field)?;
    if size == 0 || offset.checked_add(size).is_none() {
        return Err(size_field.fault(TableFault::Size(size)));
    }
    let (encrypted, read_only) = flags(field(5))?;
    let place = if field(3).text.is_empty() { field(0) } else { field(3) };
    Ok(Partition { name, kind, subtype, offset, size, encrypted, read_only, line: number, column: place.column })
}

fn fields(line: &str, number: u32) -> Vec<Field<'_>> {
    let mut fields = Vec::new();
    let mut begin = 0;
    for part in line.split(',') {
        let lead = part.len() - part.trim_start_matches([' ', '\t', '\r', '\u{feff}']).len();
        let column = columns(&line[..begin + lead]) + 1;
        fields.push(Field { text: part.trim_matches([' ', '\t', '\r', '\u{feff}']), line: number, column });
        begin += part.len() + 1;
    }
    fields
}

fn columns(text: &str) -> u32 {
    u32::try_from(text.chars().count()).unwrap_or(u32::MAX - 1)
}

fn name(field: Field<'_>) -> Result<String, TableError> {
    let printable = field.text.bytes().all(|octet| octet.is_ascii_graphic() || octet == b' ');
    if field.text.is_empty() || field.text.len() > NAME_MAX || !printable {
        return Err(field.fault(TableFault::Name(field.text.to_string())));
    }
    Ok(field.text.to_string())
}

fn kind(field: Field<'_>) -> Result<Kind, TableError> {
    match field.text {
        "" => Err(field.fault(TableFault::Missing("type"))),
        "app" => Ok(Kind::APP),
        "data" => Ok(Kind::DATA),
        other => byte(other).map(Kind).ok_or_else(|| field.fault(TableFault::Type(other.to_string()))),
    }
}

fn subtype(kind: Kind, field: Field<'_>) -> Result<u8, TableError> {
    let named = match (kind, field.text) {
        (Kind::APP, "") => return Err(field.fault(TableFault::Missing("sub-type"))),
        (Kind::APP, "factory") => Some(0x00),
        (Kind::APP, "test") => Some(0x20),
        (Kind::APP, text) => {
            text.strip_prefix("ota_").and_then(|n| n.parse::<u8>().ok()).filter(|n| *n < 16).map(|n| OTA_0 + n)
        }
        (Kind::DATA, "ota") => Some(0x00),
        (Kind::DATA, "phy") => Some(0x01),
        (Kind::DATA, "nvs") => Some(0x02),
        (Kind::DATA, "coredump") => Some(0x03),
        (Kind::DATA, "nvs_keys") => Some(0x04),
        (Kind::DATA, "efuse") => Some(0x05),
        (Kind::DATA, "esphttpd") => Some(0x80),
        (Kind::DATA, "fat") => Some(0x81),
        (Kind::DATA, "spiffs") => Some(0x82),
        (Kind::DATA, "littlefs") => Some(0x83),
        (_, "" | "undefined") => Some(0x06),
        _ => None,
    };
    named.or_else(|| byte(field.text)).ok_or_else(|| field.fault(TableFault::SubType(field.text.to_string())))
}

fn flags(field: Field<'_>) -> Result<(bool, bool), TableError> {
    let (mut encrypted, mut read_only) = (false, false);
    for flag in field.text.split(':').map(str::trim).filter(|flag| !flag.is_empty()) {
        match flag {
            "encrypted" => encrypted = true,
            "readonly" => read_only = true,
            other => return Err(field.fault(TableFault::Flag(other.to_string()))),
        }
    }
    Ok((encrypted, read_only))
}

/// A type or sub-type as a number; 0xff stands for "any" and is none.
fn byte(text: &str) -> Option<u8> {
    number(text).and_then(|value| u8::try_from(value).ok()).filter(|value| *value != 0xFF)
}

fn octets(field: Field<'_>) -> Result<u32, TableError> {
    let text = field.text;
    let (digits, unit) = match text.chars().last() {
        Some('K' | 'k') => (&text[..text.len() - 1], 1 << 10),
        Some('M' | 'm') => (&text[..text.len() - 1], 1 << 20),
        _ => (text, 1),
    };
    number(digits)
        .and_then(|value| value.checked_mul(unit))
        .ok_or_else(|| field.fault(TableFault::Number(text.to_string())))
}

fn number(text: &str) -> Option<u32> {
    let digits = |digits: &str, radix| {
        // `from_str_radix` takes a sign.
        if digits.starts_with(['+', '-']) { None } else { u32::from_str_radix(digits, radix).ok() }
    };
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(hexadecimal) => digits(hexadecimal, 16),
        None => digits(text, 10),
    }
}

fn aligned(offset: u32, multiple: u32) -> Option<u32> {
    offset.checked_next_multiple_of(multiple)
}
