//! The flags of blocks, which belong to the `--endpoint` before them.

use clap::{Arg, ArgAction, ArgMatches, Command, Error, FromArgMatches};

/// Flag, name of the field, placeholder, help.
const FLAGS: [(&str, &str, &str, &str); 5] = [
    (
        "endpoint",
        "Endpoint",
        "URL",
        "The URL of a server. May be repeated; the four flags below belong to the one before them",
    ),
    (
        "jobs",
        "Jobs",
        "JOBS",
        "What it does: jobs of 3 to 200 characters, separated by semicolons. May be repeated",
    ),
    (
        "protocol",
        "Protocol",
        "WORD",
        "The protocol that it speaks [default: mcp]",
    ),
    (
        "sign-in",
        "Sign-in",
        "WORD",
        "Whether it asks callers to sign in: none or required",
    ),
    (
        "payment",
        "Payment",
        "WORD",
        "Whether it asks for payment: none or required",
    ),
];

/// The fields of all blocks in the order of the command line.
#[derive(Debug, Clone, Default)]
pub(super) struct BlockFlags(Vec<(&'static str, String)>);

impl BlockFlags {
    /// The lines to write, with the protocol where no flag names it.
    pub(super) fn lines(&self) -> Vec<(&'static str, &str)> {
        let mut lines = Vec::new();
        for block in self.0.chunk_by(|_, (name, _)| *name != "Endpoint") {
            lines.extend(block.iter().map(|(name, value)| (*name, value.as_str())));
            if block[0].0 == "Endpoint" && !block.iter().any(|(name, _)| *name == "Protocol") {
                lines.push(("Protocol", "mcp"));
            }
        }
        lines
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl clap::Args for BlockFlags {
    fn augment_args(command: Command) -> Command {
        command.args(FLAGS.map(|(flag, _, placeholder, help)| {
            let flag = Arg::new(flag).long(flag).value_name(placeholder).help(help);
            flag.action(ArgAction::Append)
        }))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for BlockFlags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut given: Vec<(usize, (&'static str, String))> = Vec::new();
        for (flag, name, _, _) in FLAGS {
            let values = matches.get_many::<String>(flag).into_iter().flatten();
            let places = matches.indices_of(flag).into_iter().flatten();
            given.extend(places.zip(values.map(|value| (name, value.clone()))));
        }
        given.sort_by_key(|(place, _)| *place);
        Ok(Self(given.into_iter().map(|(_, line)| line).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
