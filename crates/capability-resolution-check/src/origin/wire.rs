//! Sends the requests of a run: GET only, two at a time, a bounded number, and no faster than the resolver likes.

use std::cell::Cell;
use std::time::Duration;

use capability_resolution::{Origin, Time};
use guarded_fetch::{
    Class, Error, Fetcher, HeaderValue, Limits, Redirects, Request, Response, Session, header,
};

use super::recording::{Ask, Exchange, NoReply, Reply};
use crate::input;

/// The most requests of one run.
pub(crate) const REQUESTS_MAX: usize = 120;

/// Where a resolver is silent so many times in a row, nothing more is asked.
const SILENT_MAX: u32 = 2;

/// The longest time that a run waits because the resolver asked for it, in all.
const PATIENCE: Duration = Duration::from_secs(60);

/// For the whole run, whatever happens.
const RUN_MAX: Duration = Duration::from_secs(900);

pub(crate) struct Wire<'f> {
    fetcher: &'f Fetcher,
    session: Session,
    origin: String,
    limits: Limits,
    sent: Cell<usize>,
    silent: Cell<u32>,
    patience: Cell<Duration>,
}

impl<'f> Wire<'f> {
    pub(crate) async fn open(
        fetcher: &'f Fetcher,
        issuer: &Origin,
        timeout: Duration,
    ) -> Result<Self, Error> {
        let session = fetcher.session(issuer.as_str(), RUN_MAX).await?;
        Ok(Self {
            fetcher,
            session,
            origin: issuer.to_string(),
            limits: Limits {
                connect: timeout,
                head: timeout,
                idle: timeout,
                total: timeout,
                ..Limits::default()
            },
            sent: Cell::new(0),
            silent: Cell::new(0),
            patience: Cell::new(PATIENCE),
        })
    }

    /// How many requests went out.
    pub(crate) fn sent(&self) -> usize {
        self.sent.get()
    }

    /// Whether anything more is asked.
    pub(crate) fn goes_on(&self) -> bool {
        self.silent.get() < SILENT_MAX && self.sent.get() < REQUESTS_MAX
    }

    /// One request, and its body up to a byte more than `limit`; nothing if the run has ended.
    pub(crate) async fn get(
        &self,
        ask: Ask,
        url: &str,
        limit: usize,
        etag: Option<&str>,
    ) -> Option<Exchange> {
        let bytes = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
        let mut request = Request::get(url).limits(self.limits).response_bytes(bytes);
        if let Some(etag) = etag.and_then(|etag| HeaderValue::from_str(etag).ok()) {
            request = request.header(header::IF_NONE_MATCH, etag);
        }
        let mut again = true;
        loop {
            if !self.goes_on() {
                return None;
            }
            let sent = now();
            let reply = self.send(url, request.clone()).await;
            match &reply {
                // A kept connection may end at any time; a GET can be repeated.
                Err(Error::KeptConnectionLost { .. }) if again => again = false,
                Ok((_, Some(wait))) if again && *wait <= self.patience.get() => {
                    self.patience.set(self.patience.get().saturating_sub(*wait));
                    tokio::time::sleep(*wait).await;
                    again = false;
                }
                _ => {
                    self.silent.set(match &reply {
                        Err(error) if is_silence(error) => self.silent.get() + 1,
                        _ => 0,
                    });
                    return Some(Exchange {
                        ask,
                        url: url.to_owned(),
                        sent,
                        received: now(),
                        reply: reply.map(|(reply, _)| reply).map_err(|error| NoReply {
                            certificate: matches!(
                                error,
                                Error::TlsFailed {
                                    certificate: true,
                                    ..
                                }
                            ),
                            why: error.to_string(),
                        }),
                    });
                }
            }
        }
    }

    /// An answer, and how long its sender asks to be left alone.
    async fn send(&self, url: &str, request: Request) -> Result<(Reply, Option<Duration>), Error> {
        self.sent.set(self.sent.get() + 1);
        let behind = url.strip_prefix(&self.origin);
        let response = if behind.is_some_and(|rest| rest.starts_with(['/', '?'])) {
            self.session.send(request).await?
        } else {
            self.fetcher.send(request).await?
        };
        let wait = response.retry_after();
        Ok((reply(response).await?, wait))
    }

    /// Follows the redirects of a URL, and gives where they end and the body there.
    pub(crate) async fn follow(&self, url: &str, limit: usize) -> Option<(String, Vec<u8>)> {
        const HOPS: u8 = 5;
        let bytes = u64::try_from(limit).unwrap_or(u64::MAX);
        let request = Request::get(url)
            .limits(self.limits)
            .response_bytes(bytes)
            .redirects(Redirects::Https { limit: HOPS });
        let response = self.fetcher.send(request).await;
        let hops = match &response {
            Ok(response) => response.hops().len(),
            Err(_) => usize::from(HOPS),
        };
        self.sent.set(self.sent.get() + hops + 1);
        let response = response.ok()?;
        let end = response.url().to_string();
        Some((end, response.prefix().await.ok()?))
    }
}

async fn reply(response: Response) -> Result<Reply, Error> {
    // What is coded in a way that was not asked for cannot be read.
    response.check_coding()?;
    Ok(Reply {
        status: response.status().as_u16(),
        headers: response.headers().clone(),
        body: response.prefix().await?,
    })
}

/// Whether nobody is there to answer, rather than one who answers badly.
fn is_silence(error: &Error) -> bool {
    matches!(error.class(), Class::Connection | Class::Timeout)
}

fn now() -> Time {
    // Without an argument there is nothing that could be wrong.
    input::now(None).map_or_else(|_| Time::from_unix_seconds(0), |(now, _)| now)
}
