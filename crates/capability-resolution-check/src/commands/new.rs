//! `capability-resolution-check new`: writes a capabilities.txt from flags or from answers.

mod draft;
mod error;
mod flags;
mod questions;

use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use capabilities_txt::{PublicSuffixes, Scope};
use command_console::{Console, Failure, Outcome};

use crate::input;
use draft::Draft;
use error::NewError;
use flags::BlockFlags;
use questions::Questions;

/// For how many days a file holds if nobody says it: half a year.
const DAYS: u32 = 182;

/// Write a capabilities.txt: asks on a terminal for what no flag says, and writes no file that is not valid.
///
/// Each answer is judged as the command `file` does. Exit code 0: it is written; 1: the flags make no valid file; 2: it
/// could not be written, the questions were not answered, or the command line is wrong.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  capability-resolution-check new
  capability-resolution-check new --host example.com \\
      --contact mailto:tools@example.com -o capabilities.txt
  capability-resolution-check new --host example.com \\
      --contact mailto:tools@example.com --expires-in 120 \\
      --resolvers '*, -https://unwanted.example' \\
      --endpoint https://mail.example.com/mcp \\
      --jobs 'send a transactional email; look up a delivery status' \\
      --endpoint https://maps.example.com/mcp --jobs 'find a route' \\
      --sign-in required --payment none")]
pub(crate) struct Args {
    /// The host that will serve the file. It speaks for servers on this host and on those below it.
    #[arg(long, value_name = "HOST")]
    host: Option<String>,
    /// Whom to ask about the file: a mailto:, https: or tel: URI. May be repeated.
    #[arg(long = "contact", value_name = "URI")]
    contacts: Vec<String>,
    /// Which resolvers may list the servers: *, none, or origins separated by commas, those with a - before them not.
    #[arg(long, value_name = "LIST")]
    resolvers: Option<String>,
    /// For how many days from now the file holds.
    #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u32).range(1..=36_500))]
    expires_in: Option<u32>,
    #[command(flatten)]
    blocks: BlockFlags,
    /// Where to write the file; without it, to standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write over a file that exists.
    #[arg(long)]
    force: bool,
    /// Ask on standard error and read answers from standard input, also where that is no terminal.
    #[arg(long)]
    ask: bool,
    /// The moment from which days are counted; without it, the clock of this computer says it.
    #[arg(long, value_name = "RFC3339")]
    now: Option<String>,
}

pub(crate) fn run(args: &Args, console: &mut Console) -> Result<Outcome, Failure> {
    let (now, _) = input::now(args.now.as_deref())?;
    if let Some(path) = &args.output
        && !args.force
        && path.symlink_metadata().is_ok()
    {
        return Err(NewError::Exists(path.clone()).into());
    }
    let complete = args.host.is_some() && !args.contacts.is_empty();
    let asks = args.ask || !complete && io::stdin().is_terminal();
    let mut questions = asks.then(|| Questions::new(io::stdin().lock()));
    let host = match (&args.host, &mut questions) {
        (Some(host), _) => input::host(host)?,
        (None, Some(questions)) => questions.host(console)?,
        (None, None) => return Err(NewError::NoHost.into()),
    };
    let scope = Scope::new(host, &PublicSuffixes::compiled_in());
    let path = args.output.as_deref().unwrap_or(Path::new("<new>"));
    let mut draft = Draft::new(&scope, now, path.display().to_string());
    let pushed = flags(args, asks, &mut draft, console);
    let sound = draft.judge(asks, console) && pushed;
    if sound && let Some(questions) = &mut questions {
        questions.rest(args, &mut draft, console)?;
    }
    let Some(text) = draft.to_text()?.filter(|_| sound) else {
        return Ok(Outcome::False);
    };
    let written = match &args.output {
        None => {
            console.text(&text);
            String::new()
        }
        Some(path) => {
            write(path, &text, args.force)?;
            format!("Wrote {}. ", path.display())
        }
    };
    let host = scope.host();
    console.talk(format_args!(
        "{written}Serve it as text/plain at https://{host}/.well-known/capabilities.txt"
    ));
    Ok(Outcome::True)
}

/// Takes what the flags say into the draft, and what holds without them if nobody is asked. Whether each value is one
/// line.
fn flags(args: &Args, asks: bool, draft: &mut Draft<'_>, console: &mut Console) -> bool {
    let mut pushed = true;
    let now = draft.now();
    let mut push = |name: &str, value: &str| pushed &= draft.push(name, value, console);
    for contact in &args.contacts {
        push("Contact", contact);
    }
    if args.expires_in.is_some() || !asks {
        push(
            "Expires",
            &draft::expires(now, args.expires_in.unwrap_or(DAYS)),
        );
    }
    if args.resolvers.is_some() || !asks {
        push("Resolvers", args.resolvers.as_deref().unwrap_or("*"));
    }
    for (name, value) in args.blocks.lines() {
        push(name, value);
    }
    pushed
}

/// Writes the whole file or none: beside its place first, then to it in one step.
fn write(path: &Path, text: &str, force: bool) -> Result<(), NewError> {
    let failed = |source: io::Error| match source.kind() {
        io::ErrorKind::AlreadyExists => NewError::Exists(path.to_owned()),
        // Without the name of the file that is written first.
        kind => NewError::File {
            path: path.to_owned(),
            source: kind.into(),
        },
    };
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let mut builder = tempfile::Builder::new();
    // Web servers read it; the process's umask takes from these permissions.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder
        .tempfile_in(folder.unwrap_or(Path::new(".")))
        .map_err(failed)?;
    file.write_all(text.as_bytes()).map_err(failed)?;
    file.as_file().sync_all().map_err(failed)?;
    let kept = if force {
        file.persist(path)
    } else {
        file.persist_noclobber(path)
    };
    kept.map(|_| ()).map_err(|kept| failed(kept.error))
}
