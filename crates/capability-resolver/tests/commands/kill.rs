//! Killed at any moment, a store has lost nothing that it said it keeps, and holds nothing that nobody saw.

use std::env;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use capability_resolution::Time;
use capability_resolver::observed::{FailureClass, Observed, Outcome, Start};
use capability_resolver::standing::Standing;
use capability_resolver::store::{Server, SqliteStore, Store as _};

use crate::common::{NOW, Place};

/// How often a child is killed, and how long all of it may take.
const ROUNDS: u64 = 12;
const PATIENCE: Duration = Duration::from_secs(60);

fn servers(store: &SqliteStore) -> Vec<Server> {
    let mut servers = Vec::new();
    store
        .each_server(&mut |server| servers.push(server))
        .unwrap();
    servers
}

/// Some milliseconds that differ from round to round, the same in every run.
fn pause(round: u64, most: u64) -> Duration {
    Duration::from_millis(round.wrapping_mul(2_654_435_761) % most)
}

/// The `n`th observation that a child makes; no two are equal.
fn observed(n: i64) -> Observed {
    let outcome = match n % 3 {
        0 => Outcome::Ok,
        1 => Outcome::Failure(FailureClass::Timeout),
        _ => Outcome::Failure(FailureClass::Gone),
    };
    Observed {
        started_at: Time::from_unix_seconds(n),
        ended_at: Time::from_unix_seconds(n + 1),
        outcome,
        began_with: Start::Discover,
        led_by: None,
        handshake_ms: None,
        requests: 3,
        retry_after: None,
        tools: None,
    }
}

/// Not a test: what the child of the test below does until it is killed.
#[test]
fn child() {
    let Some(path) = env::var_os("KILL_STORE") else {
        return;
    };
    let mut store = SqliteStore::open(path.as_ref()).unwrap();
    let ids: Vec<_> = servers(&store).iter().map(|server| server.id).collect();
    let from: usize = ids.iter().map(|id| store.history(*id).unwrap().len()).sum();
    for n in from.. {
        let number = i64::try_from(n).unwrap();
        store
            .append(
                ids[n % ids.len()],
                &observed(number),
                Time::from_unix_seconds(number),
            )
            .unwrap();
        println!("kept {n}");
    }
}

#[test]
fn an_observation_is_there_whole_or_not_at_all() {
    let place = Place::with_resolver();
    fs::write(
        place.path("source"),
        (0..5)
            .map(|n| format!("{{\"url\":\"https://s{n}.example/\"}}\n"))
            .collect::<String>(),
    )
    .unwrap();
    assert_eq!(place.at(NOW, &["import", "source"]).code, Some(0));
    let path = place.path("r/store.sqlite");
    let (started, mut least, mut killed) = (Instant::now(), 0, 0);
    for round in 0..ROUNDS {
        if started.elapsed() > PATIENCE {
            break;
        }
        let mut child = Command::new(env::current_exe().unwrap())
            .args(["--exact", "kill::child", "--nocapture", "--test-threads=1"])
            .env("KILL_STORE", &path)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        // Not before it has begun, so that the moment falls into its work.
        let begun = lines
            .by_ref()
            .map_while(Result::ok)
            .find(|line| line.starts_with("kept "));
        sleep(pause(round, 120));
        child.kill().unwrap();
        child.wait().unwrap();
        killed += 1;
        let kept = begun.into_iter().chain(lines.map_while(Result::ok));
        let last = kept
            .filter_map(|line| line.strip_prefix("kept ")?.parse::<usize>().ok())
            .last()
            .unwrap();
        let store = SqliteStore::open(&path).unwrap();
        let mut all: Vec<Observed> = Vec::new();
        for server in servers(&store) {
            let history = store.history(server.id).unwrap();
            let folded = history.iter().fold(None, |before, observed| {
                Some(Standing::after(before.as_ref(), observed))
            });
            assert_eq!(
                server.standing(),
                folded.as_ref(),
                "what stands is what the history says"
            );
            all.extend(history);
        }
        all.sort_by_key(|observed| observed.started_at);
        let expected: Vec<_> = (0..all.len())
            .map(|n| observed(i64::try_from(n).unwrap()))
            .collect();
        assert_eq!(all, expected, "each once, whole, and none that nobody made");
        // The last line can be cut off; what was said to be kept is there, and at most one more.
        assert!(
            all.len() > last && all.len() <= last + 2,
            "said {last}, found {}",
            all.len()
        );
        assert!(all.len() > least);
        least = all.len();
    }
    assert!(
        killed >= 3,
        "the machine is too slow to have tried anything"
    );
}

#[test]
fn an_import_that_is_killed_goes_on_where_it_was() {
    const SERVERS: usize = 12_000;
    let place = Place::with_resolver();
    let lines = (0..SERVERS).map(|n| {
        format!(
            "{{\"id\":\"{n}\",\"url\":\"https://s{n}.example/mcp\",\"description\":\"{}\"}}\n",
            "d".repeat(200)
        )
    });
    fs::write(place.path("source"), lines.collect::<String>()).unwrap();
    let path = place.path("r/store.sqlite");
    let (started, mut before, mut broken_off) = (Instant::now(), 0, 0);
    for round in 0..ROUNDS {
        if started.elapsed() > PATIENCE {
            break;
        }
        let mut child = Command::new(env!("CARGO_BIN_EXE_capability-resolver"))
            .current_dir(place.path(""))
            .args([
                "--config",
                "r/resolver.toml",
                "--now",
                NOW,
                "import",
                "source",
            ])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        sleep(pause(round + 1, 300));
        let ended = child.try_wait().unwrap();
        broken_off += usize::from(ended.is_none());
        let _ = child.kill();
        child.wait().unwrap();
        let now = servers(&SqliteStore::open(&path).unwrap()).len();
        assert!(now >= before, "{now} after {before}");
        assert!(
            now.is_multiple_of(1_000),
            "{now}: a batch is whole or not there"
        );
        before = now;
    }
    assert!(broken_off > 0, "every import was done before it was killed");
    let ran = place.at(NOW, &["import", "source"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let store = SqliteStore::open(&path).unwrap();
    assert_eq!(servers(&store).len(), SERVERS);
    assert!(servers(&store).iter().all(|server| server.named));
}

#[test]
fn an_observer_that_is_killed_sees_each_server_once() {
    const SERVERS: usize = 1_500;
    let place = Place::with_resolver();
    // Ports of this machine that nobody listens on answer at once, with a refusal that is an observation too.
    let closed = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let lines = (0..SERVERS).map(|n| {
        format!(
            "{{\"url\":\"https://127.0.0.{}:{closed}/{n}\"}}\n",
            n % 50 + 1
        )
    });
    fs::write(place.path("source"), lines.collect::<String>()).unwrap();
    assert_eq!(place.at(NOW, &["import", "source"]).code, Some(0));
    let path = place.path("r/store.sqlite");
    let observe = [
        "--config",
        "r/resolver.toml",
        "observe",
        "--once",
        "--allow-loopback",
    ];
    let seen = || {
        let store = SqliteStore::open(&path).unwrap();
        let histories = servers(&store).into_iter().map(|server| {
            let history = store.history(server.id).unwrap();
            let folded = history.iter().fold(None, |before, observed| {
                Some(Standing::after(before.as_ref(), observed))
            });
            assert_eq!(
                server.standing(),
                folded.as_ref(),
                "what stands is what the history says"
            );
            assert!(
                history
                    .iter()
                    .all(|observed| observed.outcome == Outcome::Failure(FailureClass::Connection))
            );
            history.len()
        });
        let histories: Vec<_> = histories.collect();
        assert!(
            histories.iter().all(|length| *length <= 1),
            "nobody is asked twice"
        );
        histories.iter().sum::<usize>()
    };
    let (started, mut before, mut broken_off) = (Instant::now(), 0, 0);
    for round in 0..ROUNDS {
        if started.elapsed() > PATIENCE {
            break;
        }
        let mut child = Command::new(env!("CARGO_BIN_EXE_capability-resolver"))
            .current_dir(place.path(""))
            .args(observe)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        sleep(pause(round + 1, 400));
        broken_off += usize::from(child.try_wait().unwrap().is_none());
        let _ = child.kill();
        child.wait().unwrap();
        let now = seen();
        assert!(now >= before, "{now} after {before}");
        before = now;
    }
    assert!(broken_off > 0, "every run was done before it was killed");
    let ran = place.run(&observe);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(seen(), SERVERS);
}

#[test]
fn what_was_being_made_when_its_maker_was_killed_is_swept_up() {
    let place = Place::with_resolver();
    let begun = |folder: &str| {
        let names = fs::read_dir(place.path(folder)).unwrap();
        names
            .filter(|entry| {
                let name = entry.as_ref().unwrap().file_name();
                name.to_string_lossy().starts_with(".capability-resolver-")
            })
            .count()
    };
    let (started, mut left) = (Instant::now(), 0);
    for round in 0..ROUNDS * 4 {
        if started.elapsed() > PATIENCE {
            break;
        }
        let mut child = Command::new(env!("CARGO_BIN_EXE_capability-resolver"))
            .current_dir(place.path(""))
            .args(["init", &format!("r{round}")])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // Killed as soon as it has begun to make something, and sometimes a little later.
        while begun("") == 0 && child.try_wait().unwrap().is_none() {}
        sleep(pause(round, 4));
        let _ = child.kill();
        child.wait().unwrap();
        let begun = begun("");
        assert!(begun <= 1, "the next one sweeps up after the last");
        left += begun;
        // A folder that is there is whole.
        let name = format!("r{round}/resolver.toml");
        if place.path(&format!("r{round}")).exists() {
            let ran = place.run(&["--config", &name, "keys", "list"]);
            assert_eq!(ran.code, Some(0), "{ran:?}");
        }
    }
    assert!(
        left > 0,
        "every folder was whole before its maker was killed"
    );
    assert_eq!(place.run(&["init", "last"]).code, Some(0));
    assert_eq!(begun(""), 0);
    // In the folder of the keys it is a key in clear that nobody knows of.
    fs::write(place.path("r/keys/.capability-resolver-x"), "a key").unwrap();
    assert_eq!(place.at(NOW, &["keys", "list"]).code, Some(0));
    assert_eq!(begun("r/keys"), 0);
}
