//! The few styles that output has. A [`Console`](crate::Console) takes them away where nobody would see them.

use anstyle::{AnsiColor, Style};

/// What is read first.
pub const BOLD: Style = Style::new().bold();
/// What is read last.
pub const DIM: Style = Style::new().dimmed();
/// What holds.
pub const GOOD: Style = AnsiColor::Green.on_default();
/// What does not.
pub const BAD: Style = AnsiColor::Red.on_default().bold();
/// What could not be told, and what is worth a look.
pub const DOUBT: Style = AnsiColor::Yellow.on_default().bold();
/// What to do.
pub const HELP: Style = AnsiColor::Cyan.on_default().bold();
/// The frame around a line that is shown.
pub const FRAME: Style = AnsiColor::Blue.on_default().bold();
