//! Screenshots of pages that the program writes or serves, by Chromium where there is one.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::program::Program;
use crate::files;

/// Names under which Chromium and its kin are installed.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// Time that the explorer has until its screenshot, *assumed*: its first figure takes less than two seconds.
const TIME_TO_DRAW: Duration = Duration::from_secs(15);

/// Pages that a chapter may ask for a screenshot of, by `<!-- screenshot: NAME -->`.
pub struct Studio<'a> {
    browser: Option<PathBuf>,
    root: &'a Path,
    work: PathBuf,
}

impl<'a> Studio<'a> {
    /// One with the browser of this machine, if it has one.
    pub fn new(root: &'a Path, work: &Path) -> Self {
        let browser = BROWSERS.iter().find_map(|name| super::on_path(name));
        Self { browser, root, work: work.to_owned() }
    }

    /// The Markdown with its screenshots, which are written into `figures`; where none can be made, a sentence says why.
    pub fn shown(
        &self,
        text: &str,
        report: &Path,
        figures: (&Path, &str),
        program: &Program,
    ) -> Result<String, String> {
        let mut shown = String::new();
        for line in text.lines() {
            let asked = line.strip_prefix("<!-- screenshot: ").and_then(|line| line.strip_suffix(" -->"));
            let Some(name) = asked else {
                shown.push_str(&format!("{line}\n"));
                continue;
            };
            let file = figures.0.join(format!("{name}.png"));
            files::made(figures.0)?;
            let missing = match name {
                "report" => self.taken(&format!("file://{}", report.display()), &file)?,
                "explorer" => self.explorer(&file, program)?,
                _ => {
                    return Err(format!(
                        "there is no screenshot `{name}`: report and explorer are those that there are"
                    ));
                }
            };
            shown.push_str(&match missing {
                None => format!("<a class=\"figure screenshot\" href=\"{0}/{name}.png\"><img src=\"{0}/{name}.png\" alt=\"The {name} in a browser\"></a>\n", figures.1),
                Some(why) => format!("*No screenshot of the {name} here: {why}.*\n"),
            });
        }
        Ok(shown)
    }

    /// The explorer, as the program serves it.
    fn explorer(&self, file: &Path, program: &Program) -> Result<Option<String>, String> {
        let folder = self.root.join("target/explorer");
        if !folder.join("index.html").exists() {
            return Ok(Some("`cargo xtask explorer` had not built it when this book was made".to_owned()));
        }
        let mut command = program.command(&self.work);
        command
            .args(["explore", "--dir"])
            .arg(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let server = command.spawn().map_err(|error| format!("airtime explore: {error}"))?;
        let mut server = Ended(server);
        let out = server.0.stdout.take().ok_or("airtime explore has no standard output")?;
        let address = BufReader::new(out).lines().map_while(Result::ok).find_map(|line| address(&line));
        let address = address.ok_or("airtime explore prints no address")?;
        let frame = self.work.join("explorer.html");
        files::write(&frame, framed(&address, &late_image()?))?;
        self.taken(&format!("file://{}", frame.display()), file)
    }

    /// Takes a screenshot of the page at `address`; says why where it cannot.
    fn taken(&self, address: &str, file: &Path) -> Result<Option<String>, String> {
        let Some(browser) = &self.browser else {
            return Ok(Some("there was no Chromium when this book was made".to_owned()));
        };
        let profile = self.work.join("chromium");
        let mut command = Command::new(browser);
        command.args(["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=1100,900"]);
        command.arg(joined("--user-data-dir=", &profile)).arg(joined("--screenshot=", file)).arg(address);
        let output = command.stdin(Stdio::null()).output().map_err(|error| files::said(browser, &error))?;
        match output.status.success() && file.exists() {
            true => Ok(None),
            false => Err(format!("{}: {}", browser.display(), String::from_utf8_lossy(&output.stderr).trim())),
        }
    }
}

/// Page around the one at `address`, which is not loaded before an image is: Chromium takes its screenshot then, and waits for no worker.
fn framed(address: &str, image: &str) -> String {
    format!(
        "<!doctype html><style>body{{margin:0}}iframe{{border:0;width:1100px;height:900px;display:block}}</style>\n\
         <iframe src=\"{address}\"></iframe><img src=\"{image}\" hidden>\n"
    )
}

/// Address on loopback of an image that comes to nothing, after the time that the explorer has to draw.
fn late_image() -> Result<String, String> {
    let said = |error| format!("loopback: {error}");
    let listener = TcpListener::bind("127.0.0.1:0").map_err(said)?;
    let port = listener.local_addr().map_err(said)?.port();
    thread::spawn(move || {
        let end = Instant::now() + TIME_TO_DRAW;
        for stream in listener.incoming() {
            thread::sleep(end.saturating_duration_since(Instant::now()));
            drop(stream);
        }
    });
    Ok(format!("http://127.0.0.1:{port}/"))
}

fn joined(option: &str, path: &Path) -> std::ffi::OsString {
    let mut joined = std::ffi::OsString::from(option);
    joined.push::<&OsStr>(path.as_ref());
    joined
}

/// Address in a line, if it has one.
fn address(line: &str) -> Option<String> {
    let begin = line.find("http://")?;
    line[begin..].split_whitespace().next().map(str::to_owned)
}

/// Child that does not outlive its use.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
