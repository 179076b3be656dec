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
