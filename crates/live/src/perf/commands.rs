//! Command lines of programs.

use std::net::IpAddr;

use airtime_study::perf::{Load, Settings};

/// `words` inside the network namespace `netns`, or where we are.
pub fn inside(netns: Option<&str>, words: &[String]) -> Vec<String> {
    let prefix = netns.map(|name| ["ip", "netns", "exec", name].map(str::to_owned));
    prefix.into_iter().flatten().chain(words.iter().cloned()).collect()
}

/// An iperf3 that serves one test.
pub fn server(settings: &Settings) -> Vec<String> {
    let mut command = words(&["iperf3", "--server", "--one-off", "--port", &settings.port.to_string()]);
    // Nobody but who is measured needs to reach it. A name may stand for several addresses.
    if settings.server.parse::<IpAddr>().is_ok() {
        command.extend(words(&["--bind", &settings.server]));
    }
    command
}

/// The iperf3 that asks for a test; an idle link has none.
pub fn client(settings: &Settings, load: Load) -> Option<Vec<String>> {
    let seconds = settings.seconds.to_string();
    let omit = settings.warm_up_seconds.to_string();
    let port = settings.port.to_string();
    let mut command = words(&[
        "iperf3",
        "--client",
        &settings.server,
        "--port",
        &port,
        "--json",
        "--get-server-output",
        "--time",
        &seconds,
        "--omit",
        &omit,
        // Milliseconds; without it a lost SYN waits for minutes.
        "--connect-timeout",
        "10000",
    ]);
    let reverse = match load {
        Load::Idle => return None,
        Load::Udp(rate) => {
            command.extend(words(&[
                "--udp",
                "--length",
                &settings.payload_bytes.to_string(),
                "--bitrate",
                &rate.0.to_string(),
            ]));
            settings.reverse
        }
        Load::Tcp { reverse } => reverse,
    };
    if reverse {
        command.push("--reverse".to_owned());
    }
    Some(command)
}

/// Echo requests without an end of their own but `longest` seconds, which holds when nobody is left to end them.
pub fn probes(settings: &Settings, longest: u64) -> Vec<String> {
    let every = every(u64::from(settings.probe_every_ms));
    let (octets, longest) = (settings.probe_bytes.to_string(), longest.to_string());
    words(&["ping", "-n", "-D", "-i", &every, "-s", &octets, "-w", &longest, &settings.server])
}

/// `count` echo requests, `every_ms` apart.
pub fn ping(settings: &Settings, every_ms: u64, count: u64) -> Vec<String> {
    let octets = settings.probe_bytes.to_string();
    words(&["ping", "-n", "-D", "-i", &every(every_ms), "-c", &count.to_string(), "-s", &octets, &settings.server])
}

/// Milliseconds as the seconds that ping takes.
fn every(ms: u64) -> String {
    format!("{}.{:03}", ms / 1_000, ms % 1_000)
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use airtime_core::units::Bitrate;

    fn settings() -> Settings {
        Settings {
            server: "10.0.0.2".to_owned(),
            port: 5201,
            loads: Vec::new(),
            payload_bytes: 32,
            reverse: false,
            repeats: 3,
            seconds: 20,
            warm_up_seconds: 3,
            probe_every_ms: 50,
            probe_bytes: 16,
            seed: 1,
        }
    }

    #[test]
    fn datagrams_state_their_size_and_rate() {
        let line = client(&settings(), Load::Udp(Bitrate(185_000))).unwrap().join(" ");
        assert_eq!(
            line,
            "iperf3 --client 10.0.0.2 --port 5201 --json --get-server-output --time 20 --omit 3 --connect-timeout 10000 \
             --udp --length 32 --bitrate 185000"
        );
        assert!(client(&settings(), Load::Tcp { reverse: true }).unwrap().ends_with(&["--reverse".to_owned()]));
        assert_eq!(client(&settings(), Load::Idle), None);
    }

    #[test]
    fn echo_requests_have_dates() {
        assert_eq!(probes(&settings(), 143).join(" "), "ping -n -D -i 0.050 -s 16 -w 143 10.0.0.2");
        assert_eq!(ping(&settings(), 1_200, 5).join(" "), "ping -n -D -i 1.200 -c 5 -s 16 10.0.0.2");
    }

    #[test]
    fn a_namespace_is_entered_first() {
        let line = inside(Some("airtime-b"), &server(&settings())).join(" ");
        assert_eq!(line, "ip netns exec airtime-b iperf3 --server --one-off --port 5201 --bind 10.0.0.2");
        assert_eq!(inside(None, &words(&["ping"])), ["ping"]);
    }
}
