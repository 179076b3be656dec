//! Rule ids: dotted slugs about the thing, such as `token.exp.max-life`.

/// The longest id, in bytes.
pub const MAX_LENGTH: usize = 80;

/// True if `text` is a rule id: at least two parts joined by dots, each of `a` to `z`, `0` to `9` and `-`.
#[must_use]
pub fn is_rule_id(text: &str) -> bool {
    let part = |part: &str| !part.is_empty() && part.bytes().all(is_slug_byte);
    text.len() <= MAX_LENGTH && text.contains('.') && text.split('.').all(part)
}

/// The ids that `text` cites as `r[id]`, with the byte offset of each id. `r` must begin a word.
pub fn cited(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.match_indices("r[").filter_map(move |(at, open)| {
        let begins_word = !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let start = at + open.len();
        let id = text[start..]
            .split(']')
            .next()
            .filter(|id| start + id.len() < text.len())?;
        (begins_word && is_rule_id(id)).then_some((start, id))
    })
}

fn is_slug_byte(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_dotted_slugs() {
        for id in [
            "token.exp",
            "token.exp.max-life",
            "a.0",
            "capabilities-txt.deny.x",
        ] {
            assert!(is_rule_id(id), "{id}");
        }
        for id in [
            "token",
            "",
            ".",
            "token.",
            ".exp",
            "Token.exp",
            "a..b",
            "a.b c",
            "a.b_c",
            "\u{e9}.b",
        ] {
            assert!(!is_rule_id(id), "{id}");
        }
        assert!(!is_rule_id(&format!("a.{}", "b".repeat(MAX_LENGTH))));
    }

    #[test]
    fn citations_are_found_at_word_starts_only() {
        let found: Vec<_> = cited("// r[a.b], r[c.d]; arr[e.f] r[0] r[g.h").collect();
        assert_eq!(found, [(5, "a.b"), (13, "c.d")]);
    }
}
