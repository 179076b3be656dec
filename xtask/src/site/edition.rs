//! An edition of the text, with everything that is known of its rules.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::layout::Part;
use super::vectors::{self, File, Vector};
use super::{DRAFT, SiteError};
use crate::proofs::report::VersionReport;
use crate::repo::{self, Repo};
use crate::spec::coverage::{CHECKS, Coverage};
use crate::spec::requirements::{Requirement, Requirements};
use crate::spec::rule_list::RuleList;
use crate::spec::text::Text;

/// A frozen version, or the draft.
#[derive(Debug)]
pub(super) struct Edition<'a> {
    /// The version, or `draft`: the name of its folders.
    pub(super) name: String,
    pub(super) text: Text<'a>,
    pub(super) requirements: Requirements,
    /// Of a frozen one.
    pub(super) proof: Option<&'a VersionReport>,
    pub(super) vectors: Vec<File>,
    /// Of the draft alone: the checker changes with it.
    pub(super) checks: Vec<Check>,
    /// Whether there is an edition before it to compare with.
    pub(super) changed: bool,
    /// The place of each vector: kind, and index in the file.
    places: BTreeMap<String, (usize, usize)>,
}

/// A check of an origin.
#[derive(Debug, Deserialize)]
pub(super) struct Check {
    pub(super) id: String,
    pub(super) expected: String,
    pub(super) level: String,
    pub(super) rules: Vec<String>,
    pub(super) section: String,
}

impl<'a> Edition<'a> {
    pub(super) fn read(
        repo: &Repo,
        name: &str,
        text: Text<'a>,
        proof: Option<&'a VersionReport>,
        changed: bool,
    ) -> Result<Self, SiteError> {
        let is_draft = name == DRAFT;
        let coverage = if is_draft {
            Coverage::read(repo)?
        } else {
            // Checks and tests are of the code as it is now, which follows the draft.
            Coverage::of_vectors(repo, &format!("test-vectors/{name}"))?
        };
        let path = format!("spec/{name}/not-observable.toml");
        let not_observable = RuleList::read(&repo.path(&path), &path)?;
        let vectors = vectors::read(repo, name)?;
        let mut places = BTreeMap::new();
        for (kind, file) in vectors.iter().enumerate() {
            let ids = file.tests.iter().enumerate();
            places.extend(ids.map(|(at, vector)| (vector.id.clone(), (kind, at))));
        }
        Ok(Self {
            name: name.to_owned(),
            requirements: Requirements::new(&text, coverage, &not_observable),
            text,
            proof,
            changed,
            vectors,
            checks: if is_draft { checks(repo)? } else { Vec::new() },
            places,
        })
    }

    pub(super) fn is_draft(&self) -> bool {
        self.name == DRAFT
    }

    /// The version that the text says it is.
    pub(super) fn version(&self) -> &str {
        self.requirements.version.as_deref().unwrap_or(&self.name)
    }

    /// Its name in a sentence.
    pub(super) fn title(&self) -> String {
        if self.is_draft() {
            format!("draft of {}", self.version())
        } else {
            self.name.clone()
        }
    }

    pub(super) fn has(&self, part: Part) -> bool {
        match part {
            Part::Text | Part::Vectors => true,
            Part::Checks => !self.checks.is_empty(),
            Part::Changes => self.changed,
            Part::Proof => self.proof.is_some(),
        }
    }

    pub(super) fn rule(&self, id: &str) -> Option<&Requirement> {
        self.requirements.rules.iter().find(|rule| rule.id == id)
    }

    /// The vector with this id, and its file.
    pub(super) fn vector(&self, id: &str) -> Option<(&File, &Vector)> {
        let (kind, at) = self.places.get(id)?;
        let file = self.vectors.get(*kind)?;
        Some((file, file.tests.get(*at)?))
    }

    pub(super) fn count(&self) -> usize {
        self.vectors.iter().map(|file| file.tests.len()).sum()
    }
}

fn checks(repo: &Repo) -> Result<Vec<Check>, SiteError> {
    let path = repo.path(CHECKS);
    if !path.exists() {
        return Ok(Vec::new());
    }
    serde_json::from_str(&repo::read_text(&path)?).map_err(|error| SiteError::Form {
        path: CHECKS.to_owned(),
        what: "checks",
        detail: error.to_string(),
    })
}

/// The id of a vector or a check that [`Cover::at`](crate::spec::requirements::Cover::at) names; `None` for a comment.
pub(super) fn listed(at: &str) -> Option<(&str, &str)> {
    let (path, id) = at.split_once('#')?;
    path.ends_with(".json").then_some((path, id))
}
