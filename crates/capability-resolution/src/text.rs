//! Characters, white space and what may not be shown: section 3.1 of the text.

/// Whether a character is white space: `text.white-space`.
#[must_use]
#[inline]
pub fn is_white_space(c: char) -> bool {
    matches!(c,
        '\u{9}'..='\u{d}' | ' ' | '\u{85}' | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}'
        | '\u{2028}' | '\u{2029}' | '\u{202f}' | '\u{205f}' | '\u{3000}')
}

/// Whether a character is a control character: `text.control`.
#[must_use]
#[inline]
pub fn is_control(c: char) -> bool {
    matches!(c, '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}')
}

/// Whether a character is invisible or changes the direction of its neighbours: `text.unsafe`.
#[must_use]
#[inline]
pub fn is_unsafe(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180e}'
        | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2064}'
        | '\u{2066}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e007f}')
}

/// The text without white space at its ends: `text.white-space`.
#[must_use]
pub fn trim(text: &str) -> &str {
    text.trim_matches(is_white_space)
}

/// Whether a name for people has 1 to `max` characters, none of them a control or an unsafe one.
pub(crate) fn is_name(text: &str, max: usize) -> bool {
    (1..=max).contains(&text.chars().count())
        && !text.chars().any(|c| is_control(c) || is_unsafe(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    // r[text.white-space] r[text.control] r[text.unsafe]
    #[test]
    fn the_sets_end_where_the_text_says() {
        assert!(
            is_white_space('\u{200a}')
                && !is_white_space('\u{200b}')
                && !is_white_space('\u{feff}')
        );
        assert!(is_control('\u{9f}') && !is_control('\u{a0}') && !is_control('~'));
        assert!(
            is_unsafe('\u{200e}')
                && !is_unsafe('\u{200d}')
                && !is_unsafe('\u{2065}')
                && !is_unsafe('\u{e0080}')
        );
    }

    #[test]
    fn trims_nothing_but_white_space() {
        assert_eq!(trim("\u{3000} a\u{feff} \u{85}"), "a\u{feff}");
    }
}
