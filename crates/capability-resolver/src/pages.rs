//! The policy and the changelog: section 9.2 of the text. An operator writes them; what the text asks of them is checked
//! before they are served.

use std::path::{Path, PathBuf};
use std::sync::RwLock;

use capability_resolution::Time;
use command_console::{Diagnostic, Explain, Place};

use crate::answer::Body;
use crate::config::Config;
use crate::file;
use crate::lock;

/// The largest page in bytes: `policy.page`.
pub const PAGE_MAX_BYTES: usize = 1 << 20;

/// How long clients may keep a page, in seconds.
const PAGE_MAX_AGE_SECONDS: u64 = 3_600;

/// What a policy has to name: `policy.statements`.
const STATEMENTS: [&str; 7] = [
    "obligation.payment",
    "obligation.favour",
    "obligation.disclosure",
    "obligation.no-proxy",
    "obligation.no-caller",
    "obligation.no-sale",
    "obligation.changes",
];

/// What `init` writes where only the operator knows what to say.
pub(crate) const UNFINISHED: &str = "[name each one, or write: none]";

/// A page as it is served.
#[derive(Debug, Clone)]
pub struct Page {
    /// Its media type.
    pub media_type: &'static str,
    /// Its bytes.
    pub body: Body,
}

/// The pages of a resolver.
#[derive(Debug)]
pub struct Pages {
    files: [PathBuf; 2],
    pages: RwLock<[Page; 2]>,
}

/// Why a page is not served.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PageError {
    /// It cannot be read.
    #[error("cannot read {}", path.display())]
    Unreadable {
        /// Which.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// Its name says no media type that a page may have.
    #[error("{} is neither .md, .html nor .txt (rule policy.page)", path.display())]
    MediaType {
        /// Which.
        path: PathBuf,
    },
    /// It does not say what the text asks for.
    #[error("{} {what} (rule {rule})", path.display())]
    Content {
        /// Which.
        path: PathBuf,
        /// What is wrong.
        what: String,
        /// The rule.
        rule: &'static str,
        /// Where, if it is at one place.
        place: Option<Box<Place>>,
    },
}

impl Explain for PageError {
    fn code(&self) -> &'static str {
        match self {
            Self::Unreadable { .. } => "page-unreadable",
            Self::MediaType { .. } => "page-media-type",
            Self::Content { .. } => "page-content",
        }
    }

    fn help(&self) -> Option<String> {
        let help = match self {
            Self::Unreadable { .. } => return None,
            Self::MediaType { .. } => "name the page by what it is",
            Self::Content { .. } => {
                "everybody reads what you promise before they trust you: edit it"
            }
        };
        Some(help.to_owned())
    }
}

impl PageError {
    /// The message for a person, with the line that is wrong.
    #[must_use]
    pub fn diagnostic(&self) -> Diagnostic {
        let diagnostic = Diagnostic::from_error(self);
        match self {
            Self::Content {
                place: Some(place), ..
            } => diagnostic.at((**place).clone()),
            _ => diagnostic,
        }
    }
}

impl Pages {
    /// Reads the pages that the settings name. `unfinished` lets a policy pass that is as `init` left it; for
    /// development.
    ///
    /// # Errors
    ///
    /// [`PageError`].
    pub fn read(config: &Config, unfinished: bool) -> Result<Self, PageError> {
        let files = [config.policy.clone(), config.changelog.clone()];
        let pages = read_both(&files, unfinished)?;
        Ok(Self {
            files,
            pages: RwLock::new(pages),
        })
    }

    /// Pages without a word, for tests of what is beside them.
    #[cfg(test)]
    pub(crate) fn empty() -> Self {
        let page = Page {
            media_type: "text/plain",
            body: Body::new("", 0),
        };
        Self {
            files: Default::default(),
            pages: RwLock::new([page.clone(), page]),
        }
    }

    /// Reads them again.
    ///
    /// # Errors
    ///
    /// [`PageError`]; then they are those of before.
    pub fn reread(&self, unfinished: bool) -> Result<(), PageError> {
        let pages = read_both(&self.files, unfinished)?;
        *lock::write(&self.pages) = pages;
        Ok(())
    }

    /// The policy.
    #[must_use]
    pub fn policy(&self) -> Page {
        self.both()[0].clone()
    }

    /// The changelog.
    #[must_use]
    pub fn changelog(&self) -> Page {
        self.both()[1].clone()
    }

    fn both(&self) -> std::sync::RwLockReadGuard<'_, [Page; 2]> {
        lock::read(&self.pages)
    }
}

fn read_both(files: &[PathBuf; 2], unfinished: bool) -> Result<[Page; 2], PageError> {
    let [policy, changelog] = files;
    Ok([
        read_page(policy, |text| check_policy(policy, text, unfinished))?,
        read_page(changelog, |text| check_changelog(changelog, text))?,
    ])
}

fn read_page(
    path: &Path,
    check: impl FnOnce(&str) -> Result<(), PageError>,
) -> Result<Page, PageError> {
    let media_type = match path.extension().and_then(|extension| extension.to_str()) {
        Some("md") => "text/markdown; charset=utf-8",
        Some("html") => "text/html; charset=utf-8",
        Some("txt") => "text/plain; charset=utf-8",
        _ => {
            return Err(PageError::MediaType {
                path: path.to_owned(),
            });
        }
    };
    let bytes = file::read(path, PAGE_MAX_BYTES).map_err(|source| PageError::Unreadable {
        path: path.to_owned(),
        source,
    })?;
    let text = std::str::from_utf8(&bytes).map_err(|_| PageError::Content {
        path: path.to_owned(),
        what: "is not UTF-8".to_owned(),
        rule: "policy.page",
        place: None,
    })?;
    check(text)?;
    Ok(Page {
        media_type,
        body: Body::new(bytes.to_vec(), PAGE_MAX_AGE_SECONDS),
    })
}

fn check_policy(path: &Path, text: &str, unfinished: bool) -> Result<(), PageError> {
    if let Some(missing) = STATEMENTS.iter().find(|id| !text.contains(*id)) {
        return Err(content(
            path,
            format!("does not name {missing}"),
            "policy.statements",
        ));
    }
    check_date(path, text, "policy.dated")?;
    match text
        .lines()
        .zip(1..)
        .find(|(line, _)| line.contains(UNFINISHED))
    {
        Some((line, number)) if !unfinished => {
            let before = line.split(UNFINISHED).next().unwrap_or_default();
            let place = Place {
                path: path.display().to_string(),
                line: number,
                column: before.chars().count() + 1,
                length: UNFINISHED.chars().count(),
                text: line.to_owned(),
            };
            Err(PageError::Content {
                path: path.to_owned(),
                what: "still has a place to fill in".to_owned(),
                rule: "obligation.disclosure",
                place: Some(Box::new(place)),
            })
        }
        _ => Ok(()),
    }
}

fn check_changelog(path: &Path, text: &str) -> Result<(), PageError> {
    check_date(path, text, "policy.changelog")
}

/// A date in the form `YYYY-MM-DD`.
fn check_date(path: &Path, text: &str, rule: &'static str) -> Result<(), PageError> {
    let is_date = |word: &str| Time::from_document(&format!("{word}T00:00:00Z")).is_some();
    let mut words = text.split(|c: char| !c.is_ascii_digit() && c != '-');
    if words.any(is_date) {
        Ok(())
    } else {
        Err(content(path, "has no date".to_owned(), rule))
    }
}

fn content(path: &Path, what: String, rule: &'static str) -> PageError {
    PageError::Content {
        path: path.to_owned(),
        what,
        rule,
        place: None,
    }
}
