//! What came back: a head, and a body that is read within its limits.

use std::fmt;
use std::time::Duration;

use bytes::Bytes;
use http::header::{CONTENT_ENCODING, TRANSFER_ENCODING};
use http::{HeaderMap, HeaderName, StatusCode};
use tokio::time::{Instant, timeout_at};
use url::Url;

use crate::error::shorten;
use crate::fetcher::classify;
use crate::{Error, ShownUrl, Stage};

/// An answer whose head was read. The body is read by [`Response::chunk`] or [`Response::bytes`],
/// and not before; dropping the response closes the connection.
pub struct Response {
    pub(crate) inner: reqwest::Response,
    pub(crate) shown: ShownUrl,
    pub(crate) limit: u64,
    pub(crate) received: u64,
    pub(crate) idle: Duration,
    pub(crate) total: Duration,
    pub(crate) deadline: Instant,
}

impl Response {
    /// The status, of whatever class.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        self.inner.status()
    }

    /// The header fields, as received.
    #[must_use]
    pub fn headers(&self) -> &HeaderMap {
        self.inner.headers()
    }

    /// The media type of the body, in lower case and without parameters; `None` where
    /// `Content-Type` is missing, sent twice, or not text.
    #[must_use]
    pub fn media_type(&self) -> Option<String> {
        let mut values = self.headers().get_all(http::header::CONTENT_TYPE).iter();
        let value = values.next()?.to_str().ok()?;
        let essence = value.split(';').next()?.trim().to_ascii_lowercase();
        (values.next().is_none() && !essence.is_empty()).then_some(essence)
    }

    /// The URL that answered: the last hop, where redirects were followed. It has the query.
    #[must_use]
    pub fn url(&self) -> &Url {
        self.inner.url()
    }

    /// The URL that answered, fit for a message.
    #[must_use]
    pub fn shown_url(&self) -> &ShownUrl {
        &self.shown
    }

    /// The next bytes of the body, as they come; `None` at its end.
    ///
    /// # Errors
    /// [`Error::CodingRefused`] and [`Error::BodyTooLarge`] (before a byte is read, where the head
    /// says it), [`Error::TimedOut`], [`Error::Truncated`].
    pub async fn chunk(&mut self) -> Result<Option<Bytes>, Error> {
        if self.received == 0 {
            self.check_head()?;
        }
        let idle = Instant::now() + self.idle;
        let (until, stage, limit) = if idle < self.deadline {
            (idle, Stage::Idle, self.idle)
        } else {
            (self.deadline, Stage::Total, self.total)
        };
        let chunk = timeout_at(until, self.inner.chunk())
            .await
            .map_err(|_| Error::TimedOut {
                url: self.shown.clone(),
                stage,
                limit,
            })?
            .map_err(|error| classify(error, &self.shown, Some(self.received), Duration::ZERO))?;
        let Some(chunk) = chunk else {
            return Ok(None);
        };
        let length = u64::try_from(chunk.len()).unwrap_or(u64::MAX);
        self.received = self.received.saturating_add(length);
        if self.received > self.limit {
            return Err(self.too_large(None));
        }
        Ok(Some(chunk))
    }

    /// The whole body.
    ///
    /// # Errors
    /// As [`Response::chunk`].
    pub async fn bytes(mut self) -> Result<Vec<u8>, Error> {
        let mut body = Vec::new();
        while let Some(chunk) = self.chunk().await? {
            body.extend_from_slice(&chunk);
        }
        Ok(body)
    }

    fn check_head(&self) -> Result<(), Error> {
        self.check_coding(&CONTENT_ENCODING, "Content-Encoding", "identity")?;
        // HTTP itself only takes `chunked` off; `gzip, chunked` would pass as a compressed body.
        self.check_coding(&TRANSFER_ENCODING, "Transfer-Encoding", "chunked")?;
        match self.inner.content_length() {
            Some(length) if length > self.limit => Err(self.too_large(Some(length))),
            _ => Ok(()),
        }
    }

    fn check_coding(
        &self,
        name: &HeaderName,
        header: &'static str,
        expected: &'static str,
    ) -> Result<(), Error> {
        let mut values = self.headers().get_all(name).iter();
        let wrong =
            values.find(|value| !value.as_bytes().eq_ignore_ascii_case(expected.as_bytes()));
        wrong.map_or(Ok(()), |value| {
            Err(Error::CodingRefused {
                url: self.shown.clone(),
                header,
                expected,
                found: shorten(&String::from_utf8_lossy(value.as_bytes()), 60),
            })
        })
    }

    fn too_large(&self, declared: Option<u64>) -> Error {
        Error::BodyTooLarge {
            url: self.shown.clone(),
            limit: self.limit,
            declared,
        }
    }
}

impl fmt::Debug for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Response")
            .field("url", &self.shown)
            .field("status", &self.status())
            .field("received", &self.received)
            .finish_non_exhaustive()
    }
}
