//! Terms: emphasis marks a defined term, and a defined term is used.

use std::collections::BTreeSet;

use super::Findings;

pub(super) fn check(findings: &mut Findings<'_>) {
    let text = findings.text;
    let mut defined = BTreeSet::new();
    for term in &text.terms {
        if !defined.insert(singular(&term.label.text)) {
            let message = format!("\"{}\" is defined twice", term.label.text);
            findings.add(
                "term-twice",
                term.label.span.clone(),
                message,
                "keep one definition",
            );
        }
    }
    for phrase in &text.emphasis {
        if !defined.contains(&singular(&phrase.text)) {
            let help = "emphasis is for terms: define it in the section Terms as - **term**: definition, or do without";
            let message = format!("\"{}\" is not a defined term", phrase.text);
            findings.add("term-undefined", phrase.span.clone(), message, help);
        }
    }
    for term in &text.terms {
        let words = term.label.text.to_lowercase();
        let is_used = text.prose.iter().any(|prose| {
            let lower = prose.text.to_lowercase();
            let outside = !term.item.contains(&prose.start());
            outside && holds_phrase(&lower, &words)
        });
        if !is_used {
            let message = format!("the term \"{}\" is defined and never used", term.label.text);
            findings.add(
                "term-unused",
                term.label.span.clone(),
                message,
                "use it or remove it",
            );
        }
    }
}

/// Lower case, single spaces, without a plural s.
fn singular(term: &str) -> String {
    let words: Vec<_> = term.split_whitespace().map(str::to_lowercase).collect();
    let joined = words.join(" ");
    joined
        .strip_suffix('s')
        .map_or_else(|| joined.clone(), str::to_owned)
}

/// True if `text` holds `phrase`, or its plural, as whole words.
fn holds_phrase(text: &str, phrase: &str) -> bool {
    text.match_indices(phrase).any(|(at, _)| {
        let after = &text[at + phrase.len()..];
        let after = after.strip_prefix('s').unwrap_or(after);
        !text[..at].ends_with(char::is_alphanumeric) && !after.starts_with(char::is_alphanumeric)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_whole_words_with_a_simple_plural() {
        assert!(holds_phrase("the resolvers answer", "resolver"));
        assert!(holds_phrase("a resolver.", "resolver"));
        assert!(!holds_phrase("resolverless", "resolver"));
        assert!(!holds_phrase("preresolver", "resolver"));
        assert_eq!(singular("Status  Tokens"), "status token");
    }
}
