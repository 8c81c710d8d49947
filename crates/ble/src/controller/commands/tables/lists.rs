//! Tables of the Filter Accept List and of the resolving list.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::{Input, answer, table};
use crate::controller::commands::{Answer, Call, accept_list, resolving_list};
use crate::ll::accept_list::{ACCEPT_LIST_SIZE, AcceptList};
use crate::ll::address::DeviceAddress;
use crate::ll::resolving_list::{RESOLVING_LIST_SIZE, ResolvingList};

const A: [u8; 7] = [0, 0xa, 0xa, 0xa, 0xa, 0xa, 0xa];
const B: [u8; 7] = [1, 0xb, 0xb, 0xb, 0xb, 0xb, 0xb];

/// A list, and whether something goes by it.
#[derive(Default)]
struct Listed<L> {
    list: L,
    used: bool,
}

fn begins<L>(listed: &mut Listed<L>) -> String {
    listed.used = true;
    String::new()
}

fn ends<L>(listed: &mut Listed<L>) -> String {
    listed.used = false;
    String::new()
}

type Accept = Listed<AcceptList>;

fn accept<'a>(
    part: &'a mut Accept,
    params: &[u8],
    run: fn(&mut accept_list::Commands<'a>, &mut Call<'_>) -> Answer,
) -> String {
    answer(params, |call| run(&mut accept_list::Commands::new(&mut part.list, part.used), call))
}

#[test]
fn accept_list() {
    use accept_list::Commands;
    let inputs: [(&str, Input<Accept>); 12] = [
        ("read size", |part| accept(part, &[], Commands::read_size)),
        ("add A", |part| accept(part, &A, Commands::add)),
        ("add B", |part| accept(part, &B, Commands::add)),
        ("remove A", |part| accept(part, &A, Commands::remove)),
        ("add the anonymous", |part| accept(part, &[0xff; 7], Commands::add)),
        ("add an address of type 2", |part| accept(part, &[2; 7], Commands::add)),
        ("add six octets", |part| accept(part, &A[..6], Commands::add)),
        ("add eight octets", |part| accept(part, &[0; 8], Commands::add)),
        ("clear", |part| accept(part, &[], Commands::clear)),
        ("clear with an octet", |part| accept(part, &[0], Commands::clear)),
        ("use begins", begins),
        ("use ends", ends),
    ];
    let shown = |part: &Accept| format!("{}{}", names(|device| part.list.contains(device)), used(part.used));
    let empty = table("accept list", Accept::default, &inputs, shown);
    let full = || Accept { list: filled(), used: false };
    insta::assert_snapshot!([empty, table("accept list, with one place left", full, &inputs, shown)].join("\n"));
}

/// A list with one place left.
fn filled() -> AcceptList {
    let mut list = AcceptList::default();
    (1..ACCEPT_LIST_SIZE).for_each(|i| list.add(DeviceAddress::public([i | 0x80; 6])).unwrap());
    list
}

type Resolving = Listed<ResolvingList>;

fn resolving<'a>(
    part: &'a mut Resolving,
    params: &[u8],
    run: fn(&mut resolving_list::Commands<'a>, &mut Call<'_>) -> Answer,
) -> String {
    answer(params, |call| run(&mut resolving_list::Commands::new(&mut part.list, part.used), call))
}

/// An entry with two keys.
fn keyed(device: [u8; 7]) -> Vec<u8> {
    [&device[..], &[7; 16], &[9; 16]].concat()
}

#[test]
fn resolving_list() {
    use resolving_list::Commands;
    let inputs: [(&str, Input<Resolving>); 16] = [
        ("read size", |part| resolving(part, &[], Commands::read_size)),
        ("add A", |part| resolving(part, &keyed(A), Commands::add)),
        ("add B", |part| resolving(part, &keyed(B), Commands::add)),
        ("add A without keys", |part| resolving(part, &A, Commands::add)),
        ("remove A", |part| resolving(part, &A, Commands::remove)),
        ("clear", |part| resolving(part, &[], Commands::clear)),
        ("read address of peer A", |part| resolving(part, &A, Commands::read_peer_address)),
        ("read address for A", |part| resolving(part, &A, Commands::read_local_address)),
        ("device privacy for A", |part| resolving(part, &[&A[..], &[1]].concat(), Commands::set_privacy_mode)),
        ("privacy 2 for A", |part| resolving(part, &[&A[..], &[2]].concat(), Commands::set_privacy_mode)),
        ("resolve", |part| resolving(part, &[1], Commands::enable)),
        ("resolve no more", |part| resolving(part, &[0], Commands::enable)),
        ("resolve 2", |part| resolving(part, &[2], Commands::enable)),
        ("timeout of 0 s", |part| resolving(part, &[0, 0], Commands::set_timeout)),
        ("use begins", begins),
        ("use ends", ends),
    ];
    let shown = |part: &Resolving| {
        let resolves = if part.list.enabled { ", resolves" } else { "" };
        let shows = |device: [u8; 7]| {
            let device = DeviceAddress::of(device[0] == 1, device[1..].try_into().unwrap());
            // Hidden are those of network privacy, while addresses are resolved.
            let mut listed = part.list.clone();
            listed.enabled = true;
            if listed.contains(device) && !listed.hides(device) { ", A may show itself" } else { "" }
        };
        format!("{}{resolves}{}{}", names(|device| part.list.contains(device)), shows(A), used(part.used))
    };
    let empty = table("resolving list", Resolving::default, &inputs, shown);
    let one_left = || {
        let mut list = ResolvingList::default();
        (1..RESOLVING_LIST_SIZE)
            .for_each(|i| list.add(DeviceAddress::public([i | 0x80; 6]), [0; 16], [0; 16]).unwrap());
        Resolving { list, used: false }
    };
    let adding = [inputs[1], inputs[2], inputs[4], inputs[5]];
    let full = table("resolving list, with one place left", one_left, &adding, shown);
    insta::assert_snapshot!([empty, full].join("\n"));
}

fn names(has: impl Fn(DeviceAddress) -> bool) -> String {
    let device = |[kind, octets @ ..]: [u8; 7]| DeviceAddress::of(kind == 1, octets);
    let listed: Vec<_> =
        [("A", A), ("B", B)].into_iter().filter(|(_, it)| has(device(*it))).map(|(name, _)| name).collect();
    format!("[{}]", listed.join(" "))
}

fn used(used: bool) -> &'static str {
    if used { ", used" } else { "" }
}
