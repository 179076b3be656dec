//! What answers are given from: one view of the store, made whole and then never changed, and replaced by the next one.
//!
//! It holds what costs time to make: the index of the words. What may be stated of a server is looked at again for every
//! answer: see [`crate::answer`].

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use capability_resolution::{Origin, ServerUrl, Time};

use crate::lock;
use crate::record_id::RecordId;
use crate::search::{Document, Hit, Index};
use crate::server_file::HeldFiles;
use crate::store::{Listing, Server, ServerId, Store, StoreError};

/// One view of the store.
pub struct Snapshot {
    index: Index,
    listed: Vec<Listed>,
    by_id: HashMap<RecordId, u32>,
    files: HeldFiles,
    chosen: Mutex<HashMap<u64, Arc<[Hit]>>>,
}

/// A server of a snapshot.
#[derive(Debug)]
pub struct Listed {
    /// The server, and what stood when the snapshot was made.
    pub server: Server,
    /// Its name for people, as a source gives it; empty if none does.
    pub name: Box<str>,
    /// Of the tools that it listed itself, by their place in the index, whether it marks them as read-only:
    /// `mcp.tools.read-only`. Empty if it listed none.
    read_only: Box<[bool]>,
}

/// How many needs are remembered, by a digest that only this process can make, with the servers found for them.
const CHOSEN_MAX: usize = 4_096;

impl Snapshot {
    /// Makes a view of a store.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn build(store: &dyn Store, issuer: &Origin, now: Time) -> Result<Self, StoreError> {
        let files = HeldFiles::read(store, issuer, now)?;
        let mut servers = HashMap::new();
        store.each_server(&mut |server| {
            if server.named {
                servers.insert(server.id, server);
            }
        })?;
        let (mut documents, mut listed) = (Vec::new(), Vec::new());
        store.each_listing(&mut |listing| {
            // One that was named between the two readings is in the next snapshot.
            if let Some(server) = servers.remove(&listing.server) {
                listed.push(Listed::new(server, &listing));
                documents.push(Document::from(listing));
            }
        })?;
        let by_id = (0..)
            .zip(&listed)
            .map(|(document, listed)| (RecordId::of(&listed.server.url), document))
            .collect();
        Ok(Self {
            index: Index::build(documents),
            listed,
            by_id,
            files,
            chosen: Mutex::default(),
        })
    }

    /// The words.
    #[must_use]
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// A server by its place in the index.
    #[must_use]
    pub fn listed(&self, document: u32) -> Option<&Listed> {
        self.listed.get(usize::try_from(document).ok()?)
    }

    /// How many servers there are, observed or not.
    #[must_use]
    pub fn len(&self) -> usize {
        self.listed.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.listed.is_empty()
    }

    /// The server with this URL.
    #[must_use]
    pub fn by_url(&self, url: &ServerUrl) -> Option<u32> {
        let document = *self.by_id.get(&RecordId::of(url))?;
        let same = self
            .listed(document)
            .is_some_and(|listed| listed.server.url == *url);
        same.then_some(document)
    }

    /// The server whose record has this id.
    #[must_use]
    pub fn by_record_id(&self, id: &str) -> Option<u32> {
        self.by_id.get(&RecordId::from_text(id)?).copied()
    }

    /// What the server files said.
    #[must_use]
    pub fn files(&self) -> &HeldFiles {
        &self.files
    }

    /// The servers that are here.
    pub fn servers(&self) -> impl Iterator<Item = ServerId> {
        self.listed.iter().map(|listed| listed.server.id)
    }

    /// What was chosen for a need that had this digest.
    #[must_use]
    pub fn chosen(&self, digest: u64) -> Option<Arc<[Hit]>> {
        self.lock().get(&digest).cloned()
    }

    /// Remembers what was chosen for a need.
    pub fn choose(&self, digest: u64, hits: &Arc<[Hit]>) {
        let mut chosen = self.lock();
        if chosen.len() >= CHOSEN_MAX {
            chosen.clear();
        }
        chosen.insert(digest, Arc::clone(hits));
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<u64, Arc<[Hit]>>> {
        lock::lock(&self.chosen)
    }
}

impl Listed {
    fn new(server: Server, listing: &Listing) -> Self {
        let tools = listing.tools.iter().map(|tool| tool.read_only);
        Self {
            server,
            name: listing
                .names
                .first()
                .map_or_else(Box::default, |name| name.as_str().into()),
            read_only: tools.filter(|_| listing.listed_tools).collect(),
        }
    }

    /// Whether it marks one of these tools as read-only.
    #[must_use]
    pub fn marks_read_only(&self, tools: &[u32]) -> bool {
        tools
            .iter()
            .filter_map(|tool| self.read_only.get(usize::try_from(*tool).ok()?))
            .any(|read_only| *read_only)
    }
}
