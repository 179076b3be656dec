//! `capability-resolution-check file` and `new`, and every message of them.

#![expect(clippy::unwrap_used, reason = "a test's helpers fail as it does")]

mod file;
mod fixtures;
mod new;
#[path = "../support/ran.rs"]
mod ran;

use serde_json::Value;

use ran::{Ran, command};

const NOW: &str = "2026-11-30T12:00:00Z";

/// Fails unless the answer of `file --format json` is of the form that is promised.
fn check_schema(answer: &Value) {
    ran::check_schema("check-file", answer);
}

#[test]
fn help_is_complete() {
    insta::assert_snapshot!(
        "help_file",
        command(&["file", "--help"], b"", "/no/folder").out
    );
    insta::assert_snapshot!(
        "help_new",
        command(&["new", "--help"], b"", "/no/folder").out
    );
}
