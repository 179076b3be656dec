//! `capability-resolver-client resolve`: who can do a job?

use capability_resolution::{Constraints, HandshakeLimit, Need, Refusal};
use command_console::{Console, Explain, Failure, Format, Outcome};

use super::json::JsonResolution;
use super::network::{self, Whom};
use super::{Global, human};

/// Ask which servers can do a job. Only what a resolver signed is shown, and nothing is connected to.
///
/// The need goes to the resolvers of your list, one after the other until one has somebody, and to nobody else.
///
/// Exit code 0: somebody was found; 1: nobody; 2: nobody, and a resolver could not be asked.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  capability-resolver-client resolve 'send a transactional email'
  capability-resolver-client resolve 'read a calendar' --no-sign-in \\
      --read-only --max-handshake 500
  capability-resolver-client resolve 'translate a text' \\
      --resolver https://resolver.example --format json")]
pub(crate) struct Args {
    /// The job in plain words, 3 to 200 characters.
    need: String,
    /// Only servers that answered without sign-in.
    #[arg(long)]
    no_sign_in: bool,
    /// Only servers with a tool for it that they mark as read-only.
    #[arg(long)]
    read_only: bool,
    /// Only servers whose handshake took no longer, in milliseconds.
    #[arg(long, value_name = "MS", value_parser = handshake)]
    max_handshake: Option<HandshakeLimit>,
    /// Only servers that declare that they take no payment.
    #[arg(long)]
    no_payment: bool,
    /// Ask all resolvers at the same time. Each of them learns the need.
    #[arg(long)]
    at_once: bool,
    #[command(flatten)]
    whom: Whom,
    /// How the answer is written; for json see docs/schema/client-resolve.schema.json.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// The need is none that may be sent: `resolve.client-need`.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct NeedError(Refusal);

impl Explain for NeedError {
    fn code(&self) -> &'static str {
        self.0.code().as_str()
    }

    fn help(&self) -> Option<String> {
        Some("say the job in plain words, such as 'send a transactional email'".to_owned())
    }
}

pub(crate) fn run(args: &Args, global: &Global, console: &mut Console) -> Result<Outcome, Failure> {
    let need = Need::new(&args.need).map_err(NeedError)?;
    let client = network::client(global, &args.whom, args.at_once, console)?;
    let constraints = Constraints {
        no_sign_in: args.no_sign_in,
        read_only: args.read_only,
        max_handshake: args.max_handshake,
        no_payment: args.no_payment,
    };
    let found = network::wait(client.resolve(&need, constraints))?;
    let now = global.now();
    match args.format {
        Format::Json => console.json(&JsonResolution::new(&found, now)),
        Format::Human => human::resolution(&found, now, console),
    }
    Ok(human::outcome(
        !found.advice().is_empty(),
        found.resolvers(),
    ))
}

fn handshake(text: &str) -> Result<HandshakeLimit, String> {
    text.parse()
        .ok()
        .and_then(HandshakeLimit::from_milliseconds)
        .ok_or_else(|| "expected 1 to 60000 milliseconds".to_owned())
}
