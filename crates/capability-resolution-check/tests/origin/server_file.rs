//! `--server`: the server file of a host, fetched and read as a resolver does.

use std::io::Write as _;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::ran::{Ran, check_schema, command};
use crate::strangers::serve;

const FILE: &str = "Conformance: Capability Resolution 0.2
Contact: mailto:tools@example.com
Expires: 2099-04-30T00:00:00Z
Resolvers: *, -https://unwanted.example

Endpoint: https://localhost:1/mcp
Protocol: mcp
Jobs: send a transactional email
Sign-in: none
";

/// A host of this machine that answers every request so.
pub(crate) fn host(
    status: &'static str,
    media_type: &'static str,
    body: impl Into<String>,
) -> String {
    let body: String = body.into();
    let origin = serve(move |stream, head| {
        assert!(
            head.starts_with("GET /.well-known/capabilities.txt "),
            "{head}"
        );
        let length = body.len();
        let _ = write!(
            stream,
            "HTTP/1.1 {status}\r\nContent-Type: {media_type}\r\nContent-Length: {length}\r\n\r\n{body}"
        );
    });
    origin.replace("127.0.0.1", "localhost")
}

fn read(host: &str, more: &[&str]) -> Ran {
    let arguments = [&["--server", host, "--allow-loopback"], more].concat();
    command(&arguments, b"", "/no/folder")
}

#[test]
fn who_may_list_what() {
    let ran = read(&host("200 OK", "text/plain", FILE), &[]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for line in [
        "  https://localhost:1/mcp",
        "    jobs      send a transactional email",
        "  no   https://unwanted.example",
        "  yes  every other resolver",
    ] {
        assert!(
            ran.out.lines().any(|found| found == line),
            "{line}: {ran:?}"
        );
    }
    assert!(
        !ran.out.contains("observed"),
        "nothing is asked of servers unasked: {ran:?}"
    );
}

#[test]
fn a_declared_server_is_observed_only_when_asked_for() {
    let host = host("200 OK", "text/plain", FILE);
    let ran = read(&host, &["--probe", "--contact", "mailto:tools@example.com"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    // Nobody listens there.
    let line = ran
        .out
        .lines()
        .find(|line| line.contains("localhost:1/mcp  "))
        .unwrap();
    assert!(
        line.contains("failure (connection)") && line.contains("declared: sign-in none"),
        "{line}"
    );
    let unnamed = read(&host, &["--probe"]);
    assert_eq!(
        unnamed.code,
        Some(2),
        "who probes says who it is: {unnamed:?}"
    );
}

#[test]
fn a_program_reads_the_same() {
    let host_of = |host: &str| host.rsplit_once(':').unwrap().0.replace("http://", "");
    let run = |host: &str, more: &[&str], code| {
        let ran = read(host, &[&["--format", "json"], more].concat());
        assert_eq!(ran.code, Some(code), "{ran:?}");
        let answer = ran.json();
        check_schema("check-server", &answer);
        assert_eq!(answer["host"], host_of(host));
        answer
    };
    let valid = host("200 OK", "text/plain", FILE);
    let answer = run(&valid, &[], 0);
    check_schema("check-file", &answer["file"]);
    assert_eq!(answer["outcome"], "file");
    assert_eq!(answer["file"]["valid"], true);
    assert_eq!(answer["file"]["resolvers"]["named"][0]["allowed"], false);
    assert_eq!(
        (&answer["withheld"], &answer["observed"]),
        (&json!(null), &json!([]))
    );

    let probe = ["--probe", "--contact", "mailto:tools@example.com"];
    let observed = &run(&valid, &probe, 0)["observed"];
    assert_eq!(observed[0]["url"], "https://localhost:1/mcp");
    assert_eq!(observed[0]["declared_sign_in"], "none");
    assert_eq!(observed[0]["outcome"], "failure (connection)");

    let html = run(&host("200 OK", "text/html", FILE), &[], 1);
    assert_eq!(html["withheld"], "fetch-content-type");
    let broken = run(&host("200 OK", "text/plain", "Resolvers: none\n"), &[], 1);
    check_schema("check-file", &broken["file"]);
    assert_eq!(broken["file"]["valid"], false);
    for (status, code, outcome) in [
        ("404 Not Found", 0, "absent"),
        ("403 Forbidden", 2, "refused"),
        ("500 Oops", 2, "failed"),
    ] {
        let answer = run(&host(status, "text/plain", ""), &[], code);
        assert_eq!(
            (&answer["outcome"], &answer["file"]),
            (&json!(outcome), &json!(null))
        );
    }
    let junit = read(&valid, &["--format", "junit"]);
    assert_eq!(junit.code, Some(2), "{junit:?}");
    assert!(
        junit.err.starts_with("error[format-of-checks]"),
        "{junit:?}"
    );
}

/// In bounded time and memory, and with a sentence.
#[test]
fn a_host_that_hangs_or_never_ends() {
    let began = Instant::now();
    let read = |origin: String| {
        read(
            &origin.replace("127.0.0.1", "localhost"),
            &["--timeout", "2"],
        )
    };
    for silent in [
        serve(|_, _| thread::sleep(Duration::from_secs(60))),
        serve(|stream, _| {
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n");
            while stream.write_all(b"#").is_ok() {
                thread::sleep(Duration::from_millis(100));
            }
        }),
    ] {
        let ran = read(silent);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.out.contains("took longer than 2000 ms"), "{ran:?}");
    }
    let endless = read(serve(|stream, _| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n");
        while stream.write_all(&[b'#'; 65_536]).is_ok() {}
    }));
    assert_eq!(endless.code, Some(1), "{endless:?}");
    assert!(endless.out.len() < 10_000, "{endless:?}");
    let ssh = read(serve(|stream, _| {
        let _ = stream.write_all(b"SSH-2.0-OpenSSH_9.9\r\n");
    }));
    assert_eq!(ssh.code, Some(2), "{ssh:?}");
    assert!(ssh.out.contains("is not HTTP that can be read"), "{ssh:?}");
    assert!(
        began.elapsed() < Duration::from_secs(30),
        "{:?}",
        began.elapsed()
    );
}

#[test]
fn what_is_not_a_file_that_counts() {
    let html = read(&host("200 OK", "text/html", FILE), &[]);
    assert_eq!(html.code, Some(1), "{html:?}");
    assert!(html.out.contains("fetch-content-type"), "{html:?}");
    assert!(
        html.out.contains("  no   https://unwanted.example"),
        "what it forbids holds: {html:?}"
    );

    let broken = read(&host("200 OK", "text/plain", "Resolvers: none\n"), &[]);
    assert_eq!(broken.code, Some(1), "{broken:?}");
    assert!(broken.out.contains("  no   every resolver"), "{broken:?}");

    let missing = read(&host("404 Not Found", "text/plain", ""), &[]);
    assert_eq!(missing.code, Some(0), "{missing:?}");
    assert!(
        missing.out.contains("every resolver may list"),
        "{missing:?}"
    );
    for (status, words) in [
        ("403 Forbidden", "is not given out"),
        ("500 Oops", "cannot be read"),
    ] {
        let ran = read(&host(status, "text/plain", ""), &[]);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.out.contains(words), "{ran:?}");
    }
    let no_host = command(&["--server", "http://mail.example.com/"], b"", "/no/folder");
    assert_eq!(no_host.code, Some(2), "{no_host:?}");
    assert!(no_host.err.starts_with("error[server-form]"), "{no_host:?}");
}
