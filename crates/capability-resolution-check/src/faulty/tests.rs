//! What the resolver without a fault keeps, where no check of the checker looks.

use serde_json::Value;

use super::http::Request;
use super::resolver::Resolver;

/// The status line, the other lines of the head, and the body.
fn ask(method: &str, target: &str) -> (String, Vec<String>, String) {
    let resolver = Resolver::new("https://resolver.example".to_owned(), None, None);
    let head = format!("{method} {target} HTTP/1.1\r\nHost: resolver.example\r\n\r\n");
    let response = resolver.answer(&Request::read(head.as_bytes()).unwrap());
    let sent = String::from_utf8(response.write()).unwrap();
    let (head, body) = sent.split_once("\r\n\r\n").unwrap();
    let mut lines = head.split("\r\n").map(str::to_owned);
    let status_line = lines.next().unwrap();
    (status_line, lines.collect(), body.to_owned())
}

#[test]
fn an_error_has_the_words_of_its_status() {
    let long = format!("/resolve?need={}", "a".repeat(9_000));
    for (method, target, words) in [
        ("GET", "/resolve", "400 Bad Request"),
        ("GET", "/record?id=nobody", "404 Not Found"),
        ("DELETE", "/resolve", "405 Method Not Allowed"),
        ("GET", &*long, "414 URI Too Long"),
    ] {
        let (status_line, _, body) = ask(method, target);
        assert_eq!(status_line, format!("HTTP/1.1 {words}"));
        let body: Value = serde_json::from_str(&body).unwrap();
        assert_eq!(body["type"], "about:blank");
        // RFC 9457 section 4.2.1.
        let title = body["title"].as_str().unwrap();
        assert_eq!(format!("{} {title}", body["status"]), words);
    }
}

// r[http.options]
#[test]
fn a_page_is_told_that_it_may_send_if_none_match() {
    for target in ["/.well-known/capability-resolver", "/resolve", "/record"] {
        let (status_line, headers, body) = ask("OPTIONS", target);
        assert_eq!(
            (status_line.as_str(), body.as_str()),
            ("HTTP/1.1 204 No Content", "")
        );
        for header in [
            "Access-Control-Allow-Origin: *",
            "Access-Control-Allow-Methods: GET, HEAD, OPTIONS",
            "Access-Control-Allow-Headers: If-None-Match",
        ] {
            assert!(headers.iter().any(|line| line == header), "{headers:?}");
        }
        // RFC 9110 section 8.6.
        assert!(
            !headers
                .iter()
                .any(|line| line.starts_with("Content-Length"))
        );
    }
}
