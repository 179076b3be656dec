//! Requests of every kind that nobody should send, over raw sockets: each gets an answer or an end, and the next caller
//! is answered as if nothing had been. Sections 3.6 and 5.5 of the text.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::common::{Folder, Server, mail, raw, response};

const NEED: &str = "/resolve?need=send+a+transactional+email";

/// What comes of a request.
enum Want {
    /// A status, and the code of the problem.
    Problem(u16, &'static str),
    /// A status.
    Status(u16),
    /// A status that says that the request is no HTTP, or an end without one.
    Refused,
}

fn head(target: &str) -> Vec<u8> {
    format!("GET {target} HTTP/1.1\r\nHost: resolver.test\r\nConnection: close\r\n\r\n")
        .into_bytes()
}

fn with(line: &str) -> Vec<u8> {
    format!("GET {NEED} HTTP/1.1\r\nHost: resolver.test\r\nConnection: close\r\n{line}\r\n\r\n")
        .into_bytes()
}

fn of_length(length: usize) -> String {
    let target = "/resolve?need=send+an+email&";
    format!("{target}{}", "&".repeat(length - target.len()))
}

fn table() -> Vec<(&'static str, Vec<u8>, Want)> {
    use Want::{Problem, Refused, Status};
    let query = |query: &str| head(&format!("/resolve?{query}"));
    let long = "x".repeat(200_000);
    vec![
        ("no query", head("/resolve"), Problem(400, "need-missing")),
        (
            "an empty query",
            head("/resolve?"),
            Problem(400, "need-missing"),
        ),
        (
            "pieces without anything",
            query("&&&=&"),
            Problem(400, "parameter-unknown"),
        ),
        (
            "half an escape",
            query("need=%f"),
            Problem(400, "query-encoding"),
        ),
        (
            "an escape of other letters",
            query("need=%zz"),
            Problem(400, "query-encoding"),
        ),
        (
            "bytes that are no UTF-8, escaped",
            query("need=%ff%fe%fd"),
            Problem(400, "query-encoding"),
        ),
        (
            "an overlong escape",
            query("need=%c0%af%c0%af%c0%af"),
            Problem(400, "query-encoding"),
        ),
        (
            "a surrogate",
            query("need=%ed%a0%80abc"),
            Problem(400, "query-encoding"),
        ),
        (
            "an unknown parameter",
            query("need=send+mail&page=2"),
            Problem(400, "parameter-unknown"),
        ),
        (
            "a parameter in other case",
            query("Need=send+mail"),
            Problem(400, "parameter-unknown"),
        ),
        (
            "two needs",
            query("need=send+mail&need=send+mail"),
            Problem(400, "parameter-repeated"),
        ),
        (
            "a control character",
            query("need=send%00mail"),
            Problem(400, "need-character"),
        ),
        (
            "a line end",
            query("need=send%0d%0amail"),
            Problem(400, "need-character"),
        ),
        (
            "two characters",
            query("need=ab"),
            Problem(400, "need-length"),
        ),
        (
            "white space alone",
            query("need=%20%e3%80%80%20"),
            Problem(400, "need-length"),
        ),
        (
            "201 characters",
            query(&format!("need={}", "a".repeat(201))),
            Problem(400, "need-length"),
        ),
        (
            "200 of four bytes",
            query(&format!("need={}", "%f0%9f%92%8c".repeat(200))),
            Status(200),
        ),
        (
            "201 of four bytes",
            query(&format!("need={}", "%f0%9f%92%8c".repeat(201))),
            Problem(400, "need-length"),
        ),
        (
            "3,000 characters",
            query(&format!("need={}", "a".repeat(3_000))),
            Problem(400, "need-length"),
        ),
        (
            "a thousand marks on one letter",
            query(&format!("need=abc{}", "%cc%81".repeat(600))),
            Problem(400, "need-length"),
        ),
        (
            "a constraint of another value",
            query("need=send+mail&payment=free"),
            Problem(400, "constraint-value"),
        ),
        (
            "a bound of nothing",
            query("need=send+mail&max_handshake_ms=0"),
            Problem(400, "constraint-value"),
        ),
        (
            "a bound of many digits",
            query(&format!(
                "need=send+mail&max_handshake_ms={}",
                "9".repeat(400)
            )),
            Problem(400, "constraint-value"),
        ),
        (
            "a record without a query",
            head("/record"),
            Problem(400, "record-query"),
        ),
        (
            "a record of two",
            head("/record?id=a&id=b"),
            Problem(400, "record-query"),
        ),
        (
            "a record of a path",
            head("/record?id=../../etc/passwd"),
            Problem(400, "record-query"),
        ),
        (
            "a record of no URL",
            head("/record?url=javascript:alert(1)"),
            Problem(400, "record-query"),
        ),
        (
            "a record of a URL of this machine",
            head("/record?url=http://127.0.0.1:80/"),
            Problem(400, "record-query"),
        ),
        (
            "a target of 4,096 bytes",
            head(&of_length(4_096)),
            Status(200),
        ),
        (
            "a target of 4,097 bytes",
            head(&of_length(4_097)),
            Problem(414, "request-too-long"),
        ),
        (
            "a target of 8,192 bytes",
            head(&of_length(8_192)),
            Problem(414, "request-too-long"),
        ),
        (
            "a target of 70,000 bytes",
            head(&of_length(70_000)),
            Refused,
        ),
        (
            "a target of 2,000,000 bytes",
            head(&of_length(2_000_000)),
            Refused,
        ),
        ("another path", head("/resolves"), Status(404)),
        (
            "a path above the root",
            head("/../../etc/passwd"),
            Status(404),
        ),
        (
            "a path with an escape",
            head("/%2e%2e/resolve?need=send+mail"),
            Status(404),
        ),
        (
            "a path with two slashes",
            head("//resolve?need=send+mail"),
            Status(404),
        ),
        (
            "a path that goes on",
            head("/resolve/?need=send+mail"),
            Status(404),
        ),
        (
            "a target with its host",
            head("http://resolver.test/resolve?need=send+mail"),
            Status(200),
        ),
        ("a fragment", head("/resolve?need=send+mail#a"), Status(200)),
        (
            "raw UTF-8",
            head("/resolve?need=envoyer+un+é-mail"),
            Status(200),
        ),
        (
            "a header of 200,000 bytes",
            with(&format!("X: {long}")),
            Refused,
        ),
        (
            "a thousand headers",
            with(&"X: y\r\n".repeat(1_000)),
            Refused,
        ),
        ("a header without a name", with(": y"), Refused),
        ("a header without a colon", with("nonsense"), Refused),
        ("a header with a zero", with("X: a\0b"), Refused),
        ("a folded header", with("X: a\r\n b"), Refused),
        ("a space before a colon", with("X : a"), Refused),
        (
            "a length that is no number",
            with("Content-Length: abc"),
            Refused,
        ),
        ("a negative length", with("Content-Length: -1"), Refused),
        (
            "two lengths",
            with("Content-Length: 1\r\nContent-Length: 2"),
            Refused,
        ),
        (
            "a body that is not looked at",
            [with("Content-Length: 5"), b"hello".to_vec()].concat(),
            Status(200),
        ),
        (
            "a body in pieces",
            [
                with("Transfer-Encoding: chunked"),
                b"5\r\nhello\r\n0\r\n\r\n".to_vec(),
            ]
            .concat(),
            Status(200),
        ),
        (
            "an unknown version",
            b"GET / HTTP/9.9\r\n\r\n".to_vec(),
            Refused,
        ),
        (
            "no version",
            b"GET /resolve?need=send+mail\r\n\r\n".to_vec(),
            Refused,
        ),
        (
            "HTTP/2 without being asked",
            b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec(),
            Refused,
        ),
        (
            "HTTP/1.0",
            b"GET /resolve?need=send+mail HTTP/1.0\r\n\r\n".to_vec(),
            Status(200),
        ),
        ("no method", b" /resolve HTTP/1.1\r\n\r\n".to_vec(), Refused),
        (
            "a method of 100,000 letters",
            [b"A".repeat(100_000), b" / HTTP/1.1\r\n\r\n".to_vec()].concat(),
            Refused,
        ),
        (
            "a method of its own",
            b"BREW /resolve HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".to_vec(),
            Problem(405, "method-not-allowed"),
        ),
        (
            "a tunnel",
            b"CONNECT a.example:443 HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n"
                .to_vec(),
            Status(404),
        ),
        (
            "everything",
            b"OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".to_vec(),
            Status(404),
        ),
        (
            "a hello of TLS",
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".repeat(20),
            Refused,
        ),
        ("zeros", vec![0; 100_000], Refused),
        (
            "every byte",
            (0..=255).cycle().take(100_000).collect(),
            Refused,
        ),
        (
            "a tag of 7,000 bytes",
            with(&format!("If-None-Match: \"{}\"", "t".repeat(7_000))),
            Status(200),
        ),
        (
            "tags without end",
            with(&format!("If-None-Match: {}", "\"a\",".repeat(1_500))),
            Status(200),
        ),
        (
            "an address that is none",
            with("X-Forwarded-For: ,,,[::1, 1.2.3.4.5, '"),
            Status(200),
        ),
        ("an upgrade", with("Upgrade: websocket"), Status(200)),
        ("an expectation", with("Expect: 100-continue"), Status(200)),
    ]
}

// r[error.body] r[error.no-need] r[error.too-long] r[resolve.query.encoding] r[resolve.parameter.unknown]
// r[resolve.parameter.repeated] r[resolve.need.missing] r[record.request] r[record.id] r[http.cors] r[resolve.order]
#[test]
fn every_kind_of_request_that_nobody_should_send() {
    let folder = Folder::with(&[mail("https://mail.example.com/mcp")]);
    let server = folder.serve_plain();
    for (what, bytes, want) in table() {
        let came = raw(server.address, &bytes);
        let response = response(&came);
        let found = format!(
            "{what}: {}",
            String::from_utf8_lossy(&came[..came.len().min(600)])
        );
        match want {
            Want::Problem(status, code) => {
                let response = response.unwrap_or_else(|| panic!("{found}"));
                assert_eq!(response.status, status, "{found}");
                assert_eq!(
                    response.header("content-type"),
                    Some("application/problem+json"),
                    "{found}"
                );
                assert_eq!(
                    response.header("access-control-allow-origin"),
                    Some("*"),
                    "{found}"
                );
                assert_eq!(
                    response.header("cache-control"),
                    Some("no-store"),
                    "{found}"
                );
                let json = response.json();
                assert_eq!(json["code"], code, "{found}");
                assert_eq!(json["status"], status, "{found}");
                let words = match status {
                    400 => "Bad Request",
                    404 => "Not Found",
                    405 => "Method Not Allowed",
                    414 => "URI Too Long",
                    other => panic!("{other} has no words here"),
                };
                assert_eq!(json["type"], "about:blank");
                assert_eq!(json["title"], words, "{found}");
                assert!(json["detail"].is_string() && json["rule"].is_string());
            }
            Want::Status(status) => {
                assert_eq!(response.map(|one| one.status), Some(status), "{found}")
            }
            Want::Refused => assert!(
                response.is_none_or(|one| (400..=505).contains(&one.status)),
                "{found}"
            ),
        }
        // Whatever that was, the next one is answered.
        assert_eq!(server.get(NEED).status, 200, "after {what}");
    }
}

/// How long a connection stays, on which these bytes are sent, one piece each half second.
fn stays(server: &Server, pieces: &[&[u8]]) -> (Duration, Vec<u8>) {
    let began = Instant::now();
    let mut stream = TcpStream::connect(server.address).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_millis(500)))
        .unwrap();
    let (mut pieces, mut came) = (pieces.iter().cycle(), Vec::new());
    let mut buffer = [0; 4_096];
    loop {
        if let Some(piece) = pieces.next() {
            let _ = stream.write_all(piece);
        }
        match stream.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => came.extend_from_slice(&buffer[..read]),
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
            Err(_) => break,
        }
        assert!(began.elapsed() < Duration::from_secs(30), "it never ends");
    }
    (began.elapsed(), came)
}

#[test]
fn connections_that_say_nothing_or_never_come_to_an_end_are_ended() {
    let folder = Folder::with(&[mail("https://mail.example.com/mcp")]);
    let server = folder.serve_plain();
    let whole = format!("GET {NEED} HTTP/1.1\r\nHost: a\r\n\r\n");
    let idle_after_an_answer: &[&[u8]] = &[
        whole.as_bytes(),
        b"",
        b"",
        b"",
        b"",
        b"",
        b"",
        b"",
        b"",
        b"",
        b"",
        b"",
        b"",
        b"",
        b"",
        b"",
        b"",
        b"",
        b"",
        b"",
        b"",
        b"",
        b"",
        b"",
        b"",
        b"",
        b"",
        b"",
        b"",
        b"",
        b"",
        b"",
        b"",
        b"",
        b"",
        b"",
        b"",
        b"",
        b"",
        b"",
        b"",
        b"",
        b"",
        b"",
        b"",
        b"",
        b"",
        b"",
        b"",
        b"",
        b"",
        b"",
        b"",
        b"",
        b"",
        b"",
        b"",
        b"",
        b"",
        b"",
        b"",
        b"",
        b"",
    ];
    let pieces: [&[&[u8]]; 4] = [
        &[b""],
        &[b"G"],
        &[b"GET / HTTP/1.1\r\n", b"X: y\r\n", b"X: y\r\n"],
        idle_after_an_answer,
    ];
    std::thread::scope(|scope| {
        let server = &server;
        let ended: Vec<_> = pieces
            .iter()
            .map(|pieces| scope.spawn(move || stays(server, pieces)))
            .collect();
        // All the while others are answered.
        for _ in 0..50 {
            assert_eq!(server.get(NEED).status, 200);
        }
        for (n, ended) in ended.into_iter().enumerate() {
            let (took, came) = ended.join().unwrap();
            assert!((9..15).contains(&took.as_secs()), "{n}: {took:?}");
            assert_eq!(
                response(&came).is_some_and(|one| one.status == 200),
                n == 3,
                "{n}"
            );
        }
    });
}

#[test]
fn one_who_asks_and_asks_and_never_reads_is_ended() {
    let folder = Folder::with(&[mail("https://mail.example.com/mcp")]);
    // A page as large as pages may be fills what the system holds for one who does not read.
    let policy = std::fs::read_to_string(folder.path("policy.md")).unwrap();
    let long = format!("{policy}{}", "x".repeat((1 << 20) - policy.len() - 1));
    std::fs::write(folder.path("policy.md"), long).unwrap();
    let server = folder.serve_plain();
    let mut stream = TcpStream::connect(server.address).unwrap();
    stream
        .set_write_timeout(Some(Duration::from_millis(200)))
        .unwrap();
    let request = b"GET /policy HTTP/1.1\r\nHost: a\r\n\r\n";
    let began = Instant::now();
    // Writing fails once the other side has ended it.
    let ended = loop {
        match stream.write_all(request) {
            Err(error)
                if !matches!(
                    error.kind(),
                    std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut
                ) =>
            {
                break began.elapsed();
            }
            _ => std::thread::sleep(Duration::from_millis(50)),
        }
        assert_eq!(server.get(NEED).status, 200);
        assert!(began.elapsed() < Duration::from_secs(40), "it never ends");
    };
    assert!(ended > Duration::from_secs(8), "{ended:?}");
}

#[test]
fn many_requests_in_one_packet_are_answered_one_after_the_other() {
    let folder = Folder::with(&[mail("https://mail.example.com/mcp")]);
    let server = folder.serve_plain();
    let one = format!("GET {NEED} HTTP/1.1\r\nHost: a\r\n\r\n");
    let last = format!("GET {NEED} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    let came = raw(server.address, [one.repeat(99), last].concat().as_bytes());
    let text = String::from_utf8(came).unwrap();
    assert_eq!(text.matches("HTTP/1.1 200 OK").count(), 100);
}
