//! `bench.toml`: who is on the bench, and how each is flashed, reset and listened to.

use std::path::{Path, PathBuf};

use airtime_core::Duration;
use airtime_lab::PlanError;
use airtime_lab::toml::Place;
use airtime_lab::toml::error::{At, Fault};
use airtime_lab::toml::tree::{self, Data, Entry, Node};
use airtime_study::log::CountingEnd;

use super::words;

/// Longest that a step takes, unless the file says: *assumed*, for a megabyte over a slow probe.
const LIMIT: Duration = Duration::from_secs(120);

/// Rate of a console, unless the file says: that of Zephyr's boards and of ESP-IDF.
const BAUD: u32 = 115_200;

/// Role of the end that scans and connects.
pub const CENTRAL: &str = "central";

/// A bench.
#[derive(Clone, Debug, PartialEq)]
pub struct Bench {
    /// Boards in the order of the file, but the central last: whoever it looks for has to be there.
    pub boards: Vec<Board>,
    /// This machine as the central, instead of a board.
    pub host: Option<Host>,
    /// Longest that flashing or resetting a board takes.
    pub limit: Duration,
    /// Folder of the file, in which commands run and images are looked for.
    pub folder: PathBuf,
}

/// A board.
#[derive(Clone, Debug, PartialEq)]
pub struct Board {
    /// Role in the plan, which names its files.
    pub role: String,
    /// Name of the board, such as `nrf54l15dk`.
    pub board: String,
    /// Serial number of the debug probe, as its program wants it.
    pub serial: Option<String>,
    /// Image to flash.
    pub image: Option<PathBuf>,
    /// Command that flashes the image; none where nothing is to be flashed.
    pub flash: Vec<String>,
    /// Command that resets the board; none where nothing resets it.
    pub reset: Vec<String>,
    /// Origin of its log.
    pub log: Log,
    /// End of the stream that its log is of, where that does not say.
    pub end: Option<CountingEnd>,
    /// Place of the board in the file, in words.
    pub place: String,
}

/// Origin of a log.
#[derive(Clone, Debug, PartialEq)]
pub enum Log {
    /// Serial console, with its rate.
    Console(PathBuf, u32),
    /// Standard output of a command.
    Command(Vec<String>),
    /// There is none.
    None,
}

/// This machine as the central.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Host {
    /// Controller for our own host.
    pub hci: Option<String>,
    /// Adapter of Linux instead.
    pub adapter: Option<String>,
    /// Address of the board.
    pub address: Option<String>,
    /// Name of the board.
    pub name: Option<String>,
    /// PSM of the channel.
    pub psm: Option<u16>,
}

impl Host {
    /// All of it, in words.
    pub fn words(&self) -> Vec<String> {
        let Self { hci, adapter, address, name, psm } = self.clone();
        let psm = psm.map(|psm| psm.to_string());
        [hci, adapter, address, name, psm].into_iter().map(Option::unwrap_or_default).collect()
    }
}

const KEYS: [&str; 3] = ["board", "host", "limit"];
const BOARD_KEYS: [&str; 11] =
    ["role", "board", "serial", "chip", "port", "baud", "image", "flash", "reset", "log", "end"];
const HOST_KEYS: [&str; 5] = ["hci", "adapter", "address", "name", "psm"];

type Read<T> = Result<T, PlanError>;

/// Reads the text of the bench that is called `file`.
///
/// # Errors
/// The first thing that is wrong, with its place.
pub fn read(file: &str, text: &str) -> Read<Bench> {
    let entries = tree::parse(file, text)?;
    let reader = Reader { file };
    if let Some(entry) = entries.iter().find(|entry| entry.name == "link") {
        let what = "this is a plan, and a bench is wanted: the plan goes first, the bench behind --bench";
        return Err(Fault::new(what).at(file, entry.place.clone()));
    }
    reader.known(&entries, &KEYS, "a bench")?;
    // Commands run in that folder, so that whatever names it has to be whole.
    let folder = Path::new(file).parent().unwrap_or(Path::new(""));
    let folder = std::path::absolute(folder.join(".")).unwrap_or_else(|_| folder.to_owned());
    let mut boards = Vec::new();
    let listed = find(&entries, "board").map(|entry| &entry.node);
    match listed.map(|node| &node.data) {
        Some(Data::List(list)) => {
            for node in list {
                boards.push(reader.board(node, &folder)?);
            }
        }
        None => {}
        Some(_) => return Err(reader.fault("a board is a table of a list: [[board]]", listed)),
    }
    reader.apart(&boards, listed)?;
    let host = find(&entries, "host").map(|entry| reader.host(entry)).transpose()?;
    if let (Some(entry), true) = (find(&entries, "host"), boards.iter().any(|board| board.role == CENTRAL)) {
        let what = "this machine is the central by `host`, and a board has that role as well: one of them";
        return Err(reader.fault(what, Some(&entry.node)));
    }
    if boards.is_empty() {
        return Err(Fault::new("there is no board: expected [[board]] with role, board, serial and image")
            .at(file, Place::File));
    }
    if host.is_none() && boards.iter().all(|board| board.log == Log::None) {
        let what = "no board has a log, and this machine is no central: expected a `port` or a `log` of one of them, or `host`";
        return Err(reader.fault(what, listed));
    }
    boards.sort_by_key(|board| board.role == CENTRAL);
    let limit = reader.time(&entries, "limit")?.unwrap_or(LIMIT);
    Ok(Bench { boards, host, limit, folder })
}

fn find<'a>(entries: &'a [Entry], name: &str) -> Option<&'a Entry> {
    entries.iter().find(|entry| entry.name == name)
}

/// Reader of one file.
struct Reader<'a> {
    file: &'a str,
}

impl Reader<'_> {
    fn board(&self, node: &Node, folder: &Path) -> Read<Board> {
        let entries = node.table("board").map_err(|fault| fault.at(self.file, node.place.clone()))?;
        self.known(entries, &BOARD_KEYS, "a board")?;
        let needed = |name: &str, example: &str| {
            let text = self.text(entries, name)?;
            text.ok_or_else(|| {
                self.fault(&format!("the board has no `{name}`: expected such as {example}"), Some(node))
            })
        };
        let (role, board) = (needed("role", "role = \"central\"")?, needed("board", "board = \"nrf54l15dk\"")?);
        self.check_role(&role, find(entries, "role").map(|entry| &entry.node))?;
        let place = match node.place {
            Place::Line { line, .. } => format!("{}:{line}", self.file),
            _ => self.file.to_owned(),
        };
        let image = self.text(entries, "image")?.map(|image| folder.join(image));
        let values = words::Values {
            serial: self.text(entries, "serial")?,
            chip: self.text(entries, "chip")?,
            port: self.text(entries, "port")?,
            image: image.as_ref().map(|image| image.display().to_string()),
            baud: self.number(entries, "baud", 1..=u32::MAX)?.unwrap_or(BAUD),
        };
        let command = |name: &str, own| self.command(node, &values, name, own);
        let (flash, reset) = (command("flash", words::flash)?, command("reset", words::reset)?);
        let log = match (find(entries, "log"), &values.port) {
            (None, Some(port)) => Log::Console(port.into(), values.baud),
            _ => match command("log", words::log)? {
                words if words.is_empty() => Log::None,
                words => Log::Command(words),
            },
        };
        let end = self.end(entries)?;
        if image.is_none() && !flash.is_empty() {
            let what =
                "the board has no `image`: expected the ELF to flash, or flash = [] where nothing is to be flashed";
            return Err(self.fault(what, Some(node)));
        }
        Ok(Board { role, board, serial: values.serial, image, flash, reset, log, end, place })
    }

    /// Checks that `role` can name files.
    fn check_role(&self, role: &str, at: Option<&Node>) -> Read<()> {
        let fits = |octet: u8| octet.is_ascii_lowercase() || octet.is_ascii_digit() || octet == b'-';
        match role.bytes().all(fits) && !role.starts_with('-') {
            true => Ok(()),
            false => {
                Err(self.fault(&format!("role `{role}`: expected a word of a-z, 0-9 and `-`, such as central"), at))
            }
        }
    }

    /// The command `name` of the board at `node`: that which is given, or that of probe-rs.
    fn command(
        &self,
        node: &Node,
        values: &words::Values,
        name: &str,
        own: fn(bool) -> Vec<String>,
    ) -> Read<Vec<String>> {
        let entries = node.table("board").unwrap_or_default();
        let (words, at) = match (self.words(entries, name)?, find(entries, name)) {
            (Some(words), Some(entry)) => (words, &entry.node),
            _ => {
                let serial = find(entries, "serial").map_or(node, |entry| &entry.node);
                values.for_probe_rs(name).map_err(|what| self.fault(&what, Some(serial)))?;
                (own(values.chip.is_some()), node)
            }
        };
        values.put_into(name, &words).map_err(|what| self.fault(&what, Some(at)))
    }

    fn end(&self, entries: &[Entry]) -> Read<Option<CountingEnd>> {
        match self.text(entries, "end")?.as_deref() {
            None => Ok(None),
            Some("sender") => Ok(Some(CountingEnd::Sender)),
            Some("receiver") => Ok(Some(CountingEnd::Receiver)),
            Some(other) => {
                let at = find(entries, "end").map_or(Place::File, |entry| entry.node.place.clone());
                let fault = Fault::new(format!("`{other}` is no end of a stream"));
                Err(fault.one_of(other, ["sender", "receiver"]).at(self.file, at))
            }
        }
    }

    fn host(&self, entry: &Entry) -> Read<Host> {
        let node = &entry.node;
        let entries = node.table("host").map_err(|fault| fault.at(self.file, node.place.clone()))?;
        self.known(entries, &HOST_KEYS, "`host`")?;
        let text = |name| self.text(entries, name);
        let host = Host {
            hci: text("hci")?,
            adapter: text("adapter")?,
            address: text("address")?,
            name: text("name")?,
            psm: self.number(entries, "psm", 1..=0xff)?.map(|psm| psm as u16),
        };
        let expected = match (&host.hci, &host.adapter, &host.address, &host.name) {
            (Some(_), Some(_), ..) | (None, None, ..) => "one of hci = \"serial:/dev/ttyACM0\" and adapter = \"any\"",
            (Some(_), None, Some(_), _) => "`address` beside `adapter` alone; a board behind `hci` is found by `name`",
            (_, _, Some(_), Some(_)) => "one of `address` and `name`",
            _ => return Ok(host),
        };
        Err(self.fault(&format!("`host`: expected {expected}"), Some(node)))
    }

    /// Checks that no two boards are the same one.
    fn apart(&self, boards: &[Board], at: Option<&Node>) -> Read<()> {
        let Some(Node { data: Data::List(nodes), .. }) = at else { return Ok(()) };
        for (index, (board, node)) in boards.iter().zip(nodes).enumerate() {
            for before in &boards[..index] {
                let twice = [
                    ("role", before.role == board.role, Some(board.role.as_str())),
                    ("serial", before.serial == board.serial, board.serial.as_deref()),
                    ("port", is_same_port(before, board), self.port(board)),
                ];
                if let Some((name, _, Some(value))) =
                    twice.into_iter().find(|(_, same, value)| *same && value.is_some())
                {
                    let what = format!("{name} `{value}` is that of the board at {} already", before.place);
                    let entry = node.table("board").ok().and_then(|entries| find(entries, name));
                    return Err(self.fault(&what, Some(entry.map_or(node, |entry| &entry.node))));
                }
            }
        }
        Ok(())
    }

    fn port<'b>(&self, board: &'b Board) -> Option<&'b str> {
        match &board.log {
            Log::Console(port, _) => port.to_str(),
            _ => None,
        }
    }

    fn known(&self, entries: &[Entry], keys: &[&str], of: &str) -> Read<()> {
        let unknown = entries.iter().find(|entry| !keys.contains(&entry.name.as_str()));
        unknown.map_or(Ok(()), |entry| {
            let fault = Fault::new(format!("{of} has no `{}`", entry.name)).one_of(&entry.name, keys.iter().copied());
            Err(fault.at(self.file, entry.place.clone()))
        })
    }

    fn text(&self, entries: &[Entry], name: &str) -> Read<Option<String>> {
        let Some(entry) = find(entries, name) else { return Ok(None) };
        match entry.node.json().as_str() {
            Some(text) if !text.is_empty() => Ok(Some(text.to_owned())),
            _ => Err(self.fault(&format!("`{name}` is a text, and not an empty one"), Some(&entry.node))),
        }
    }

    fn words(&self, entries: &[Entry], name: &str) -> Read<Option<Vec<String>>> {
        let Some(entry) = find(entries, name) else { return Ok(None) };
        let expected =
            || self.fault(&format!("`{name}` is a list of words: [\"program\", \"argument\"]"), Some(&entry.node));
        let Data::List(list) = &entry.node.data else { return Err(expected()) };
        let words = list.iter().map(|node| node.json().as_str().map(str::to_owned).ok_or_else(expected));
        words.collect::<Read<Vec<_>>>().map(Some)
    }

    fn number(&self, entries: &[Entry], name: &str, range: std::ops::RangeInclusive<u32>) -> Read<Option<u32>> {
        let Some(entry) = find(entries, name) else { return Ok(None) };
        let number = entry.node.json().as_u64().and_then(|number| u32::try_from(number).ok());
        number.filter(|number| range.contains(number)).map(Some).ok_or_else(|| {
            let what = format!("`{name}` is a whole number from {} to {}", range.start(), range.end());
            self.fault(&what, Some(&entry.node))
        })
    }

    fn time(&self, entries: &[Entry], name: &str) -> Read<Option<Duration>> {
        let Some(entry) = find(entries, name) else { return Ok(None) };
        let time = entry.node.json().as_str().and_then(|text| text.parse::<Duration>().ok());
        let time = time.filter(|time| !time.is_zero());
        time.map(Some).ok_or_else(|| self.fault(&format!("`{name}` is a time such as \"2m\""), Some(&entry.node)))
    }

    fn fault(&self, what: &str, at: Option<&Node>) -> PlanError {
        Fault::new(what).at(self.file, at.map_or(Place::File, |node| node.place.clone()))
    }
}

fn is_same_port(one: &Board, other: &Board) -> bool {
    matches!((&one.log, &other.log), (Log::Console(one, _), Log::Console(other, _)) if one == other)
}
