//! One HTTP/1.1 connection. No task runs it: it moves only while somebody waits for it, and is
//! closed when it is dropped.

use std::future::poll_fn;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use bytes::Bytes;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use hyper::client::conn::http1;
use tokio::sync::OwnedSemaphorePermit;

use crate::traffic::lock;
use crate::transport::{Allowance, Stream, Transport};

/// The largest head of an answer.
pub(crate) const MAX_HEAD_BYTES: usize = 65_536;
/// The most header fields of an answer.
pub(crate) const MAX_HEAD_FIELDS: usize = 100;
/// The most bytes before a head is complete, with every interim answer (1xx) before it. It leaves
/// room for what the library reads ahead of a body.
const MAX_BYTES_BEFORE_HEAD: usize = 4 * MAX_HEAD_BYTES;

pub(crate) struct Connection {
    sender: http1::SendRequest<Whole>,
    driver: Driver,
    allowance: Allowance,
    read_before_head: bool,
    pub(crate) peer: SocketAddr,
    /// The connection's place among those of its session.
    _place: Option<OwnedSemaphorePermit>,
}

struct Driver {
    inner: Option<Pin<Box<http1::Connection<Transport, Whole>>>>,
    failure: Option<hyper::Error>,
}

impl Connection {
    pub(crate) async fn start(
        stream: Stream,
        peer: SocketAddr,
        place: Option<OwnedSemaphorePermit>,
    ) -> Result<Self, hyper::Error> {
        let allowance = Allowance::default();
        let (sender, driver) = http1::Builder::new()
            .max_buf_size(MAX_HEAD_BYTES)
            .max_headers(MAX_HEAD_FIELDS)
            .handshake(Transport::new(stream, allowance.clone()))
            .await?;
        Ok(Self {
            sender,
            driver: Driver {
                inner: Some(Box::pin(driver)),
                failure: None,
            },
            allowance,
            read_before_head: false,
            peer,
            _place: place,
        })
    }

    /// Sends a request and waits for the head of its answer, interim answers (1xx) left out.
    pub(crate) async fn exchange(
        &mut self,
        request: http::Request<Whole>,
    ) -> Result<http::Response<Incoming>, hyper::Error> {
        self.allowance.set(MAX_BYTES_BEFORE_HEAD);
        let mut answer = pin!(self.sender.send_request(request));
        let driver = &mut self.driver;
        let answer = poll_fn(|cx| {
            driver.advance(cx);
            answer.as_mut().poll(cx)
        })
        .await;
        self.read_before_head = self.allowance.lift() < MAX_BYTES_BEFORE_HEAD;
        // Where the connection itself failed, its error says more than "closed".
        answer.map_err(|error| self.driver.failure.take().unwrap_or(error))
    }

    /// Whether any byte came since the last request was begun and before its answer's head.
    pub(crate) fn has_read(&self) -> bool {
        self.read_before_head
    }

    /// The next frame of a body of this connection. Dropping the future loses nothing.
    pub(crate) async fn frame(
        &mut self,
        body: &mut Incoming,
    ) -> Option<Result<Frame<Bytes>, hyper::Error>> {
        poll_fn(|cx| {
            self.driver.advance(cx);
            Pin::new(&mut *body).poll_frame(cx)
        })
        .await
    }

    /// Whether another request can go over it, as far as can be known without sending one.
    async fn is_idle(&mut self) -> bool {
        poll_fn(|cx| {
            // An end of the stream that has arrived is noticed here.
            self.driver.advance(cx);
            Poll::Ready(self.driver.inner.is_some() && self.sender.is_ready())
        })
        .await
    }
}

impl Driver {
    fn advance(&mut self, cx: &mut Context<'_>) {
        let Some(inner) = &mut self.inner else { return };
        if let Poll::Ready(end) = inner.as_mut().poll(cx) {
            self.inner = None;
            self.failure = end.err();
        }
    }
}

/// Where a session keeps the connection that it may use again.
#[derive(Clone, Default)]
pub(crate) struct Kept(Arc<Mutex<Option<Connection>>>);

impl Kept {
    pub(crate) fn put(&self, connection: Connection) {
        *lock(&self.0) = Some(connection);
    }

    pub(crate) async fn take(&self) -> Option<Connection> {
        let mut kept = lock(&self.0).take()?;
        kept.is_idle().await.then_some(kept)
    }
}

/// A request body that is all there.
#[derive(Debug)]
pub(crate) struct Whole(Option<Bytes>);

impl Whole {
    pub(crate) fn new(bytes: Bytes) -> Self {
        Self(Some(bytes).filter(|bytes| !bytes.is_empty()))
    }
}

impl Body for Whole {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        Poll::Ready(self.0.take().map(|bytes| Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        let length = self.0.as_ref().map_or(0, Bytes::len);
        SizeHint::with_exact(u64::try_from(length).unwrap_or(u64::MAX))
    }
}
