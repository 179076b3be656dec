//! The pages, one module each.

pub(super) mod changes;
pub(super) mod checks;
pub(super) mod index;
pub(super) mod proof;
pub(super) mod rule;
pub(super) mod text;
pub(super) mod vector;
pub(super) mod vectors;
