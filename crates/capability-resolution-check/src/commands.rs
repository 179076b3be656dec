//! One module a command.

pub(crate) mod adapter;
pub(crate) mod file;
pub(crate) mod new;
pub(crate) mod token;
