//! The specification text and what stands beside it.

pub mod coverage;
pub mod diff;
pub mod examples;
pub mod lint;
pub mod requirements;
pub mod rule_id;
pub mod rule_list;
pub mod text;
pub mod version;

use std::collections::BTreeSet;

use crate::repo::{self, Repo, RepoError};
use command_console::Diagnostic;
use examples::Example;
use lint::{Context, Previous, lint};
use rule_list::{RETIRED, RuleList};
use text::Text;
use version::Version;

/// Repository-relative path of the only text that is edited.
pub const DRAFT: &str = "spec/draft/capability-resolution.md";

/// The text's file name, the same in the draft and in every frozen version.
pub const FILE: &str = "capability-resolution.md";

/// Checks the draft against its own rules, the `examples` that are tested, and the last frozen version.
///
/// # Errors
/// If a file cannot be read.
pub fn lint_draft(repo: &Repo, examples: &[Example]) -> Result<Vec<Diagnostic>, RepoError> {
    let source = repo::read_text(&repo.path(DRAFT))?;
    let text = Text::parse(&source);
    let retired = RuleList::read(&repo.path(RETIRED), RETIRED)?;
    let previous = previous(repo)?;
    let mut findings = lint(
        &text,
        Context {
            path: DRAFT,
            directory: &repo.path("spec/draft"),
            examples,
            retired: &retired,
            previous: previous.as_ref(),
        },
    );
    findings.extend(retired.fault);
    Ok(findings)
}

/// What the last frozen version says about ids; `None` if nothing was frozen yet.
fn previous(repo: &Repo) -> Result<Option<Previous>, RepoError> {
    let Some(version) = version::frozen(repo)?.pop() else {
        return Ok(None);
    };
    let ids = rule_ids(&repo::read_text(&text_path(repo, &version))?);
    let file = format!("spec/{version}/retired-ids.toml");
    let retired = RuleList::read(&repo.path(&file), &file)?;
    let retired = retired.entries.into_iter().map(|entry| entry.id).collect();
    Ok(Some(Previous {
        version,
        ids,
        retired,
    }))
}

fn text_path(repo: &Repo, version: &Version) -> std::path::PathBuf {
    repo.path(&format!("spec/{version}/{FILE}"))
}

fn rule_ids(source: &str) -> BTreeSet<String> {
    Text::parse(source)
        .rules
        .into_iter()
        .map(|rule| rule.id)
        .collect()
}
