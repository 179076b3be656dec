//! Which lines are Resolvers lines, and what their entries are.

use capability_resolution::text::is_white_space;

use super::entry::{is_dash, is_noise, without_edges, without_start};
use crate::field::Field;

/// What Resolvers lines say, piece by piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found<'t> {
    /// A deny: where its piece, or the first of the lone dashes before it, starts in the text; what follows the dash.
    Deny { place: usize, what: &'t str },
    /// The word `none`, and where its piece starts.
    None { place: usize },
    /// Any other entry, as the piece was before anything was dropped from its edges.
    Other(&'t str),
    /// The end of one Resolvers line with its continuations.
    End,
}

/// Tells of all Resolvers lines of a text in their order. Linear in the text, without allocation.
pub(crate) fn scan<'t>(text: &'t str, mut tell: impl FnMut(Found<'t>)) {
    // Whether a Resolvers line is open, and where the dashes stand that belong to its next entry.
    let mut open: Option<Option<usize>> = None;
    let mut place = 0;
    while let Some((line, following)) = first_line(&text[place..]) {
        let start = line.trim_start_matches(is_noise);
        if !start.starts_with('#') {
            let value = value_of(start);
            let going_on = open
                .as_mut()
                .filter(|_| value.is_none() && continues(line, start));
            if let Some(dash) = going_on {
                tell_entries(line, place, dash, &mut tell);
            } else {
                end_line(open.take(), &mut tell);
                if let Some(value) = value {
                    let at = place + line.len() - value.len();
                    tell_entries(value, at, open.insert(None), &mut tell);
                }
            }
        }
        place += following;
    }
    end_line(open, &mut tell);
}

/// `captxt.deny.lines`: the first line, and how many bytes it has with its end.
fn first_line(text: &str) -> Option<(&str, usize)> {
    let is_end = |c| matches!(c, '\n'..='\r' | '\0' | '\u{85}' | '\u{2028}' | '\u{2029}');
    let line = &text[..text.find(is_end).unwrap_or(text.len())];
    let rest = &text[line.len()..];
    let end = if rest.starts_with("\r\n") {
        2
    } else {
        rest.chars().next().map_or(0, char::len_utf8)
    };
    (!text.is_empty()).then_some((line, line.len() + end))
}

/// `captxt.deny.field`, `captxt.deny.value`: what follows the name and the separator, if this is a Resolvers line.
fn value_of(start: &str) -> Option<&str> {
    let (name, rest) = start.split_at_checked("resolver".len())?;
    if !name.eq_ignore_ascii_case("resolver") {
        return None;
    }
    let rest = rest.strip_prefix(['s', 'S']).unwrap_or(rest);
    if let Some(value) = rest
        .trim_start_matches(is_noise)
        .strip_prefix([':', '=', '\u{ff1a}'])
    {
        return Some(value);
    }
    let mut pieces = before_comment(rest).split(is_white_space);
    let is_all_noise = |piece: &&str| piece.chars().all(is_noise);
    pieces.next().filter(is_all_noise)?;
    let mut words = pieces.filter(|piece| !is_all_noise(piece));
    let word = words.next()?;
    (words.next().is_none() && word.split([',', ';']).any(is_meant)).then_some(rest)
}

/// Whether an entry shows, where no separator does, that its word is meant as a value.
fn is_meant(piece: &str) -> bool {
    let entry = without_edges(piece);
    let starts = |with: &str| {
        entry
            .get(..with.len())
            .is_some_and(|s| s.eq_ignore_ascii_case(with))
    };
    entry == "*"
        || entry.eq_ignore_ascii_case("none")
        || entry.starts_with(is_dash)
        || starts("https://")
        || starts("http://")
}

/// `captxt.deny.continuation`, for a line that is neither a comment nor a Resolvers line.
fn continues(line: &str, start: &str) -> bool {
    let is_field = || {
        let name = line
            .split_once(':')
            .map(|(name, _)| name.trim_matches([' ', '\t']));
        name.and_then(Field::of_name).is_some()
    };
    if start.is_empty() {
        return false;
    }
    match line.strip_prefix([' ', '\t']) {
        Some(_) => !is_field(),
        None => line
            .strip_prefix(is_dash)
            .is_some_and(|after| !after.starts_with(is_dash)),
    }
}

/// `captxt.deny.entries`, `captxt.deny.dash`.
fn tell_entries<'t>(
    value: &'t str,
    mut place: usize,
    dash: &mut Option<usize>,
    tell: &mut impl FnMut(Found<'t>),
) {
    let is_separator = |c| matches!(c, ',' | ';') || is_white_space(c);
    for with_separator in before_comment(value).split_inclusive(is_separator) {
        let piece = with_separator.trim_end_matches(is_separator);
        let entry = without_edges(piece);
        let what = entry.trim_start_matches(is_dash);
        if what.is_empty() {
            if !entry.is_empty() {
                dash.get_or_insert(place);
            }
        } else if what.len() < entry.len() || dash.is_some() {
            let place = dash.take().unwrap_or(place);
            tell(Found::Deny {
                place,
                what: without_start(what),
            });
        } else if entry.eq_ignore_ascii_case("none") {
            tell(Found::None { place });
        } else {
            tell(Found::Other(piece));
        }
        place += with_separator.len();
    }
}

/// Dashes that no entry follows deny everyone.
fn end_line<'t>(open: Option<Option<usize>>, tell: &mut impl FnMut(Found<'t>)) {
    if let Some(dash) = open {
        if let Some(place) = dash {
            tell(Found::Deny { place, what: "" });
        }
        tell(Found::End);
    }
}

fn before_comment(text: &str) -> &str {
    &text[..text.find('#').unwrap_or(text.len())]
}
