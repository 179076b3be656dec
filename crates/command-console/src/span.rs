//! Spans of time as people say them.

/// A span of time, roughly: in the unit of which there are at least two.
///
/// ```
/// assert_eq!(command_console::roughly(7_199), "119 min");
/// ```
#[must_use]
pub fn roughly(seconds: u64) -> String {
    match seconds {
        0..120 => format!("{seconds} s"),
        120..7_200 => format!("{} min", seconds / 60),
        7_200..172_800 => format!("{} h", seconds / 3_600),
        _ => format!("{} days", seconds / 86_400),
    }
}
