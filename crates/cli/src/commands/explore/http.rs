//! As much of HTTP/1.1 as a browser needs to be given files: GET and HEAD, a connection each. RFC 9112.
//!
//! A server from elsewhere would have to be one without a runtime: `tiny_http`, at 0.12 since 2022, brings four packages for what is a
//! line to read and six to write here.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use super::site::Site;

/// Octets of a request up to the end of its head.
const HEAD_MAX: u64 = 16 << 10;
/// Connections at a time; a browser opens six.
const CONNECTIONS_MAX: usize = 64;
/// Time for a request to come in, and for an answer to be taken: browsers open connections ahead of any request.
const PATIENCE: Duration = Duration::from_secs(30);

/// Serves `site` to whoever connects to `listener`; returns the error that ends it.
pub fn serve(listener: &TcpListener, site: &Arc<Site>) -> io::Error {
    let open = Arc::new(AtomicUsize::new(0));
    loop {
        let stream = match listener.accept() {
            Ok((stream, _)) => stream,
            // Whoever has hung up before is nobody's fault.
            Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => continue,
            Err(error) => return error,
        };
        if open.load(Ordering::Relaxed) >= CONNECTIONS_MAX {
            continue;
        }
        open.fetch_add(1, Ordering::Relaxed);
        let (site, own) = (Arc::clone(site), Arc::clone(&open));
        let answer = move || {
            // A browser that goes away in the middle has what it wants.
            let _ = answer(&stream, &site);
            own.fetch_sub(1, Ordering::Relaxed);
        };
        if thread::Builder::new().spawn(answer).is_err() {
            open.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

fn answer(stream: &TcpStream, site: &Site) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut out = stream;
    out.write_all(&response(&mut BufReader::new(stream.take(HEAD_MAX)), site)?)?;
    out.flush()
}

/// The answer to the request that `from` begins with. Its head is read to the end: what was not read would break the connection.
fn response(from: &mut impl BufRead, site: &Site) -> io::Result<Vec<u8>> {
    let mut first = String::new();
    from.read_line(&mut first)?;
    let (mut line, mut accepted) = (String::new(), String::new());
    while from.read_line(&mut line)? > 0 && !line.trim().is_empty() {
        if let Some((_, value)) = line.split_once(':').filter(|(name, _)| name.eq_ignore_ascii_case("accept-encoding"))
        {
            accepted = value.trim().to_owned();
        }
        line.clear();
    }
    let words: Vec<&str> = first.split_whitespace().collect();
    let [method, path, version] = words[..] else { return Ok(refusal("400 Bad Request", "")) };
    if !version.starts_with("HTTP/1.") {
        return Ok(refusal("505 HTTP Version Not Supported", ""));
    }
    if !["GET", "HEAD"].contains(&method) {
        return Ok(refusal("405 Method Not Allowed", "Allow: GET, HEAD\r\n"));
    }
    let Some(file) = site.file(path) else { return Ok(refusal("404 Not Found", "")) };
    let (coding, octets) = match file.packed(&accepted) {
        Some((coding, octets)) => (format!("Content-Encoding: {coding}\r\n"), octets),
        None => (String::new(), file.octets.as_slice()),
    };
    let vary = if file.varies() { "Vary: Accept-Encoding\r\n" } else { "" };
    // A folder that is built anew is served anew: nothing is kept without a question.
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: {}\r\nContent-Length: {}\r\n{coding}{vary}Cache-Control: no-cache\r\n\
         X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n",
        file.kind,
        octets.len()
    );
    let body = if method == "GET" { octets } else { &[] };
    Ok([head.as_bytes(), body].concat())
}

fn refusal(status: &str, more: &str) -> Vec<u8> {
    let body = format!("{status}\n");
    format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {}\r\n{more}Connection: close\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(request: &str) -> String {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("index.html"), "<p>here").unwrap();
        let site = Site::read(folder.path()).unwrap();
        String::from_utf8(response(&mut request.as_bytes(), &site).unwrap()).unwrap()
    }

    #[test]
    fn a_page_is_given_and_its_head_alone() {
        let page = said("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
        assert!(
            page.starts_with("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: 7\r\n"),
            "{page}"
        );
        assert!(page.ends_with("\r\n\r\n<p>here"));
        assert_eq!(said("HEAD / HTTP/1.0\r\n\r\n"), page.replace("<p>here", ""));
    }

    #[test]
    fn a_browser_that_unpacks_is_given_what_is_packed() {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [("index.html", "<p>the page"), ("index.html.br", "packed")] {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        let site = Site::read(folder.path()).unwrap();
        let said = |request: &str| String::from_utf8(response(&mut request.as_bytes(), &site).unwrap()).unwrap();
        let page = said("GET / HTTP/1.1\r\naccept-encoding: gzip, br\r\n\r\n");
        assert!(page.contains("Content-Length: 6\r\nContent-Encoding: br\r\nVary: Accept-Encoding\r\n"), "{page}");
        assert!(page.ends_with("\r\n\r\npacked"), "{page}");
        let plain = said("GET / HTTP/1.1\r\n\r\n");
        assert!(plain.contains("Vary: ") && !plain.contains("Content-Encoding") && plain.ends_with("<p>the page"));
    }

    #[test]
    fn whatever_else_is_asked_is_refused() {
        for (request, status) in [
            ("", "400"),
            ("GET /\r\n\r\n", "400"),
            ("GET / HTTP/2\r\n\r\n", "505"),
            ("POST / HTTP/1.1\r\n\r\n", "405"),
            ("GET /../x HTTP/1.1\r\n\r\n", "404"),
            ("GET http://elsewhere/ HTTP/1.1\r\n\r\n", "404"),
        ] {
            let found = said(request);
            assert!(found.starts_with(&format!("HTTP/1.1 {status} ")), "{request}: {found}");
        }
    }
}
