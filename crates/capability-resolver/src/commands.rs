//! One module a command: its arguments, and what it does.

pub(crate) mod demo;
pub(crate) mod forget;
pub(crate) mod import;
pub(crate) mod init;
pub(crate) mod keys;
pub(crate) mod observe;
pub(crate) mod search;
pub(crate) mod serve;
pub(crate) mod status;

use capability_resolution::Time;
use command_console::{Console, Diagnostic};

use crate::server_file::outdated_suffixes;

/// Warns of an outdated Public Suffix List: it says for which hosts a server file speaks.
fn warn_of_suffixes(now: Time, console: &mut Console) {
    if let Some(made) = outdated_suffixes(now) {
        let message = format!(
            "the Public Suffix List of this program is of {made}, more than 30 days ago (rule captxt.scope.psl-age)"
        );
        let help = "a newer version of this program has a newer list";
        console.talk(Diagnostic::warning("suffixes-outdated", message).help(help));
    }
}
