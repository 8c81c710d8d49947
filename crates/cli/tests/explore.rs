//! `airtime explore` as a browser sees it.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

/// Server that ends with the test.
struct Serving(Child);

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_folder_is_served_on_loopback_at_the_address_that_is_printed() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("index.html"), "<p>the page").unwrap();
    fs::write(folder.path().join("lab_bg.wasm"), b"\0asm\xff").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_airtime"));
    command.args(["explore", "--dir"]).arg(folder.path()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut server = Serving(command.spawn().unwrap());
    let mut address = String::new();
    BufReader::new(server.0.stdout.take().unwrap()).read_line(&mut address).unwrap();
    let place = address.trim().strip_prefix("http://").and_then(|rest| rest.strip_suffix('/')).expect("an address");
    assert!(place.starts_with("127.0.0.1:") && place != "127.0.0.1:0", "{place}");

    let given = |path: &str| {
        let mut stream = TcpStream::connect(place).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {place}\r\n\r\n").unwrap();
        let mut octets = Vec::new();
        stream.read_to_end(&mut octets).unwrap();
        octets
    };
    // A browser that connects ahead of a request keeps nobody waiting.
    let _silent = TcpStream::connect(place).unwrap();
    assert!(given("/").ends_with(b"\r\n\r\n<p>the page"));
    let module = given("/lab_bg.wasm");
    assert!(
        String::from_utf8_lossy(&module).contains("Content-Type: application/wasm\r\n")
            && module.ends_with(b"\0asm\xff")
    );
    assert!(given("/../Cargo.toml").starts_with(b"HTTP/1.1 404 "));
}

#[test]
fn without_a_folder_it_says_how_to_get_one() {
    let folder = tempfile::tempdir().unwrap();
    let output =
        Command::new(env!("CARGO_BIN_EXE_airtime")).args(["explore", "--dir"]).arg(folder.path()).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("no index.html is there") && said.contains("cargo xtask explorer"), "{said}");
}
