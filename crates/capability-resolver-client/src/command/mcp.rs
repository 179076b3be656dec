//! `capability-resolver-client mcp`: your resolvers as a tool of your agent, over standard input and output.

mod hosts;
mod tool;

use std::io;

use command_console::{Console, Explain, Failure, Outcome};
use rmcp::ServiceExt as _;
use rmcp::service::ServerInitializeError;

use super::{Global, network};
use hosts::Host;
use tool::Tool;

/// Give your agent a tool that finds servers for a job: a local server of the Model Context Protocol that asks your
/// resolvers, verifies what they say, and connects to nobody.
///
/// An MCP host starts it; it speaks over standard input and output until its input ends. It reads your settings anew at
/// each call.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  capability-resolver-client mcp --print-config claude-code
  capability-resolver-client mcp")]
pub(crate) struct Args {
    /// Print what to paste into the configuration of this host, and end.
    #[arg(long, value_name = "HOST", value_enum)]
    print_config: Option<Host>,
}

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
pub(super) enum McpError {
    #[error("the path of this program is not known")]
    Program(#[source] io::Error),
    /// What the SDK says of it holds what the host sent, and with it perhaps a need: it is not told.
    #[error("what the host began with is no conversation of the Model Context Protocol")]
    Beginning,
    #[error("the conversation broke off")]
    Broken,
}

impl Explain for McpError {
    fn code(&self) -> &'static str {
        match self {
            Self::Program(_) => "no-program",
            Self::Beginning => "mcp-beginning",
            Self::Broken => "mcp-broken",
        }
    }
}

pub(crate) fn run(args: &Args, global: &Global, console: &mut Console) -> Result<Outcome, Failure> {
    if let Some(host) = args.print_config {
        let program = std::env::current_exe().map_err(McpError::Program)?;
        console.json(&host.config(&program, global));
        console.talk(host.advice());
        return Ok(Outcome::True);
    }
    let tool = Tool::new(global.clone());
    network::wait(async move {
        let serving = match tool.serve(rmcp::transport::io::stdio()).await {
            Ok(serving) => serving,
            // A host that looked whether the program is there, and had nothing to say.
            Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(Outcome::True),
            Err(_) => return Err(McpError::Beginning.into()),
        };
        serving.waiting().await.map_err(|_| McpError::Broken)?;
        Ok(Outcome::True)
    })?
}
