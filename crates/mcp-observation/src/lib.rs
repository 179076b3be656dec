//! Observes servers of the Model Context Protocol as section 15.1 of the text says, and does nothing else with them.
//!
//! [`probe`] runs one observation over a [`guarded_fetch::Fetcher`]: at most six requests ([`MAX_REQUESTS`]) besides
//! further pages of tools, none of them HEAD, no tool called, nothing signed in to, nothing paid. It has no schedule, no
//! store and no wall clock: what status a resolver states follows from several observations, and is not known here.
//!
//! [`Procedure`] is the same without network: answers in, requests out. Its tables stand in one module, a function for
//! each table of the text and a row for each row, so that they can be held beside it; and whoever wants to know what a
//! prober makes of an answer gives the bytes to a [`Reader`].
//!
//! Two things are kept apart everywhere. What was *seen* is an [`Outcome`] and [`Exchange`]s; what a server *claims*
//! (its name, its tools, their hints) is text from outside, cleaned of what cannot be seen, bounded, and proof of
//! nothing.

mod answer;
mod challenge;
mod findings;
mod json;
mod message;
mod observation;
mod options;
mod outcome;
mod probe;
mod procedure;
mod revision;
mod sse;
mod stream;
mod tables;
mod target;
mod tool;

pub use answer::{Answer, End, Reader, Received};
pub use challenge::Challenges;
pub use findings::{Findings, ListEnd, Start};
pub use message::{Client, Message, Reading, Step};
pub use observation::{Exchange, NotObserved, Observation};
pub use options::{Limits, Options};
pub use outcome::{FailureClass, Outcome, Reason};
pub use probe::probe;
pub use procedure::{MAX_PAGES, MAX_REDIRECTS, MAX_REQUESTS, MAX_TOOLS, Procedure};
pub use revision::{Era, Revision};
pub use target::{Target, TargetError};
pub use tool::{Annotations, DESCRIPTION_MAX_CHARACTERS, NAME_MAX_CHARACTERS, Server, Tool};
