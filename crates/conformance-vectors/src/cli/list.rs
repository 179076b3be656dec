//! `conformance-vectors list`: which vectors there are.

use std::fmt::Write as _;

use command_console::style::DIM;
use command_console::{Console, Failure, Format, Outcome};
use conformance_vectors::{Level, Operation, Vector, Verdict};
use serde::Serialize;

use super::sections::section;
use super::select::{Only, Source};

/// List the vectors: id, verdict, and the rule that decides.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  conformance-vectors list
  conformance-vectors list --only token.signature
  conformance-vectors list --format json")]
pub(super) struct Args {
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    only: Only,
    /// How the list is written; for json see docs/schema/conformance-list.schema.json.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Entry<'v> {
    id: &'v str,
    comment: &'v str,
    rules: &'v [String],
    level: Level,
    derived_from: Option<&'v str>,
    mutation: Option<&'v str>,
    operation: Operation,
    result: Verdict,
    reason: Option<&'v str>,
    place: &'v str,
}

pub(super) fn run(args: &Args, console: &mut Console) -> Result<Outcome, Failure> {
    let vectors = args.source.read()?;
    let selected = vectors.select(&args.only)?;
    match args.format {
        Format::Human => console.text(&human(&selected)),
        Format::Json => {
            let entries = selected.iter().map(|vector| Entry {
                id: &vector.id,
                comment: &vector.comment,
                rules: &vector.rules,
                level: vector.level,
                derived_from: vector.derived_from.as_deref(),
                mutation: vector.mutation.as_deref(),
                operation: vector.operation,
                result: vector.result,
                reason: vector.reason.as_deref(),
                place: vectors.place(&vector.id),
            });
            console.json(&entries.collect::<Vec<_>>());
        }
    }
    Ok(Outcome::True)
}

fn human(vectors: &[&Vector]) -> String {
    let width = |of: fn(&Vector) -> usize| vectors.iter().map(|v| of(v)).max().unwrap_or(0);
    let ids = width(|vector| vector.id.len());
    let verdicts = width(|vector| verdict(vector).len());
    let mut out = String::new();
    for vector in vectors {
        let rule = vector.rules.first().map_or("", String::as_str);
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "{:ids$}  {:verdicts$}  {rule} {DIM}{}{DIM:#}",
            vector.id,
            verdict(vector),
            section(rule)
        );
    }
    out
}

/// The right answer in a word or two.
pub(super) fn verdict(vector: &Vector) -> String {
    match &vector.reason {
        Some(reason) => format!("{} {reason}", vector.result),
        None => vector.result.to_string(),
    }
}
