//! Messages cut into containers and put together again.

use std::collections::BTreeSet;

use airtime_rpc::COMPATIBLE_FRAME_MAX;
use airtime_rpc::compatible::{Assembler, Outgoing, TooLarge, capacity};
use airtime_rpc::wire::{CommandHeader, Container, ContainerError, Direction};
use libtest_mimic::Failed;
use serde_json::{Value, json};

use super::library::{Library, hex, octets, pattern};

/// From the smallest to the largest that all published implementations take.
const MTUS: [usize; 9] = [23, 27, 50, 64, 100, 128, 185, 244, 247];
const LENGTHS: usize = 100;
const TRANSACTION: u8 = 0x2A;
const NAME: &str = "echo";
/// Octets that any ATT value has less than the MTU.
const ATT_HEADER: usize = 3;

/// A message of `data` octets, in frames of ours for this MTU.
fn cut(mtu: usize, data: &[u8]) -> Result<Vec<Vec<u8>>, TooLarge> {
    let frame = (mtu - ATT_HEADER).min(COMPATIBLE_FRAME_MAX);
    let data_len = u16::try_from(data.len()).map_err(|_| TooLarge)?;
    let header = CommandHeader { direction: Direction::Request, name: NAME, data_len };
    let mut message = Outgoing::new(TRANSACTION, header, None, capacity(frame))?;
    let mut frames = Vec::new();
    while !message.is_done() {
        let mut into = [0; COMPATIBLE_FRAME_MAX];
        let len = message.transmit(frame, &mut into, |offset, into| {
            into.copy_from_slice(&data[offset as usize..][..into.len()]);
        });
        frames.push(into[..len].to_vec());
    }
    Ok(frames)
}

/// The same message as the library makes it, before it is cut.
fn packet(library: &mut Library, data: &[u8]) -> Result<Vec<u8>, Failed> {
    library.octets("command", &[json!(0), json!(NAME), hex(data)])
}

fn list(frames: &[Vec<u8>]) -> Value {
    frames.iter().map(|frame| hex(frame)).collect()
}

fn cut_by_library(library: &mut Library, mtu: usize, packet: &[u8]) -> Result<Vec<Vec<u8>>, Failed> {
    let frames = library.answer("split", &[json!(mtu), json!(TRANSACTION), hex(packet)])?;
    frames.as_array().ok_or("no frames")?.iter().map(octets).collect()
}

/// What ours makes of frames: the message, complete with the last of them.
fn join(frames: &[Vec<u8>]) -> Result<Option<Vec<u8>>, Failed> {
    let mut assembler = Box::new(Assembler::<65_535>::new());
    for (at, frame) in frames.iter().enumerate() {
        let container = Container::parse(frame).map_err(|error| error.to_string())?;
        let complete = assembler.feed(&container).map_err(|defect| format!("{defect:?} at frame {at}"))?;
        assert_eq!(complete, at + 1 == frames.len(), "complete at frame {at} of {}", frames.len());
    }
    Ok(assembler.message().map(|message| message.octets.to_vec()))
}

/// Lengths around the edges of the first containers, up to the longest, and some between.
fn lengths(mtu: usize) -> BTreeSet<usize> {
    let frame = mtu - ATT_HEADER;
    let header = 4 + NAME.len();
    let most = capacity(frame) - header;
    let edges = (0..20).map(|containers| (frame - 6 + containers * (frame - 4)).saturating_sub(header));
    let edges = edges.flat_map(|edge| [edge.saturating_sub(1), edge, edge + 1]);
    let between = (1..).map(|step| step * 97 * mtu / 23 % most);
    let mut lengths = BTreeSet::from([0, 1, 2, 3, most - 1, most]);
    for length in edges.chain(between) {
        if lengths.len() == LENGTHS {
            break;
        }
        lengths.insert(length.min(most));
    }
    lengths
}

/// Byte for byte the same frames, and each side puts together what the other has cut.
pub fn both_ways() -> Result<(), Failed> {
    let mut library = Library::start()?;
    let mut messages = 0;
    for mtu in MTUS {
        for length in lengths(mtu) {
            let data = pattern(length);
            let packet = packet(&mut library, &data)?;
            let ours = cut(mtu, &data).map_err(|error| error.to_string())?;
            let theirs = cut_by_library(&mut library, mtu, &packet)?;
            assert!(ours == theirs, "{length} octets at an MTU of {mtu} are cut differently");
            assert!(join(&theirs)?.as_ref() == Some(&packet), "{length} octets at an MTU of {mtu}");
            let joined = library.answer("assemble", &[list(&ours)])?;
            assert_eq!(joined["frames"], ours.len());
            assert!(octets(&joined["payload"])? == packet, "{length} octets at an MTU of {mtu}");
            messages += 1;
        }
    }
    println!("{messages} messages");
    assert_eq!(messages, MTUS.len() * LENGTHS);
    Ok(())
}

/// Sequence number 255, MTUs above 247, and the undefined type.
pub fn quirks() -> Result<(), Failed> {
    let mut library = Library::start()?;
    // The library uses all 256 numbers, where the assembler for firmware fails; ours takes them and makes 255 at most.
    for mtu in [23, 247] {
        let frame = mtu - ATT_HEADER;
        let most = capacity(frame);
        assert_eq!(most, frame - 6 + 254 * (frame - 4));
        let packet = packet(&mut library, &pattern(most + 1 - 4 - NAME.len()))?;
        assert_eq!(packet.len(), most + 1);
        let theirs = cut_by_library(&mut library, mtu, &packet)?;
        assert_eq!((theirs.len(), theirs[255][1]), (256, 255));
        assert!(join(&theirs)?.as_ref() == Some(&packet));
        assert_eq!(cut(mtu, &pattern(most + 1 - 4 - NAME.len())), Err(TooLarge));
        let longest = cut(mtu, &pattern(most - 4 - NAME.len())).map_err(|error| error.to_string())?;
        assert_eq!((longest.len(), longest[254][1]), (255, 254));
    }
    // Above 247 the library's frames are longer than others take, and from 263 on it raises; ours stay as they are at 247.
    let data = pattern(700);
    let packet = packet(&mut library, &data)?;
    let at_247 = cut(247, &data);
    for mtu in [248, 255, 260, 262, 263, 265, 512, 517] {
        let ours = cut(mtu, &data);
        assert_eq!(ours, at_247);
        let joined = library.answer("assemble", &[list(&ours.map_err(|error| error.to_string())?)])?;
        assert!(octets(&joined["payload"])? == packet);
        let theirs = library.ask("split", &[json!(mtu), json!(TRANSACTION), hex(&packet)])?;
        if mtu < 263 {
            assert!(join(&cut_by_library(&mut library, mtu, &packet)?)?.as_ref() == Some(&packet), "MTU {mtu}");
        } else {
            assert_eq!(theirs, Err("error".to_owned()), "struct.error at an MTU of {mtu}");
        }
    }
    // The library takes a container of type 0b10 for one that follows; ours says what it is, and the message is not damaged.
    let mut theirs = cut_by_library(&mut library, 247, &packet)?;
    theirs[1][2] = 0x80;
    let joined = library.answer("assemble", &[list(&theirs)])?;
    assert!(octets(&joined["payload"])? == packet, "the quirk is gone");
    assert_eq!(Container::parse(&theirs[1]), Err(ContainerError::Type));
    Ok(())
}

/// The library takes any frame of four or six octets and more, whatever its lengths say.
pub fn truncated() -> Result<(), Failed> {
    let mut library = Library::start()?;
    let (mut refused, mut taken_by_library) = (0, 0);
    for frame in cut(64, &pattern(80)).map_err(|error| error.to_string())? {
        for len in 0..frame.len() {
            let error = Container::parse(&frame[..len]).expect_err("a frame that is cut short");
            let theirs = library.ask("parse", &[hex(&frame[..len])])?;
            if let Ok(theirs) = theirs {
                taken_by_library += 1;
                let present = octets(&theirs["payload"])?.len();
                assert!(matches!(error, ContainerError::Payload { present: ours, .. } if ours == present), "{error:?}");
            } else {
                assert_eq!(error, ContainerError::Header);
            }
            refused += 1;
        }
        assert!(Container::parse(&frame).is_ok());
    }
    println!("{refused} frames cut short are refused, of which the library takes {taken_by_library}");
    assert!(taken_by_library > 0, "the quirk is gone");
    Ok(())
}
