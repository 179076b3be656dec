//! Asks over the network.

use std::net::IpAddr;
use std::time::Duration;

use capabilities_txt::PublicSuffixes;
use capabilities_txt::fetch::{Answer, Outcome as FileOutcome, location};
use capabilities_txt::limits::{REDIRECTS_MAX, SCAN_MAX_BYTES};
use capability_resolution::{Host, ServerUrl, Time};
use guarded_fetch::header::CONTENT_TYPE;
use guarded_fetch::{Class, Error, Fetcher, Limits, Redirects, Request, Response, only_value};
use mcp_observation::{Observation, Options, Target};
use tokio::time::Instant;
use url::Url;

use super::{Asked, Heard, NotNow, Prober};
use crate::import::{self, ImportError};
use crate::observed::{Observed, Outcome, Start, Tool};

/// Asks with a fetcher.
#[derive(Debug, Clone)]
pub struct NetworkProber {
    fetcher: Fetcher,
    suffixes: PublicSuffixes,
    loopback: bool,
    file_time: Duration,
}

impl NetworkProber {
    /// A prober that asks with this fetcher.
    #[must_use]
    pub fn new(fetcher: Fetcher) -> Self {
        Self {
            fetcher,
            suffixes: PublicSuffixes::compiled_in(),
            loopback: false,
            file_time: FILE_TIME,
        }
    }

    /// Bounds the fetch of a server file with its redirects: `captxt.fetch.time`. 30 seconds, if nothing else is said.
    #[must_use]
    pub fn file_time(mut self, most: Duration) -> Self {
        self.file_time = most;
        self
    }

    /// Also asks servers of this machine by http: `origin.loopback`. The fetcher has a switch of its own.
    #[must_use]
    pub fn allow_loopback(mut self, allow: bool) -> Self {
        self.loopback = allow;
        self
    }
}

/// `captxt.fetch.time`.
const FILE_TIME: Duration = Duration::from_secs(30);

impl Prober for NetworkProber {
    async fn probe(
        &self,
        url: &ServerUrl,
        begin_with: Start,
        started_at: Time,
    ) -> Result<Asked<Observed>, NotNow> {
        let target = match url.origin().is_loopback() {
            // Not a failure of the server: this run does not ask it.
            true if !self.loopback => return Err(NotNow::Later(Duration::ZERO)),
            true => Target::loopback(url.as_str()),
            false => Target::server(url),
        };
        // What is not asked at all is not asked tomorrow either.
        let Ok(target) = target else {
            return Err(NotNow::Later(Duration::from_secs(86_400)));
        };
        let mut options = Options::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
        options.start = begin_with;
        options.all_pages = true;
        let began = Instant::now();
        match mcp_observation::probe(&self.fetcher, &target, &options, started_at).await {
            Ok(observation) => Ok(Asked {
                heard: heard(url.origin().host(), answered(&observation, began)),
                result: observed(observation, begin_with, started_at),
            }),
            Err(error) => Err(not_now(&error.0)),
        }
    }

    async fn fetch_file(&self, host: &str) -> Result<Asked<FileOutcome<Vec<u8>>>, NotNow> {
        let Ok(asked) = Host::from_written(host) else {
            return Err(NotNow::Later(Duration::from_secs(86_400)));
        };
        let limits = Limits {
            total: self.file_time,
            // `captxt.fetch.limit`.
            response_bytes: u64::try_from(SCAN_MAX_BYTES).unwrap_or(u64::MAX),
            ..Limits::default()
        };
        // `captxt.fetch.request`: without a port, and by https also where a server is asked by http.
        let request = Request::get(location(&asked))
            .gzip()
            .redirects(Redirects::Https {
                limit: u8::try_from(REDIRECTS_MAX).unwrap_or(u8::MAX),
            })
            .limits(limits);
        match self.fetcher.send(request).await {
            Ok(response) => Ok(Asked {
                heard: heard(host, Some(Instant::now())),
                result: self.outcome(response, &asked).await,
            }),
            Err(error) => {
                let (result, answered) = not_answered(error)?;
                Ok(Asked {
                    heard: heard(host, answered),
                    result,
                })
            }
        }
    }

    async fn fetch_document(&self, url: &Url, name: &str) -> Asked<Result<Vec<u8>, ImportError>> {
        let began = Instant::now();
        let result = import::fetch_document(&self.fetcher, url, name).await;
        let answered = match &result {
            Ok(_) | Err(ImportError::Status { .. }) => Some(began),
            Err(_) => None,
        };
        let host = url.host_str().unwrap_or_default();
        Asked {
            heard: heard(host, answered),
            result,
        }
    }
}

impl NetworkProber {
    /// `captxt.fetch.outcome` of an answer.
    async fn outcome(&self, response: Response, asked: &Host) -> FileOutcome<Vec<u8>> {
        let status = response.status().as_u16();
        let host = response
            .url()
            .host_str()
            .and_then(|host| Host::from_written(host).ok());
        let content_type = only_value(response.headers(), &CONTENT_TYPE).map(str::to_owned);
        // Only of a 200 the body counts, and has to be whole up to the limit: `captxt.fetch.limit`.
        let body = match status {
            200 => response.prefix().await.ok(),
            _ => Some(Vec::new()),
        };
        let (Some(body), Some(host)) = (body, host) else {
            return FileOutcome::Failed;
        };
        let answer = Answer {
            status,
            content_type: content_type.as_deref(),
            host: &host,
            conditional: false,
        };
        FileOutcome::of_answer(&answer, asked, &self.suffixes, body)
    }
}

fn heard(host: &str, answered: Option<Instant>) -> Heard {
    let bare = host.trim_matches(['[', ']']);
    let address: Option<IpAddr> = bare.parse().ok();
    // Names of RFC 6761 section 6.3 too.
    if address.is_some_and(|address| address.is_loopback())
        || bare == "localhost"
        || bare.ends_with(".localhost")
    {
        return Heard::OwnMachine;
    }
    answered.map_or(Heard::Nobody, Heard::Somebody)
}

/// When the last request that was answered was sent, or a moment before. An observation sends one after the other.
fn answered(observation: &Observation, began: Instant) -> Option<Instant> {
    let exchanges = &observation.exchanges;
    let last = exchanges
        .iter()
        .rposition(|exchange| exchange.status.is_some())?;
    let before: Duration = exchanges[..last].iter().map(|exchange| exchange.took).sum();
    Some(began + before)
}

/// An observation as it is kept.
fn observed(observation: Observation, began_with: Start, started_at: Time) -> Observed {
    let findings = observation.findings;
    let outcome = findings.outcome;
    let tools = findings.tools.into_iter().map(|tool| Tool {
        read_only: tool.is_read_only(),
        name: tool.name,
        description: tool.description.or(tool.title).unwrap_or_default(),
    });
    // Up, so that nobody is asked too soon.
    let seconds = |wait: Duration| {
        wait.as_secs()
            .saturating_add(u64::from(wait.subsec_nanos() > 0))
    };
    Observed {
        started_at,
        ended_at: observation.ended,
        outcome,
        began_with,
        led_by: findings.led_by,
        handshake_ms: findings
            .handshake_ms
            .map(|ms| u32::try_from(ms).unwrap_or(u32::MAX)),
        requests: findings.requests.into(),
        retry_after: findings
            .retry_after
            .map(|wait| u32::try_from(seconds(wait)).unwrap_or(u32::MAX)),
        tools: (outcome == Outcome::Ok).then(|| tools.collect()),
    }
}

/// Why nothing was sent.
fn not_now(error: &Error) -> NotNow {
    match error {
        Error::NoRoots { .. } => NotNow::Machine(error.to_string()),
        Error::RetryLater { left, .. } => NotNow::Later(*left),
        _ => NotNow::Later(Duration::ZERO),
    }
}

/// `captxt.fetch.outcome` of what is no answer, and when there was one after all: a redirect.
fn not_answered(error: Error) -> Result<(FileOutcome<Vec<u8>>, Option<Instant>), NotNow> {
    match error {
        Error::NoRoots { .. } => Err(not_now(&error)),
        _ if error.class() == Class::Later => Err(not_now(&error)),
        _ if error.class() == Class::Redirect => Ok((FileOutcome::Refused, Some(Instant::now()))),
        _ => Ok((FileOutcome::Failed, None)),
    }
}

#[cfg(test)]
mod tests {
    use mcp_observation::{Exchange, Findings, Step};

    use super::*;

    // r[observation.own-network]
    #[test]
    fn the_last_answer_is_dated_no_later_than_it_came() {
        let exchange = |status, millis| Exchange {
            step: Step::Discover,
            status,
            failure: None,
            took: Duration::from_millis(millis),
        };
        let began = Instant::now();
        for (statuses, sent) in [
            (&[][..], None),
            (&[None, None], None),
            (&[Some(404)], Some(0)),
            (&[Some(404), Some(200), None], Some(100)),
            (&[None, None, Some(200)], Some(300)),
        ] {
            let exchanges = std::iter::zip(statuses, [100, 200, 400]);
            let observation = Observation {
                url: String::new(),
                ended: Time::from_unix_seconds(0),
                exchanges: exchanges
                    .map(|(status, millis)| exchange(*status, millis))
                    .collect(),
                findings: Findings::default(),
            };
            let expected = sent.map(|millis| began + Duration::from_millis(millis));
            assert_eq!(answered(&observation, began), expected, "{statuses:?}");
        }
    }

    // r[observation.own-network]
    #[test]
    fn this_machine_says_nothing_of_its_network() {
        let now = Instant::now();
        for own in [
            "127.0.0.1",
            "127.9.9.9",
            "[::1]",
            "localhost",
            "a.localhost",
        ] {
            assert_eq!(heard(own, Some(now)), Heard::OwnMachine, "{own}");
        }
        for other in ["10.0.0.1", "[2001:db8::1]", "a.example", "notlocalhost"] {
            assert_eq!(heard(other, None), Heard::Nobody, "{other}");
            assert_eq!(heard(other, Some(now)), Heard::Somebody(now), "{other}");
        }
    }
}
