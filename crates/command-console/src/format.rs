//! How a command writes its answer.

/// How a command writes its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Format {
    /// Sentences for people.
    #[default]
    Human,
    /// One JSON value.
    Json,
}
