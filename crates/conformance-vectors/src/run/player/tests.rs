use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::Player;
use crate::model::{Input, Kind, Level, Operation, Vector, Verdict};

const ONE: &str = "https://one.example";
const TWO: &str = "https://two.example";

/// A scenario with this play.
fn vector(play: Value, ask: &str) -> Vector {
    let input = json!({"resolvers": [TWO, ONE], "ask": ask, "play": play});
    Vector {
        id: format!("{}-x", Kind::Client),
        comment: String::new(),
        rules: Vec::new(),
        level: Level::Must,
        derived_from: None,
        mutation: None,
        operation: Operation::Client,
        input: serde_json::from_value::<Input>(input).unwrap(),
        result: Verdict::Valid,
        reason: None,
        output: None,
    }
}

fn player(play: Value) -> Player {
    Player::of(&vector(play, "in-order")).unwrap().unwrap()
}

/// An answer with status 200 and the body `abc`, changed so.
fn answer(change: Value) -> Value {
    let mut answer = json!({
        "status": 200, "headers": ["Content-Type: text/plain"], "body": "abc", "framing": "length",
        "end": "complete", "delay": 0, "after": null, "confirm": null,
    });
    for (name, value) in change.as_object().unwrap() {
        answer[name] = value.clone();
    }
    answer
}

/// Sends a request without waiting for its answer.
fn send(player: &Player, host: &str, target: &str, more: &str) -> TcpStream {
    let mut stream = TcpStream::connect(player.address).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(20)))
        .unwrap();
    let head = format!("GET {target} HTTP/1.1\r\nHost: {host}\r\n{more}\r\n");
    stream.write_all(head.as_bytes()).unwrap();
    stream
}

/// All that comes until the connection is closed.
fn rest(mut stream: TcpStream) -> String {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn get(player: &Player, host: &str, target: &str) -> String {
    rest(send(player, host, target, ""))
}

#[test]
fn an_answer_is_written_as_the_script_says() {
    let plain = "HTTP/1.1 200 \r\nContent-Type: text/plain\r\n";
    let close = "Connection: close\r\n\r\n";
    for (change, bytes) in [
        (json!({}), format!("{plain}Content-Length: 3\r\n{close}abc")),
        (
            json!({"end": "cut"}),
            format!("{plain}Content-Length: 4\r\n{close}abc"),
        ),
        (
            json!({"framing": "chunked"}),
            format!("{plain}Transfer-Encoding: chunked\r\n{close}3\r\nabc\r\n0\r\n\r\n"),
        ),
        (
            json!({"framing": "chunked", "body": ""}),
            format!("{plain}Transfer-Encoding: chunked\r\n{close}0\r\n\r\n"),
        ),
        (
            json!({"framing": "chunked", "end": "cut"}),
            format!("{plain}Transfer-Encoding: chunked\r\n{close}3\r\nabc\r\n"),
        ),
        (json!({"framing": "none"}), format!("{plain}{close}abc")),
        (
            json!({"status": null, "framing": "none", "body": "SSH\r\n"}),
            "SSH\r\n".to_owned(),
        ),
        (
            json!({"status": null, "framing": "none", "body": "", "end": "cut"}),
            String::new(),
        ),
    ] {
        let player = player(json!({ONE: [answer(change.clone())]}));
        assert_eq!(get(&player, "one.example", "/"), bytes, "{change}");
    }
    let mut parts = answer(json!({}));
    parts.as_object_mut().unwrap().remove("body");
    parts["body_parts"] = json!([["ab", 1], ["c", 3]]);
    let player = player(json!({ONE: [parts]}));
    assert!(
        get(&player, "one.example", "/")
            .ends_with("Content-Length: 5\r\nConnection: close\r\n\r\nabccc")
    );
}

#[test]
fn what_does_not_end_ends_with_the_scenario() {
    for (end, framing) in [
        ("hang", "length"),
        ("endless", "chunked"),
        ("endless", "none"),
        ("trickle", "chunked"),
    ] {
        let player = player(json!({ONE: [answer(json!({"end": end, "framing": framing}))]}));
        let mut stream = send(&player, "one.example", "/", "");
        let mut piece = [0; 4096];
        let mut read = 0;
        let enough = match end {
            "hang" => 50,
            "trickle" => 120,
            _ => 1_000_000,
        };
        while read < enough {
            let some = stream.read(&mut piece).unwrap();
            assert_ne!(some, 0, "{end}: closed after {read} bytes");
            read += some;
        }
        let start = Instant::now();
        drop(player);
        // What was on the way still comes; a connection that is reset has ended too.
        while stream.read(&mut piece).is_ok_and(|some| some > 0) {}
        assert!(start.elapsed() < Duration::from_secs(5), "{end}");
    }
}

#[test]
fn origins_have_lists_of_their_own_and_all_requests_are_seen() {
    let one = [
        answer(json!({"body": "first"})),
        answer(json!({"body": "second"})),
    ];
    let scenario = vector(
        json!({ONE: one, TWO: [answer(json!({"body": "other"}))]}),
        "in-order",
    );
    let player = Player::of(&scenario).unwrap().unwrap();
    assert!(get(&player, "one.example", "/a?need=a+b").ends_with("first"));
    assert!(get(&player, "two.example", "/b").ends_with("other"));
    assert!(get(&player, "one.example", "/c").ends_with("second"));
    // One too many, and one to nobody.
    assert_eq!(get(&player, "one.example", "/d"), "");
    assert_eq!(get(&player, "three.example", "/e"), "");
    let seen = |ask: &str| {
        let requests = player.requests(&vector(json!({}), ask).input);
        let requests = requests.as_array().unwrap().clone();
        let paths = requests
            .iter()
            .map(|request| request["path"].as_str().unwrap().to_owned());
        paths.collect::<String>()
    };
    assert_eq!(seen("in-order"), "/a/b/c/d/e");
    assert_eq!(seen("at-once"), "/b/a/c/d/e");
    let first = &player.requests(&scenario.input)[0];
    assert_eq!(
        *first,
        json!({"origin": ONE, "method": "GET", "path": "/a", "query": {"need": "a b"}, "headers": {}})
    );
}

#[test]
fn an_answer_can_wait_for_another_origin_or_for_a_time() {
    let play = json!({
        ONE: [answer(json!({"after": {"origin": TWO, "requests": 1}}))],
        TWO: [answer(json!({"delay": 300}))],
    });
    let player = player(play);
    let mut waiting = send(&player, "one.example", "/", "");
    waiting
        .set_read_timeout(Some(Duration::from_millis(300)))
        .unwrap();
    assert!(waiting.read(&mut [0; 1]).is_err(), "it did not wait");
    let start = Instant::now();
    assert!(get(&player, "two.example", "/").ends_with("abc"));
    assert!(start.elapsed() >= Duration::from_millis(300));
    waiting
        .set_read_timeout(Some(Duration::from_secs(20)))
        .unwrap();
    assert!(rest(waiting).ends_with("abc"));
}

#[test]
fn a_copy_is_confirmed_for_who_names_it() {
    let confirm = json!({"etag": "\"d-1\"", "headers": ["Age: 1"]});
    let both = [0, 1, 2].map(|_| answer(json!({"confirm": confirm})));
    let player = player(json!({ONE: both}));
    let ask = |more: &str| rest(send(&player, "one.example", "/", more));
    assert_eq!(
        ask("If-None-Match: \"d-1\"\r\n"),
        "HTTP/1.1 304 \r\nAge: 1\r\nConnection: close\r\n\r\n"
    );
    assert!(ask("If-None-Match: \"d-2\"\r\n").starts_with("HTTP/1.1 200 "));
    assert!(ask("").starts_with("HTTP/1.1 200 "));
}

#[test]
fn a_program_gets_addresses_in_place_of_the_play() {
    let scenario = vector(json!({ONE: [], TWO: null}), "in-order");
    let player = Player::of(&scenario).unwrap().unwrap();
    let input = player.input(&scenario.input);
    assert!(!input.0.contains_key("play"));
    let address = |origin: &str| {
        let address = input.0["connect"][origin].as_str().unwrap();
        address.strip_prefix("http://").unwrap().to_owned()
    };
    assert!(TcpStream::connect(address(ONE)).is_ok());
    assert!(TcpStream::connect(address(TWO)).is_err());
}

#[test]
fn a_request_may_come_in_pieces_and_what_is_none_is_let_go() {
    let player = player(json!({ONE: [answer(json!({}))]}));
    let mut stream = TcpStream::connect(player.address).unwrap();
    for piece in ["GE", "T / HTTP/1.1\r\nHost: one.exa", "mple\r\n\r", "\n"] {
        stream.write_all(piece.as_bytes()).unwrap();
        std::thread::sleep(Duration::from_millis(70));
    }
    assert!(rest(stream).ends_with("abc"));
    let mut long = TcpStream::connect(player.address).unwrap();
    // The player may close before all of it was sent.
    let _ = long.write_all(&[b'x'; 100_000]);
    let _ = long.read_to_end(&mut Vec::new());
    drop(TcpStream::connect(player.address).unwrap());
    assert_eq!(player.stage.lock().requests.len(), 1);
}

#[test]
fn a_play_of_another_form_is_no_play() {
    for play in [
        json!(null),
        json!({ONE: [{"status": 200}]}),
        json!({ONE: [answer(json!({"end": "never"}))]}),
        json!({ONE: [answer(json!({"more": 1}))]}),
        json!({ONE: [answer(json!({"body": 1}))]}),
    ] {
        assert!(
            Player::of(&vector(play.clone(), "in-order")).is_err(),
            "{play}"
        );
    }
}
