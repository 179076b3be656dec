//! The test vectors of Capability Resolution: their model and their files.
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

mod judge;
mod load;
mod model;
pub mod run;

pub use judge::{Judgement, Mismatch, Reasons};
pub use load::{LoadError, MAX_FILE_BYTES, Suite};
pub use model::{Input, Kind, Level, Operation, Vector, VectorFile, Verdict, Withdrawn};
