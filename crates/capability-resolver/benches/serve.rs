//! What answering costs: `FIXTURES_DIR=... cargo bench -p capability-resolver --bench serve`.
//!
//! The program itself serves 45,000 servers with 200,000 tools from a store, and this one asks it over connections that stay
//! open: at 1, 16 and 64 callers, for needs that were asked before and for needs that nobody asked. Beside it, in the same
//! run: the same axum with a fixed body of the same length, and search alone. All of them share the machine with those
//! who ask. Then how long `serve` takes to start, over those servers and over as many as `demo` has, and `demo` itself.
//!
//! The servers and tools are those of the corpus as far as it has some, under their own URLs or under made ones; the rest is
//! made, with texts put together from words of the corpus. How many are which is printed. Without `FIXTURES_DIR` all are made,
//! from words of the text.
//!
//! Where `CRITERION_HOME` is set, the figures are written there in the form of criterion's files, for `cargo xtask bench`; the
//! time of a request is then one second by the requests of all callers in it.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench is its own caller"
)]

use std::collections::HashSet;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use capability_resolution::Time;
use capability_resolver::clock;
use capability_resolver::observed::{Observed, Outcome, Start, Tool};
use capability_resolver::search::{Document, Index};
use capability_resolver::store::{
    Claim, Entry, EntryState, Source, SourceKind, SqliteStore, Store as _,
};
use serde_json::{Value, json};

const SERVERS: usize = 45_000;
const TOOLS: usize = 200_000;
const CALLERS: [usize; 3] = [1, 16, 64];
const SECONDS: u64 = 4;
/// How many needs are asked again and again.
const REPEATED: usize = 200;
/// After so many others a need is new again: a resolver remembers 4,096 at most.
const REMEMBERED_MAX: usize = 8_192;
/// How many servers and tools `demo` has.
const DEMO: (usize, usize) = (4, 3);

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|argument| argument == "fixed") {
        serve_fixed(&arguments[at + 1]);
        return;
    }
    let corpus = match std::env::var_os("FIXTURES_DIR") {
        Some(fixtures) => Corpus::read(&PathBuf::from(fixtures).join("mcp-corpus/servers.jsonl")),
        None => Corpus::of_the_text(),
    };
    let folder = make_folder(&corpus, SERVERS, TOOLS);
    let needs = corpus.needs();
    let (repeated, new) = needs.split_at(REPEATED);
    assert!(new.len() > REMEMBERED_MAX, "new needs would be repeated");
    println!("{} needs, such as {:?}", needs.len(), new[0]);

    let mut server = Served::resolver(folder.path());
    figure(
        &format!("start of serve, {SERVERS} servers"),
        server.start,
        Some(server.memory()),
    );
    let lengths: usize = repeated.iter().map(|need| server.ask(need)).sum();
    let length = lengths / repeated.len();
    println!("an answer has {length} bytes in the mean");
    let mut fixed = Served::fixed(folder.path(), length);
    let turn = AtomicUsize::new(0);
    let again: Picker<'_> = &|n| &repeated[n % repeated.len()];
    let never: Picker<'_> = &|_| &new[turn.fetch_add(1, Ordering::Relaxed) % new.len()];
    for callers in CALLERS {
        load("a fixed body", &fixed, callers, again).tell();
        load("warming up", &server, 2, again);
        load("needs asked before", &server, callers, again).tell();
        load("new needs", &server, callers, never).tell();
    }
    println!("after all of it {} MiB at most", server.memory());
    fixed.end();
    server.end();
    search_alone(&folder.path().join("r/store.sqlite"), new);

    let folder = make_folder(&corpus, DEMO.0, DEMO.1);
    let mut server = Served::resolver(folder.path());
    let name = format!("start of serve, {} servers", DEMO.0);
    figure(&name, server.start, Some(server.memory()));
    server.end();
    let began = Instant::now();
    let demo = Command::new(env!("CARGO_BIN_EXE_capability-resolver"))
        .args(["demo", "--once", "--listen", "127.0.0.1:0"])
        .output()
        .unwrap();
    assert!(demo.status.success(), "{demo:?}");
    figure("demo --once, from start to end", began.elapsed(), None);
}

/// Prints a figure, and writes it as criterion does.
fn figure(name: &str, time: Duration, mebibytes: Option<f64>) {
    let memory = mebibytes.map_or(String::new(), |mebibytes| format!(", {mebibytes:.0} MiB"));
    println!("{name}: {:.3} ms{memory}", time.as_secs_f64() * 1e3);
    let Some(home) = std::env::var_os("CRITERION_HOME") else {
        return;
    };
    let folder = Path::new(&home).join(format!("serve/{name}/new"));
    fs::create_dir_all(&folder).unwrap();
    let benchmark =
        json!({"full_id": format!("serve/{name}"), "throughput": null, "mebibytes": mebibytes});
    let sample = json!({"iters": [1.0], "times": [time.as_secs_f64() * 1e9]});
    for (file, value) in [("benchmark.json", benchmark), ("sample.json", sample)] {
        fs::write(folder.join(file), value.to_string()).unwrap();
    }
}

/// What many requests, or searches, took.
struct Load {
    what: String,
    /// For how long they went on.
    lasted: Duration,
    /// Each, the shortest first.
    took: Vec<Duration>,
}

impl Load {
    fn of(what: String, lasted: Duration, mut took: Vec<Duration>) -> Self {
        took.sort();
        Self { what, lasted, took }
    }

    fn tell(&self) {
        let Self { what, lasted, took } = self;
        let each = lasted.div_f64(count(took.len()));
        println!("{what}: {:.0} a second", 1.0 / each.as_secs_f64());
        figure(what, each, None);
        for (name, share) in [("p50", 500), ("p99", 990)] {
            figure(
                &format!("{what}, {name}"),
                took[(took.len() - 1) * share / 1_000],
                None,
            );
        }
    }
}

type Picker<'p> = &'p (dyn Fn(usize) -> &'p String + Sync);

/// Callers ask for some seconds, each over a connection of its own.
fn load(what: &str, served: &Served, callers: usize, pick: Picker<'_>) -> Load {
    let began = Instant::now();
    let until = began + Duration::from_secs(SECONDS);
    let took = thread::scope(|scope| {
        let threads: Vec<_> = (0..callers)
            .map(|caller| {
                scope.spawn(move || {
                    let mut connection = Connection::new(served.address);
                    let (mut took, mut n) = (Vec::new(), caller * 7);
                    while Instant::now() < until {
                        let asked = Instant::now();
                        connection.ask(pick(n));
                        took.push(asked.elapsed());
                        n += 1;
                    }
                    took
                })
            })
            .collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().unwrap())
            .collect()
    });
    Load::of(format!("{callers} callers, {what}"), began.elapsed(), took)
}

fn count(number: usize) -> f64 {
    f64::from(u32::try_from(number).unwrap())
}

/// A connection that stays open.
struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Connection {
    fn new(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_nodelay(true).unwrap();
        Self {
            stream,
            buffer: vec![0; 512 * 1_024],
        }
    }

    /// Asks, and reads the whole answer; its length.
    fn ask(&mut self, need: &str) -> usize {
        let request = format!("GET /resolve?need={need} HTTP/1.1\r\nHost: resolver.test\r\n\r\n");
        self.stream.write_all(request.as_bytes()).unwrap();
        let mut read = 0;
        loop {
            let more = self.stream.read(&mut self.buffer[read..]).unwrap();
            assert!(more > 0, "the connection ended");
            read += more;
            let head_end = self.buffer[..read]
                .windows(4)
                .position(|four| four == b"\r\n\r\n");
            if let Some(end) = head_end {
                let head = std::str::from_utf8(&self.buffer[..end]).unwrap();
                assert!(head.starts_with("HTTP/1.1 200"), "{head}");
                let length = head.to_ascii_lowercase();
                let length = length.split("content-length: ").nth(1).unwrap();
                let length: usize = length.lines().next().unwrap().parse().unwrap();
                while read < end + 4 + length {
                    let more = self.stream.read(&mut self.buffer[read..]).unwrap();
                    assert!(more > 0, "the connection ended");
                    read += more;
                }
                return length;
            }
        }
    }
}

/// A process that serves.
struct Served {
    child: Child,
    address: SocketAddr,
    /// How long it took until it answered.
    start: Duration,
}

impl Served {
    fn start(command: &mut Command) -> Self {
        let began = Instant::now();
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let (_, address) = line.trim().rsplit_once("//").unwrap();
        Self {
            address: address.parse().unwrap(),
            child,
            start: began.elapsed(),
        }
    }

    fn resolver(folder: &Path) -> Self {
        let program = env!("CARGO_BIN_EXE_capability-resolver");
        let serve = [
            "--config",
            "r/resolver.toml",
            "serve",
            "--listen",
            "127.0.0.1:0",
        ];
        Self::start(Command::new(program).current_dir(folder).args(serve))
    }

    /// The same axum with a body of so many bytes that never changes.
    fn fixed(folder: &Path, length: usize) -> Self {
        let body = folder.join("fixed");
        fs::write(&body, "x".repeat(length)).unwrap();
        let me = std::env::current_exe().unwrap();
        Self::start(Command::new(me).args(["fixed", body.to_str().unwrap()]))
    }

    fn ask(&self, need: &str) -> usize {
        Connection::new(self.address).ask(need)
    }

    /// The most memory that it has held, in MiB.
    fn memory(&self) -> f64 {
        let status =
            fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kibibytes = line.unwrap_or_default().trim().trim_end_matches(" kB");
        kibibytes.parse().unwrap_or(f64::NAN) / 1_024.0
    }

    fn end(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

fn serve_fixed(body: &str) {
    let body = bytes::Bytes::from(fs::read(body).unwrap());
    let answer = move || {
        let body = body.clone();
        async move { ([("content-type", "application/json")], body) }
    };
    let router = axum::Router::new().route("/resolve", axum::routing::get(answer));
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        println!("http://{}", listener.local_addr().unwrap());
        axum::serve(listener, router).await.unwrap();
    });
}

fn index(store: &Path) -> Index {
    let store = SqliteStore::open(store).unwrap();
    let mut documents = Vec::new();
    store
        .each_listing(&mut |listing| documents.push(Document::from(listing)))
        .unwrap();
    Index::build(documents)
}

fn search_alone(store: &Path, needs: &[String]) {
    let index = index(store);
    let needs: Vec<String> = needs.iter().map(|need| need.replace("%20", " ")).collect();
    for threads in [1, 2] {
        let began = Instant::now();
        let until = began + Duration::from_secs(SECONDS);
        let turn = AtomicUsize::new(0);
        let took = thread::scope(|scope| {
            let all: Vec<_> = (0..threads)
                .map(|_| {
                    scope.spawn(|| {
                        let mut took = Vec::new();
                        while Instant::now() < until {
                            let need = &needs[turn.fetch_add(1, Ordering::Relaxed) % needs.len()];
                            let asked = Instant::now();
                            std::hint::black_box(index.find(need, 10, &mut |_| true));
                            took.push(asked.elapsed());
                        }
                        took
                    })
                })
                .collect();
            all.into_iter()
                .flat_map(|thread| thread.join().unwrap())
                .collect()
        });
        Load::of(
            format!("search alone on {threads} threads"),
            began.elapsed(),
            took,
        )
        .tell();
    }
}

/// The corpus, one server after the other.
struct Corpus {
    servers: Vec<Entered>,
    words: Vec<String>,
}

struct Entered {
    url: Option<String>,
    name: String,
    description: String,
    tools: Vec<Tool>,
}

impl Corpus {
    fn read(path: &Path) -> Self {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let servers: Vec<Entered> = fs::read_to_string(path)
            .unwrap()
            .lines()
            .map(|line| {
                let line: Value = serde_json::from_str(line).unwrap();
                let tools = line["tools"].as_array().into_iter().flatten();
                Entered {
                    url: line["url"].as_str().map(str::to_owned),
                    name: text(&line["name"]),
                    description: text(&line["description"]),
                    tools: tools
                        .map(|tool| Tool {
                            name: text(&tool["name"]),
                            description: text(&tool["description"]),
                            read_only: tool["read_only"] == true,
                        })
                        .collect(),
                }
            })
            .collect();
        let mut words: Vec<String> = servers
            .iter()
            .flat_map(|server| &server.tools)
            .flat_map(|tool| tool.description.split_whitespace())
            .filter(|word| word.len() > 3 && word.bytes().all(|b| b.is_ascii_lowercase()))
            .map(str::to_owned)
            .collect::<HashSet<_>>()
            .into_iter()
            .collect();
        words.sort();
        Self { servers, words }
    }

    /// No server, and the words of the text.
    fn of_the_text() -> Self {
        let text = include_str!("../../../spec/draft/capability-resolution.md");
        let words = text.split_whitespace();
        let words =
            words.filter(|word| word.len() > 3 && word.bytes().all(|b| b.is_ascii_lowercase()));
        let mut words: Vec<String> = words
            .map(str::to_owned)
            .collect::<HashSet<_>>()
            .into_iter()
            .collect();
        words.sort();
        Self {
            servers: Vec::new(),
            words,
        }
    }

    /// Needs: the first words of what tools say of themselves, each once, percent-encoded.
    fn needs(&self) -> Vec<String> {
        if self.servers.is_empty() {
            return (0..20_000)
                .map(|n| self.made(n * 7 + 3, 5).replace(' ', "%20"))
                .collect();
        }
        let plain = |word: &&str| word.bytes().all(|b| b.is_ascii_alphanumeric());
        let mut seen = HashSet::new();
        self.servers
            .iter()
            .flat_map(|server| &server.tools)
            .map(|tool| {
                tool.description
                    .split_whitespace()
                    .filter(plain)
                    .take(6)
                    .collect::<Vec<_>>()
            })
            .filter(|words| words.len() > 2)
            .map(|words| words.join("%20"))
            .filter(|need| need.len() < 150 && seen.insert(need.clone()))
            .collect()
    }

    /// Some words, always the same for a number.
    fn made(&self, seed: usize, words: usize) -> String {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            // Frequent words are frequent here too, if not as much.
            let (one, other) = (state % self.words.len(), (state >> 20) % self.words.len());
            self.words[one.min(other)].clone()
        };
        (0..words).map(|_| next()).collect::<Vec<_>>().join(" ")
    }
}

/// A resolver's folder with a store of the size that is measured.
fn make_folder(corpus: &Corpus, servers: usize, all_tools: usize) -> tempfile::TempDir {
    // A disk would be waited for at each of 45,000 observations; it is not what is measured.
    let folder = tempfile::tempdir_in("/dev/shm")
        .or_else(|_| tempfile::tempdir())
        .unwrap();
    let made = Command::new(env!("CARGO_BIN_EXE_capability-resolver"))
        .current_dir(folder.path())
        .args(["init", "r", "--origin", "https://resolver.test"])
        .output()
        .unwrap();
    assert!(made.status.success());
    for (file, from, to) in [
        ("policy.md", "**[name each one, or write: none]**", "none"),
        (
            "resolver.toml",
            "requests-per-minute = 300",
            "requests-per-minute = 0",
        ),
    ] {
        let path = folder.path().join("r").join(file);
        let text = fs::read_to_string(&path).unwrap().replace(from, to);
        fs::write(path, text).unwrap();
    }
    let mut urls = HashSet::new();
    let (mut real, mut real_tools, mut made_urls, mut tools) = (0, 0, 0, 0);
    let (mut entries, mut lists) = (Vec::new(), Vec::new());
    for n in 0..servers {
        let found = corpus.servers.get(n);
        let own = found.and_then(|server| server.url.as_ref()?.parse().ok());
        let own = own.filter(|url: &capability_resolution::ServerUrl| urls.insert(url.to_string()));
        made_urls += usize::from(own.is_none());
        let url = own.unwrap_or_else(|| format!("https://s{n}.bench.test/mcp").parse().unwrap());
        let (name, description, mut list) = match found {
            Some(server) => {
                real += 1;
                real_tools += server.tools.len();
                (
                    server.name.clone(),
                    server.description.clone(),
                    server.tools.clone(),
                )
            }
            None => (corpus.made(n, 3), corpus.made(n + servers, 12), Vec::new()),
        };
        tools += list.len();
        // What is missing is spread over those that have none.
        let missing = (all_tools - tools) / (servers - n);
        if list.is_empty() {
            list = (0..missing)
                .map(|tool| Tool {
                    name: corpus.made(n * 1_000 + tool, 2).replace(' ', "_"),
                    description: corpus.made(n * 1_000 + tool + 1, 10),
                    read_only: tool % 3 == 0,
                })
                .collect();
            tools += list.len();
        }
        entries.push(Entry::Server(Claim {
            key: url.to_string(),
            urls: vec![url],
            name: (!name.is_empty()).then(|| name.chars().take(200).collect()),
            description: Some(description),
            state: EntryState::Active,
            tools: Vec::new(),
        }));
        lists.push(list);
    }
    println!(
        "{servers} servers: texts of {real} real, of {} made; {made_urls} under made URLs; {tools} tools: {real_tools} real, {} made",
        servers - real,
        tools - real_tools
    );
    let mut store = SqliteStore::open(&folder.path().join("r/store.sqlite")).unwrap();
    let source = Source {
        name: "bench".to_owned(),
        kind: SourceKind::Catalogue,
    };
    for batch in entries.chunks(1_000) {
        store.take(&source, batch, clock::now()).unwrap();
    }
    let mut ids = Vec::new();
    store
        .each_server(&mut |server| ids.push(server.id))
        .unwrap();
    let now = clock::now();
    for (server, list) in ids.into_iter().zip(lists) {
        let observed = Observed {
            started_at: now,
            ended_at: now,
            outcome: Outcome::Ok,
            began_with: Start::Discover,
            led_by: Some(Start::Discover),
            handshake_ms: Some(120),
            requests: 2,
            retry_after: None,
            tools: Some(list),
        };
        let later = Time::from_unix_seconds(now.unix_seconds() + 28_800);
        store.append(server, &observed, later).unwrap();
    }
    folder
}
