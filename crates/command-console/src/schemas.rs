//! The schemas in help texts, for tests that every output in JSON has one.

use std::collections::BTreeSet;
use std::path::Path;

/// For a test of a program: whether every output in JSON names its schema in the help, and the schema is in the repository
/// whose root this is.
///
/// # Errors
/// The name of a command that writes JSON and names no schema, or a schema that is not there.
pub fn check_schemas<P: clap::CommandFactory>(root: impl AsRef<Path>) -> Result<(), String> {
    for schema in schemas(&P::command())? {
        if !root.as_ref().join(&schema).is_file() {
            return Err(format!("{schema} is not there"));
        }
    }
    Ok(())
}

/// The schemas, `docs/schema/NAME.schema.json`, that help texts name. Every argument that takes `json` as a value names
/// one, in its own help or in that of the value.
fn schemas(program: &clap::Command) -> Result<BTreeSet<String>, String> {
    let mut found = BTreeSet::new();
    collect(program, &mut found)?;
    Ok(found)
}

fn collect(command: &clap::Command, found: &mut BTreeSet<String>) -> Result<(), String> {
    for argument in command.get_arguments() {
        let values = argument.get_possible_values();
        let Some(json) = values.iter().find(|value| value.get_name() == "json") else {
            continue;
        };
        let helps = [
            argument.get_help(),
            argument.get_long_help(),
            json.get_help(),
        ];
        let text: Vec<_> = helps
            .into_iter()
            .flatten()
            .map(ToString::to_string)
            .collect();
        let named = named(&text.join(" "));
        if named.is_empty() {
            let name = command.get_name();
            return Err(format!("{name} writes JSON and names no schema"));
        }
        found.extend(named);
    }
    command
        .get_subcommands()
        .try_for_each(|below| collect(below, found))
}

fn named(help: &str) -> Vec<String> {
    help.split_whitespace()
        .map(|word| word.trim_end_matches(['.', ',', ';']))
        .filter(|word| word.starts_with("docs/schema/") && word.ends_with(".schema.json"))
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use clap::builder::PossibleValue;
    use clap::{Arg, Command};

    use super::*;

    fn with(help: &'static str, help_of_json: &'static str) -> Command {
        let values = [
            PossibleValue::new("human").help("docs/schema/human.schema.json"),
            PossibleValue::new("json").help(help_of_json),
        ];
        let format = Arg::new("format").help(help).value_parser(values);
        Command::new("tool").subcommand(Command::new("a").arg(format))
    }

    fn found(command: &Command) -> Vec<String> {
        schemas(command).unwrap().into_iter().collect()
    }

    #[test]
    fn a_schema_is_named_by_the_argument_or_by_its_value() {
        let by_argument =
            "How; for json see docs/schema/a.schema.json, else docs/schema/b.schema.json.";
        let both = ["docs/schema/a.schema.json", "docs/schema/b.schema.json"];
        assert_eq!(found(&with(by_argument, "")), both);
        assert_eq!(
            found(&with("How.", "As docs/schema/a.schema.json")),
            both[..1]
        );
    }

    #[test]
    fn json_without_a_schema_is_an_error() {
        let said = Err("a writes JSON and names no schema".to_owned());
        assert_eq!(schemas(&with("How.", "docs/schema/a.json")), said);
    }

    #[test]
    fn what_writes_no_json_needs_none() {
        let format = Arg::new("format").value_parser(["human", "junit"]);
        assert_eq!(
            schemas(&Command::new("tool").arg(format)),
            Ok(BTreeSet::new())
        );
    }
}
