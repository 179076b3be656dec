//! What a body of a gigabyte costs.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use guarded_fetch::{Error, Request};
use tokio::io::AsyncWriteExt;

use crate::support::Server;
use crate::{OK, fetcher};

const GIGABYTE: u64 = 1 << 30;
const LIMIT: u64 = 1 << 20;
/// What the system's socket buffers may hold of what nobody reads.
const SOCKETS: u64 = 16 << 20;

/// A server of a gigabyte, and how much of it went out.
async fn gigabyte(head: &'static str) -> (Server, Arc<AtomicU64>) {
    let sent = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&sent);
    let server = Server::start("127.0.0.1", move |mut stream, _| {
        let counted = Arc::clone(&counted);
        async move {
            let _ = stream.write_all(format!("{OK}{head}\r\n").as_bytes()).await;
            let block = vec![b'a'; 65_536];
            while counted.load(Ordering::SeqCst) < GIGABYTE {
                match stream.write(&block).await {
                    Ok(written) => {
                        counted.fetch_add(u64::try_from(written).unwrap(), Ordering::SeqCst)
                    }
                    Err(_) => return,
                };
            }
        }
    })
    .await;
    (server, sent)
}

#[tokio::test]
async fn a_gigabyte_is_cut_at_the_limit() {
    let (server, sent) = gigabyte("").await;
    let response = fetcher().send(Request::get(server.url("/"))).await.unwrap();
    let error = response.bytes().await.unwrap_err();
    assert!(
        matches!(
            error,
            Error::BodyTooLarge {
                limit: LIMIT,
                declared: None,
                ..
            }
        ),
        "{error}"
    );
    assert!(sent.load(Ordering::SeqCst) < LIMIT + SOCKETS);

    // By its length it is refused before any of it is read ...
    let (server, sent) = gigabyte("Content-Length: 1073741824\r\n").await;
    let get = || Request::get(server.url("/"));
    let error = fetcher()
        .send(get())
        .await
        .unwrap()
        .bytes()
        .await
        .unwrap_err();
    assert!(
        matches!(
            error,
            Error::BodyTooLarge {
                declared: Some(GIGABYTE),
                ..
            }
        ),
        "{error}"
    );
    // ... unless the beginning is what is wanted.
    let prefix = fetcher().send(get()).await.unwrap().prefix().await.unwrap();
    assert_eq!(u64::try_from(prefix.len()).unwrap(), LIMIT);
    assert!(sent.load(Ordering::SeqCst) < 2 * (LIMIT + SOCKETS));
}

/// The peak of this process' memory, in bytes.
#[cfg(target_os = "linux")]
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmHWM:"))
        .unwrap();
    line.split_whitespace()
        .nth(1)
        .unwrap()
        .parse::<u64>()
        .unwrap()
        * 1_024
}

/// In a process of its own, since the peak is that of all tests.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_gigabyte_read_as_a_stream_takes_no_memory() {
    let url = std::env::var("GUARDED_FETCH_TEST_GIGABYTE");
    if let Ok(url) = url {
        let before = peak();
        let request = Request::get(url);
        let fetcher = fetcher();
        let mut response = fetcher.send(request.limits(slow())).await.unwrap();
        let mut received = 0;
        while let Some(chunk) = response.chunk().await.unwrap() {
            received += u64::try_from(chunk.len()).unwrap();
        }
        assert_eq!(received, GIGABYTE);
        let grown = peak() - before;
        assert!(grown < 16 << 20, "{grown} bytes");
        return;
    }
    let (server, _) = gigabyte("Content-Length: 1073741824\r\n").await;
    let mut child = tokio::process::Command::new(std::env::current_exe().unwrap());
    child
        .args([
            "--exact",
            "memory::a_gigabyte_read_as_a_stream_takes_no_memory",
        ])
        .env("GUARDED_FETCH_TEST_GIGABYTE", server.url("/"));
    assert!(child.status().await.unwrap().success());
}

#[cfg(target_os = "linux")]
fn slow() -> guarded_fetch::Limits {
    guarded_fetch::Limits {
        response_bytes: 2 * GIGABYTE,
        ..guarded_fetch::Limits::default()
    }
}
