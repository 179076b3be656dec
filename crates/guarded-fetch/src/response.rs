//! What came back: a head, and a body that is read within its limits.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use http::header::{CONTENT_ENCODING, TRANSFER_ENCODING};
use http::{HeaderMap, HeaderName, StatusCode, response};
use hyper::body::{Body, Incoming};
use url::Url;

use crate::classify::exchange_failed;
use crate::connection::{Connection, Kept};
use crate::deadline::Deadline;
use crate::error::shorten;
use crate::field::media_type;
use crate::gzip::Gzip;
use crate::target::Target;
use crate::traffic::Turn;
use crate::{Error, Hop, ShownUrl, Stage};

/// An answer whose head was read. The body is read by [`Response::chunk`], [`Response::bytes`] or
/// [`Response::prefix`], and not before. Dropping the response before the body is at its end
/// closes the connection; a session uses it again only if the end was seen.
pub struct Response {
    head: response::Parts,
    body: Incoming,
    connection: Option<Connection>,
    peer: SocketAddr,
    times: Times,
    retry_after: Option<Duration>,
    target: Target,
    hops: Vec<Hop>,
    reading: Option<Reading>,
    gzip: Option<Gzip>,
    limits: BodyLimits,
    /// Bytes as they came, and bytes given out.
    coded: u64,
    given: u64,
    /// What reading ended with, and ends with again.
    failure: Option<Error>,
}

/// When what happened. All of the last hop.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    /// The turn had come: name, TCP and TLS follow, if the connection is new.
    pub started: Instant,
    /// There is a connection: sending begins.
    pub connected: Instant,
    /// The head of the answer is there.
    pub head: Instant,
    /// Whether the connection had been used before, by the same session.
    pub reused: bool,
}

/// What an exchange left open.
pub(crate) struct Opened {
    pub(crate) head: response::Parts,
    pub(crate) body: Incoming,
    pub(crate) connection: Connection,
    pub(crate) times: Times,
    pub(crate) retry_after: Option<Duration>,
}

/// What is held until the body is at its end.
pub(crate) struct Reading {
    pub(crate) _turn: Arc<Turn>,
    pub(crate) kept: Option<Kept>,
}

/// How long and how much, for the body.
#[derive(Clone, Copy)]
pub(crate) struct BodyLimits {
    pub(crate) whole: Deadline,
    pub(crate) idle: Duration,
    pub(crate) bytes: u64,
    pub(crate) gzip: bool,
}

impl Response {
    pub(crate) fn new(
        opened: Opened,
        target: Target,
        hops: Vec<Hop>,
        reading: Reading,
        limits: BodyLimits,
    ) -> Self {
        let coded = limits.gzip && opened.head.headers.contains_key(CONTENT_ENCODING);
        let mut response = Self {
            gzip: coded.then(Gzip::new),
            head: opened.head,
            peer: opened.connection.peer,
            connection: Some(opened.connection),
            body: opened.body,
            times: opened.times,
            retry_after: opened.retry_after,
            target,
            hops,
            reading: Some(reading),
            limits,
            coded: 0,
            given: 0,
            failure: None,
        };
        if response.body.is_end_stream() {
            response.release();
        }
        response
    }

    /// The status, of whatever class.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        self.head.status
    }

    /// The header fields, as received.
    #[must_use]
    pub fn headers(&self) -> &HeaderMap {
        &self.head.headers
    }

    /// As [`media_type`](crate::media_type) of the header fields.
    #[must_use]
    pub fn media_type(&self) -> Option<String> {
        media_type(self.headers())
    }

    /// How long the server asks to be left alone: with status 429 or 503 and a `Retry-After` that
    /// can be read (RFC 9110 section 10.2.3), at most [`crate::Traffic::retry_after`]. The fetcher
    /// has remembered it.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        self.retry_after
    }

    /// The URL that answered: the last hop, where redirects were followed. It has the query.
    #[must_use]
    pub fn url(&self) -> &Url {
        &self.target.url
    }

    /// The URL that answered, fit for a message.
    #[must_use]
    pub fn shown_url(&self) -> &ShownUrl {
        &self.target.shown
    }

    /// The redirects that led here, in order.
    #[must_use]
    pub fn hops(&self) -> &[Hop] {
        &self.hops
    }

    /// The address that answered.
    #[must_use]
    pub fn peer(&self) -> SocketAddr {
        self.peer
    }

    /// When what happened.
    #[must_use]
    pub fn times(&self) -> Times {
        self.times
    }

    /// Whether the codings of the body are those that were asked for. Reading the body checks it
    /// too.
    ///
    /// # Errors
    /// [`Error::CodingRefused`].
    pub fn check_coding(&self) -> Result<(), Error> {
        let content: &[&str] = if self.limits.gzip {
            &["identity", "gzip", "x-gzip"]
        } else {
            &["identity"]
        };
        self.check_codings(&CONTENT_ENCODING, "Content-Encoding", content)?;
        // HTTP itself only takes `chunked` off; `gzip, chunked` would pass as a compressed body.
        self.check_codings(&TRANSFER_ENCODING, "Transfer-Encoding", &["chunked"])
    }

    /// The next bytes of the body, as they come; `None` at its end. A stream of events is read
    /// so. Of a body that is too large it gives as many bytes as the limit, and then the error;
    /// after an error, the same error again.
    ///
    /// Dropping the future loses nothing.
    ///
    /// # Errors
    /// [`Error::CodingRefused`], [`Error::CodingInvalid`], [`Error::BodyTooLarge`],
    /// [`Error::TimedOut`], [`Error::Truncated`], [`Error::Reset`], [`Error::InvalidHttp`],
    /// [`Error::TlsFailed`].
    pub async fn chunk(&mut self) -> Result<Option<Bytes>, Error> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        let chunk = self.next_chunk().await;
        if let Err(error) = &chunk {
            self.failure = Some(error.clone());
            self.connection = None;
            self.reading = None;
        }
        chunk
    }

    /// The whole body. One that says itself that it is too large is refused unread.
    ///
    /// # Errors
    /// As [`Response::chunk`].
    pub async fn bytes(mut self) -> Result<Vec<u8>, Error> {
        self.check_coding()?;
        let announced = self.body.size_hint().exact().unwrap_or(0);
        if self.gzip.is_none() && announced > self.limits.bytes {
            return Err(self.too_large(Some(announced)));
        }
        let mut body = Vec::new();
        while let Some(chunk) = self.chunk().await? {
            body.extend_from_slice(&chunk);
        }
        Ok(body)
    }

    /// The body up to the limit, where reading stops whether or not there is more. The rest is
    /// not waited for, and how the body would have ended is not known.
    ///
    /// # Errors
    /// As [`Response::chunk`], but for [`Error::BodyTooLarge`] of what is given out.
    pub async fn prefix(mut self) -> Result<Vec<u8>, Error> {
        let mut body = Vec::new();
        while self.given < self.limits.bytes {
            match self.chunk().await? {
                Some(chunk) => body.extend_from_slice(&chunk),
                None => break,
            }
        }
        Ok(body)
    }

    async fn next_chunk(&mut self) -> Result<Option<Bytes>, Error> {
        self.check_coding()?;
        loop {
            if let Some(gzip) = &mut self.gzip {
                let chunk = gzip.next().map_err(|error| self.coding_failed(&error))?;
                if !chunk.is_empty() {
                    return self.give(chunk);
                }
            }
            match self.receive().await? {
                Some(chunk) => match &mut self.gzip {
                    Some(gzip) => gzip.feed(chunk),
                    None => return self.give(chunk),
                },
                None => {
                    if let Some(gzip) = &mut self.gzip {
                        gzip.end();
                        let chunk = gzip.next().map_err(|error| self.coding_failed(&error))?;
                        if !chunk.is_empty() {
                            return self.give(chunk);
                        }
                    }
                    return Ok(None);
                }
            }
        }
    }

    /// Bytes as they come; none at the end.
    async fn receive(&mut self) -> Result<Option<Bytes>, Error> {
        let Some(connection) = &mut self.connection else {
            return Ok(None);
        };
        let deadline = Deadline::after(self.limits.idle, Stage::Idle);
        let deadline = self.limits.whole.or_sooner(deadline);
        loop {
            let frame = connection.frame(&mut self.body);
            match deadline.run(&self.target.shown, frame).await? {
                None => {
                    self.release();
                    return Ok(None);
                }
                Some(Err(error)) => {
                    return Err(exchange_failed(
                        &error,
                        &self.target.shown,
                        Some(self.coded),
                    ));
                }
                // Trailers are of no use here.
                Some(Ok(frame)) => {
                    if let Ok(chunk) = frame.into_data() {
                        self.coded = self.coded.saturating_add(length(&chunk));
                        // Deflate can say nothing at any length.
                        if self.gzip.is_some() && self.coded > coded_limit(self.limits.bytes) {
                            return Err(self.too_large(None));
                        }
                        // With a `Content-Length` the end is known before it is asked for.
                        if self.body.is_end_stream() {
                            self.release();
                        }
                        return Ok(Some(chunk));
                    }
                }
            }
        }
    }

    /// Gives bytes out, as far as the limit goes.
    fn give(&mut self, mut chunk: Bytes) -> Result<Option<Bytes>, Error> {
        let left = self.limits.bytes - self.given;
        if left == 0 && !chunk.is_empty() {
            return Err(self.too_large(None));
        }
        if length(&chunk) > left {
            chunk.truncate(usize::try_from(left).unwrap_or(usize::MAX));
            self.failure = Some(self.too_large(None));
            self.connection = None;
            self.reading = None;
        }
        self.given += length(&chunk);
        Ok(Some(chunk))
    }

    /// The body is at its end: the connection is free, and the turn is over.
    fn release(&mut self) {
        let kept = self.reading.take().and_then(|reading| reading.kept);
        if let (Some(kept), Some(connection)) = (kept, self.connection.take()) {
            kept.put(connection);
        }
    }

    fn check_codings(
        &self,
        name: &HeaderName,
        header: &'static str,
        expected: &[&str],
    ) -> Result<(), Error> {
        let allowed = |value: &http::HeaderValue| {
            let value = value.as_bytes();
            expected
                .iter()
                .any(|coding| value.eq_ignore_ascii_case(coding.as_bytes()))
        };
        let mut values = self.headers().get_all(name).iter();
        let first = values.next();
        // Codings in two fields have been done one after the other.
        let wrong = first.filter(|value| !allowed(value)).or(values.next());
        wrong.map_or(Ok(()), |value| {
            Err(Error::CodingRefused {
                url: self.target.shown.clone(),
                header,
                expected: expected.join(" or "),
                found: shorten(&String::from_utf8_lossy(value.as_bytes()), 60),
            })
        })
    }

    fn too_large(&self, declared: Option<u64>) -> Error {
        Error::BodyTooLarge {
            url: self.target.shown.clone(),
            limit: self.limits.bytes,
            declared,
        }
    }

    fn coding_failed(&self, error: &io::Error) -> Error {
        let url = self.target.shown.clone();
        let detail = shorten(&error.to_string(), 200);
        if error.kind() == io::ErrorKind::UnexpectedEof {
            let received = self.coded;
            Error::Truncated {
                url,
                received,
                detail,
            }
        } else {
            Error::CodingInvalid { url, detail }
        }
    }
}

fn length(chunk: &Bytes) -> u64 {
    u64::try_from(chunk.len()).unwrap_or(u64::MAX)
}

/// How large a coded body may be. One that cannot be compressed grows by less than a thousandth.
fn coded_limit(bytes: u64) -> u64 {
    bytes.saturating_add(bytes / 1_000).saturating_add(1_024)
}

impl fmt::Debug for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Response")
            .field("url", &self.target.shown)
            .field("status", &self.status())
            .field("received", &self.coded)
            .finish_non_exhaustive()
    }
}
