//! One module a command.

pub(crate) mod adapter;
pub(crate) mod faulty;
pub(crate) mod file;
pub(crate) mod new;
pub(crate) mod origin;
mod server;
pub(crate) mod token;
pub(crate) mod watch;
