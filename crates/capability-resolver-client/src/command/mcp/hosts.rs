//! What a host of the Model Context Protocol has to be told, to start the server.

use std::path::Path;

use clap::ValueEnum;
use command_console::style::{BOLD, DIM};
use serde_json::{Value, json};

use crate::command::Global;

/// The name of the server in a host's configuration.
const NAME: &str = "capability-resolver";

/// A host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Host {
    /// `.mcp.json` of a project, or `~/.claude.json`
    ClaudeCode,
    /// `.cursor/mcp.json` of a project, or `~/.cursor/mcp.json`
    Cursor,
    /// `.vscode/mcp.json` of a workspace, or the one of the user profile
    Vscode,
    /// `~/.gemini/settings.json`
    GeminiCli,
}

impl Host {
    /// The JSON that its file has.
    pub(super) fn config(self, program: &Path, global: &Global) -> Value {
        let mut arguments = vec!["mcp".to_owned()];
        if let Some(config) = &global.config {
            // A host starts the program from wherever it is.
            let config = std::path::absolute(config).unwrap_or_else(|_| config.clone());
            arguments.push("--config".to_owned());
            arguments.push(config.display().to_string());
        }
        if global.allow_loopback {
            arguments.push("--allow-loopback".to_owned());
        }
        let program = program.display().to_string();
        match self {
            Self::Vscode => json!({
                "servers": {NAME: {"type": "stdio", "command": program, "args": arguments}}
            }),
            Self::ClaudeCode | Self::Cursor | Self::GeminiCli => json!({
                "mcpServers": {NAME: {"command": program, "args": arguments}}
            }),
        }
    }

    /// Where that goes.
    pub(super) fn advice(self) -> String {
        let (here, everywhere) = match self {
            Self::ClaudeCode => (".mcp.json of a project", "~/.claude.json"),
            Self::Cursor => (".cursor/mcp.json of a project", "~/.cursor/mcp.json"),
            Self::Vscode => (
                ".vscode/mcp.json of a workspace",
                "the file that the command \"MCP: Open User Configuration\" opens",
            ),
            Self::GeminiCli => (
                ".gemini/settings.json of a project",
                "~/.gemini/settings.json",
            ),
        };
        format!(
            "{DIM}paste it into{DIM:#} {BOLD}{here}{BOLD:#}{DIM}, or for everything into{DIM:#} {BOLD}{everywhere}{BOLD:#}"
        )
    }
}
