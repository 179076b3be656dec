//! What is no resolver: one clear sentence, exit code 2, in bounded time and memory.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use crate::ran::Ran;
use crate::served::check;

/// Answers every connection so, for as long as the test runs, and gives the origin.
pub(crate) fn serve(
    answer: impl Fn(&mut TcpStream, &str) + Send + Sync + Clone + 'static,
) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for stream in listener.incoming() {
            let (mut stream, answer) = (stream.unwrap(), answer.clone());
            thread::spawn(move || {
                let mut head = Vec::new();
                let mut buffer = [0; 1_024];
                while !head.windows(4).any(|four| four == b"\r\n\r\n") {
                    match stream.read(&mut buffer) {
                        Ok(0) | Err(_) => return,
                        Ok(read) => head.extend_from_slice(&buffer[..read]),
                    }
                }
                answer(&mut stream, &String::from_utf8_lossy(&head));
            });
        }
    });
    origin
}

fn fixed(answer: impl Into<String>) -> String {
    let answer: String = answer.into();
    serve(move |stream, _| {
        let _ = stream.write_all(answer.as_bytes());
    })
}

/// Answers a request for the discovery document, if it is one, with a document that can be used.
pub(crate) fn discovers(stream: &mut TcpStream, head: &str) -> bool {
    if !head.contains("/.well-known/") {
        return false;
    }
    let mut lines = head.lines();
    let host = lines.find_map(|line| line.strip_prefix("host: ")).unwrap();
    let body = format!(
        "{{\"v\":\"0.2\",\"iss\":\"http://{host}\",\"resolver\":\"x\",\"endpoints\":{{\"resolve\":\"http://{host}/resolve\",\
         \"record\":\"http://{host}/record\"}},\"keys\":[],\"policy\":\"http://{host}/policy\"}}"
    );
    let length = body.len();
    let _ = write!(
        stream,
        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}"
    );
    true
}

/// One sentence, quickly.
pub(crate) fn refused(origin: &str, sentence: &str) -> Ran {
    let began = Instant::now();
    let ran = check(origin, &["--timeout", "2"]);
    assert!(
        began.elapsed() < Duration::from_secs(8),
        "{:?}: {ran:?}",
        began.elapsed()
    );
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.out.is_empty(), "{ran:?}");
    let first = ran.err.lines().next().unwrap();
    assert!(first.starts_with("error[no-resolver]: "), "{ran:?}");
    assert!(first.contains(sentence), "{ran:?}");
    ran
}

#[test]
fn pages_of_other_kinds() {
    let with = |status: &str, media_type: &str, body: &str| {
        let length = body.len();
        let head =
            format!("HTTP/1.1 {status}\r\nContent-Type: {media_type}\r\nContent-Length: {length}");
        fixed(format!("{head}\r\n\r\n{body}"))
    };
    let page = with("200 OK", "text/html", "<!doctype html>");
    refused(&page, "is no resolver: ");
    refused(&page, "is answered with a web page");
    let missing = with("404 Not Found", "text/html", "no");
    refused(&missing, "is answered with status 404");
    let error = r#"{"jsonrpc":"2.0","error":{"code":-32000,"message":"Not Acceptable"}}"#;
    let mcp = with("406 Not Acceptable", "application/json", error);
    refused(&mcp, "is answered with status 406");
    let provider = r#"{"issuer":"https://id.example","jwks_uri":"https://id.example/keys"}"#;
    let openid = with("200 OK", "application/json", provider);
    refused(
        &openid,
        "is answered with JSON that is no discovery document",
    );
    let text = with("200 OK", "text/plain", "ok");
    refused(
        &text,
        "is answered with something that is no discovery document",
    );
}

#[test]
fn redirects_that_lead_nowhere() {
    let login = "HTTP/1.1 302 Found\r\nLocation: /login\r\nContent-Length: 0\r\n\r\n";
    let ran = refused(&fixed(login), "a redirect (302, location: /login)");
    assert!(
        ran.err.contains("leads to no discovery document"),
        "{ran:?}"
    );
    let circle = "HTTP/1.1 302 Found\r\nLocation: /.well-known/capability-resolver\r\nContent-Length: 0\r\n\r\n";
    refused(&fixed(circle), "a redirect (302");
    let away = "HTTP/1.1 301 Moved\r\nLocation: https://192.0.2.1/\r\nContent-Length: 0\r\n\r\n";
    refused(&fixed(away), "a redirect (301");
}

#[test]
fn servers_that_hang_or_never_end() {
    let hangs = serve(|_, _| thread::sleep(Duration::from_secs(60)));
    refused(&hangs, "took longer than 2000 ms");
    let trickles = serve(|stream, _| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{");
        while stream.write_all(b" ").is_ok() {
            thread::sleep(Duration::from_millis(100));
        }
    });
    refused(&trickles, "took longer than 2000 ms");
    let endless = serve(|stream, _| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n");
        while stream.write_all(&[b'['; 65_536]).is_ok() {}
    });
    refused(&endless, "something that is no discovery document");
    let head =
        serve(|stream, _| while stream.write_all(b"X: xxxxxxxxxxxxxxxxxxxxxxxx\r\n").is_ok() {});
    refused(&head, "");
}

#[test]
fn what_is_no_http() {
    let ssh = serve(|stream, _| {
        let _ = stream.write_all(b"SSH-2.0-OpenSSH_9.9\r\n");
    });
    refused(&ssh, "is not HTTP that can be read");
    let silent = serve(|_, _| {});
    refused(&silent, "the answer ends too early");
}

/// A resolver that stops answering in the middle of a run does not keep it waiting for every request.
#[test]
fn a_resolver_that_goes_silent() {
    let origin = serve(move |stream, head| {
        if !discovers(stream, head) {
            thread::sleep(Duration::from_secs(60));
        }
    });
    let began = Instant::now();
    let ran = check(&origin, &["--timeout", "1", "--format", "json"]);
    assert!(
        began.elapsed() < Duration::from_secs(8),
        "{:?}",
        began.elapsed()
    );
    // The discovery document has no media type and no changelog: that is enough for a verdict.
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.json()["counts"]["could_not_tell"].as_u64().unwrap() > 100);
}
