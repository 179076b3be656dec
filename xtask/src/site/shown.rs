//! Text of which nothing is known, shown so that it can do nothing: no markup, no invisible characters, no change of
//! direction.

use std::fmt::Write as _;

use maud::{Escaper, Markup, PreEscaped, Render, html};

/// A text whose hostile characters are shown by their numbers. It stands between tags, never in an attribute.
#[derive(Debug, Clone, Copy)]
pub struct Shown<'a>(pub &'a str);

impl Render for Shown<'_> {
    fn render_to(&self, buffer: &mut String) {
        let mut rest = self.0;
        while let Some(at) = rest.find(is_hostile) {
            let (plain, from) = rest.split_at(at);
            escape(plain, buffer);
            let mut characters = from.chars();
            if let Some(hostile) = characters.next() {
                let _ = write!(
                    buffer,
                    "<span class=\"u\">U+{:04X}</span>",
                    u32::from(hostile)
                );
            }
            rest = characters.as_str();
        }
        escape(rest, buffer);
    }
}

fn escape(plain: &str, buffer: &mut String) {
    let _ = Escaper::new(buffer).write_str(plain);
}

/// A value as it came, in a block of its own in which line ends are line ends.
#[must_use]
pub fn block(text: &str) -> Markup {
    html! { pre.value tabindex="0" dir="ltr" { (Shown(text)) } }
}

/// The markup of [`Shown`], for what is put together from events of Markdown.
#[must_use]
pub fn markup(text: &str) -> String {
    let PreEscaped(markup) = Shown(text).render();
    markup
}

/// Whether a character is seen as nothing, as white space that is no space, or as a change of direction.
///
/// The control and the unsafe characters of the text (`text.control`, `text.unsafe`) are among them.
fn is_hostile(character: char) -> bool {
    match character {
        ' ' | '\n' => false,
        '\u{ad}'
        | '\u{34f}'
        | '\u{61c}'
        | '\u{115f}'..='\u{1160}'
        | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e0fff}' => true,
        other => other.is_control() || other.is_whitespace() || is_no_character(other),
    }
}

/// Private use and noncharacters: no font says what they look like.
fn is_no_character(character: char) -> bool {
    let number = u32::from(character);
    matches!(number, 0xe000..=0xf8ff | 0xfdd0..=0xfdef | 0xf_0000..) || number & 0xfffe == 0xfffe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_text_becomes_harmless() {
        let shown = markup("<b onclick=\"x\">&\u{202e}\r\n\ta\u{0}\u{e0041}\u{fffe}");
        assert_eq!(
            shown,
            "&lt;b onclick=&quot;x&quot;&gt;&amp;<span class=\"u\">U+202E</span><span class=\"u\">U+000D</span>\n\
             <span class=\"u\">U+0009</span>a<span class=\"u\">U+0000</span><span class=\"u\">U+E0041</span>\
             <span class=\"u\">U+FFFE</span>"
        );
        assert_eq!(markup("caf\u{e9} \u{5e9}"), "caf\u{e9} \u{5e9}");
    }

    #[test]
    fn what_the_text_calls_unsafe_is_hostile_here() {
        let ranges = [
            (0x00, 0x1f),
            (0x7f, 0x9f),
            (0xad, 0xad),
            (0x34f, 0x34f),
            (0x61c, 0x61c),
            (0x115f, 0x1160),
            (0x17b4, 0x17b5),
            (0x180e, 0x180e),
            (0x200b, 0x200b),
            (0x200e, 0x200f),
            (0x2028, 0x202e),
            (0x2060, 0x2064),
            (0x2066, 0x206f),
            (0x3164, 0x3164),
            (0xfeff, 0xfeff),
            (0xffa0, 0xffa0),
            (0xfff9, 0xfffb),
            (0xe0000, 0xe007f),
        ];
        for character in ranges.into_iter().flat_map(|(from, to)| from..=to) {
            let character = char::from_u32(character).unwrap();
            assert!(is_hostile(character) || character == '\n', "{character:?}");
        }
    }
}
