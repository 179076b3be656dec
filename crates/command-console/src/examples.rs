//! The examples in help texts, for tests that each can be run.

/// For a test of a program: whether its command line is consistent, every command shows examples, and it takes each.
///
/// # Errors
/// The name of a command that shows no examples, or an example that cannot be split, or that the program does not take.
///
/// # Panics
/// Where clap finds that the command line contradicts itself, in a build with debug assertions.
pub fn check_examples<P: clap::Parser>() -> Result<(), String> {
    let program = P::command();
    program.clone().debug_assert();
    for example in examples(&program)? {
        P::try_parse_from(&example).map_err(|error| format!("{}: {error}", example.join(" ")))?;
    }
    Ok(())
}

/// The command lines that help texts show as examples. Each begins with the name of the program. Every command has some
/// but one that has commands below it and takes no argument itself, which may have none.
///
/// What a shell would do around the command (`|`, `<`, `>`, `#`), and a remark behind two spaces, is left out.
fn examples(program: &clap::Command) -> Result<Vec<Vec<String>>, String> {
    let mut found = Vec::new();
    collect(program.get_name(), program, &mut found)?;
    Ok(found)
}

fn collect(
    program: &str,
    command: &clap::Command,
    found: &mut Vec<Vec<String>>,
) -> Result<(), String> {
    command
        .get_subcommands()
        .filter(|below| below.get_name() != "help")
        .try_for_each(|below| collect(program, below, found))?;
    let help = command.get_after_help().map(ToString::to_string);
    let is_only_above = command.has_subcommands() && command.get_positionals().next().is_none();
    if help.is_none() && is_only_above {
        return Ok(());
    }
    let examples = help
        .as_deref()
        .and_then(|help| help.strip_prefix("Examples:\n"))
        .filter(|examples| !examples.trim().is_empty())
        .ok_or_else(|| format!("{} shows no examples", command.get_name()))?;
    let mut joined = String::new();
    // Behind an empty line stands something else.
    for line in examples.lines().take_while(|line| !line.trim().is_empty()) {
        match line.trim().strip_suffix('\\') {
            Some(begun) => joined.push_str(begun),
            None => {
                joined.push_str(line.trim());
                found.push(words(program, &joined)?);
                joined.clear();
            }
        }
    }
    if joined.is_empty() {
        Ok(())
    } else {
        Err(format!("{joined} goes on and ends"))
    }
}

fn words(program: &str, example: &str) -> Result<Vec<String>, String> {
    let (_, own) = example
        .split_once(program)
        .ok_or_else(|| format!("{example} does not name {program}"))?;
    // A longer name, such as that of an alias, is the same program.
    let own = own.trim_start_matches(|c: char| !c.is_whitespace());
    let own = own.trim().split("  ").next().unwrap_or_default();
    let words = shlex::split(own).ok_or_else(|| format!("{example} cannot be split"))?;
    let own = words
        .into_iter()
        .take_while(|word| !matches!(word.as_str(), "|" | "<" | ">"));
    Ok(std::iter::once(program.to_owned()).chain(own).collect())
}

#[cfg(test)]
mod tests {
    use clap::Command;

    use super::*;

    fn with(help: &'static str) -> Command {
        Command::new("tool")
            .subcommand(Command::new("a").after_help(help))
            .subcommand(Command::new("b").after_help("Examples:\n  tool b"))
    }

    #[test]
    fn command_lines_without_what_stands_around_them() {
        let help = "Examples:\n  tool a\n  tool a 'x y' \\\n      --z     a remark\n  cat f | tool-beta a - > out\n\nAnd more.";
        assert_eq!(
            examples(&with(help)).unwrap(),
            [
                vec!["tool", "a"],
                vec!["tool", "a", "x y", "--z"],
                vec!["tool", "a", "-"],
                vec!["tool", "b"],
            ]
        );
    }

    #[test]
    fn a_command_with_others_below_it_shows_its_own() {
        let above = |help: &'static str| with("Examples:\n  tool a").after_help(help);
        let of = |command: &Command| examples(command).map(|found| found.len());
        assert_eq!(of(&above("Examples:\n  tool a 1\n  tool b 2")), Ok(4));
        assert_eq!(
            of(&above("More.")),
            Err("tool shows no examples".to_owned())
        );
        let runs = with("Examples:\n  tool a").arg(clap::Arg::new("url"));
        assert_eq!(of(&runs), Err("tool shows no examples".to_owned()));
    }

    #[derive(Debug, clap::Parser)]
    #[command(
        name = "tool",
        after_help = "Examples:\n  tool --z 1\n  tool --z 2 # one\n  tool --y"
    )]
    struct Tool {
        #[arg(long)]
        z: Option<u8>,
    }

    #[test]
    fn an_example_that_is_not_taken_is_said() {
        let said = check_examples::<Tool>().unwrap_err();
        assert!(
            said.starts_with("tool --y: error: unexpected argument"),
            "{said}"
        );
    }

    #[test]
    fn what_is_missing_is_said() {
        for (help, said) in [
            ("", "a shows no examples"),
            ("Examples:\n", "a shows no examples"),
            ("Examples:\n  other a", "other a does not name tool"),
            ("Examples:\n  tool 'a", "tool 'a cannot be split"),
            ("Examples:\n  tool a \\", "tool a  goes on and ends"),
        ] {
            assert_eq!(examples(&with(help)), Err(said.to_owned()), "{help}");
        }
    }
}
