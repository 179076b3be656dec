//! What a resolver remembers: who named which server, and everything that it saw of it.
//!
//! [`Store`] is the seam. [`SqliteStore`] stands behind it, one file and nothing to install; a database server can stand
//! there later. Each method is one transaction: after a crash it has happened whole or not at all.

mod error;
mod schema;
mod sqlite;

use capability_resolution::{Host, ServerUrl, Time};

use crate::observed::{Observed, Tool};
use crate::search;
use crate::standing::Standing;

pub use error::StoreError;
pub use schema::VERSION;
pub use sqlite::SqliteStore;

/// What a resolver remembers.
pub trait Store: Send {
    /// Takes what a source says. The same once more changes nothing but the time at which the source was read.
    ///
    /// # Errors
    ///
    /// [`StoreError`]; then nothing of it was taken.
    fn take(&mut self, source: &Source, entries: &[Entry], now: Time) -> Result<Taken, StoreError>;

    /// The same for all that a source says: what it named before and does not name now, it names no more.
    ///
    /// # Errors
    ///
    /// [`StoreError`]; then nothing was changed.
    fn replace(
        &mut self,
        source: &Source,
        entries: &[Entry],
        now: Time,
    ) -> Result<Taken, StoreError>;

    /// Takes out a source and all that it says, if it is there.
    ///
    /// # Errors
    ///
    /// [`StoreError`]; then nothing was changed.
    fn withdraw(&mut self, source: &str) -> Result<(), StoreError>;

    /// Appends an observation to the history of a server, keeps what stands after it, and says when to look again.
    ///
    /// # Errors
    ///
    /// [`StoreError`]; then the observation is not in the history.
    fn append(
        &mut self,
        server: ServerId,
        observed: &Observed,
        next_at: Time,
    ) -> Result<Standing, StoreError>;

    /// Looks at a server later, without having observed it.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    fn postpone(&mut self, server: ServerId, next_at: Time) -> Result<(), StoreError>;

    /// No server waits longer than until this moment; for a clock that went back.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    fn wait_no_longer_than(&mut self, latest: Time) -> Result<(), StoreError>;

    /// Starts the count of failures that `down` needs anew for every server; for a clock that jumped, after which
    /// nobody knows how far two failures lie apart.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    fn forget_first_failures(&mut self) -> Result<(), StoreError>;

    /// The servers that somebody names and whose time has come, the longest due first.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    fn due(&self, now: Time) -> Result<Vec<Due>, StoreError>;

    /// One server.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    fn server(&self, server: ServerId) -> Result<Option<Server>, StoreError>;

    /// A number that changes whenever somebody else, in this process or another, changes the store. What was read while
    /// it stayed the same still holds. Cheap enough to be asked before every answer.
    ///
    /// # Errors
    ///
    /// [`StoreError::Gone`] if the store is no longer where it was opened.
    fn version(&self) -> Result<u64, StoreError>;

    /// Hands over every server, one after the other.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    fn each_server(&self, each: &mut dyn FnMut(Server)) -> Result<(), StoreError>;

    /// Hands over what is said of every server that somebody names, in the order of [`ServerId`]. Denied servers are among
    /// them: the caller leaves them out, by [`Denials`](crate::server_file::Denials).
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    fn each_listing(&self, each: &mut dyn FnMut(Listing)) -> Result<(), StoreError>;

    /// The observations of a server, the first one first, without the tools.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    fn history(&self, server: ServerId) -> Result<Vec<Observed>, StoreError>;

    /// Whether a source that is no server file names a host, or a server on it or below it.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    fn is_named(&self, host: &str) -> Result<bool, StoreError>;

    /// What is held of the server file of a host.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    fn server_file(&self, host: &str) -> Result<Option<FileRow>, StoreError>;

    /// Keeps what is held of the server file of a host.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    fn put_server_file(&mut self, host: &str, file: &FileRow) -> Result<(), StoreError>;

    /// Hosts that answered when their server file was last fetched, at most `most` of them, drawn at random.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    fn hosts_that_answered(&self, most: usize) -> Result<Vec<String>, StoreError>;

    /// Hands over every host with a file that may restrict.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    fn each_restriction(&self, each: &mut dyn FnMut(&str, FileRow)) -> Result<(), StoreError>;

    /// The hosts whose file was last fetched before a moment, or never, and that a source names or a file is known of.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    fn files_due(&self, fetched_before: Time) -> Result<Vec<String>, StoreError>;

    /// The sources, by name.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    fn sources(&self) -> Result<Vec<SourceRow>, StoreError>;

    /// The hosts that are forgotten, and since when.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    fn forgotten(&self) -> Result<Vec<(String, Time)>, StoreError>;

    /// Removes everything that is known of the servers of a host and of the hosts below it, and keeps that they were
    /// forgotten, so that no source brings them back, and a file that restricts.
    ///
    /// # Errors
    ///
    /// [`StoreError`]; then nothing was removed.
    fn forget(&mut self, host: &Host, now: Time) -> Result<Forgotten, StoreError>;

    /// Lets sources name a host again; whether it was forgotten.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    fn remember(&mut self, host: &Host) -> Result<bool, StoreError>;
}

/// A server in a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ServerId(pub(crate) i64);

/// Who says something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// A path or a URL; what it says replaces what it said before.
    pub name: String,
    /// What it is.
    pub kind: SourceKind,
}

/// An enum whose variants have one word each in the store.
macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name {
            $($(#[$doc])* $variant,)+
        }

        impl $name {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Its word.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }

            /// The one that has this word.
            #[must_use]
            pub fn from_word(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|one| one.as_str() == word)
            }
        }
    };
}
words! {
    /// What a source is.
    SourceKind {
        /// JSON Lines, one server a line.
        Catalogue = "catalogue",
        /// A listing of an MCP registry, version 0.1.
        Registry = "registry",
        /// Host names, one a line.
        Hosts = "hosts",
        /// A server file.
        ServerFile = "server-file",
    }
}

words! {
    /// What a source says of an entry.
    EntryState {
        /// It stands.
        Active = "active",
        /// It stands, and better is not to use it.
        Deprecated = "deprecated",
        /// It was taken out. A server that no source names otherwise is not observed.
        Deleted = "deleted",
    }
}

/// What a source names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entry {
    /// A server.
    Server(Claim),
    /// A host, whose server file names servers.
    Host(Host),
}

/// What a source says of an entry of its own: a claim, of which nothing is ever signed. It takes the place of what the
/// source said of that entry before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// The source's own name for the entry.
    pub key: String,
    /// The servers, mostly one; none for an entry that lost its servers.
    pub urls: Vec<ServerUrl>,
    /// Its name for people, 1 to 200 characters.
    pub name: Option<String>,
    /// What it does.
    pub description: Option<String>,
    /// Whether it stands.
    pub state: EntryState,
    /// The tools that it is said to have.
    pub tools: Vec<Tool>,
}

/// What became of entries.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Taken {
    /// Servers that nobody had named before.
    pub new_servers: u64,
    /// Entries of servers that were known.
    pub known_servers: u64,
    /// Hosts that nobody had named before.
    pub new_hosts: u64,
    /// Hosts that were known.
    pub known_hosts: u64,
    /// Entries on hosts that are forgotten; they were left out.
    pub forgotten: u64,
}

/// A server whose time has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Due {
    /// Which.
    pub server: ServerId,
    /// Its host, without the port.
    pub host: String,
}

/// A server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    /// Its id in the store.
    pub id: ServerId,
    /// Its URL.
    pub url: ServerUrl,
    /// Whether a source names it, and not as deleted.
    pub named: bool,
    /// When to look at it.
    pub next_at: Time,
    /// What stands; only a store makes one, from its history.
    pub(crate) standing: Option<Standing>,
}

/// What sources say of a server, and what tools it listed itself: the text by which it is found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// Its id in the store.
    pub server: ServerId,
    /// Its URL.
    pub url: ServerUrl,
    /// Its names, by source, each once, and at most 64; the same holds for the other texts.
    pub names: Vec<String>,
    /// What sources say that it does, by source, each once.
    pub descriptions: Vec<String>,
    /// The jobs that the nearest server file that declares it declares for it, each once: `captxt.scope.claims-nearest`.
    pub jobs: Vec<String>,
    /// Its tools: those that it listed when it last listed any, or else those that sources claim, each name once, and
    /// at most [`TOOLS_MAX`](crate::import::TOOLS_MAX).
    pub tools: Vec<Tool>,
    /// Whether it listed these tools itself. Only then does a tool marked read-only count: `constraint.read-only`.
    pub listed_tools: bool,
}

impl From<Listing> for search::Document {
    /// The text by which a server is found.
    fn from(listing: Listing) -> Self {
        let tools = listing.tools.into_iter();
        Self {
            key: listing.url.to_string(),
            name: listing.names.join("\n"),
            description: listing.descriptions.join("\n"),
            jobs: listing.jobs,
            tools: tools
                .map(
                    |Tool {
                         name, description, ..
                     }| search::ToolText { name, description },
                )
                .collect(),
        }
    }
}

/// What stands between the jobs of a server file, which the store keeps as one description; no job holds a semicolon
/// (`captxt.jobs`).
pub(crate) const BETWEEN_JOBS: &str = "; ";

/// What is held of the server file of a host: the crate `capabilities-txt` says what follows from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRow {
    /// When it was last fetched, whatever came of it.
    pub fetched_at: Time,
    /// When there was last an answer.
    pub answered_at: Option<Time>,
    /// The bytes, where there is a file that may restrict.
    pub body: Option<Vec<u8>>,
    /// Whether the claims of these bytes count as well.
    pub claims: bool,
    /// The code for which they do not, if the file was read.
    pub withheld: Option<String>,
}

/// A source in a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceRow {
    /// Which.
    pub source: Source,
    /// When it was last read.
    pub read_at: Time,
    /// How many entries it has.
    pub entries: u64,
}

/// What was removed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Forgotten {
    /// Servers.
    pub servers: u64,
    /// What sources said of them.
    pub claims: u64,
    /// What was seen of them.
    pub observations: u64,
    /// Server files that restricted nobody.
    pub files: u64,
    /// Server files that were kept, since they may restrict.
    pub kept_files: u64,
}

impl Server {
    /// What stands after all that was seen of it; nothing if it was never observed.
    #[must_use]
    pub fn standing(&self) -> Option<&Standing> {
        self.standing.as_ref()
    }
}
