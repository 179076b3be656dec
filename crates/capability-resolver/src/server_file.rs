//! Server files: what is kept of them, and whom they deny. All that this program knows of the crate `capabilities-txt`
//! is in here.

mod held;
mod payment;

use std::collections::HashSet;

use capabilities_txt::fetch::{Known, Outcome};
use capabilities_txt::limits::SUFFIXES_MAX_AGE_SECONDS;
use capabilities_txt::{
    Code, Endpoint, Job, PublicSuffixes, Scope, Verdict, allows, file_hosts, read,
};
use capability_resolution::{Host, Origin, ServerUrl, Time};

use crate::standing::Statement;
use crate::store::{
    BETWEEN_JOBS, Claim, Entry, EntryState, FileRow, Server, Source, SourceKind, Store, StoreError,
};

pub use held::HeldFiles;
pub use payment::NoPayment;

/// The hosts whose server files do not allow a resolver.
#[derive(Debug)]
pub struct Denials {
    hosts: HashSet<String>,
    suffixes: PublicSuffixes,
}

impl Denials {
    /// Asks every file that is held: `captxt.deny.verdict`.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn read(store: &dyn Store, issuer: &Origin, now: Time) -> Result<Self, StoreError> {
        let mut hosts = HashSet::new();
        store.each_restriction(&mut |host, row| {
            if denies(&row, issuer, now) {
                hosts.insert(host.to_owned());
            }
        })?;
        Ok(Self {
            hosts,
            suffixes: PublicSuffixes::compiled_in(),
        })
    }

    /// Whether a file that speaks for a server denies it: `captxt.scope.which-files`, `captxt.scope.deny-wins`. No source
    /// changes that: `deny.every-source`.
    #[must_use]
    pub fn denies(&self, server: &ServerUrl) -> bool {
        !self.hosts.is_empty()
            && hosts_of(server, &self.suffixes)
                .iter()
                .any(|host| self.hosts.contains(host))
    }

    /// What may be signed of a server at a moment; nothing if it is denied, named by nobody, or was not observed lately
    /// enough. There is no other way to a [`Statement`], so nothing is signed of a server that is denied: `deny.tokens`.
    #[must_use]
    pub fn statement(&self, server: &Server, now: Time) -> Option<Statement> {
        if !server.named || self.denies(&server.url) {
            return None;
        }
        server.standing()?.statement(&server.url, now)
    }

    /// How many hosts deny.
    #[must_use]
    pub fn len(&self) -> usize {
        self.hosts.len()
    }

    /// Whether no host denies.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.hosts.is_empty()
    }
}

/// The hosts whose files speak for a server, the nearest first.
#[must_use]
pub fn hosts_of(server: &ServerUrl, suffixes: &PublicSuffixes) -> Vec<String> {
    match Host::from_written(server.origin().host()) {
        Ok(host) => file_hosts(&host, suffixes).map(str::to_owned).collect(),
        // The host of a server URL is canonical; if it were not, its own file is the one to ask.
        Err(_) => vec![server.origin().host().to_owned()],
    }
}

/// Whether a host is one that registrations stand under, such as `com` and `github.io`.
#[must_use]
pub fn is_public_suffix(host: &Host) -> bool {
    PublicSuffixes::compiled_in().is_public_suffix(host)
}

/// When the crate with the Public Suffix List was published, if that is more than 30 days ago: `captxt.scope.psl-age`.
#[must_use]
pub(crate) fn outdated_suffixes(now: Time) -> Option<Time> {
    let made = PublicSuffixes::compiled_in_at();
    (now.since(made) > SUFFIXES_MAX_AGE_SECONDS).then_some(made)
}

/// Takes the claims of a server file in place of those that it made before; none if it makes none: `captxt.claims-valid-only`,
/// `captxt.scope.out`, `captxt.endpoint.listable`.
///
/// # Errors
///
/// [`StoreError`].
pub(crate) fn take_claims(
    store: &mut dyn Store,
    host: &str,
    row: &FileRow,
    suffixes: &PublicSuffixes,
    now: Time,
) -> Result<(), StoreError> {
    let source = Source {
        name: format!("https://{host}/.well-known/capabilities.txt"),
        kind: SourceKind::ServerFile,
    };
    let known = known(row);
    let file = known.file(now).filter(|(_, withheld)| withheld.is_none());
    let (Some((bytes, _)), Ok(host)) = (file, Host::from_written(host)) else {
        return store.withdraw(&source.name);
    };
    let scope = Scope::new(host, suffixes);
    let reading = read(bytes, &scope, now);
    let claims: Vec<Entry> = reading.claims().filter_map(claim).collect();
    // A host that only a server file names names nobody: one domain would else lead to any number of hosts below it.
    if claims.is_empty() || !store.is_named(scope.host().as_str())? {
        return store.withdraw(&source.name);
    }
    store.replace(&source, &claims, now).map(drop)
}

/// What an endpoint claims, if it is a server that can be observed.
fn claim(endpoint: &Endpoint) -> Option<Entry> {
    let url = endpoint
        .url
        .server_url()
        .filter(|_| endpoint.protocol.as_str() == "mcp")?;
    let jobs: Vec<&str> = endpoint.jobs.iter().map(Job::as_str).collect();
    Some(Entry::Server(Claim {
        key: url.to_string(),
        urls: vec![url.clone()],
        name: None,
        description: Some(jobs.join(BETWEEN_JOBS)),
        state: EntryState::Active,
        tools: Vec::new(),
    }))
}

/// Whether what is held of a file denies a resolver at a moment.
pub(crate) fn denies(row: &FileRow, issuer: &Origin, now: Time) -> bool {
    known(row)
        .restriction(now)
        .is_some_and(|bytes| allows(bytes, issuer) == Verdict::Denied)
}

/// What is held of a file after one more fetch: `captxt.fetch.outcome`.
#[must_use]
pub fn after(row: Option<&FileRow>, outcome: Outcome<Vec<u8>>, now: Time) -> FileRow {
    let answered_at = match outcome {
        Outcome::Failed => row.and_then(|row| row.answered_at),
        _ => Some(now),
    };
    let outcome = match &outcome {
        Outcome::File { file, withheld } => Outcome::File {
            file: file.as_slice(),
            withheld: *withheld,
        },
        Outcome::Confirmed => Outcome::Confirmed,
        Outcome::Absent => Outcome::Absent,
        Outcome::Refused => Outcome::Refused,
        Outcome::Failed => Outcome::Failed,
    };
    let known = row.map_or_else(Known::default, known).after(outcome, now);
    // As of the last answer: what has run out since is not forgotten, only not applied.
    let as_of = answered_at.unwrap_or(now);
    let file = known.file(as_of);
    FileRow {
        fetched_at: now,
        answered_at,
        body: known.restriction(as_of).map(|bytes| bytes.to_vec()),
        claims: file.is_some(),
        withheld: file
            .and_then(|(_, withheld)| withheld)
            .map(|code| code.as_str().to_owned()),
    }
}

/// A row as the crate holds it: what led to it, once more.
fn known(row: &FileRow) -> Known<&[u8]> {
    let known = Known::default();
    let Some(answered_at) = row.answered_at else {
        return known.after(Outcome::Failed, row.fetched_at);
    };
    let withheld = [Code::FetchContentType, Code::FetchCrossSite]
        .into_iter()
        .find(|code| row.withheld.as_deref() == Some(code.as_str()));
    let known = match row.body.as_deref() {
        Some(file) => known.after(Outcome::File { file, withheld }, answered_at),
        None => known.after(Outcome::Absent, answered_at),
    };
    let known = if row.body.is_some() && !row.claims {
        known.after(Outcome::Refused, answered_at)
    } else {
        known
    };
    if row.fetched_at == answered_at {
        known
    } else {
        known.after(Outcome::Failed, row.fetched_at)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn at(seconds: i64) -> Time {
        Time::from_unix_seconds(seconds)
    }

    fn outcomes() -> impl Strategy<Value = Outcome<Vec<u8>>> {
        let file = (
            prop::sample::select(vec!["Resolvers: none\n", "Resolvers: *\n", ""]),
            0..3_u8,
        )
            .prop_map(|(file, withheld)| Outcome::File {
                file: file.as_bytes().to_vec(),
                withheld: match withheld {
                    0 => None,
                    1 => Some(Code::FetchContentType),
                    _ => Some(Code::FetchCrossSite),
                },
            });
        prop_oneof![
            file,
            Just(Outcome::Confirmed),
            Just(Outcome::Absent),
            Just(Outcome::Refused),
            Just(Outcome::Failed)
        ]
    }

    proptest! {
        // r[captxt.fetch.outcome] r[captxt.fetch.unreachable]
        #[test]
        fn a_row_holds_what_the_crate_holds(steps in prop::collection::vec((outcomes(), 1_i64..1_000_000), 1..8)) {
            let (mut row, mut whole, mut now) = (None, Known::default(), 0);
            for (outcome, wait) in steps {
                now += wait;
                whole = whole.after(outcome.clone(), at(now));
                row = Some(after(row.as_ref(), outcome, at(now)));
                let row = row.as_ref().unwrap();
                for later in [0, 86_399, 86_400, 2_591_999, 2_592_000] {
                    let now = at(now + later);
                    let kept = known(row);
                    prop_assert_eq!(kept.file(now).map(|(file, code)| (file.to_vec(), code)), whole.file(now).map(|(file, code)| (file.clone(), code)));
                    prop_assert_eq!(kept.restriction(now).map(|file| file.to_vec()), whole.restriction(now).cloned());
                    prop_assert_eq!(kept.is_due(now), whole.is_due(now));
                }
            }
        }
    }
}
