//! The test vectors of Capability Resolution: their model, their files, and with the feature `generate` how they are made.
//!
//! A vector is one question to an implementation and the one right answer to it. It names the rules of the text that
//! decide, and holds its own clock and keys, so it means the same in any language at any time.
//!
//! ```
//! use conformance_vectors::{Suite, Verdict};
//!
//! let suite = Suite::embedded()?;
//! for vector in suite.vectors().filter(|vector| vector.result == Verdict::Invalid) {
//!     assert!(!vector.rules.is_empty());
//! }
//! # Ok::<(), conformance_vectors::LoadError>(())
//! ```
//!
//! The program `conformance-vectors` runs them against an implementation in any language, and [`run`] does the same
//! from a test.

#[cfg(feature = "generate")]
mod generate;
mod judge;
pub mod lint;
mod load;
mod model;
pub mod run;

#[cfg(feature = "generate")]
pub use generate::{generate, render};
pub use judge::{Judgement, Mismatch, Reasons};
pub use load::{LoadError, MAX_FILE_BYTES, Suite};
pub use model::{Input, Kind, Level, Operation, Vector, VectorFile, Verdict, Withdrawn};
