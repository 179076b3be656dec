//! An origin judged as a resolver: a bounded plan of GET requests makes a recording, and checks read it.
//!
//! ```text
//! plan -> recording -> evidence -> checks -> report
//! ```
//!
//! Only [`plan`] and [`wire`] know of the network; everything behind the recording is a pure function of it.

pub(crate) mod check;
pub(crate) mod checks;
mod evidence;
mod page;
pub(crate) mod plan;
mod probes;
mod recognize;
mod recording;
mod report;
mod rules;
mod table;
mod wire;

pub(crate) use check::Group;
pub(crate) use plan::Plan;
pub(crate) use recognize::recognize;
pub(crate) use recording::Recording;
pub(crate) use report::{Judged, Outcome, Report, Standing};
pub(crate) use rules::Level;

/// The first of these that no check's id begins with.
pub(crate) fn unknown(only: &[String]) -> Option<String> {
    let checks = checks::all();
    let known = |only: &&String| {
        checks
            .iter()
            .any(|check| check.id().starts_with(only.as_str()))
    };
    only.iter().find(|only| !known(only)).cloned()
}
