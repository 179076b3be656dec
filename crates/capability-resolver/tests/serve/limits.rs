//! How much one caller, and all of them together, can ask for.

use std::net::TcpStream;
use std::time::Duration;

use crate::common::{Folder, at_once, mail, request};

const NEED: &str = "/resolve?need=send+a+transactional+email";

// r[error.rate]
#[test]
fn one_address_is_slowed_down_and_no_other() {
    let folder = Folder::with(&[mail("https://mail.example.com/mcp")]);
    folder.edit(
        "resolver.toml",
        "requests-per-minute = 0",
        "requests-per-minute = 20",
    );
    let server = folder.serve_plain();
    let ask = |address: &str| request(server.address, "GET", NEED, &[("X-Forwarded-For", address)]);
    assert!((0..20).all(|_| ask("192.0.2.1").status == 200));
    let refused = ask("192.0.2.1");
    assert_eq!(refused.status, 429);
    assert_eq!(refused.json()["code"], "rate-limited");
    assert_eq!(refused.header("access-control-allow-origin"), Some("*"));
    let wait: u64 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=3).contains(&wait), "{wait}");
    assert_eq!(ask("192.0.2.2").status, 200);
    // What a caller claims of itself does not make it another.
    assert_eq!(ask("192.0.2.77, 192.0.2.1").status, 429);
    assert_eq!(server.get("/health").status, 200);
    std::thread::sleep(Duration::from_secs(wait));
    assert_eq!(ask("192.0.2.1").status, 200);
}

#[test]
fn ten_thousand_requests_at_once_are_all_answered() {
    let folder = Folder::with(&[mail("https://mail.example.com/mcp")]);
    let server = folder.serve_plain();
    let address = server.address;
    // A hundred threads that ask a hundred each, over more connections than are served at once.
    let idle: Vec<TcpStream> = (0..200)
        .map(|_| TcpStream::connect(address).unwrap())
        .collect();
    let answered = at_once(200, move |n| {
        let mut good = 0;
        for m in 0..50 {
            let limit = 1_000 + n * 50 + m;
            let target = format!("{NEED}&max_handshake_ms={limit}");
            let response = request(address, "GET", &target, &[]);
            let named = response.json()["candidates"][0]["url"] == "https://mail.example.com/mcp";
            good += usize::from(response.status == 200 && named);
        }
        good
    });
    assert_eq!(answered.iter().sum::<usize>(), 10_000);
    drop(idle);
    assert_eq!(server.get("/health").status, 200);
}

#[test]
fn those_who_hold_all_connections_do_not_keep_others_out() {
    let folder = Folder::with(&[mail("https://mail.example.com/mcp")]);
    folder.edit("resolver.toml", "connections = 1024", "connections = 16");
    let server = folder.serve_plain();
    let _idle: Vec<TcpStream> = (0..40)
        .map(|_| TcpStream::connect(server.address).unwrap())
        .collect();
    // Their turn ends, and then it is ours.
    let began = std::time::Instant::now();
    assert_eq!(server.get(NEED).status, 200);
    assert!(
        began.elapsed() < Duration::from_secs(35),
        "{:?}",
        began.elapsed()
    );
}
