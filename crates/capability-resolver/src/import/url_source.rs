//! A source at a URL: a listing page by page, anything else as one document.
//!
//! It says which document is next and takes it; who fetches it, and what else is done meanwhile, is not its business.

use std::collections::HashSet;

use capability_resolution::Time;
use guarded_fetch::{Fetcher, Redirects, Request};
use url::Url;

use super::{
    DOCUMENT_MAX_BYTES, Import, ImportError, News, PAGES_MAX, Report, guess, not_understood,
    registry,
};
use crate::store::{SourceKind, Store};

/// A source that is being read.
#[derive(Debug)]
pub struct UrlSource {
    name: String,
    kind: Option<SourceKind>,
    first: Url,
    next: Url,
    cursors: HashSet<String>,
    pages: u32,
    report: Report,
}

impl UrlSource {
    /// A source of which nothing is read. Without `kind` its beginning says what it is.
    #[must_use]
    pub fn new(url: &Url, kind: Option<SourceKind>) -> Self {
        let first = registry::first_page(url, kind);
        Self {
            name: Self::name_of(url),
            kind,
            next: first.clone(),
            first,
            cursors: HashSet::new(),
            pages: 0,
            report: Report::default(),
        }
    }

    /// The URL that a source is, if it is one and no file.
    #[must_use]
    pub fn url_of(written: &str) -> Option<Url> {
        Url::parse(written)
            .ok()
            .filter(|url| matches!(url.scheme(), "https" | "http"))
    }

    /// What the source is called: its URL without the query, which may hold a secret.
    #[must_use]
    pub fn name_of(url: &Url) -> String {
        let mut shown = url.clone();
        shown.set_query(None);
        shown.set_fragment(None);
        shown.into()
    }

    /// The same.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where the next document is.
    #[must_use]
    pub fn next(&self) -> &Url {
        &self.next
    }

    /// What came of it so far.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// Takes the document at [`Self::next`]. Whether there is another.
    ///
    /// # Errors
    ///
    /// [`ImportError`]; what was taken until then stays taken.
    pub fn take(
        &mut self,
        document: &[u8],
        store: &mut dyn Store,
        now: Time,
        allow_loopback: bool,
        tell: &mut dyn FnMut(News<'_>),
    ) -> Result<bool, ImportError> {
        self.pages += 1;
        let kind = *match &mut self.kind {
            Some(kind) => kind,
            none => none.insert(guess(document).ok_or_else(|| not_understood(&self.name))?),
        };
        let mut import =
            Import::new(store, &self.name, now, &mut *tell).allow_loopback(allow_loopback);
        if kind != SourceKind::Registry {
            self.report = import.read(document, Some(kind))?;
            return Ok(false);
        }
        import.source.kind = kind;
        import.report = std::mem::take(&mut self.report);
        let cursor = registry::page(&mut import, document, Some(self.pages));
        self.report = import.end()?;
        let Some(cursor) = cursor? else {
            return Ok(false);
        };
        let endless = |why: String| ImportError::Endless {
            name: self.name.clone(),
            why,
        };
        if self.pages >= PAGES_MAX {
            return Err(endless(format!("it has more than {PAGES_MAX} pages")));
        }
        self.next = registry::next_page(&self.first, &cursor);
        if !self.cursors.insert(cursor) {
            let why = format!("page {} names a cursor once more", self.pages);
            return Err(endless(why));
        }
        tell(News::Pages(self.pages, &self.report));
        Ok(true)
    }
}

/// Fetches a document of a source that is called `name`.
///
/// # Errors
///
/// [`ImportError::Unfetched`], [`ImportError::Status`].
pub async fn fetch_document(
    fetcher: &Fetcher,
    url: &Url,
    name: &str,
) -> Result<Vec<u8>, ImportError> {
    let unfetched = |source| ImportError::Unfetched {
        name: name.to_owned(),
        source: Box::new(source),
    };
    let most = u64::try_from(DOCUMENT_MAX_BYTES).unwrap_or(u64::MAX);
    let request = Request::get(url.as_str())
        .gzip()
        .redirects(Redirects::Https { limit: 3 })
        .response_bytes(most);
    let response = fetcher.send(request).await.map_err(unfetched)?;
    let status = response.status().as_u16();
    if status != 200 {
        return Err(ImportError::Status {
            name: name.to_owned(),
            status,
        });
    }
    Ok(response.bytes().await.map_err(unfetched)?.to_vec())
}
