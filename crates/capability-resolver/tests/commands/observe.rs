//! `observe`: over TLS against servers of every kind, and as a command that is stopped and killed.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::process::{Command, Stdio};
use std::sync::LazyLock;
use std::time::Duration;

use capability_resolution::Time;
use capability_resolver::config::Schedule;
use capability_resolver::observe::{NetworkProber, Observer, Settings, Tally};
use capability_resolver::store::{Server, SqliteStore, Store as _};
use insta::assert_snapshot;
use serde_json::json;

use crate::common::{NOW, Place};
use crate::network::{Answered, Asked, Network, plain};

const HOSTS: [&str; 12] = [
    "ok.test",
    "legacy.test",
    "in.test",
    "gone.test",
    "busy.test",
    "html.test",
    "deny.test",
    "sub.deny.test",
    "redirect.test",
    "typed.test",
    "late-deny.test",
    "loop.test",
];

fn now() -> Time {
    Time::from_document(NOW).unwrap()
}

fn text(status: u16, text: impl Into<Vec<u8>>) -> Answered {
    (
        status,
        vec![("Content-Type", "text/plain".to_owned())],
        text.into(),
    )
}

fn rpc(asked: &Asked, result: serde_json::Value) -> Answered {
    let body = json!({"jsonrpc": "2.0", "id": asked.body["id"], "result": result});
    (
        200,
        vec![("Content-Type", "application/json".to_owned())],
        body.to_string().into_bytes(),
    )
}

fn answer(asked: &Asked) -> Answered {
    if asked.path == "/.well-known/capabilities.txt" {
        let moved = |to: &str| (302, vec![("Location", to.to_owned())], Vec::new());
        return match asked.host.as_str() {
            "deny.test" => text(200, "Resolvers: -https://resolver.test\n"),
            "redirect.test" => moved("https://deny.test/.well-known/capabilities.txt"),
            "typed.test" => (
                200,
                vec![("Content-Type", "text/html".to_owned())],
                b"Resolvers: none\n".to_vec(),
            ),
            // A deny behind the scan limit is not seen.
            "late-deny.test" => text(
                200,
                ["#".repeat(524_288), "\nResolvers: none\n".to_owned()].concat(),
            ),
            "loop.test" => moved("https://loop.test/.well-known/capabilities.txt"),
            "busy.test" => text(503, ""),
            _ => text(404, ""),
        };
    }
    let tools = json!([{"name": "send_\u{202e}email", "description": "Sends\nmail.", "annotations": {"readOnlyHint": false}},
                       {"name": "look_up", "annotations": {"readOnlyHint": true}}]);
    match (asked.host.as_str(), asked.method.as_str(), asked.rpc()) {
        ("in.test", ..) => (
            401,
            vec![("WWW-Authenticate", "Bearer".to_owned())],
            Vec::new(),
        ),
        ("gone.test", ..) => text(404, ""),
        ("busy.test", ..) => (429, vec![("Retry-After", "7200".to_owned())], Vec::new()),
        ("html.test", ..) => (
            200,
            vec![("Content-Type", "text/html".to_owned())],
            b"<p>hello".to_vec(),
        ),
        ("legacy.test", _, "server/discover") => text(404, "not found"),
        ("legacy.test", _, "initialize") => {
            let (status, mut headers, body) = rpc(
                asked,
                json!({"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "l", "version": "1"}}),
            );
            headers.push(("Mcp-Session-Id", "s1".to_owned()));
            (status, headers, body)
        }
        ("legacy.test", _, "notifications/initialized") => text(202, ""),
        ("legacy.test", _, "tools/list") => rpc(asked, json!({"tools": tools})),
        ("legacy.test", "DELETE", _) => text(200, ""),
        (_, _, "server/discover") => rpc(
            asked,
            json!({"resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}}),
        ),
        (_, _, "tools/list") => rpc(asked, json!({"resultType": "complete", "tools": tools})),
        _ => text(404, ""),
    }
}

fn servers(store: &SqliteStore) -> BTreeMap<String, Server> {
    let mut servers = BTreeMap::new();
    store
        .each_server(&mut |server| {
            drop(servers.insert(server.url.origin().host().to_owned(), server))
        })
        .unwrap();
    servers
}

fn observe(store: &mut SqliteStore, network: &Network, clock: fn() -> Time) -> Tally {
    observe_with(store, NetworkProber::new(network.fetcher()), clock)
}

fn observe_with(store: &mut SqliteStore, prober: NetworkProber, clock: fn() -> Time) -> Tally {
    let settings = Settings {
        issuer: "https://resolver.test".parse().unwrap(),
        schedule: Schedule {
            interval_minutes: 480,
            second_look_minutes: 15,
        },
        in_flight: 8,
        per_host: 2,
        sources: Vec::new(),
        allow_loopback: false,
        clock,
    };
    let observer = Observer::new(store, prober, settings);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime
        .block_on(observer.run(true, std::future::pending(), &mut |_| {}))
        .unwrap()
}

fn import(place: &Place, urls: impl Iterator<Item = String>) {
    fs::write(
        place.path("source"),
        urls.map(|url| format!("{{\"url\":\"{url}\"}}\n"))
            .collect::<String>(),
    )
    .unwrap();
    assert_eq!(place.at(NOW, &["import", "source"]).code, Some(0));
}

// r[deny.honoured] r[captxt.fetch.request] r[captxt.fetch.outcome] r[captxt.fetch.limit] r[captxt.fetch.redirect]
// r[deny.before-listing] r[observation.stop] r[observation.retry-after] r[mcp.tools.unsafe] r[observation.no-use]
#[test]
fn servers_of_every_kind_are_asked_and_kept() {
    let network = Network::start(&HOSTS.map(str::to_owned), answer);
    let place = Place::with_resolver();
    import(
        &place,
        HOSTS.iter().map(|host| format!("https://{host}/mcp")),
    );
    let path = place.path("r/store.sqlite");
    let mut store = SqliteStore::open(&path).unwrap();
    let tally = observe(&mut store, &network, now);
    let last: Vec<_> = servers(&store)
        .iter()
        .map(|(host, server)| {
            let outcome = server.standing().map(|standing| standing.last().1.words());
            let next = (server.next_at.unix_seconds() - now().unix_seconds()) / 3_600;
            format!(
                "{host}: {} next in {next} h",
                outcome.map_or("not asked".to_owned(), |(word, why)| format!(
                    "{word} {}",
                    why.unwrap_or_default()
                ))
            )
        })
        .collect();
    assert_snapshot!(last.join("\n"));
    assert_snapshot!(serde_json::to_string_pretty(&tally).unwrap());
    let asked = network.asked();
    for denied in ["deny.test", "sub.deny.test", "redirect.test", "typed.test"] {
        assert!(
            !asked
                .iter()
                .any(|asked| asked.starts_with("POST") && asked.contains(&format!("//{denied}/"))),
            "{denied}: {asked:#?}"
        );
    }
    assert!(
        !asked
            .iter()
            .any(|asked| asked.starts_with("HEAD") || asked.ends_with("tools/call"))
    );
    // Each file once, also where several servers wait for it; a redirect asks anew.
    let files = |host: &str| {
        asked
            .iter()
            .filter(|asked| asked.starts_with(&format!("GET https://{host}/.well-known")))
            .count()
    };
    assert_eq!(
        (
            files("deny.test"),
            files("sub.deny.test"),
            files("loop.test"),
            files("ok.test")
        ),
        (2, 1, 6, 1)
    );

    let tools: String = rusqlite_tools(&path);
    assert_eq!(
        tools,
        r#"[{"name":"send_email","description":"Sends mail."},{"name":"look_up","read_only":true}]"#
    );
    let status = place
        .at("2026-11-30T12:01:00Z", &["status", "--format", "json"])
        .json("resolver-status.schema.json");
    assert_eq!(
        status["servers"]["stated"],
        json!({"ok": 4, "sign_in": 1, "down": 0, "unknown": 3})
    );
    assert_eq!(
        (&status["servers"]["denied"], &status["deny"]["hosts"]),
        (&json!(4), &json!(3))
    );

    // Nobody is asked again before the time, and then from the step that got through.
    assert_eq!(observe(&mut store, &network, now).observed.len(), 0);
    assert!(network.asked().is_empty());
    let later: fn() -> Time = || Time::from_unix_seconds(now().unix_seconds() + 29_000);
    observe(&mut store, &network, later);
    let asked = network.asked();
    assert!(
        !asked
            .iter()
            .any(|asked| asked == "POST https://legacy.test/mcp server/discover"),
        "{asked:#?}"
    );
    assert!(asked.contains(&"DELETE https://legacy.test/mcp ".to_owned()));
    assert!(asked.contains(&"POST https://gone.test/mcp server/discover".to_owned()));
}

/// The tools of the first server that has some, as they are kept.
fn rusqlite_tools(store: &std::path::Path) -> String {
    let connection = rusqlite::Connection::open(store).unwrap();
    connection
        .query_row(
            "SELECT tools FROM tool_list ORDER BY server LIMIT 1",
            (),
            |row| row.get(0),
        )
        .unwrap()
}

/// A gzip of a server file that denies and then says nothing for 32 MiB more.
static BOMB: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    writer.write_all(b"Resolvers: none\n").unwrap();
    let noise = vec![b'#'; 1 << 20];
    for _ in 0..32 {
        writer.write_all(&noise).unwrap();
    }
    writer.finish().unwrap()
});

/// How a server file is fetched that takes longer or is larger than it may.
fn endless_file(asked: &Asked) -> Answered {
    match (asked.host.as_str(), asked.path.as_str()) {
        (_, "/mcp") => answer(&Asked {
            host: "ok.test".to_owned(),
            ..asked.clone()
        }),
        // Each hop is quick, and all of them together are not.
        ("slow.test", _) => {
            std::thread::sleep(Duration::from_millis(400));
            let next = "https://slow.test/.well-known/capabilities.txt";
            (302, vec![("Location", next.to_owned())], Vec::new())
        }
        ("bomb.test", _) => {
            let mut answered = text(200, BOMB.as_slice());
            answered.1.push(("Content-Encoding", "gzip".to_owned()));
            answered
        }
        // What comes after the limit is not read, and what came before it is.
        ("long.test", _) => text(
            200,
            ["Resolvers: none\n".to_owned(), "#".repeat(600_000)].concat(),
        ),
        _ => text(404, ""),
    }
}

// r[captxt.fetch.limit] r[captxt.fetch.time]
#[test]
fn a_server_file_takes_no_more_time_and_room_than_it_may() {
    assert!(BOMB.len() < 524_288, "it is a bomb");
    let hosts = ["slow.test", "bomb.test", "long.test", "ok.test"];
    let network = Network::start(&hosts.map(str::to_owned), endless_file);
    let place = Place::with_resolver();
    let url = |host| format!("https://{host}/mcp");
    import(&place, hosts.into_iter().map(url));
    let path = place.path("r/store.sqlite");
    let mut store = SqliteStore::open(&path).unwrap();
    let prober = NetworkProber::new(network.fetcher()).file_time(Duration::from_secs(1));
    let tally = observe_with(&mut store, prober, now);
    // Six hops would have been 2.4 seconds, and a refusal; it was broken off, and is tried again tomorrow.
    let slow = store.server_file("slow.test").unwrap().unwrap();
    assert_eq!((slow.answered_at, slow.body), (None, None));
    let fetches = |host: &str| {
        let file = format!("GET https://{host}/.well-known/capabilities.txt ");
        move |asked: &&String| **asked == file
    };
    let asked = network.asked();
    assert!(
        (2..=3).contains(&asked.iter().filter(fetches("slow.test")).count()),
        "{asked:#?}"
    );
    for host in ["bomb.test", "long.test"] {
        let file = store.server_file(host).unwrap().unwrap();
        assert_eq!(file.body.unwrap().len(), 524_288, "{host}");
    }
    assert_eq!((tally.observed["ok"], tally.denied), (2, 2), "{tally:?}");
}

#[test]
fn what_cannot_be_reached_is_kept_as_a_failure_where_others_answer() {
    let network = Network::start(&HOSTS.map(str::to_owned), answer);
    let place = Place::with_resolver();
    import(
        &place,
        ["https://192.168.0.1/mcp", "https://ok.test/mcp"]
            .into_iter()
            .map(str::to_owned),
    );
    let path = place.path("r/store.sqlite");
    let mut store = SqliteStore::open(&path).unwrap();
    let tally = observe(&mut store, &network, now);
    assert_eq!(
        tally.observed,
        [("failure (connection)".to_owned(), 1), ("ok".to_owned(), 1)].into()
    );
    assert_eq!(observe(&mut store, &network, now).observed.len(), 0);
}

// r[observation.own-network]
#[test]
fn where_nobody_answers_nothing_is_kept_and_one_line_says_so() {
    let place = Place::with_resolver();
    let closed = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    import(
        &place,
        [
            format!("https://127.0.0.1:{closed}/mcp"),
            "https://192.168.0.1/mcp".to_owned(),
            "https://10.0.0.1/mcp".to_owned(),
        ]
        .into_iter(),
    );
    let once = || {
        place.run(&[
            "--config",
            "r/resolver.toml",
            "observe",
            "--once",
            "--allow-loopback",
        ])
    };
    let ran = once();
    assert_snapshot!(ran.all());
    let store = SqliteStore::open(&place.path("r/store.sqlite")).unwrap();
    let kept: Vec<_> = servers(&store)
        .into_iter()
        .map(|(host, server)| (host, server.standing().is_some()))
        .collect();
    // Of this machine itself, its network has nothing to say.
    let kept: Vec<_> = kept
        .iter()
        .map(|(host, kept)| (host.as_str(), *kept))
        .collect();
    assert_eq!(
        kept,
        [
            ("10.0.0.1", false),
            ("127.0.0.1", true),
            ("192.168.0.1", false)
        ]
    );
    // Nobody has to wait until the network is mended.
    assert_eq!(once().all(), ran.all());
    let example = Place::new();
    assert_eq!(example.run(&["init", "r"]).code, Some(0));
    assert_snapshot!(
        example
            .run(&["--config", "r/resolver.toml", "observe", "--once"])
            .all()
    );
}

// r[origin.loopback] r[origin.loopback-off]
#[test]
fn a_server_of_this_machine_is_asked_behind_the_switch_only() {
    let place = Place::with_resolver();
    let origin = plain(answer);
    fs::write(
        place.path("source"),
        format!("{{\"url\":\"{origin}/mcp\"}}\n"),
    )
    .unwrap();
    let run =
        |arguments: &[&str]| place.run(&[&["--config", "r/resolver.toml"], arguments].concat());
    let refused = run(&["import", "source"]);
    assert_eq!(
        (refused.code, refused.err.contains("rule url.form")),
        (Some(1), true),
        "{refused:?}"
    );
    assert_eq!(run(&["import", "--allow-loopback", "source"]).code, Some(0));
    let json = |arguments: &[&str]| run(arguments).json("resolver-observe.schema.json");
    let off = json(&["observe", "--once", "--format", "json"]);
    assert_eq!((&off["observed"], &off["later"]), (&json!({}), &json!(1)));
    let mut store = SqliteStore::open(&place.path("r/store.sqlite")).unwrap();
    let id = servers(&store)["127.0.0.1"].id;
    store.postpone(id, Time::from_unix_seconds(0)).unwrap();
    drop(store);
    let on = json(&["observe", "--once", "--allow-loopback", "--format", "json"]);
    assert_eq!(on["observed"], json!({"ok": 1}), "{on}");
}

/// A server that takes a connection and says nothing, and an observer that waits for it. If it waited to the end and not
/// for the signal, there would be a failure in the history.
#[cfg(unix)]
#[test]
fn an_observer_that_is_stopped_or_killed_has_seen_nothing() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = silent.local_addr().unwrap().port();
    for signal in ["-INT", "-TERM", "-KILL"] {
        let place = Place::with_resolver();
        import(
            &place,
            std::iter::once(format!("https://127.0.0.1:{port}/mcp")),
        );
        let mut child = Command::new(env!("CARGO_BIN_EXE_capability-resolver"))
            .current_dir(place.path(""))
            .args(["--config", "r/resolver.toml", "observe", "--allow-loopback"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // It is under way once it has begun to speak TLS.
        let (mut stream, _) = silent.accept().unwrap();
        stream.read_exact(&mut [0; 1]).unwrap();
        // A second one is refused while it runs.
        let second = place.run(&[
            "--config",
            "r/resolver.toml",
            "observe",
            "--once",
            "--allow-loopback",
        ]);
        assert_eq!(second.code, Some(2));
        assert!(
            second.err.starts_with("error[observer-running]"),
            "{second:?}"
        );
        let id = child.id().to_string();
        assert!(
            Command::new("kill")
                .args([signal, &id])
                .status()
                .unwrap()
                .success()
        );
        let status = child.wait().unwrap();
        if signal != "-KILL" {
            let mut out = String::new();
            child
                .stdout
                .take()
                .unwrap()
                .read_to_string(&mut out)
                .unwrap();
            assert_eq!(
                (status.code(), out.starts_with("0 observed")),
                (Some(0), true),
                "{signal}: {out}"
            );
        }
        let store = SqliteStore::open(&place.path("r/store.sqlite")).unwrap();
        let server = &servers(&store)["127.0.0.1"];
        assert!(server.standing().is_none() && store.history(server.id).unwrap().is_empty());
        assert_eq!(
            store
                .due(Time::from_unix_seconds(4_000_000_000))
                .unwrap()
                .len(),
            1
        );
    }
}
