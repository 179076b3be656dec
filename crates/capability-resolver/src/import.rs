//! Takes what sources say: catalogues, listings of registries, and lists of hosts.
//!
//! A source is hostile until proven otherwise. Each is read in bounded memory, a line or a page at a time; what cannot be
//! used is told of, with its place, and left out, and the rest is taken, in batches that are whole or not there. The same
//! source read twice is read once.

mod catalogue;
mod fault;
mod hosts;
mod lines;
mod registry;
mod url_source;

use std::collections::BTreeMap;
use std::io::{self, BufRead, Read as _};

use capability_resolution::text::{is_control, is_unsafe, trim};
use capability_resolution::{ServerUrl, Time};
use command_console::Explain;
use serde::Serialize;
use url::Url;

use crate::observed::Tool;
use crate::store::{Entry, Source, SourceKind, Store, StoreError, Taken};

pub use fault::{Fault, Where};
pub use url_source::{UrlSource, fetch_document};

/// The longest line that is read, in bytes; the longest of the known catalogues has 140 kB.
pub const LINE_MAX_BYTES: usize = 1 << 20;

/// The longest document that is read as one, in bytes: a page of a registry, or a catalogue from a URL.
pub const DOCUMENT_MAX_BYTES: usize = 64 << 20;

/// The most pages of a listing.
pub const PAGES_MAX: u32 = 10_000;

/// The most characters of a server's name: `record.name`. The same for a tool's.
pub const NAME_MAX_CHARACTERS: usize = 200;

/// The most characters of a description that are kept.
pub const DESCRIPTION_MAX_CHARACTERS: usize = 4_000;

/// The most tools of one entry that are kept: `mcp.tools.pages`.
pub const TOOLS_MAX: usize = 2_000;

/// How many entries are taken in one transaction.
const BATCH: usize = 1_000;

/// What an import came to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// Entries that were read.
    pub entries: u64,
    /// Servers that nobody had named before.
    pub new_servers: u64,
    /// Entries of servers that were known.
    pub known_servers: u64,
    /// Hosts that nobody had named before.
    pub new_hosts: u64,
    /// Hosts that were known.
    pub known_hosts: u64,
    /// Entries without a URL that can be asked.
    pub without_url: u64,
    /// Older versions of an entry; the newest one counts.
    pub older_versions: u64,
    /// Entries on hosts that are forgotten.
    pub forgotten: u64,
    /// URLs that were brought into the form of a server URL.
    pub respelled: u64,
    /// What was refused, by code.
    pub refused: BTreeMap<&'static str, u64>,
}

/// Why an import ended before its end. What it took until then stays taken.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// The source could not be read.
    #[error("cannot read {name}")]
    Unreadable {
        /// Which.
        name: String,
        /// What the system says.
        source: io::Error,
    },
    /// The source could not be fetched.
    #[error("cannot fetch {name}")]
    Unfetched {
        /// Which.
        name: String,
        /// Why.
        source: Box<guarded_fetch::Error>,
    },
    /// The server gave something else than the source.
    #[error("{name} answered with status {status}, expected 200")]
    Status {
        /// Which.
        name: String,
        /// The status.
        status: u16,
    },
    /// Nothing of it could be understood as a source.
    #[error("{name} is {found}")]
    NotUnderstood {
        /// Which.
        name: String,
        /// What it is instead.
        found: String,
    },
    /// A document is too long to be read as one.
    #[error("{name} is longer than the {DOCUMENT_MAX_BYTES} bytes that are read as one document")]
    TooLong {
        /// Which.
        name: String,
    },
    /// A listing that comes to no end.
    #[error("{name} comes to no end: {why}")]
    Endless {
        /// Which.
        name: String,
        /// How that was seen.
        why: String,
    },
    /// The store did not take it.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Explain for ImportError {
    fn code(&self) -> &'static str {
        match self {
            Self::Unreadable { .. } => "source-unreadable",
            Self::Unfetched { .. } => "source-unfetched",
            Self::Status { .. } => "source-status",
            Self::NotUnderstood { .. } => "source-not-understood",
            Self::TooLong { .. } => "source-too-long",
            Self::Endless { .. } => "source-endless",
            Self::Store(error) => error.code(),
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::NotUnderstood { .. } => Some(
                "a source is JSON Lines with a member url, a listing of an MCP registry v0.1, or one host a line; --as says which"
                    .to_owned(),
            ),
            Self::Unfetched { .. } | Self::Status { .. } => {
                Some("what was taken stays; run the command again later".to_owned())
            }
            Self::Store(error) => error.help(),
            _ => None,
        }
    }
}

/// One import: where entries and faults go, and what they came to.
pub struct Import<'i> {
    store: &'i mut dyn Store,
    source: Source,
    now: Time,
    batch: Vec<Entry>,
    report: Report,
    loopback: bool,
    tell: &'i mut dyn FnMut(News<'_>),
}

/// What an import tells on its way.
#[derive(Debug)]
pub enum News<'n> {
    /// Something was left out.
    Refused(Fault),
    /// So many pages of a listing were taken.
    Pages(u32, &'n Report),
}

impl<'i> Import<'i> {
    /// An import of what is named `name`; `tell` is given the news.
    pub fn new(
        store: &'i mut dyn Store,
        name: &str,
        now: Time,
        tell: &'i mut dyn FnMut(News<'_>),
    ) -> Self {
        let source = Source {
            name: name.to_owned(),
            kind: SourceKind::Catalogue,
        };
        Self {
            store,
            source,
            now,
            batch: Vec::new(),
            report: Report::default(),
            loopback: false,
            tell,
        }
    }

    /// Also takes servers of this machine, by http: `origin.loopback`, behind the caller's switch.
    #[must_use]
    pub fn allow_loopback(mut self, allow: bool) -> Self {
        self.loopback = allow;
        self
    }

    /// Reads a file or a stream. Without `kind` its beginning says what it is.
    ///
    /// # Errors
    ///
    /// [`ImportError`]; what was taken until then stays taken.
    pub fn read(
        mut self,
        mut stream: impl BufRead,
        kind: Option<SourceKind>,
    ) -> Result<Report, ImportError> {
        let unreadable = |source| ImportError::Unreadable {
            name: self.source.name.clone(),
            source,
        };
        let beginning = stream.fill_buf().map_err(unreadable)?;
        let kind = kind
            .or_else(|| guess(beginning))
            .ok_or_else(|| not_understood(&self.source.name))?;
        self.source.kind = kind;
        match kind {
            SourceKind::Registry => {
                let mut document = Vec::new();
                let most = u64::try_from(DOCUMENT_MAX_BYTES).unwrap_or(u64::MAX);
                stream
                    .take(most + 1)
                    .read_to_end(&mut document)
                    .map_err(unreadable)?;
                if document.len() > DOCUMENT_MAX_BYTES {
                    return Err(ImportError::TooLong {
                        name: self.source.name,
                    });
                }
                registry::page(&mut self, &document, None)?;
            }
            SourceKind::Hosts => lines::each(&mut self, stream, hosts::line)?,
            SourceKind::Catalogue | SourceKind::ServerFile => {
                lines::each(&mut self, stream, catalogue::line)?
            }
        }
        self.end()
    }

    fn push(&mut self, entry: Entry) -> Result<(), ImportError> {
        self.batch.push(entry);
        if self.batch.len() >= BATCH {
            self.flush()
        } else {
            Ok(())
        }
    }

    fn flush(&mut self) -> Result<(), ImportError> {
        let Taken {
            new_servers,
            known_servers,
            new_hosts,
            known_hosts,
            forgotten,
        } = self.store.take(&self.source, &self.batch, self.now)?;
        self.batch.clear();
        self.report.new_servers += new_servers;
        self.report.known_servers += known_servers;
        self.report.new_hosts += new_hosts;
        self.report.known_hosts += known_hosts;
        self.report.forgotten += forgotten;
        Ok(())
    }

    fn refuse(&mut self, fault: Fault) {
        *self.report.refused.entry(fault.code).or_insert(0) += 1;
        (self.tell)(News::Refused(fault));
    }

    fn end(mut self) -> Result<Report, ImportError> {
        self.flush()?;
        Ok(self.report)
    }

    /// A server URL from what a source wrote.
    fn url(&mut self, written: &str) -> Result<ServerUrl, (&'static str, String)> {
        if written.contains(['{', '}', '<', '>']) {
            return Err((
                "url-placeholder",
                "the URL holds a placeholder, and is the URL of no server (rule mcp.template)"
                    .to_owned(),
            ));
        }
        if self.loopback
            && let Ok(url) = ServerUrl::loopback(written)
        {
            return Ok(url);
        }
        let refused = match written.parse::<ServerUrl>() {
            Ok(url) => return Ok(url),
            Err(error) => error,
        };
        // A catalogue writes https://Host for https://host/, and these are one URL to every client. Of the path nothing
        // is changed.
        let after_scheme = written.split_once("://").map_or("", |(_, rest)| rest);
        let path = after_scheme.find('/').map_or("/", |at| &after_scheme[at..]);
        let url = Url::parse(written)
            .ok()
            .filter(|url| url.path() == path && url.query().is_none());
        let respelled = url.and_then(|url| url.as_str().parse().ok());
        match respelled {
            Some(url) => {
                self.report.respelled += 1;
                Ok(url)
            }
            None => Err(("url-form", refused.to_string())),
        }
    }
}

fn not_understood(name: &str) -> ImportError {
    ImportError::NotUnderstood {
        name: name.to_owned(),
        found: "a page in HTML or XML".to_owned(),
    }
}

/// What a source is by its first bytes.
fn guess(beginning: &[u8]) -> Option<SourceKind> {
    let beginning = beginning.strip_prefix(b"\xef\xbb\xbf").unwrap_or(beginning);
    let start = beginning
        .iter()
        .position(|byte| !byte.is_ascii_whitespace())
        .unwrap_or(beginning.len());
    let text = &beginning[start..];
    match text.first() {
        Some(b'{' | b'[') => {}
        Some(b'<') => return None,
        _ => return Some(SourceKind::Hosts),
    }
    // A line of a catalogue is an object of its own. A listing has its entries in `servers`, as its first member or after
    // `metadata`; a catalogue can have that member too, with names in it.
    let compact: Vec<u8> = text
        .iter()
        .copied()
        .filter(|byte| !byte.is_ascii_whitespace())
        .take(32)
        .collect();
    let is_listing = compact.starts_with(br#"{"servers":[{"#)
        || compact.starts_with(br#"{"servers":[],"#)
        || compact.starts_with(br#"{"servers":[]}"#)
        || compact.starts_with(br#"{"metadata":{"#);
    Some(if is_listing {
        SourceKind::Registry
    } else {
        SourceKind::Catalogue
    })
}

/// A text of a source as it is kept: on one line, without what nobody sees (`mcp.tools.unsafe`), cut to `max` characters.
fn clean(text: &str, max: usize) -> Option<String> {
    let visible: String = text
        .chars()
        .filter(|c| !is_unsafe(*c))
        .map(|c| if is_control(c) { ' ' } else { c })
        .collect();
    let cut: String = trim(&visible).chars().take(max).collect();
    let cut = trim(&cut);
    (!cut.is_empty()).then(|| cut.to_owned())
}

/// The tools of an entry as they are kept; one without a name is none.
fn clean_tools(tools: impl Iterator<Item = (String, Option<String>, Option<bool>)>) -> Vec<Tool> {
    let kept = tools.filter_map(|(name, description, read_only)| {
        Some(Tool {
            name: clean(&name, NAME_MAX_CHARACTERS)?,
            description: description
                .and_then(|text| clean(&text, DESCRIPTION_MAX_CHARACTERS))
                .unwrap_or_default(),
            read_only: read_only.unwrap_or(false),
        })
    });
    kept.take(TOOLS_MAX).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::store::SqliteStore;

    #[test]
    fn the_beginning_says_what_a_source_is() {
        for (beginning, kind) in [
            ("", SourceKind::Hosts),
            ("a.example\n", SourceKind::Hosts),
            ("# hosts\na.example", SourceKind::Hosts),
            ("{\"url\":\"https://a.example/\"}\n", SourceKind::Catalogue),
            (
                "\u{feff}\n {\"servers\":[\"a\"],\"url\":\"x\"}",
                SourceKind::Catalogue,
            ),
            ("{\n  \"servers\": [\n    {\n", SourceKind::Registry),
            ("{\"servers\":[],\"metadata\":{}}", SourceKind::Registry),
            (
                "{\"metadata\":{\"count\":1},\"servers\":[]}",
                SourceKind::Registry,
            ),
            ("[1]", SourceKind::Catalogue),
        ] {
            assert_eq!(guess(beginning.as_bytes()), Some(kind), "{beginning}");
        }
    }

    /// Lines and documents that are nearly right, and bytes that are nothing.
    fn sources() -> impl Strategy<Value = Vec<u8>> {
        let part = prop::sample::select(vec![
            &b"{\"url\":\"https://a.example/mcp\"}"[..],
            b"{\"url\":\"https://b.example/{x}\",\"tools\":[{\"name\":\"\\u202e\"}]}",
            b"{\"servers\":[{\"server\":{\"name\":\"a\",\"remotes\":[{\"type\":\"sse\",\"url\":\"https://c.example/\"}]}}",
            b"],\"metadata\":{\"nextCursor\":\"x\"}}",
            b"d.example",
            b"\xff\xfe",
            b"\n",
            b"\r\n",
            b",",
            b"{",
            b"\"",
            b"#",
            b"\0",
        ]);
        prop::collection::vec(part, 0..12).prop_map(|parts| parts.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn any_bytes_end_in_a_report_or_an_error_and_read_the_same_twice(bytes in sources(), cut in 0_usize..200) {
            let folder = tempfile::tempdir().unwrap();
            let mut store = SqliteStore::open(&folder.path().join("s")).unwrap();
            let bytes = &bytes[..bytes.len().min(cut)];
            for kind in [None, Some(SourceKind::Catalogue), Some(SourceKind::Registry), Some(SourceKind::Hosts)] {
                let mut read = || {
                    let mut told = 0;
                    let mut tell = |_: News<'_>| told += 1;
                    let report = Import::new(&mut store, "s", Time::from_unix_seconds(0), &mut tell).read(bytes, kind).ok();
                    report.map(|report| (report.refused.values().sum::<u64>(), report.new_servers + report.known_servers, told))
                };
                let (once, twice) = (read(), read());
                prop_assert_eq!(once, twice);
                if let Some((refused, _, told)) = once {
                    prop_assert_eq!(refused, told);
                }
            }
        }
    }

    #[test]
    fn a_page_for_people_is_no_source() {
        assert_eq!(guess(b"\n<!doctype html>"), None);
    }

    // r[mcp.tools.unsafe] r[record.name]
    #[test]
    fn what_nobody_sees_is_not_kept() {
        assert_eq!(clean(" a\u{202e}b\n\tc\u{0} ", 9).as_deref(), Some("ab  c"));
        assert_eq!(clean("\u{feff}\n", 9), None);
        assert_eq!(
            clean("\u{fc}\u{fc} \u{fc}", 3).as_deref(),
            Some("\u{fc}\u{fc}")
        );
    }
}
