//! The key words of BCP 14 (RFC 2119, RFC 8174): capitals only.

use std::fmt;

use conformance_vectors::Level;

/// A key word of BCP 14.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is the word that it is named after")]
pub enum Keyword {
    MustNot,
    Must,
    Required,
    ShallNot,
    Shall,
    ShouldNot,
    Should,
    NotRecommended,
    Recommended,
    May,
    Optional,
}

/// Longer words before their beginnings.
const WORDS: [(&str, Keyword); 11] = [
    ("MUST NOT", Keyword::MustNot),
    ("MUST", Keyword::Must),
    ("REQUIRED", Keyword::Required),
    ("SHALL NOT", Keyword::ShallNot),
    ("SHALL", Keyword::Shall),
    ("SHOULD NOT", Keyword::ShouldNot),
    ("SHOULD", Keyword::Should),
    ("NOT RECOMMENDED", Keyword::NotRecommended),
    ("RECOMMENDED", Keyword::Recommended),
    ("MAY", Keyword::May),
    ("OPTIONAL", Keyword::Optional),
];

impl Keyword {
    /// The level the key word sets.
    #[must_use]
    pub fn level(self) -> Level {
        match self {
            Self::MustNot | Self::Must | Self::Required | Self::ShallNot | Self::Shall => {
                Level::Must
            }
            Self::ShouldNot | Self::Should | Self::NotRecommended | Self::Recommended => {
                Level::Should
            }
            Self::May | Self::Optional => Level::May,
        }
    }

    /// The key words in `text`, each as a whole word, with their byte ranges.
    #[must_use]
    pub fn find(text: &str) -> Vec<(Self, std::ops::Range<usize>)> {
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
            let begins = !text[..at].ends_with(char::is_alphanumeric);
            let word = WORDS.iter().find(|(word, _)| {
                begins
                    && rest
                        .strip_prefix(word)
                        .is_some_and(|after| !after.starts_with(char::is_alphanumeric))
            });
            match word {
                Some((word, keyword)) => {
                    found.push((*keyword, at..at + word.len()));
                    at += word.len();
                }
                None => at += rest.chars().next().map_or(1, char::len_utf8),
            }
        }
        found
    }
}

impl fmt::Display for Keyword {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = WORDS.iter().find(|(_, keyword)| keyword == self);
        f.pad(word.map_or("", |(word, _)| word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_capital_words_longest_first() {
        let text =
            "It MUST NOT, must, MUSTN and MAYBE; is NOT RECOMMENDED (OPTIONAL) \u{e9}MAY SHALL";
        let found: Vec<_> = Keyword::find(text)
            .into_iter()
            .map(|(k, at)| (k.to_string(), &text[at]))
            .collect();
        let expected = ["MUST NOT", "NOT RECOMMENDED", "OPTIONAL", "SHALL"]
            .map(|word| (word.to_owned(), word));
        assert_eq!(found, expected);
    }

    #[test]
    fn every_word_has_its_level() {
        let levels: Vec<_> = WORDS
            .iter()
            .map(|(word, _)| Keyword::find(word)[0].0.level().to_string())
            .collect();
        assert_eq!(
            levels.join(" "),
            "MUST MUST MUST MUST MUST SHOULD SHOULD SHOULD SHOULD MAY MAY"
        );
    }
}
