//! Sends the requests of a run: GET only, two at a time, a bounded number, and no faster than the resolver likes.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use capability_resolution::{Origin, Time};
use guarded_fetch::{
    Class, Error, Fetcher, HeaderValue, Limits, Redirects, Request, Response, Session, header,
};

use tokio::time::{Instant, sleep_until};

use super::recording::{Ask, Exchange, NoReply, Reply};
use crate::input;

/// The most requests of one run.
const REQUESTS_MAX: usize = 120;

/// Where a resolver is silent so many times in a row, nothing more is asked.
const SILENT_MAX: u32 = 2;

/// How often a request is sent that is answered with 429 or 503.
const TRIES: u8 = 3;

/// How long a resolver is left alone that asks for it without a time that is more.
const WAIT_MIN: Duration = Duration::from_secs(1);

/// The longest time that a run waits because the resolver asked for it, in all.
const PATIENCE: Duration = Duration::from_secs(120);

/// How far apart requests are once a resolver has asked twice to be left alone; each further time twice as far, up to the
/// time that it named and never further than the latter.
const APART_MIN: Duration = Duration::from_millis(250);
const APART_MAX: Duration = Duration::from_secs(2);

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
    /// When the next request may go out, and how long after it the one behind.
    next: Cell<Instant>,
    apart: Cell<Duration>,
    ended: Cell<Option<&'static str>>,
    later: RefCell<Vec<Exchange>>,
}

/// An answer, and how long its sender is to be left alone.
type Answered = Result<(Reply, Option<Duration>), Error>;

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
            next: Cell::new(Instant::now()),
            apart: Cell::new(Duration::ZERO),
            ended: Cell::new(None),
            later: RefCell::default(),
        })
    }

    /// How many requests went out.
    pub(crate) fn sent(&self) -> usize {
        self.sent.get()
    }

    /// Why nothing more is asked, if the run has ended.
    pub(crate) fn ended(&self) -> Option<&'static str> {
        if self.silent.get() >= SILENT_MAX {
            Some("the resolver has gone silent")
        } else if self.sent.get() >= REQUESTS_MAX {
            Some("a run has at most 120 requests")
        } else {
            self.ended.get()
        }
    }

    /// The answers with 429 and 503 so far, also those to requests that were then sent again.
    pub(crate) fn take_later(&self) -> Vec<Exchange> {
        self.later.take()
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
        let (mut lost, mut tries) = (false, 0);
        loop {
            self.turn().await;
            if self.ended().is_some() {
                return None;
            }
            let sent = input::clock();
            let answered = self.send(url, request.clone()).await;
            let wait = match &answered {
                // A kept connection may end at any time; a GET can be repeated.
                Err(Error::KeptConnectionLost { .. }) if !lost => {
                    lost = true;
                    continue;
                }
                // The other request of the two was told so in the meantime, and this one did not go out.
                Err(Error::RetryLater { left, .. }) => {
                    self.sent.set(self.sent.get() - 1);
                    self.postpone(*left);
                    continue;
                }
                Ok((_, wait)) => *wait,
                Err(_) => None,
            };
            let exchange = self.exchange(ask, url, sent, answered);
            let Some(wait) = wait else {
                return Some(exchange);
            };
            self.later.borrow_mut().push(exchange.clone());
            tries += 1;
            if !self.postpone(wait) || tries == TRIES {
                return Some(exchange);
            }
        }
    }

    fn exchange(&self, ask: Ask, url: &str, sent: Time, answered: Answered) -> Exchange {
        self.silent.set(match &answered {
            Err(error) if is_silence(error) => self.silent.get() + 1,
            _ => 0,
        });
        Exchange {
            ask,
            url: url.to_owned(),
            sent,
            received: input::clock(),
            reply: answered.map(|(reply, _)| reply).map_err(|error| NoReply {
                certificate: matches!(
                    error,
                    Error::TlsFailed {
                        certificate: true,
                        ..
                    }
                ),
                why: error.to_string(),
            }),
        }
    }

    /// Waits until the next request may go out.
    async fn turn(&self) {
        loop {
            let (now, next) = (Instant::now(), self.next.get());
            if next <= now {
                self.next.set(now + self.apart.get());
                return;
            }
            sleep_until(next).await;
        }
    }

    /// Leaves the resolver alone for a time; false, and the end of the run, if that is longer than it waits.
    fn postpone(&self, wait: Duration) -> bool {
        let wait = wait.max(WAIT_MIN);
        let now = Instant::now();
        let known = self.next.get().max(now);
        let until = known.max(now + wait);
        let Some(left) = self.patience.get().checked_sub(until - known) else {
            self.ended
                .set(Some("the resolver asked to be left alone for too long"));
            return false;
        };
        // Once may be an accident.
        if self.patience.replace(left) < PATIENCE {
            let apart = (self.apart.get() * 2).clamp(APART_MIN, APART_MAX);
            self.apart.set(apart.min(wait));
        }
        self.next.set(until);
        true
    }

    async fn send(&self, url: &str, request: Request) -> Answered {
        self.sent.set(self.sent.get() + 1);
        let behind = url.strip_prefix(&self.origin);
        let response = if behind.is_some_and(|rest| rest.starts_with(['/', '?'])) {
            self.session.send(request).await?
        } else {
            self.fetcher.send(request).await?
        };
        let asked = response.retry_after();
        let reply = reply(response).await?;
        let wait = asked.or(reply.is_later().then_some(WAIT_MIN));
        Ok((reply, wait))
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

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::TcpListener;
    use std::thread;

    use guarded_fetch::Traffic;

    use super::*;

    /// Answers every request with 204, a connection for each.
    fn origin() -> Origin {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let _ = stream.read(&mut [0; 4_096]);
                let _ = stream.write_all(b"HTTP/1.1 204 x\r\nConnection: close\r\n\r\n");
            }
        });
        Origin::loopback(&origin).unwrap()
    }

    #[tokio::test]
    async fn a_run_has_at_most_120_requests() {
        let fetcher = Fetcher::of_a_person("test/1").allow_loopback(true);
        let fetcher = fetcher.traffic(Traffic::default()).build().unwrap();
        let issuer = origin();
        let wire = Wire::open(&fetcher, &issuer, Duration::from_secs(5)).await;
        let wire = wire.unwrap();
        wire.sent.set(REQUESTS_MAX - 2);
        let mut answered = 0;
        for _ in 0..5 {
            let exchange = wire.get(Ask::Sample, issuer.as_str(), 10, None).await;
            answered += usize::from(exchange.is_some_and(|exchange| exchange.reply.is_ok()));
        }
        assert_eq!((answered, wire.sent()), (2, REQUESTS_MAX));
        assert_eq!(wire.ended(), Some("a run has at most 120 requests"));
    }
}
