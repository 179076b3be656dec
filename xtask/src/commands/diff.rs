//! `diff`: what changed between two versions.

use std::fmt;
use std::fmt::Write;
use std::str::FromStr;

use anstyle::{AnsiColor, Style};
use command_console::{Console, Diagnostic, Failure, Format, Outcome};
use serde::Serialize;

use crate::repo::{self, Repo};
use crate::spec;
use crate::spec::diff::{Diff, RuleState, Stretch, diff};
use crate::spec::rule_list::RuleList;
use crate::spec::text::Text;
use crate::spec::version::{self, Version, VersionError};

/// Shows what changed between two versions, rule by rule: added, removed, changed, moved to another section.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  cargo xtask diff 0.2 draft                 what the draft changes, [-removed words-] {+added words+}
  cargo xtask diff 0.2-rc.1 0.2-rc.2 --format json")]
pub struct Args {
    /// The earlier version, or `draft`.
    pub from: Edition,
    /// The later version, or `draft`.
    pub to: Edition,
    /// How the differences are written; for json see docs/schema/diff.schema.json.
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// A version, or the draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edition {
    /// `spec/draft`.
    Draft,
    /// `spec/<version>`.
    Version(Version),
}

impl FromStr for Edition {
    type Err = VersionError;

    fn from_str(text: &str) -> Result<Self, VersionError> {
        if text == "draft" {
            Ok(Self::Draft)
        } else {
            text.parse().map(Self::Version)
        }
    }
}

impl fmt::Display for Edition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Draft => f.write_str("draft"),
            Self::Version(version) => version.fmt(f),
        }
    }
}

/// docs/schema/diff.schema.json.
#[derive(Serialize)]
struct Report<'a> {
    from: String,
    to: String,
    #[serde(flatten)]
    diff: &'a Diff,
}

/// Runs the command: true, whether or not there are differences.
///
/// # Errors
/// If a text cannot be read.
pub fn run(args: &Args, console: &mut Console) -> Result<Outcome, Failure> {
    let repo = Repo::find()?;
    let (from, to) = (read(&repo, &args.from)?, read(&repo, &args.to)?);
    let diff = diff(&Text::parse(&from), &Text::parse(&to));
    let retired = format!("spec/{}/retired-ids.toml", args.to);
    let retired = RuleList::read(&repo.path(&retired), &retired)?;
    match args.format {
        Format::Json => {
            console.json(&Report {
                from: args.from.to_string(),
                to: args.to.to_string(),
                diff: &diff,
            });
        }
        Format::Human => console.data(human(&diff, &args.from, &args.to, &retired).trim_end()),
    }
    Ok(Outcome::True)
}

fn read(repo: &Repo, edition: &Edition) -> Result<String, Failure> {
    let path = repo.path(&format!("spec/{edition}/{}", spec::FILE));
    if path.exists() {
        return Ok(repo::read_text(&path)?);
    }
    let known: Vec<_> = version::frozen(repo)?
        .iter()
        .map(|version| format!("{version}, "))
        .collect();
    let message = format!("there is no version {edition}");
    Err(Failure::new(
        Diagnostic::error("unknown-version", message)
            .help(format!("known: {}draft", known.concat())),
    ))
}

const BOLD: Style = Style::new().bold();
const REMOVED: Style = AnsiColor::Red.on_default();
const ADDED: Style = AnsiColor::Green.on_default();

fn human(diff: &Diff, from: &Edition, to: &Edition, retired: &RuleList) -> String {
    let Diff {
        added,
        removed,
        changed,
        moved,
        unchanged,
        explanation_differs,
    } = diff;
    let mut text = format!(
        "{BOLD}{from} -> {to}{BOLD:#}: {} added, {} removed, {} changed, {} moved, {unchanged} unchanged\n",
        added.len(),
        removed.len(),
        changed.len(),
        moved.len(),
    );
    if *explanation_differs {
        text.push_str("The text outside of rules differs too.\n");
    }
    for rule in added {
        let _ = writeln!(
            text,
            "\n{BOLD}added{BOLD:#}   {}\n{}",
            head(rule),
            wrapped(&rule.text)
        );
    }
    for rule in removed {
        let _ = writeln!(
            text,
            "\n{BOLD}removed{BOLD:#} {}\n{}",
            head(rule),
            wrapped(&rule.text)
        );
        if let Some(reason) = retired.reason(&rule.id) {
            let _ = writeln!(text, "{}", wrapped(&format!("Retired: {reason}")));
        }
    }
    for change in changed {
        let _ = writeln!(text, "\n{BOLD}changed{BOLD:#} {}", head(&change.to));
        if change.from.level != change.to.level {
            let _ = writeln!(
                text,
                "    level: {} -> {}",
                level(&change.from),
                level(&change.to)
            );
        }
        if change.from.tested != change.to.tested {
            let _ = writeln!(
                text,
                "    tested by: {} -> {}",
                tested(&change.from),
                tested(&change.to)
            );
        }
        if change.from.text != change.to.text {
            let _ = writeln!(text, "{}", wrapped(&marked(&change.words)));
        }
    }
    for rule in moved {
        let _ = writeln!(
            text,
            "\n{BOLD}moved{BOLD:#}   {}  {} -> {}",
            rule.id, rule.from, rule.to
        );
    }
    text
}

fn head(rule: &RuleState) -> String {
    format!(
        "{}  {}  {}  by {}",
        rule.id,
        rule.section,
        level(rule),
        tested(rule)
    )
}

fn level(rule: &RuleState) -> String {
    rule.level
        .map_or_else(|| "no level".to_owned(), |level| level.to_string())
}

fn tested(rule: &RuleState) -> String {
    let tested: Vec<_> = rule.tested.iter().map(ToString::to_string).collect();
    tested.join(", ")
}

/// The words with brackets around what differs, which say it without colour too.
fn marked(words: &[Stretch]) -> String {
    let marked = words.iter().map(|stretch| match stretch {
        Stretch::Kept(words) => words.clone(),
        Stretch::Removed(words) => format!("{REMOVED}[-{words}-]{REMOVED:#}"),
        Stretch::Added(words) => format!("{ADDED}{{+{words}+}}{ADDED:#}"),
    });
    marked.collect::<Vec<_>>().join(" ")
}

/// Breaks words into indented lines of about 100 characters; styles have no width.
fn wrapped(words: &str) -> String {
    const WIDTH: usize = 100;
    let mut text = String::from("   ");
    let mut column = 3;
    for word in words.split(' ') {
        let width = anstream::adapter::strip_str(word)
            .to_string()
            .chars()
            .count();
        if column + 1 + width > WIDTH && column > 3 {
            text.push_str("\n   ");
            column = 3;
        }
        text.push(' ');
        text.push_str(word);
        column += 1 + width;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = "# T\n\nVersion: 0.1\n\n## 1. One\n\nr[a.b | vector]\nThis MUST be as it is.\n\n\
                       r[a.c | test]\nThat MAY be.\n\nr[a.d | test]\nGone it MUST be.\n\nWhy.\n";
    const NEW: &str = "# T\n\nVersion: 0.2\n\n## 1. One\n\nr[a.b | vector, test]\nThis SHOULD be as it was:\n\n\
                       - a long list\n- of things that go on until the line has to be broken, which it has to be here.\n\n\
                       ## 2. Two\n\nr[a.c | test]\nThat MAY be.\n\nr[a.e | none]\nNew it MUST be.\n\nWhy not.\n";

    #[test]
    fn every_kind_of_difference() {
        let found = diff(&Text::parse(OLD), &Text::parse(NEW));
        let retired = "[[rule]]\nid = \"a.d\"\nreason = \"Nobody needed it.\"\n";
        let retired = RuleList::parse(retired.into(), "x.toml");
        let (from, to) = (Edition::Version("0.1".parse().unwrap()), Edition::Draft);
        let shown = human(&found, &from, &to, &retired);
        insta::assert_snapshot!("human", anstream::adapter::strip_str(&shown).to_string());
        let report = Report {
            from: from.to_string(),
            to: to.to_string(),
            diff: &found,
        };
        insta::assert_snapshot!("json", serde_json::to_string_pretty(&report).unwrap());
    }
}
