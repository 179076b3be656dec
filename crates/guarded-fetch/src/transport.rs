//! Bytes to and from one checked address: plain TCP, or TLS over it.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use hyper::rt::ReadBufCursor;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_rustls::client::TlsStream;

/// How long one address has before the next is tried beside it (RFC 8305 section 5).
const STAGGER: Duration = Duration::from_millis(250);
/// How many bytes are read from the system at once.
const SCRATCH_BYTES: usize = 16 * 1_024;

/// The first of these addresses that takes the connection; every one was checked. The caller
/// bounds the time.
pub(crate) async fn connect(addresses: &[SocketAddr]) -> io::Result<(TcpStream, SocketAddr)> {
    let mut attempts = JoinSet::new();
    let mut failure = io::Error::other("no address");
    for &address in addresses {
        attempts.spawn(async move { Ok((TcpStream::connect(address).await?, address)) });
        match timeout(STAGGER, first(&mut attempts)).await {
            Ok(Ok(connected)) => return Ok(connected),
            Ok(Err(error)) => failure = error.unwrap_or(failure),
            Err(_) => {}
        }
    }
    first(&mut attempts)
        .await
        .map_err(|error| error.unwrap_or(failure))
}

/// The first success, or the last failure if all have failed; `None` if there was nothing to wait
/// for. The other attempts end when the set is dropped.
async fn first<T: 'static>(attempts: &mut JoinSet<io::Result<T>>) -> Result<T, Option<io::Error>> {
    let mut failure = None;
    while let Some(attempt) = attempts.join_next().await {
        match attempt.unwrap_or_else(|error| Err(io::Error::other(error))) {
            Ok(connected) => return Ok(connected),
            Err(error) => failure = Some(error),
        }
    }
    Err(failure)
}

pub(crate) enum Stream {
    Plain(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
}

/// How many bytes may still be read; shared with whoever waits for a head.
#[derive(Clone, Debug, Default)]
pub(crate) struct Allowance(Arc<AtomicUsize>);

impl Allowance {
    pub(crate) fn set(&self, bytes: usize) {
        self.0.store(bytes, Ordering::Relaxed);
    }

    /// How many were left.
    pub(crate) fn lift(&self) -> usize {
        self.0.swap(usize::MAX, Ordering::Relaxed)
    }
}

/// The allowance was used up: the inner error of the [`io::Error`].
#[derive(Debug, thiserror::Error)]
#[error("too many bytes before the head of the answer was complete")]
pub(crate) struct AllowanceUsedUp;

/// A [`Stream`] as hyper wants it, which reads no more than the allowance.
pub(crate) struct Transport {
    stream: Stream,
    allowance: Allowance,
    scratch: Box<[u8]>,
}

impl Transport {
    pub(crate) fn new(stream: Stream, allowance: Allowance) -> Self {
        Self {
            stream,
            allowance,
            scratch: vec![0; SCRATCH_BYTES].into_boxed_slice(),
        }
    }

    fn writer(&mut self) -> Pin<&mut (dyn AsyncWrite + Unpin)> {
        match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream),
            Stream::Tls(stream) => Pin::new(stream.as_mut()),
        }
    }
}

impl hyper::rt::Read for Transport {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        mut into: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        let this = &mut *self;
        let allowed = this.allowance.0.load(Ordering::Relaxed);
        if allowed == 0 {
            return Poll::Ready(Err(io::Error::other(AllowanceUsedUp)));
        }
        let length = into.remaining().min(allowed).min(this.scratch.len());
        let mut read = ReadBuf::new(&mut this.scratch[..length]);
        ready!(match &mut this.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_read(cx, &mut read),
            Stream::Tls(stream) => Pin::new(stream.as_mut()).poll_read(cx, &mut read),
        })?;
        let filled = read.filled();
        if allowed != usize::MAX {
            this.allowance.set(allowed - filled.len());
        }
        into.put_slice(filled);
        Poll::Ready(Ok(()))
    }
}

impl hyper::rt::Write for Transport {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.writer().poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.writer().poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.writer().poll_shutdown(cx)
    }
}
