//! One module a command.

pub(crate) mod adapter;
pub(crate) mod token;
