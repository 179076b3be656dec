//! One module a command: its arguments, and what it does.

pub(crate) mod init;
pub(crate) mod keys;
