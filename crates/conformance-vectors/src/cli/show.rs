//! `conformance-vectors show`: one vector, side by side with the one that it was made from.

use std::fmt::Write as _;

use command_console::style::{BAD, BOLD, DIM, GOOD};
use command_console::{Console, Failure, Format, Outcome, visible};
use conformance_vectors::Vector;
use serde::Serialize;

use super::decode::{Part, parts};
use super::list::verdict;
use super::sections::section;
use super::select::{Source, Vectors};

/// How much of a long value is shown around what differs, in characters.
const AROUND: usize = 60;

/// The longest value that is shown whole, in characters.
const WHOLE: usize = 600;

/// Show one vector with its tokens taken apart, beside the vector that it was made from.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  conformance-vectors show token-spec-example-expired
  conformance-vectors show token-spec-example --format json")]
pub(super) struct Args {
    #[command(flatten)]
    source: Source,
    /// The vector.
    id: String,
    /// How it is written; long values are cut for people, for json see docs/schema/conformance-show.schema.json.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Shown<'v> {
    vector: &'v Vector,
    place: &'v str,
    parts: Vec<Part>,
    base: Option<&'v Vector>,
    base_parts: Option<Vec<Part>>,
}

pub(super) fn run(args: &Args, console: &mut Console) -> Result<Outcome, Failure> {
    let vectors = args.source.read()?;
    let vector = vectors.get(&args.id)?;
    let base = vector
        .derived_from
        .as_deref()
        .and_then(|id| vectors.suite.get(id));
    match args.format {
        Format::Human => console.text(&human(&vectors, vector, base)),
        Format::Json => console.json(&Shown {
            vector,
            place: vectors.place(&vector.id),
            parts: parts(vector),
            base,
            base_parts: base.map(parts),
        }),
    }
    Ok(Outcome::True)
}

/// Writing to a string cannot fail, so its results are dropped here.
fn human(vectors: &Vectors, vector: &Vector, base: Option<&Vector>) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{BOLD}{}{BOLD:#}: {}", vector.id, verdict(vector));
    let _ = writeln!(out, "{}\n", vector.comment);
    let mut fact = |name: &str, value: &str| {
        let _ = writeln!(out, "{name:9}  {value}");
    };
    for (at, rule) in vector.rules.iter().enumerate() {
        fact(
            if at == 0 { "rule" } else { "" },
            &format!("{rule} {}", section(rule)),
        );
    }
    fact("level", vector.level.as_str());
    fact("operation", vector.operation.name());
    if let Some(output) = &vector.output {
        fact(
            "output",
            &visible(&serde_json::to_string(output).unwrap_or_default()),
        );
    }
    fact("vector", vectors.place(&vector.id));
    match (base, &vector.derived_from) {
        (Some(base), _) => {
            let change = vector.mutation.as_deref().unwrap_or("one change");
            fact("made from", &format!("{} by {change}\n", base.id));
            let _ = writeln!(out, "{BAD}-{BAD:#} {}: {}", base.id, verdict(base));
            let _ = writeln!(out, "{GOOD}+{GOOD:#} {}: {}", vector.id, verdict(vector));
            beside(&mut out, &parts(base), &parts(vector));
        }
        (None, Some(missing)) => {
            fact(
                "made from",
                &format!("{missing}, which these vectors do not have"),
            );
            alone(&mut out, &parts(vector));
        }
        (None, None) => alone(&mut out, &parts(vector)),
    }
    out
}

fn alone(out: &mut String, parts: &[Part]) {
    for part in parts {
        same(out, part);
    }
}

/// Both, part by part; what is in one only stands under its sign.
fn beside(out: &mut String, base: &[Part], made: &[Part]) {
    for part in made {
        match base.iter().find(|other| other.name == part.name) {
            Some(other) if other.value == part.value => same(out, part),
            Some(other) => differs(out, &part.name, Some(&other.value), Some(&part.value)),
            None => differs(out, &part.name, None, Some(&part.value)),
        }
    }
    for part in base {
        if !made.iter().any(|other| other.name == part.name) {
            differs(out, &part.name, Some(&part.value), None);
        }
    }
}

fn same(out: &mut String, part: &Part) {
    let shown = visible(&cut(&part.value));
    let _ = writeln!(out, "\n{BOLD}{}{BOLD:#}\n  {DIM}{shown}{DIM:#}", part.name);
}

fn differs(out: &mut String, name: &str, base: Option<&str>, made: Option<&str>) {
    let _ = writeln!(out, "\n{BOLD}{name}{BOLD:#} differs");
    let (start, end) = match (base, made) {
        (Some(base), Some(made)) => common(base, made),
        _ => (0, 0),
    };
    for (sign, style, value) in [("-", BAD, base), ("+", GOOD, made)] {
        let Some(value) = value else { continue };
        let characters: Vec<char> = value.chars().collect();
        let (from, to) = (start, characters.len().saturating_sub(end));
        let of = |range: &[char]| visible(&range.iter().collect::<String>());
        let first = from.saturating_sub(AROUND);
        let last = (to + AROUND).min(characters.len());
        let before = of(&characters[first..from]);
        let changed = visible(&cut(&characters[from..to].iter().collect::<String>()));
        let after = of(&characters[to..last]);
        let (left, right) = (ellipsis(first > 0), ellipsis(last < characters.len()));
        let _ = writeln!(
            out,
            "{style}{sign}{style:#} {left}{before}{style}{changed}{style:#}{after}{right}"
        );
        let marks = "^".repeat(changed.chars().count().max(1));
        let indent = 2 + left.chars().count() + before.chars().count();
        let _ = writeln!(out, "{:indent$}{style}{marks}{style:#}", "");
    }
}

fn ellipsis(cut: bool) -> &'static str {
    if cut { "…" } else { "" }
}

/// How many characters two values share at their start, and at their end beside those.
fn common(a: &str, b: &str) -> (usize, usize) {
    let start = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    let left = a.chars().count().min(b.chars().count()) - start;
    let end = a
        .chars()
        .rev()
        .zip(b.chars().rev())
        .take(left)
        .take_while(|(a, b)| a == b)
        .count();
    (start, end)
}

/// At most [`WHOLE`] characters, and how many there are if that is not all.
fn cut(value: &str) -> String {
    let characters = value.chars().count();
    let kept: String = value.chars().take(WHOLE).collect();
    if WHOLE < characters {
        format!("{kept}… ({characters} characters)")
    } else {
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_two_values_share() {
        assert_eq!(common("abcd", "abxd"), (2, 1));
        assert_eq!(common("aa", "aaa"), (2, 0));
        assert_eq!(common("", "a"), (0, 0));
        assert_eq!(common("üa", "üb"), (1, 0));
    }

    #[test]
    fn a_long_value_is_cut_and_says_so() {
        assert_eq!(cut(&"ü".repeat(WHOLE)).chars().count(), WHOLE);
        assert!(cut(&"ü".repeat(WHOLE + 1)).ends_with("ü… (601 characters)"));
    }
}
