//! A text from outside, made safe to show.

use std::fmt::Write as _;

/// The longest text that is shown whole, in characters.
const SHOWN_CHARACTERS: usize = 1_000;

/// A text from outside as it may be shown: what is invisible, moves the cursor or turns the direction of writing is
/// written as `U+XXXX` (the characters of `text.control` and `text.unsafe`), and no more than 1,000 characters of it.
#[must_use]
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len().min(4 * SHOWN_CHARACTERS));
    for (at, c) in text.chars().enumerate() {
        if at == SHOWN_CHARACTERS {
            // Writing to a string cannot fail.
            let _ = write!(shown, "… ({} characters)", text.chars().count());
            break;
        }
        if is_hidden(c) {
            let _ = write!(shown, "U+{:04X}", u32::from(c));
        } else {
            shown.push(c);
        }
    }
    shown
}

/// Whether a character is shown by its number.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180e}'
            | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2064}'
            | '\u{2066}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_would_see_is_shown() {
        assert_eq!(
            visible("a\u{1b}[2J\u{202e}ü\u{85}\n"),
            "aU+001B[2JU+202EüU+0085U+000A"
        );
    }

    #[test]
    fn a_long_text_is_cut_and_says_so() {
        assert_eq!(visible(&"ü".repeat(1_000)).chars().count(), 1_000);
        assert!(visible(&"ü".repeat(1_001)).ends_with("ü… (1001 characters)"));
    }
}
