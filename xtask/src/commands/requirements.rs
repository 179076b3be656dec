//! `requirements`: every rule, and what covers it.

use std::fmt::Write;

use clap::ValueEnum;
use command_console::{Console, Diagnostic, Failure, Outcome};

use crate::repo::{self, Repo, RepoError};
use crate::spec;
use crate::spec::coverage::{Coverage, Kind};
use crate::spec::requirements::{Requirement, Requirements};
use crate::spec::rule_list::{NOT_OBSERVABLE, RuleList};
use crate::spec::text::Text;

/// Lists every rule of the draft with its section, its level, how it is tested and what covers it.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  cargo xtask requirements                 by section, and what nothing covers
  cargo xtask requirements --strict        fails unless every rule is covered or has a reason why none can
  cargo xtask requirements --format md     one table
  cargo xtask requirements --format json   for programs")]
pub struct Args {
    /// How the list is written; for json see docs/schema/requirements.schema.json.
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    /// Fail also where nothing covers a rule, where a way of testing that its marker promises is missing, and where a
    /// reason is thin.
    #[arg(long)]
    pub strict: bool,
}

/// How the list is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Format {
    /// By section, for people.
    #[default]
    Human,
    /// One JSON value for programs.
    Json,
    /// A Markdown table.
    Md,
}

/// Runs the command: true if nothing is wrong with the citations and reasons, and with `--strict` nothing is missing.
///
/// # Errors
/// If a file cannot be read.
pub fn run(args: &Args, console: &mut Console) -> Result<Outcome, Failure> {
    let requirements = read(&Repo::find()?)?;
    match args.format {
        Format::Json => console.json(&requirements),
        Format::Md => console.data(markdown(&requirements).trim_end()),
        Format::Human => console.data(human(&requirements)),
    }
    if args.format != Format::Json {
        for finding in findings(&requirements, args.strict) {
            console.talk(format_args!("\n{finding}"));
        }
    }
    Ok(Outcome::from_bool(
        findings(&requirements, args.strict).next().is_none(),
    ))
}

/// The requirements of the draft.
///
/// # Errors
/// If a file cannot be read.
pub fn read(repo: &Repo) -> Result<Requirements, RepoError> {
    let source = repo::read_text(&repo.path(spec::DRAFT))?;
    let not_observable = RuleList::read(&repo.path(NOT_OBSERVABLE), NOT_OBSERVABLE)?;
    Ok(Requirements::new(
        &Text::parse(&source),
        Coverage::read(repo)?,
        &not_observable,
    ))
}

/// What is wrong; with `strict` also what is missing.
pub fn findings(requirements: &Requirements, strict: bool) -> impl Iterator<Item = &Diagnostic> {
    let strict = if strict {
        requirements.strict_findings.as_slice()
    } else {
        &[]
    };
    requirements.findings.iter().chain(strict)
}

fn human(requirements: &Requirements) -> String {
    let mut text = String::new();
    let width = requirements
        .rules
        .iter()
        .map(|rule| rule.id.len())
        .max()
        .unwrap_or(0);
    let mut section = None;
    for rule in &requirements.rules {
        if section != Some(&rule.section) {
            let gap = if section.is_some() { "\n" } else { "" };
            section = Some(&rule.section);
            text.push_str(&format!(
                "{gap}\u{a7}{} {}\n",
                rule.section, rule.section_title
            ));
        }
        text.push_str(&format!(
            "  {:width$}  {:6}  {:15}  {}\n",
            rule.id,
            level(rule),
            ways(rule),
            covered(rule)
        ));
    }
    if !requirements.uncovered.is_empty() {
        let _ = write!(
            text,
            "\nCovered by nothing:\n  {}\n",
            requirements.uncovered.join("\n  ")
        );
    }
    let seen = requirements
        .rules
        .iter()
        .filter(|rule| !rule.covered_by.is_empty())
        .count();
    let unseen = requirements
        .rules
        .iter()
        .filter(|rule| rule.not_observable.is_some())
        .count();
    let _ = write!(
        text,
        "\n{} rules: {seen} covered, {unseen} not observable for the reasons given, {} covered by nothing",
        requirements.rules.len(),
        requirements.uncovered.len()
    );
    text
}

fn markdown(requirements: &Requirements) -> String {
    let mut text = String::from(
        "| Rule | Section | Level | Tested by | Covered by |\n|---|---|---|---|---|\n",
    );
    for rule in &requirements.rules {
        let (id, section, level) = (&rule.id, &rule.section, level(rule));
        let _ = writeln!(
            text,
            "| `{id}` | \u{a7}{section} | {level} | {} | {} |",
            ways(rule),
            covered(rule)
        );
    }
    text
}

fn level(rule: &Requirement) -> String {
    rule.level
        .map_or_else(|| "?".to_owned(), |level| level.to_string())
}

fn ways(rule: &Requirement) -> String {
    let ways: Vec<_> = rule.tested.iter().map(ToString::to_string).collect();
    ways.join(", ")
}

fn covered(rule: &Requirement) -> String {
    if let Some(reason) = &rule.not_observable {
        return format!("not observable: {reason}");
    }
    let counted = [
        (Kind::Vector, "vector"),
        (Kind::Check, "check"),
        (Kind::Test, "test"),
    ];
    let mut parts: Vec<_> = counted
        .iter()
        .map(|(kind, word)| (rule.count(*kind), word))
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| {
            if count == 1 {
                format!("1 {word}")
            } else {
                format!("{count} {word}s")
            }
        })
        .collect();
    if parts.is_empty() {
        return "nothing".to_owned();
    }
    let missing = rule.missing();
    parts.extend(
        counted
            .iter()
            .filter(|(kind, _)| missing.contains(kind))
            .map(|(_, word)| format!("no {word} yet")),
    );
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# T\n\nVersion: 0.2\n\n## 1. One\n\nr[a.b | vector, test]\nThis MUST be.\n\n\
                        r[a.c | none]\nThat SHOULD be.\n\n## 2. Two\n\nr[a.d | check]\nOther MAY be.\n";

    #[test]
    fn all_three_forms() {
        let directory = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = directory.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write(spec::DRAFT, TEXT);
        write(
            NOT_OBSERVABLE,
            "[[rule]]\nid = \"a.c\"\nreason = \"Nobody outside can see what it decides.\"\n",
        );
        write(
            "test-vectors/draft/v.json",
            r#"[{"id": "one", "rules": ["a.b"]}, {"id": "two", "rules": ["a.b"]}]"#,
        );
        write("crates/x/src/lib.rs", "// r[a.d]\n");
        write("proof/README.md", "");
        let requirements = read(&Repo::find_from(directory.path()).unwrap()).unwrap();
        insta::assert_snapshot!("human", human(&requirements));
        insta::assert_snapshot!("markdown", markdown(&requirements));
        insta::assert_snapshot!("json", serde_json::to_string_pretty(&requirements).unwrap());
        assert_eq!(findings(&requirements, false).count(), 0);
        assert_eq!(findings(&requirements, true).count(), 3);
    }
}
