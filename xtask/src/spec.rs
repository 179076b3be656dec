//! The specification text.

pub mod lint;

/// Repository-relative path of the only text that is edited.
pub const DRAFT: &str = "spec/draft/capability-resolution.md";
