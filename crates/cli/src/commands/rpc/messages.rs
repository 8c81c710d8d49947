//! Messages of the test service by the names of their fields, and of any other by numbers.

use airtime_live::rpc::hex;
use airtime_rpc::Kind;
use serde_json::{Map, Value};

use crate::arguments::rpc::KindArgument;

/// A method of the test service: its kind, and the fields of its messages, from number 1 on.
struct Method {
    name: &'static str,
    kind: Kind,
    request: &'static [&'static str],
    response: &'static [&'static str],
}

/// The methods of `crates/rpc/proto/blerpc.proto`.
const METHODS: &[Method] = &[
    method("echo", Kind::Unary, &["message"], &["message"]),
    method("flash_read", Kind::Unary, &["address", "length"], &["address", "data"]),
    method("data_write", Kind::Unary, &["data"], &["length"]),
    method("counter_stream", Kind::ServerStream, &["count"], &["seq", "value"]),
    method("counter_upload", Kind::ClientStream, &["seq", "value"], &["received_count"]),
    method("bulk_read", Kind::Unary, &["address", "length", "offset"], &["data", "crc32"]),
    method("bulk_write", Kind::Unary, &["address", "length", "offset", "data"], &["offset", "crc32"]),
    method("bulk_status", Kind::Unary, &["address", "length"], &["offset", "crc32"]),
    method("chat", Kind::Bidirectional, &["message"], &["message"]),
];

const fn method(
    name: &'static str,
    kind: Kind,
    request: &'static [&'static str],
    response: &'static [&'static str],
) -> Method {
    Method { name, kind, request, response }
}

/// Names of the methods of the test service.
pub fn names() -> impl Iterator<Item = &'static str> {
    METHODS.iter().map(|method| method.name)
}

fn find(name: &str) -> Option<&'static Method> {
    METHODS.iter().find(|method| method.name == name)
}

/// Kind of the calls of `name`, when nothing else was said.
pub fn kind(name: &str, asked: Option<KindArgument>) -> Kind {
    match asked {
        Some(KindArgument::Unary) => Kind::Unary,
        Some(KindArgument::Down) => Kind::ServerStream,
        Some(KindArgument::Up) => Kind::ClientStream,
        Some(KindArgument::Both) => Kind::Bidirectional,
        None => find(name).map_or(Kind::Unary, |method| method.kind),
    }
}

/// A request of `name` with fields such as `message=hello` or `2=0x00ff`.
///
/// # Errors
/// What would have been right.
pub fn request(name: &str, fields: &[String]) -> Result<Vec<u8>, String> {
    let known = find(name).map_or(&[][..], |method| method.request);
    let mut octets = Vec::new();
    for text in fields {
        let (field, value) = text.split_once('=').ok_or_else(|| format!("`{text}`: expected FIELD=VALUE"))?;
        let number = known.iter().position(|known| *known == field).map(|at| at as u64 + 1);
        // Field numbers of protobuf end at 2^29 − 1.
        let number = number.or_else(|| field.parse().ok().filter(|number| (1..1 << 29).contains(number)));
        let number = number.ok_or_else(|| match known {
            [] => format!("`{field}` is no number of a field; names are known of the methods of the test service only"),
            known => format!("`{field}` is no field of {name}; there are {}, and numbers", known.join(", ")),
        })?;
        let of_text = matches!(field, "message" | "data");
        encode(number, value, of_text, &mut octets)?;
    }
    Ok(octets)
}

/// Integers are numbers, `0x…` octets, everything else is text.
fn encode(number: u64, value: &str, of_text: bool, into: &mut Vec<u8>) -> Result<(), String> {
    if let Some(integer) = value.parse::<i64>().ok().filter(|_| !of_text) {
        varint(number << 3, into);
        varint(integer as u64, into);
        return Ok(());
    }
    let octets = match value.strip_prefix("0x") {
        Some(digits) => {
            hex::octets(digits).ok_or_else(|| format!("`{value}`: expected pairs of hexadecimal digits"))?
        }
        None => value.as_bytes().to_vec(),
    };
    varint(number << 3 | 2, into);
    varint(octets.len() as u64, into);
    into.extend(octets);
    Ok(())
}

fn varint(mut value: u64, into: &mut Vec<u8>) {
    while value > 0x7f {
        into.push(value as u8 | 0x80);
        value >>= 7;
    }
    into.push(value as u8);
}

/// The fields of a response of `name`; text where it is that, else octets in hexadecimal. A message that makes no sense is
/// shown as its octets alone.
pub fn response(name: &str, octets: &[u8]) -> Value {
    let known = find(name).map_or(&[][..], |method| method.response);
    let mut fields = Map::new();
    let mut rest = octets;
    while !rest.is_empty() {
        let Some((number, value, after)) = field(rest) else {
            return Value::String(hex::written(octets));
        };
        let name = known.get(number as usize - 1).map_or_else(|| number.to_string(), |name| (*name).to_owned());
        // Of a field that is repeated every value is shown.
        match fields.get_mut(&name) {
            Some(Value::Array(values)) => values.push(value),
            Some(first) => *first = Value::Array(vec![first.take(), value]),
            None => {
                fields.insert(name, value);
            }
        }
        rest = after;
    }
    for name in known.iter().filter(|name| !matches!(**name, "data" | "message")) {
        // Proto3 leaves out what is zero.
        fields.entry(*name).or_insert(Value::from(0));
    }
    Value::Object(fields)
}

/// The first field of `octets`: its number, its value, and what follows.
fn field(octets: &[u8]) -> Option<(u64, Value, &[u8])> {
    let (tag, rest) = number(octets)?;
    let field = tag >> 3;
    if field == 0 {
        return None;
    }
    let fixed = |octets: usize| {
        let (value, rest) = rest.split_at_checked(octets)?;
        let value = value.iter().rev().fold(0_u64, |value, octet| value << 8 | u64::from(*octet));
        Some((field, Value::from(value), rest))
    };
    match tag & 7 {
        // Negative numbers have 64 bits on the wire.
        0 => number(rest).map(|(value, rest)| (field, Value::from(value as i64), rest)),
        1 => fixed(8),
        5 => fixed(4),
        2 => {
            let (len, rest) = number(rest)?;
            let (value, rest) = rest.split_at_checked(usize::try_from(len).ok()?)?;
            Some((field, shown(value), rest))
        }
        _ => None,
    }
}

fn shown(octets: &[u8]) -> Value {
    let text = std::str::from_utf8(octets).ok().filter(|text| !text.chars().any(char::is_control));
    Value::String(text.map_or_else(|| format!("0x{}", hex::written(octets)), str::to_owned))
}

fn number(octets: &[u8]) -> Option<(u64, &[u8])> {
    // 64 bits take ten octets.
    let len = octets.iter().take(10).position(|octet| octet & 0x80 == 0)? + 1;
    let value = octets[..len].iter().rev().fold(0_u64, |value, octet| value << 7 | u64::from(octet & 0x7f));
    Some((value, &octets[len..]))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn encoded(name: &str, fields: &[&str]) -> Result<String, String> {
        let fields: Vec<String> = fields.iter().map(|field| (*field).to_owned()).collect();
        request(name, &fields).map(|octets| hex::written(&octets))
    }

    /// Known answers of the published library.
    #[test]
    fn requests_are_those_of_the_published_client() {
        assert_eq!(encoded("echo", &["message=hello"]).as_deref(), Ok("0a0568656c6c6f"));
        assert_eq!(encoded("flash_read", &["length=8192"]).as_deref(), Ok("108040"));
        assert_eq!(encoded("data_write", &["data=0x00010203"]).as_deref(), Ok("0a0400010203"));
        assert_eq!(encoded("echo", &["message=42"]).as_deref(), Ok("0a023432"), "text, though it looks like a number");
        assert_eq!(encoded("of_mine", &["1=-1", "3=on"]).as_deref(), Ok("08ffffffffffffffffff011a026f6e"));
    }

    #[test]
    fn what_makes_no_request_is_said() {
        for (name, field) in [
            ("echo", "text=hello"),
            ("of_mine", "name=1"),
            ("echo", "message"),
            ("of_mine", "0=1"),
            ("data_write", "data=0x1"),
        ] {
            assert!(encoded(name, &[field]).is_err(), "{name} {field}");
        }
    }

    #[test]
    fn responses_are_shown_by_name() {
        let shown = |name, text| response(name, &hex::octets(text).unwrap());
        assert_eq!(shown("counter_stream", "0803101e"), json!({ "seq": 3, "value": 30 }));
        assert_eq!(shown("counter_stream", ""), json!({ "seq": 0, "value": 0 }));
        assert_eq!(shown("echo", "0a0568656c6c6f"), json!({ "message": "hello" }));
        assert_eq!(shown("flash_read", "12020001"), json!({ "address": 0, "data": "0x0001" }));
        assert_eq!(shown("of_mine", "0a0161 0a0162"), json!({ "1": ["a", "b"] }));
        assert_eq!(shown("of_mine", "0a05"), json!("0a05"), "cut short");
    }
}
