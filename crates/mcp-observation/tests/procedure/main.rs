//! The procedure without network: every row of every table of section 15.1, and whole runs.

#![expect(clippy::unwrap_used, reason = "a test: to panic is to fail")]

mod any_answers;
mod reading;
mod replies;
mod runs;
mod tables;
