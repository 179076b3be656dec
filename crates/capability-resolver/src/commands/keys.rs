//! `capability-resolver keys`: the keys of a resolver and their lives.

use capability_resolution::Time;
use clap::Subcommand;
use command_console::style::{BOLD, DIM};
use command_console::{Console, Diagnostic, Failure, Format, Outcome};
use serde::Serialize;

use crate::cli::Global;
use crate::key::{Key, PublicJwk};
use crate::keys::{Keys, Phase};

/// List, replace and retire the keys that sign tokens.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    List(List),
    Rotate(Rotate),
    Retire(Retire),
}

/// Show every key, what it is good for now, and until when.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  capability-resolver keys list
  capability-resolver keys list --format json")]
struct List {
    /// How the answer is written; for json see docs/schema/resolver-keys.schema.json.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Make the next key. It is published at once, and takes over when every client has seen it.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  capability-resolver keys rotate")]
struct Rotate {}

/// Destroy the private half of a key that signs no more. Its public half stays published as long as its tokens live.
///
/// With --compromised the key is gone at once, whole, and every token that it signed is refused from then on.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  capability-resolver keys retire yYGxzYTQgDnflW9KVhejhWzv3MUgMxZql1GtBf49h0g
  capability-resolver keys retire --compromised yYGxzYTQgDnflW9KVhejhWzv3MUgMxZql1GtBf49h0g")]
struct Retire {
    /// Somebody else may know the private key.
    #[arg(long)]
    compromised: bool,
    /// The key, as `keys list` shows it.
    // A kid can begin with a dash.
    #[arg(value_name = "KID", allow_hyphen_values = true)]
    kid: String,
}

pub(crate) fn run(args: &Args, global: &Global, console: &mut Console) -> Result<Outcome, Failure> {
    let config = global.config()?;
    let now = global.now();
    let mut keys = Keys::open(&config.keys)?;
    match &args.command {
        Command::List(args) => list(&keys, now, args.format, console),
        Command::Rotate(_) => {
            let key = keys.rotate(now, config.discovery_max_age)?;
            let signs = match key.signs_from() {
                at if at <= now => "signs at once".to_owned(),
                at => format!("is published now, and signs from {at} on"),
            };
            console.data(format_args!("{BOLD}{}{BOLD:#} {signs}", key.kid()));
        }
        Command::Retire(Retire {
            compromised: false,
            kid,
        }) => match keys.retire(kid, now)? {
            Some(end) => console.data(format_args!(
                "{kid} signs no more, and stays published until {end}"
            )),
            None => console.data(format_args!("{kid} is gone: no token of it is left")),
        },
        Command::Retire(Retire {
            compromised: true,
            kid,
        }) => {
            let signing = keys.withdraw(kid, now)?.kid().to_owned();
            console.data(format_args!("{kid} is gone; {signing} signs from now on"));
            console.talk(
                Diagnostic::warning(
                    "key-withdrawn",
                    "every token that it signed is refused from now on (rule keys.withdrawn)",
                )
                .help(format!(
                    "a running resolver reads its keys again within {} seconds",
                    crate::keys::KEYS_REREAD_SECONDS
                )),
            );
        }
    }
    Ok(Outcome::True)
}

/// docs/schema/resolver-keys.schema.json.
#[derive(Serialize)]
struct Answer {
    now: String,
    keys: Vec<JsonKey>,
}

#[derive(Serialize)]
struct JsonKey {
    kid: String,
    phase: &'static str,
    until: Option<String>,
    published: bool,
    private_key: bool,
    created_at: String,
    signs_from: String,
    retired_at: Option<String>,
    jwk: PublicJwk,
}

fn list(keys: &Keys, now: Time, format: Format, console: &mut Console) {
    match format {
        Format::Json => {
            let all = keys
                .all()
                .iter()
                .map(|key| json(key, keys.phase(key, now)))
                .collect();
            console.json(&Answer {
                now: now.to_string(),
                keys: all,
            });
        }
        Format::Human => {
            for key in keys.all() {
                let phase = keys.phase(key, now);
                let what = match phase {
                    Phase::Waiting(from) => format!("is published, and signs from {from} on"),
                    Phase::Signing => "signs".to_owned(),
                    Phase::Retired(until) => {
                        format!("signs no more, and stays published until {until}")
                    }
                    Phase::Over => "is over: no token of it is left".to_owned(),
                };
                let half = if key.can_sign() {
                    ""
                } else {
                    "  (public half only)"
                };
                console.data(format_args!(
                    "{BOLD}{}{BOLD:#} {what}{DIM}{half}{DIM:#}",
                    key.kid()
                ));
            }
        }
    }
}

fn json(key: &Key, phase: Phase) -> JsonKey {
    JsonKey {
        kid: key.kid().to_owned(),
        phase: phase.word(),
        until: phase.until().map(|time| time.to_string()),
        published: phase != Phase::Over,
        private_key: key.can_sign(),
        created_at: key.created_at().to_string(),
        signs_from: key.signs_from().to_string(),
        retired_at: key.retired_at().map(|time| time.to_string()),
        jwk: key.public_jwk(),
    }
}
