//! A server that answers as a test tells it to, byte by byte.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::broadcast;
use tokio::task::JoinHandle;

#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) path: String,
    headers: Vec<(String, String)>,
    /// Null where it is not JSON.
    pub(crate) body: Value,
}

impl Request {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(found, _)| found == name);
        found.map(|(_, value)| value.as_str())
    }

    pub(crate) fn id(&self) -> u64 {
        self.body["id"].as_u64().unwrap_or_default()
    }

    /// The method of JSON-RPC, or else that of HTTP.
    pub(crate) fn what(&self) -> &str {
        self.body["method"].as_str().unwrap_or(&self.method)
    }
}

pub(crate) enum Reply {
    /// The next request is read from the same connection, unless the bytes say `Connection: close`.
    Bytes(Vec<u8>),
    /// Closes the connection after the bytes.
    Close(Vec<u8>),
    /// Says no more after the bytes, and closes nothing.
    Hang(Vec<u8>),
    /// The first bytes, then the others again and again.
    Endless(Vec<u8>, Vec<u8>, Duration),
    /// The bytes, then all that is pushed.
    Listen(Vec<u8>),
    /// Pushes the first bytes to who listens, and answers with the others.
    Push(Vec<u8>, Vec<u8>),
}

/// A server that lives as long as the value.
pub(crate) struct Server {
    port: u16,
    seen: Arc<Mutex<Vec<Request>>>,
    task: JoinHandle<()>,
}

impl Server {
    /// The handler is told the port.
    pub(crate) async fn start(
        handler: impl Fn(u16, &Request) -> Reply + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (seen, handler) = (Arc::new(Mutex::new(Vec::new())), Arc::new(handler));
        let (pushes, _) = broadcast::channel(64);
        let of_task = Arc::clone(&seen);
        let task = tokio::spawn(async move {
            loop {
                let (mut stream, _) = listener.accept().await.unwrap();
                let (seen, handler) = (Arc::clone(&of_task), Arc::clone(&handler));
                let pushes: broadcast::Sender<Vec<u8>> = pushes.clone();
                tokio::spawn(async move {
                    while let Some(request) = read(&mut stream).await {
                        seen.lock().unwrap().push(request.clone());
                        if !write(&mut stream, handler(port, &request), &pushes).await {
                            break;
                        }
                    }
                });
            }
        });
        Self { port, seen, task }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// The requests so far.
    pub(crate) fn seen(&self) -> Vec<Request> {
        self.seen.lock().unwrap().clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// An answer with a body of JSON.
pub(crate) fn json(status: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
    );
    [head, body.to_owned()].concat().into_bytes()
}

/// A JSON-RPC result.
pub(crate) fn result(id: u64, result: &str) -> Vec<u8> {
    json(
        "200 OK",
        &format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#),
    )
}

pub(crate) fn accepted() -> Vec<u8> {
    b"HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n".to_vec()
}

/// The head of a stream that ends with the connection.
pub(crate) const STREAM: &[u8] =
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";

/// What a server without faults answers, but for `tools/list`.
pub(crate) fn modern(request: &Request) -> Option<Reply> {
    let discovered = r#"{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}"#;
    (request.what() == "server/discover").then(|| Reply::Bytes(result(request.id(), discovered)))
}

/// The same of the legacy era.
pub(crate) fn legacy(request: &Request) -> Option<Reply> {
    let bytes = match request.what() {
        "server/discover" => json("404 Not Found", ""),
        "initialize" => result(
            request.id(),
            r#"{"protocolVersion":"2025-03-26","capabilities":{}}"#,
        ),
        "notifications/initialized" => accepted(),
        _ => return None,
    };
    Some(Reply::Bytes(bytes))
}

async fn read(stream: &mut TcpStream) -> Option<Request> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break end + 4;
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    };
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let mut lines = head.lines();
    let mut first = lines.next()?.split(' ').map(str::to_owned);
    let (method, path) = (first.next()?, first.next()?);
    let headers: Vec<_> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
        .collect();
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length: usize = length.map_or(0, |(_, value)| value.parse().unwrap());
    let mut body = bytes.split_off(end);
    while body.len() < length {
        stream.read_buf(&mut body).await.ok()?;
    }
    let body = serde_json::from_slice(&body).unwrap_or_default();
    Some(Request {
        method,
        path,
        headers,
        body,
    })
}

/// False where the connection is not used again.
async fn write(stream: &mut TcpStream, reply: Reply, pushes: &broadcast::Sender<Vec<u8>>) -> bool {
    let (Reply::Bytes(first)
    | Reply::Close(first)
    | Reply::Hang(first)
    | Reply::Endless(first, ..)
    | Reply::Listen(first)
    | Reply::Push(_, first)) = &reply;
    let mut pushed = pushes.subscribe();
    if let Reply::Push(event, _) = &reply {
        let _ = pushes.send(event.clone());
    }
    if stream.write_all(first).await.is_err() {
        return false;
    }
    match &reply {
        Reply::Bytes(bytes) | Reply::Push(_, bytes) => {
            let head = String::from_utf8_lossy(bytes).to_ascii_lowercase();
            let head = head.split("\r\n\r\n").next().unwrap_or_default().to_owned();
            return !head.contains("connection: close");
        }
        Reply::Close(_) => {}
        Reply::Hang(_) => {
            let _ = stream.read_u8().await;
        }
        Reply::Endless(_, piece, pause) => {
            while stream.write_all(piece).await.is_ok() {
                tokio::time::sleep(*pause).await;
            }
        }
        Reply::Listen(_) => {
            while let Ok(event) = pushed.recv().await {
                if stream.write_all(&event).await.is_err() {
                    break;
                }
            }
        }
    }
    false
}
