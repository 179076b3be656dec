//! An HTTP server that answers each request with what a test made for it.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// What arrived.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    /// Method and target, as in `POST /digest`.
    pub(crate) line: String,
    /// Header fields in lower case.
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

/// What is done with it.
pub(crate) enum Answer {
    /// Status line and fields, without the length; and the body.
    Whole(String, Vec<u8>),
    /// The same, but only half of the body comes.
    Half(String, Vec<u8>),
    /// Nothing, for half a minute.
    Silence,
}

impl Answer {
    pub(crate) fn ok(media_type: &str, body: impl Into<Vec<u8>>) -> Self {
        Self::Whole(format!("200 OK\r\nContent-Type: {media_type}"), body.into())
    }

    pub(crate) fn status(status: &str) -> Self {
        Self::Whole(status.to_owned(), b"what a pity".to_vec())
    }
}

/// A server for as long as the test process lives.
pub(crate) struct Server {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Server {
    /// The first argument of `answer` is the server's own address, `http://127.0.0.1:PORT`.
    pub(crate) fn start(answer: impl Fn(&str, &Asked) -> Answer + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&asked);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let Some(request) = read(&mut stream) else {
                    continue;
                };
                seen.lock().unwrap().push(request.clone());
                match answer(&format!("http://{address}"), &request) {
                    Answer::Whole(head, body) => send(&mut stream, &head, &body, body.len()),
                    Answer::Half(head, body) => send(&mut stream, &head, &body, body.len() / 2),
                    Answer::Silence => {
                        thread::spawn(move || {
                            thread::sleep(Duration::from_secs(30));
                            drop(stream);
                        });
                    }
                }
            }
        });
        Self { address, asked }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }
}

fn send(stream: &mut TcpStream, head: &str, body: &[u8], count: usize) {
    let head = format!("HTTP/1.1 {head}\r\nContent-Length: {}\r\n\r\n", body.len());
    // A client that has seen enough may be gone.
    let _ = stream
        .write_all(head.as_bytes())
        .and_then(|()| stream.write_all(&body[..count]));
}

fn read(stream: &mut TcpStream) -> Option<Asked> {
    let mut bytes = Vec::new();
    loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
            let fields = head.to_ascii_lowercase();
            let length = fields
                .lines()
                .find_map(|line| line.strip_prefix("content-length: "));
            let length = length.map_or(0, |length| length.parse().unwrap());
            let body = &bytes[end + 4..];
            if body.len() >= length {
                let line = head
                    .lines()
                    .next()
                    .unwrap()
                    .trim_end_matches(" HTTP/1.1")
                    .to_owned();
                return Some(Asked {
                    line,
                    head: fields,
                    body: body.to_vec(),
                });
            }
        }
        let mut buffer = [0; 4096];
        match stream.read(&mut buffer) {
            Ok(0) | Err(_) => return None,
            Ok(count) => bytes.extend_from_slice(&buffer[..count]),
        }
    }
}
