//! Opening endpoints, and what is left of them.

use std::fs;
use std::net::TcpListener;
use std::os::unix::net::UnixListener;
use std::path::Path;

use airtime_live::ble::server::BindError;
use airtime_live::{Config, Server};

use crate::support::config;

fn bind(config: Config) -> Result<Server, BindError> {
    Server::bind(config, None, Box::new(|_| {}))
}

fn unix(path: &Path) -> Config {
    config(&[&format!("unix:{}", path.display())])
}

#[test]
fn a_free_port_is_chosen_and_named() {
    let server = bind(config(&["tcp:127.0.0.1:0", "tcp:localhost:0"])).unwrap();
    let addresses = server.addresses();
    assert!(addresses[0].starts_with("tcp:127.0.0.1:") && !addresses[0].ends_with(":0"), "{addresses:?}");
    assert_ne!(addresses[0].rsplit(':').next(), addresses[1].rsplit(':').next());
}

#[test]
fn other_machines_are_kept_out_unless_they_are_let_in() {
    let remote = config(&["tcp:0.0.0.0:0"]);
    let Err(error) = bind(remote.clone()) else { panic!("it was opened") };
    assert!(matches!(error, BindError::Remote(_)) && error.to_string().contains("--allow-remote"), "{error}");
    bind(Config { allow_remote: true, ..remote }).unwrap();
}

#[test]
fn what_is_in_use_or_no_address_is_refused() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let place = format!("tcp:{}", taken.local_addr().unwrap());
    assert!(matches!(bind(config(&[&place])), Err(BindError::System { .. })));
    assert!(matches!(bind(config(&["tcp:127.0.0.1:seven"])), Err(BindError::Address(_))));
}

#[test]
fn sockets_go_with_their_server_and_stale_ones_are_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hci");
    drop(UnixListener::bind(&path).unwrap());
    assert!(path.exists(), "a server that was killed leaves its socket behind");
    let server = bind(unix(&path)).unwrap();
    assert!(matches!(bind(unix(&path)), Err(BindError::InUse(_))), "a live one stays");
    assert!(path.exists());
    drop(server);
    assert!(!path.exists());
    fs::write(&path, "somebody's").unwrap();
    assert!(matches!(bind(unix(&path)), Err(BindError::Occupied { .. })));
    assert_eq!(fs::read_to_string(&path).unwrap(), "somebody's");
}

#[test]
fn what_others_have_put_in_its_place_outlives_a_server() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hci");
    let server = bind(unix(&path)).unwrap();
    fs::remove_file(&path).unwrap();
    fs::write(&path, "somebody's").unwrap();
    drop(server);
    assert_eq!(fs::read_to_string(&path).unwrap(), "somebody's");
    fs::remove_file(&path).unwrap();
    // Another server that listens by now.
    let first = bind(unix(&path)).unwrap();
    fs::rename(&path, folder.path().join("aside")).unwrap();
    let _second = bind(unix(&path)).unwrap();
    drop(first);
    std::os::unix::net::UnixStream::connect(&path).unwrap();
}

#[test]
fn a_link_of_somebody_else_is_told_from_that_of_a_server() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tty");
    std::os::unix::fs::symlink("/dev/null", &path).unwrap();
    let Err(error) = bind(config(&[&format!("pty:{}", path.display())])) else { panic!("it was replaced") };
    let said = error.to_string();
    assert!(matches!(error, BindError::Foreign { .. }) && said.contains("a link to `/dev/null`"), "{said}");
    assert!(!said.contains("another server"), "{said}");
    assert_eq!(fs::read_link(&path).unwrap(), Path::new("/dev/null"));
}

#[test]
fn a_terminal_is_linked_to_while_its_server_lives() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tty");
    let place = config(&[&format!("pty:{}", path.display())]);
    std::os::unix::fs::symlink(folder.path().join("gone"), &path).unwrap();
    let server = bind(place.clone()).unwrap();
    assert!(fs::read_link(&path).unwrap().starts_with("/dev"));
    assert_eq!(server.addresses(), [format!("pty:{}", path.display())]);
    assert!(matches!(bind(place), Err(BindError::InUse(_))));
    drop(server);
    assert!(fs::symlink_metadata(&path).is_err());
}
