//! `capability-resolver init`: the folder of a new resolver.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use capability_resolution::Time;
use command_console::style::{BOLD, DIM};
use command_console::{Console, Diagnostic, Explain, Failure, Outcome};

use crate::cli::Global;
use crate::config::{Config, EXAMPLE_ORIGIN, FILE_NAME, check_contact, check_name, parse_issuer};
use crate::file::{self, Access, folder_of};
use crate::keys::{KeyError, Keys};

/// Make the folder of a new resolver: settings, a key, a policy and a changelog to edit.
///
/// The folder appears whole or not at all. One that holds something is left as it is.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  capability-resolver init resolver
  capability-resolver init resolver --origin https://resolver.example.org \\
      --contact mailto:tools@example.org --name Resolver")]
pub(crate) struct Args {
    /// The folder: a new one, or one that is empty.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Who the resolver is; can be changed until it has answered somebody.
    #[arg(long, value_name = "ORIGIN", default_value = EXAMPLE_ORIGIN, value_parser = origin)]
    origin: String,
    /// Its name for people; without it the host of the origin.
    #[arg(long, value_name = "NAME", value_parser = name)]
    name: Option<String>,
    /// An https or mailto URL where you are reached; without it the origin's policy.
    #[arg(long, value_name = "URL", value_parser = contact)]
    contact: Option<String>,
}

/// Why there is no new folder.
#[derive(Debug, thiserror::Error)]
pub(super) enum InitError {
    #[error("{} is there already, and holds something", folder.display())]
    Exists { folder: PathBuf },
    #[error("cannot make {}", folder.display())]
    Unwritable { folder: PathBuf, source: io::Error },
}

impl Explain for InitError {
    fn code(&self) -> &'static str {
        match self {
            Self::Exists { .. } => "folder-exists",
            Self::Unwritable { .. } => "folder-unwritable",
        }
    }

    fn help(&self) -> Option<String> {
        matches!(self, Self::Exists { .. })
            .then(|| "nothing was changed; give another folder".to_owned())
    }
}

pub(crate) fn run(args: &Args, global: &Global, console: &mut Console) -> Result<Outcome, Failure> {
    let folder = &args.folder;
    let unwritable = |source| InitError::Unwritable {
        folder: folder.clone(),
        source,
    };
    refuse_existing(folder)?;
    let parent = folder_of(folder);
    fs::create_dir_all(parent).map_err(unwritable)?;
    file::sweep(parent);
    // A folder beside it takes its name once it is whole.
    let (new, _hold) = file::new_folder(parent).map_err(unwritable)?;
    let kid = fill(new.path(), folder, args, global.now())?;
    let new = new.keep();
    if let Err(source) = take_name(&new, folder) {
        // What is left behind can only be told of.
        let _ = fs::remove_dir_all(&new);
        refuse_existing(folder)?;
        return Err(unwritable(source).into());
    }
    tell(folder, args, &kid, console);
    Ok(Outcome::True)
}

/// A name that is free, or that of an empty folder.
fn refuse_existing(folder: &Path) -> Result<(), InitError> {
    let empty = match fs::read_dir(folder) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    };
    if empty {
        Ok(())
    } else {
        Err(InitError::Exists {
            folder: folder.to_owned(),
        })
    }
}

/// The folder of a resolver that nobody is meant to keep.
pub(super) fn temporary(folder: &Path, name: &str, now: Time) -> Result<(), Failure> {
    let args = Args {
        folder: folder.to_owned(),
        origin: EXAMPLE_ORIGIN.to_owned(),
        name: Some(name.to_owned()),
        contact: None,
    };
    fill(folder, folder, &args, now).map(drop)
}

/// The files; says the kid of the key. `shown` is what the folder is going to be called.
fn fill(folder: &Path, shown: &Path, args: &Args, now: Time) -> Result<String, Failure> {
    let host = args.origin.trim_start_matches("https://");
    let name = args.name.as_deref().unwrap_or(host);
    let default_contact = format!("{}/policy", args.origin);
    let contact = args.contact.as_deref().unwrap_or(&default_contact);
    let date = now.to_string();
    let date = date.split('T').next().unwrap_or_default();
    // TOML gives a meaning to two characters that a name can hold.
    let quoted = name.replace('\\', "\\\\").replace('"', "\\\"");
    let text = |template, name| {
        fill_in(
            template,
            &[
                ("{origin}", &args.origin),
                ("{contact}", contact),
                ("{date}", date),
                ("{name}", name),
            ],
        )
    };
    for (file, text) in [
        (FILE_NAME, text(RESOLVER_TOML, &quoted)),
        ("policy.md", text(POLICY, name)),
        ("changelog.md", text(CHANGELOG, name)),
    ] {
        let path = folder.join(file);
        file::create(&path, text.as_bytes(), Access::Everybody).map_err(|source| {
            InitError::Unwritable {
                folder: shown.to_owned(),
                source,
            }
        })?;
    }
    let config =
        Config::read(&folder.join(FILE_NAME)).map_err(|error| Failure::new(error.diagnostic()))?;
    fs::create_dir(&config.keys).map_err(|source| KeyError::Unwritable {
        path: config.keys.clone(),
        source,
    })?;
    let mut keys = Keys::open(&config.keys)?;
    Ok(keys.rotate(now, config.discovery_max_age)?.kid().to_owned())
}

/// A template with its places filled, and no place looked for in what fills them.
fn fill_in(template: &str, values: &[(&str, &str)]) -> String {
    let mut text = String::with_capacity(template.len());
    let mut rest = template;
    while let Some(at) = rest.find('{') {
        let (before, from) = rest.split_at(at);
        text.push_str(before);
        let place = values.iter().find(|(place, _)| from.starts_with(place));
        let (filled, length) = place.map_or(("{", 1), |(place, value)| (*value, place.len()));
        text.push_str(filled);
        rest = &from[length..];
    }
    text + rest
}

/// Over an empty folder too, and over nothing else.
fn take_name(new: &Path, folder: &Path) -> io::Result<()> {
    file::sync_folder(&new.join("keys"))?;
    file::sync_folder(new)?;
    open_to_readers(new)?;
    fs::rename(new, folder)?;
    file::sync_folder(folder_of(folder))
}

/// A temporary folder is its owner's alone; what is secret in this one is secret by itself.
#[cfg(unix)]
fn open_to_readers(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755))?;
    fs::set_permissions(folder.join("keys"), fs::Permissions::from_mode(0o700))
}

#[cfg(not(unix))]
fn open_to_readers(_: &Path) -> io::Result<()> {
    Ok(())
}

fn tell(folder: &Path, args: &Args, kid: &str, console: &mut Console) {
    console.data(format_args!("{BOLD}{}{BOLD:#}", folder.display()));
    for (name, what) in [
        (FILE_NAME, "the settings, each with its reason".to_owned()),
        (
            "policy.md",
            "what you promise: read it, and fill in what is in brackets".to_owned(),
        ),
        ("changelog.md", "what you changed".to_owned()),
        ("keys/", format!("the private key {kid}, for you alone")),
    ] {
        console.data(format_args!("  {name:13} {DIM}{what}{DIM:#}"));
    }
    if args.origin == EXAMPLE_ORIGIN {
        console.talk(
            Diagnostic::warning("example-origin", "the resolver has no name of its own yet").help(
                format!("set origin and contact in {FILE_NAME} before it talks to anybody"),
            ),
        );
    }
}

fn origin(text: &str) -> Result<String, String> {
    parse_issuer(text).map(|origin| origin.as_str().to_owned())
}

fn name(text: &str) -> Result<String, String> {
    check_name(text).map(|()| text.to_owned())
}

fn contact(text: &str) -> Result<String, String> {
    check_contact(text).map(|()| text.to_owned())
}

const RESOLVER_TOML: &str = include_str!("../templates/resolver.toml");
const POLICY: &str = include_str!("../templates/policy.md");
const CHANGELOG: &str = include_str!("../templates/changelog.md");
