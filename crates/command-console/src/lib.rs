//! How every command of this project speaks: what was asked for to standard output, talk to standard error, messages
//! with a code, a place and what to do, and an exit code that says one of three things.
//!
//! ```
//! use command_console::{Console, Diagnostic, Failure, Outcome, finish};
//!
//! fn run(console: &mut Console) -> Result<Outcome, Failure> {
//!     console.data("what was asked for");
//!     Err(Failure::new(Diagnostic::error("file-unreadable", "cannot read token.txt")))
//! }
//!
//! let (mut console, captured) = Console::captured();
//! let result = run(&mut console);
//! let _exit_code_2 = finish(console, result);
//! assert_eq!(captured.err(), "error[file-unreadable]: cannot read token.txt\n");
//! ```

mod console;
mod diagnostic;
mod examples;
mod format;
mod junit;
mod outcome;
mod schemas;
mod span;
pub mod style;
mod visible;

pub use console::{Captured, Console};
pub use diagnostic::{Diagnostic, Explain, Level, Place, messages};
pub use examples::check_examples;
pub use format::Format;
pub use junit::{Case, End, Junit};
pub use outcome::{Failure, Outcome, finish};
pub use schemas::check_schemas;
pub use span::roughly;
pub use visible::visible;
