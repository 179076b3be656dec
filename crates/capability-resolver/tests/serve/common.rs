//! A resolver's folder with servers in its store, the binary that serves it, and requests over real sockets.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use capability_resolution::{Answer, Discovery, Origin, Record, ServerUrl, Time};
use capability_resolver::clock;
use capability_resolver::observed::{Observed, Outcome, Start, Tool};
use capability_resolver::store::{
    Claim, Entry, EntryState, FileRow, ServerId, Source, SourceKind, SqliteStore, Store as _,
};
use tempfile::TempDir;

pub(crate) const ISSUER: &str = "https://resolver.test";

/// A resolver's folder.
pub(crate) struct Folder(TempDir);

/// A server that is put into a store.
pub(crate) struct Seen {
    pub(crate) url: &'static str,
    pub(crate) name: &'static str,
    pub(crate) outcome: Outcome,
    /// How many seconds ago.
    pub(crate) ago: i64,
    pub(crate) handshake_ms: u32,
    pub(crate) tools: Vec<Tool>,
}

/// One that lists a tool for mail, and was seen a minute ago.
pub(crate) fn mail(url: &'static str) -> Seen {
    Seen {
        url,
        name: "Email service",
        outcome: Outcome::Ok,
        ago: 60,
        handshake_ms: 120,
        tools: vec![tool("send_email", "Send a transactional email", false)],
    }
}

pub(crate) fn tool(name: &str, description: &str, read_only: bool) -> Tool {
    Tool {
        name: name.to_owned(),
        description: description.to_owned(),
        read_only,
    }
}

pub(crate) fn ago(seconds: i64) -> Time {
    Time::from_unix_seconds(clock::now().unix_seconds() - seconds)
}

impl Folder {
    /// With settings that let any number of requests through.
    pub(crate) fn new() -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        let made = folder.command(&["init", "r", "--origin", ISSUER, "--name", "Test Resolver"]);
        assert!(made.status.success(), "{made:?}");
        folder.edit("policy.md", "**[name each one, or write: none]**", "none");
        folder.edit(
            "resolver.toml",
            "requests-per-minute = 300",
            "requests-per-minute = 0",
        );
        folder.store();
        folder
    }

    pub(crate) fn with(seen: &[Seen]) -> Self {
        let folder = Self::new();
        folder.see(seen);
        folder
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join("r").join(name)
    }

    pub(crate) fn root(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn edit(&self, name: &str, from: &str, to: &str) {
        let text = fs::read_to_string(self.path(name)).unwrap();
        assert!(text.contains(from), "{from} in {name}");
        fs::write(self.path(name), text.replace(from, to)).unwrap();
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> std::process::Output {
        let program = env!("CARGO_BIN_EXE_capability-resolver");
        let mut command = Command::new(program);
        command.current_dir(self.0.path()).args(arguments);
        command.stdin(Stdio::null()).output().unwrap()
    }

    pub(crate) fn store(&self) -> SqliteStore {
        SqliteStore::open(&self.path("store.sqlite")).unwrap()
    }

    /// Names servers and keeps what was seen of them.
    pub(crate) fn see(&self, seen: &[Seen]) {
        let mut store = self.store();
        let entries: Vec<Entry> = seen.iter().map(claim).collect();
        let source = Source {
            name: "test".to_owned(),
            kind: SourceKind::Catalogue,
        };
        store.take(&source, &entries, ago(0)).unwrap();
        for seen in seen {
            self.observe(&mut store, seen);
        }
    }

    /// Keeps one more observation of a server that is named.
    pub(crate) fn observe(&self, store: &mut SqliteStore, seen: &Seen) {
        let server = id(store, seen.url);
        let observed = Observed {
            started_at: ago(seen.ago + 1),
            ended_at: ago(seen.ago),
            outcome: seen.outcome,
            began_with: Start::Discover,
            led_by: matches!(seen.outcome, Outcome::Ok | Outcome::SignIn)
                .then_some(Start::Discover),
            handshake_ms: Some(seen.handshake_ms),
            requests: 2,
            retry_after: None,
            tools: (seen.outcome == Outcome::Ok).then(|| seen.tools.clone()),
        };
        store.append(server, &observed, ago(-3_600)).unwrap();
    }

    /// Keeps a server file of a host, as if it had been fetched so many seconds ago.
    pub(crate) fn server_file(&self, host: &str, text: &str, seconds_ago: i64) {
        let row = FileRow {
            fetched_at: ago(seconds_ago),
            answered_at: Some(ago(seconds_ago)),
            body: Some(text.as_bytes().to_vec()),
            claims: true,
            withheld: None,
        };
        self.store().put_server_file(host, &row).unwrap();
    }

    pub(crate) fn serve(&self, more: &[&str]) -> Server {
        Server::start(self, more)
    }

    pub(crate) fn serve_plain(&self) -> Server {
        self.serve(&[])
    }
}

pub(crate) fn id(store: &SqliteStore, url: &str) -> ServerId {
    let mut found = None;
    let mut each = |server: capability_resolver::store::Server| {
        if server.url.as_str() == url {
            found = Some(server.id);
        }
    };
    store.each_server(&mut each).unwrap();
    found.unwrap()
}

pub(crate) fn url(text: &str) -> ServerUrl {
    text.parse().or_else(|_| ServerUrl::loopback(text)).unwrap()
}

fn claim(seen: &Seen) -> Entry {
    Entry::Server(Claim {
        key: seen.url.to_owned(),
        urls: vec![url(seen.url)],
        name: Some(seen.name.to_owned()),
        description: Some("Send a transactional email".to_owned()),
        state: EntryState::Active,
        tools: Vec::new(),
    })
}

/// The program while it serves.
pub(crate) struct Server {
    pub(crate) child: Child,
    pub(crate) address: SocketAddr,
    out: Option<thread::JoinHandle<String>>,
    err: Option<thread::JoinHandle<String>>,
}

impl Server {
    fn start(folder: &Folder, more: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_capability-resolver"))
            .current_dir(folder.root())
            .args([
                "--config",
                "r/resolver.toml",
                "serve",
                "--listen",
                "127.0.0.1:0",
            ])
            .args(more)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let err = read_all(child.stderr.take().unwrap());
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        out.read_line(&mut line).unwrap();
        let Some((_, address)) = line.trim().rsplit_once("://") else {
            panic!("{line:?} {:?} {}", child.wait(), err.join().unwrap());
        };
        Self {
            address: address.parse().unwrap(),
            out: Some(read_all(out)),
            err: Some(err),
            child,
        }
    }

    /// Ends it as an operator does, and hands over what it wrote.
    pub(crate) fn stop(mut self) -> (String, String) {
        self.signal("TERM");
        let status = self.child.wait().unwrap();
        assert!(status.success(), "{status}");
        let text = |thread: &mut Option<thread::JoinHandle<String>>| {
            thread.take().unwrap().join().unwrap()
        };
        (text(&mut self.out), text(&mut self.err))
    }

    pub(crate) fn signal(&self, name: &str) {
        let pid = self.child.id().to_string();
        let killed = Command::new("kill").args(["-s", name, &pid]).status();
        assert!(killed.unwrap().success());
    }

    pub(crate) fn get(&self, target: &str) -> Response {
        get(self.address, target)
    }

    pub(crate) fn discovery(&self) -> Discovery {
        let response = self.get("/.well-known/capability-resolver");
        assert_eq!(response.status, 200, "{response:?}");
        Discovery::read(&response.body, &issuer()).unwrap()
    }

    /// An answer, read as a client reads it; nothing in it is dropped and nothing differs.
    pub(crate) fn resolve(&self, query: &str) -> Answer {
        let response = self.get(&format!("/resolve?{query}"));
        assert_eq!(response.status, 200, "{query}: {response:?}");
        let answer = Answer::read(&response.body, &self.discovery(), clock::now()).unwrap();
        assert!(answer.dropped.is_empty(), "{:?}", answer.dropped);
        assert!(answer.copy_differs.is_empty() && answer.duplicate_url.is_empty());
        answer
    }

    /// The URLs of the candidates.
    pub(crate) fn urls(&self, query: &str) -> Vec<String> {
        let answer = self.resolve(query);
        let urls = answer.candidates.iter();
        urls.map(|one| one.token.claims().url.to_string()).collect()
    }

    pub(crate) fn record(&self, server: &str) -> Option<Record> {
        let response = self.get(&format!("/record?url={server}"));
        if response.status == 404 {
            return None;
        }
        let record = Record::read(
            &response.body,
            &self.discovery(),
            Some(&url(server)),
            clock::now(),
        );
        Some(record.unwrap_or_else(|error| panic!("{error}: {response:?}")))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read_all(mut from: impl std::io::Read + Send + 'static) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut text = String::new();
        let _ = from.read_to_string(&mut text);
        text
    })
}

pub(crate) fn issuer() -> Origin {
    ISSUER.parse().unwrap()
}

/// A response as it came.
#[derive(Debug, Clone)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Response {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(found, _)| found == name);
        found.map(|(_, value)| value.as_str())
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

pub(crate) fn get(address: SocketAddr, target: &str) -> Response {
    request(address, "GET", target, &[])
}

pub(crate) fn request(
    address: SocketAddr,
    method: &str,
    target: &str,
    headers: &[(&str, &str)],
) -> Response {
    let mut head =
        format!("{method} {target} HTTP/1.1\r\nHost: resolver.test\r\nConnection: close\r\n");
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("\r\n");
    let bytes = raw(address, head.as_bytes());
    response(&bytes).unwrap_or_else(|| panic!("{:?}", String::from_utf8_lossy(&bytes)))
}

/// Sends bytes, and reads until the other side ends or nothing more comes.
pub(crate) fn raw(address: SocketAddr, bytes: &[u8]) -> Vec<u8> {
    let mut stream = TcpStream::connect(address).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(20)))
        .unwrap();
    // The other side may have had enough before all is sent.
    let _ = stream.write_all(bytes);
    let mut read = Vec::new();
    let _ = stream.read_to_end(&mut read);
    read
}

/// The first response in these bytes.
pub(crate) fn response(bytes: &[u8]) -> Option<Response> {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n")?;
    let head = String::from_utf8_lossy(&bytes[..end]);
    let mut lines = head.lines();
    let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    let mut body = bytes[end + 4..].to_vec();
    let length = headers.iter().find(|(name, _)| name == "content-length");
    if let Some(length) = length.and_then(|(_, value)| value.parse().ok()) {
        body.truncate(length);
    }
    Some(Response {
        status,
        headers,
        body,
    })
}

/// Waits until something holds, for no longer than ten seconds.
pub(crate) fn soon(what: &str, mut holds: impl FnMut() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < Duration::from_secs(20), "{what}");
        thread::sleep(Duration::from_millis(20));
    }
}

/// Runs something in many threads at once, and hands over what each says.
pub(crate) fn at_once<T: Send + 'static>(
    threads: usize,
    run: impl Fn(usize) -> T + Clone + Send + 'static,
) -> Vec<T> {
    let (send, receive) = mpsc::channel();
    for n in 0..threads {
        let (send, run) = (send.clone(), run.clone());
        thread::spawn(move || send.send(run(n)));
    }
    drop(send);
    receive.iter().collect()
}
