//! What was asked of an origin, and what came back.

use std::time::Duration;

use capability_resolution::{Origin, Time};
use guarded_fetch::{HeaderMap, HeaderName, only_value};

use super::probes::Probe;

/// Everything that a run saw. The checks read nothing else.
#[derive(Debug)]
pub(crate) struct Recording {
    /// The origin that was asked.
    pub(crate) issuer: Origin,
    /// The sample need.
    pub(crate) need: String,
    pub(crate) exchanges: Vec<Exchange>,
    /// What was answered with 429 or 503, also where the request was then sent again.
    pub(crate) later: Vec<Exchange>,
    /// Why the run ended before its last request, if it did.
    pub(crate) ended: Option<&'static str>,
    /// Where redirects of the discovery document led to a document, where it redirects.
    pub(crate) elsewhere: Option<String>,
    /// How many requests went out.
    pub(crate) requests: usize,
    /// How long the run took.
    pub(crate) took: Duration,
}

/// Why a request was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ask {
    /// The discovery document.
    Discovery,
    /// The same with its `ETag` in `If-None-Match`.
    DiscoveryMatching,
    /// The same with an `ETag` that is none of its.
    DiscoveryOther,
    /// The same after everything else.
    DiscoveryLast,
    /// The sample need.
    Sample,
    /// The same at once again.
    SampleAgain,
    /// The same with its `ETag` in `If-None-Match`.
    SampleMatching,
    /// The same with an `ETag` that is none of its.
    SampleOther,
    /// The same a second later, by which time a token for each request would be another.
    SampleLast,
    /// The same one more second later, where tokens had changed.
    SampleLater,
    /// One request of the table.
    Probe(&'static Probe),
    /// The record to which a candidate points.
    RecordById,
    /// The record of a candidate's server.
    RecordByUrl,
    /// The first with its `ETag` in `If-None-Match`.
    RecordMatching,
    /// The first with an `ETag` that is none of its.
    RecordOther,
    /// The record of the first again, a second later and by its server's URL.
    RecordLast,
    /// The same one more second later, where its token had changed.
    RecordLater,
    /// The policy.
    Policy,
    /// The changelog.
    Changelog,
}

/// What the protocol's three documents are, as they are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Document {
    Discovery,
    Answer,
    Record,
}

impl Document {
    pub(crate) const ALL: [Self; 3] = [Self::Discovery, Self::Answer, Self::Record];

    /// As part of a check's id.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Discovery => "discovery",
            Self::Answer => "answer",
            Self::Record => "record",
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Discovery => "the discovery document",
            Self::Answer => "an answer",
            Self::Record => "a record",
        }
    }
}

/// One request and what came of it.
#[derive(Debug, Clone)]
pub(crate) struct Exchange {
    pub(crate) ask: Ask,
    /// The URL.
    pub(crate) url: String,
    /// Before it was sent, by this computer's clock.
    pub(crate) sent: Time,
    /// When the answer was there.
    pub(crate) received: Time,
    pub(crate) reply: Result<Reply, NoReply>,
}

/// An answer over HTTP.
#[derive(Debug, Clone)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    /// As far as it was read: a byte more than the largest that is allowed.
    pub(crate) body: Vec<u8>,
}

/// Why there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NoReply {
    /// The certificate was the reason.
    pub(crate) certificate: bool,
    /// In words, with the URL but without its query.
    pub(crate) why: String,
}

impl Recording {
    /// The exchange of a request that was made once.
    pub(crate) fn get(&self, ask: Ask) -> Option<&Exchange> {
        self.exchanges.iter().find(|exchange| exchange.ask == ask)
    }

    /// Why a request was not made.
    pub(crate) fn why_not_asked(&self) -> String {
        let why = self.ended.unwrap_or("the run ended before");
        format!("it was not asked: {why}")
    }

    /// The answer to a request, if one came.
    pub(crate) fn reply(&self, ask: Ask) -> Option<&Reply> {
        self.get(ask)?.reply.as_ref().ok()
    }

    /// The requests for a document that were meant to succeed.
    pub(crate) fn of(&self, document: Document) -> impl Iterator<Item = &Exchange> {
        self.exchanges
            .iter()
            .filter(move |exchange| exchange.ask.document() == Some(document))
    }
}

impl Ask {
    /// The document that a correct resolver gives, if it gives one.
    pub(crate) fn document(self) -> Option<Document> {
        match self {
            Self::Discovery
            | Self::DiscoveryMatching
            | Self::DiscoveryOther
            | Self::DiscoveryLast => Some(Document::Discovery),
            Self::Sample
            | Self::SampleAgain
            | Self::SampleMatching
            | Self::SampleOther
            | Self::SampleLast
            | Self::SampleLater => Some(Document::Answer),
            Self::RecordById
            | Self::RecordByUrl
            | Self::RecordMatching
            | Self::RecordOther
            | Self::RecordLast
            | Self::RecordLater => Some(Document::Record),
            Self::Probe(probe) => probe.expects_answer().then_some(Document::Answer),
            Self::Policy | Self::Changelog => None,
        }
    }
}

impl Exchange {
    /// What was asked, in a few words.
    pub(crate) fn what(&self) -> String {
        // What stands in the query is the sample need, or a need of ours: nobody's secret.
        let from_path = self.url.splitn(4, '/').nth(3).unwrap_or_default();
        let mut shown: String = from_path.chars().take(80).collect();
        if shown.len() < from_path.len() {
            shown.push('…');
        }
        format!("GET /{shown}")
    }
}

impl Reply {
    /// Whether it says that the resolver does not answer now, which says nothing of what it would answer.
    pub(crate) fn is_later(&self) -> bool {
        matches!(self.status, 429 | 503)
    }

    /// The only value of a header; nothing if it is missing, sent twice or not text.
    pub(crate) fn only(&self, name: HeaderName) -> Option<&str> {
        only_value(&self.headers, &name).map(str::trim)
    }

    /// All values of a list header, its elements trimmed.
    pub(crate) fn list(&self, name: HeaderName) -> Vec<&str> {
        self.headers
            .get_all(name)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(','))
            .map(str::trim)
            .filter(|element| !element.is_empty())
            .collect()
    }

    /// A header as it came, for a person.
    pub(crate) fn shown(&self, name: HeaderName) -> String {
        let values: Vec<String> = self
            .headers
            .get_all(&name)
            .iter()
            .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
            .collect();
        match values.as_slice() {
            [] => format!("no {name}"),
            values => format!("{name}: {}", values.join(" | ")),
        }
    }
}
