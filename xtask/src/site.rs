//! The text, its rules, vectors, checks and proofs as pages: static HTML that needs no script and nothing from elsewhere.
//!
//! ```text
//! index.html                                 what there is
//! <edition>/index.html                       the text; `#token.exp.max-life` is a rule, `#section-6.3` a section
//! <edition>/rules/<rule>.html                one rule, and everything that covers it
//! <edition>/vectors/<kind>/<vector>.html     one vector
//! <edition>/checks.html                      the checks of an origin (of the draft)
//! <edition>/changes.html                     what changed since the edition before
//! <edition>/proof.html                       whose word there is for the bytes and their time (of a frozen version)
//! ```
//!
//! An edition is a frozen version, or the draft. The same repository always gives the same bytes: no clock is asked.
//! Vectors hold whatever an attacker would send, so what they hold is shown by [`shown`] and nothing else.

mod edition;
mod layout;
mod pages;
pub mod shown;
mod text;
mod vectors;
pub mod write;

use std::collections::BTreeMap;

use command_console::Diagnostic;

use crate::archive::{self, ArchiveError};
use crate::proofs::report::Verdict;
use crate::proofs::{self, Options};
use crate::repo::{self, Repo, RepoError};
use crate::spec;
use crate::spec::diff::diff;
use crate::spec::text::Text;
use crate::spec::version;
use edition::Edition;

/// Where the style sheet and the icon are.
const STYLE: (&str, &str) = ("style.css", include_str!("site/style.css"));
const ICON: (&str, &str) = ("icon.svg", include_str!("site/icon.svg"));

/// The folder of the edition that is not frozen.
const DRAFT: &str = "draft";

/// Why there is no site.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SiteError {
    /// A file could not be read or written.
    #[error(transparent)]
    Repo(#[from] RepoError),
    /// The vectors of an edition could not be packed.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// A file of vectors or checks is not what it should be.
    #[error("{path} is not a file of {what}: {detail}")]
    Form {
        /// The file.
        path: String,
        /// What it should hold.
        what: &'static str,
        /// What is wrong.
        detail: String,
    },
    /// The folder to write to holds something else.
    #[error("{} holds files that this command did not write", folder.display())]
    Foreign {
        /// The folder.
        folder: std::path::PathBuf,
    },
}

impl command_console::Explain for SiteError {
    fn code(&self) -> &'static str {
        match self {
            Self::Repo(error) => error.code(),
            Self::Archive(error) => error.code(),
            Self::Form { .. } => "site-form",
            Self::Foreign { .. } => "site-foreign",
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Repo(error) => error.help(),
            Self::Archive(error) => error.help(),
            Self::Form { .. } => Some("make the file again, or bring it back with git".into()),
            Self::Foreign { .. } => Some("name a folder that is new or empty: --out DIR".into()),
        }
    }
}

/// The pages, and what was found while they were made.
#[derive(Debug)]
pub struct Site {
    /// The bytes of each file, by its path with `/`.
    pub files: BTreeMap<String, Vec<u8>>,
    /// What is wrong with the frozen versions. The pages say it too.
    pub problems: Vec<Diagnostic>,
    /// The verdict over the frozen versions.
    pub verdict: Verdict,
}

/// Makes every page.
///
/// # Errors
/// If a file of the repository cannot be read or is not of its form.
pub fn build(repo: &Repo) -> Result<Site, SiteError> {
    let report = proofs::verify(repo, &Options::default());
    let mut names: Vec<String> = version::frozen(repo)?
        .iter()
        .map(ToString::to_string)
        .collect();
    names.push(DRAFT.to_owned());

    let sources = names
        .iter()
        .map(|name| repo::read_text(&repo.path(&format!("spec/{name}/{}", spec::FILE))))
        .collect::<Result<Vec<_>, _>>()?;
    let mut editions = Vec::new();
    for (name, source) in names.iter().zip(&sources) {
        let proof = report.versions.iter().find(|found| found.version == *name);
        let changed = !editions.is_empty();
        editions.push(Edition::read(
            repo,
            name,
            Text::parse(source),
            proof,
            changed,
        )?);
    }

    let mut pages = Pages::default();
    pages.files.insert(STYLE.0.into(), STYLE.1.into());
    pages.files.insert(ICON.0.into(), ICON.1.into());
    for (at, edition) in editions.iter().enumerate() {
        let previous = at.checked_sub(1).and_then(|at| editions.get(at));
        of_edition(&mut pages, repo, edition, previous)?;
    }
    pages.page("index.html", pages::index::page(&editions, &report));

    let of_versions = report.versions.iter().flat_map(|found| &found.problems);
    let problems = of_versions.chain(&report.problems);
    Ok(Site {
        files: pages.files,
        problems: problems
            .map(|problem| (*problem.diagnostic).clone())
            .collect(),
        verdict: report.verdict,
    })
}

fn of_edition(
    pages: &mut Pages,
    repo: &Repo,
    edition: &Edition<'_>,
    previous: Option<&Edition<'_>>,
) -> Result<(), SiteError> {
    let name = &edition.name;
    let path = |path: &str| format!("{name}/{path}");
    pages.page(&path("index.html"), pages::text::page(edition));
    pages
        .files
        .insert(path(spec::FILE), edition.text.source.as_bytes().to_vec());
    for (at, rule) in edition.requirements.rules.iter().enumerate() {
        let markup = pages::rule::page(edition, at);
        pages.page(&path(&format!("rules/{}.html", rule.id)), markup);
    }
    let archive = archive::of(repo, name)?;
    pages.page(
        &path("vectors/index.html"),
        pages::vectors::all(edition, &archive),
    );
    pages.files.insert(path(&archive.file_name), archive.bytes);
    for file in &edition.vectors {
        let folder = path(&format!("vectors/{}", file.kind));
        pages.page(
            &format!("{folder}/index.html"),
            pages::vectors::of_kind(edition, file),
        );
        for (at, vector) in file.tests.iter().enumerate() {
            let markup = pages::vector::page(edition, file, at);
            pages.page(&format!("{folder}/{}.html", vector.id), markup);
        }
    }
    if !edition.checks.is_empty() {
        pages.page(&path("checks.html"), pages::checks::page(edition));
    }
    if let Some(previous) = previous {
        let found = diff(&previous.text, &edition.text);
        let markup = pages::changes::page(edition, previous, &found);
        pages.page(&path("changes.html"), markup);
    }
    if let Some(proof) = edition.proof {
        pages.page(&path("proof.html"), pages::proof::page(edition, proof));
    }
    Ok(())
}

#[derive(Default)]
struct Pages {
    files: BTreeMap<String, Vec<u8>>,
}

impl Pages {
    fn page(&mut self, path: &str, markup: maud::Markup) {
        self.files
            .insert(path.to_owned(), markup.into_string().into_bytes());
    }
}
