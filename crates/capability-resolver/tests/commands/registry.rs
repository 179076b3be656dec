//! `import` from a URL, against a server of this test.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};
use std::thread;

use insta::assert_snapshot;

use crate::common::{NOW, Place, Ran};

/// Answers each request target by the table, else with 404; remembers what it was asked.
fn serve(
    answers: &'static [(&'static str, u16, &'static str)],
) -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    let asked = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&asked);
    thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let mut first = String::new();
            let _ = reader.read_line(&mut first);
            let mut header = String::new();
            while reader.read_line(&mut header).is_ok_and(|length| length > 2) {
                header.clear();
            }
            let target = first.split(' ').nth(1).unwrap_or_default().to_owned();
            let (status, body) = answers
                .iter()
                .find(|(of, ..)| *of == target)
                .map_or((404, ""), |(_, status, body)| (*status, *body));
            log.lock().unwrap().push(target);
            let _ = write!(
                stream,
                "HTTP/1.1 {status} X\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
                body.len()
            );
        }
    });
    (origin, asked)
}

fn import(place: &Place, url: &str, switch: bool) -> Ran {
    let arguments: &[&str] = if switch {
        &["import", "--allow-loopback", url]
    } else {
        &["import", url]
    };
    place.at(NOW, arguments)
}

fn named(ran: &Ran, origin: &str) -> String {
    ran.all()
        .replace(origin, "ORIGIN")
        .replace(origin.trim_start_matches("http://"), "HOST")
}

#[test]
fn a_registry_is_read_page_by_page() {
    let (origin, asked) = serve(&[
        (
            "/v0.1/servers?limit=100&version=latest",
            200,
            r#"{"servers":[{"server":{"name":"io.example/a","remotes":[{"type":"sse","url":"https://a.example/"}]}}],"metadata":{"nextCursor":"io.example/a:1 0"}}"#,
        ),
        (
            "/v0.1/servers?limit=100&version=latest&cursor=io.example%2Fa%3A1+0",
            200,
            r#"{"servers":[{"server":{"name":"io.example/b","remotes":[{"type":"sse","url":"https://b.example/{x}"}]}}],"metadata":{"nextCursor":"c"}}"#,
        ),
        (
            "/v0.1/servers?limit=100&version=latest&cursor=c",
            200,
            r#"{"servers":[],"metadata":{"nextCursor":""}}"#,
        ),
    ]);
    let place = Place::with_resolver();
    let ran = import(&place, &format!("{origin}/v0.1/servers"), true);
    assert_eq!(asked.lock().unwrap().len(), 3);
    assert_snapshot!(named(&ran, &origin));
    // Loopback is reached behind its switch only.
    // r[origin.loopback-off]
    let off = import(&place, &format!("{origin}/v0.1/servers"), false);
    assert_eq!((off.code, asked.lock().unwrap().len()), (Some(2), 3));
    assert_snapshot!(named(&off, &origin).replace(|c: char| c.is_ascii_digit(), "N"));
}

#[test]
fn a_registry_that_fails_or_never_ends_keeps_what_it_gave() {
    let (origin, _) = serve(&[
        (
            "/loop/v0.1/servers?limit=100&version=latest",
            200,
            r#"{"servers":[],"metadata":{"nextCursor":"x"}}"#,
        ),
        (
            "/loop/v0.1/servers?limit=100&version=latest&cursor=x",
            200,
            r#"{"servers":[],"metadata":{"nextCursor":"x"}}"#,
        ),
        (
            "/gone/v0.1/servers?limit=100&version=latest",
            200,
            r#"{"servers":[],"metadata":{"nextCursor":"x"}}"#,
        ),
        (
            "/html/v0.1/servers?limit=100&version=latest",
            200,
            "<!doctype html>",
        ),
    ]);
    let place = Place::with_resolver();
    let mut story = String::new();
    for path in ["loop", "gone", "html"] {
        story += &named(
            &import(&place, &format!("{origin}/{path}/v0.1/servers"), true),
            &origin,
        );
    }
    assert_snapshot!(story);
}

#[test]
fn a_catalogue_can_come_from_a_url() {
    let (origin, _) = serve(&[(
        "/servers.jsonl",
        200,
        "{\"url\":\"https://a.example/mcp\"}\n{\"url\":null}\n",
    )]);
    let ran = import(
        &Place::with_resolver(),
        &format!("{origin}/servers.jsonl"),
        true,
    );
    assert_snapshot!(named(&ran, &origin));
}

// r[http.user-agent]
#[test]
fn a_resolver_without_a_name_of_its_own_asks_nobody() {
    let place = Place::new();
    assert_eq!(place.run(&["init", "r"]).code, Some(0));
    assert_snapshot!(
        place
            .at(NOW, &["import", "https://registry.example/v0.1/servers"])
            .all()
    );
}

#[test]
fn an_observer_reads_the_sources_that_are_urls() {
    let (origin, asked) = serve(&[
        (
            "/v0.1/servers?limit=100&version=latest",
            200,
            r#"{"servers":[{"server":{"name":"io.example/a","remotes":[{"type":"sse","url":"https://192.168.0.1/{x}"}]}}],"metadata":{}}"#,
        ),
        ("/html?key=secret", 200, "<!doctype html>"),
    ]);
    let place = Place::with_resolver();
    let settings = fs::read_to_string(place.path("r/resolver.toml")).unwrap();
    let sources = format!(
        "sources = [ \"servers.jsonl\", \"{origin}/v0.1/servers\", \"{origin}/html?key=secret\","
    );
    fs::write(
        place.path("r/resolver.toml"),
        settings.replace("sources = [", &sources),
    )
    .unwrap();
    let observe = [
        "--config",
        "r/resolver.toml",
        "observe",
        "--once",
        "--allow-loopback",
    ];
    let ran = place.run(&observe);
    assert_snapshot!(named(&ran, &origin));
    assert_eq!(asked.lock().unwrap().len(), 2);
    // A file is read by `import`, a URL that was read is not read again on the same day.
    place.run(&observe);
    assert_eq!(asked.lock().unwrap().len(), 3);
    let status = place.at(NOW, &["status"]);
    assert!(!status.out.contains("secret"), "{status:?}");
}
