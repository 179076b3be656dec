//! Texts as words: folded, cut where names are cut, and stemmed.

use rust_stemmers::{Algorithm, Stemmer};
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::canonical_combining_class;

use super::noise;

/// The longest word, in characters; of a longer one the beginning counts.
const WORD_MAX_CHARACTERS: usize = 40;

/// A word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    /// As it is looked up: folded and stemmed.
    pub(super) stem: String,
    /// Folded, and not stemmed.
    pub(super) folded: String,
    /// Which runs of letters and digits of the text it comes from, first and last: the parts of a name have one number.
    pub(super) chunks: (u32, u32),
    /// Parts as one word: `YouTube` beside `You` and `Tube`, `e-mail` as `email`.
    pub(super) whole: bool,
}

impl Word {
    /// Whether it is a part of another word.
    pub(super) fn is_part_of(&self, whole: &Self) -> bool {
        let within = whole.chunks.0 <= self.chunks.0 && self.chunks.1 <= whole.chunks.1;
        whole.whole && within && self.folded.len() < whole.folded.len()
    }
}

/// Reads texts. It holds the stemmer.
pub(super) struct Reader(Stemmer);

impl Reader {
    pub(super) fn new() -> Self {
        Self(Stemmer::create(Algorithm::English))
    }

    /// The words of a text, without those that say nothing, at most `max`.
    pub(super) fn words(&self, text: &str, max: usize) -> Vec<Word> {
        let mut words = Vec::new();
        let mut before = String::new();
        each_chunk(text, &mut |chunk| {
            let mut add = |folded: &str, first: u32, whole: bool| {
                if words.len() < max && (whole || !noise::says_nothing(folded)) {
                    words.push(Word {
                        stem: self.stem(folded),
                        folded: folded.to_owned(),
                        chunks: (first, chunk.number),
                        whole,
                    });
                }
            };
            if chunk.unspaced {
                chunk
                    .pairs()
                    .for_each(|pair| add(&pair, chunk.number, false));
            } else {
                let parts: Vec<&str> = chunk.parts().collect();
                if parts.len() > 1 {
                    add(&chunk.text, chunk.number, true);
                }
                if parts.len() > 2 {
                    parts
                        .windows(2)
                        .for_each(|two| add(&two.concat(), chunk.number, true));
                }
                for part in &parts {
                    // A letter that was cut off says nothing.
                    if parts.len() == 1 || part.chars().nth(1).is_some() {
                        add(part, chunk.number, false);
                    }
                }
                if chunk.hyphened {
                    add(&format!("{before}{}", chunk.text), chunk.number - 1, true);
                }
            }
            before.clone_from(&chunk.text);
            words.len() < max
        });
        words
    }

    /// A text as one word without what stands between, as tool names are compared.
    pub(super) fn joined(text: &str) -> String {
        let mut joined = String::new();
        each_chunk(text, &mut |chunk| {
            joined.push_str(&chunk.text);
            true
        });
        joined
    }

    pub(super) fn stem(&self, folded: &str) -> String {
        if folded.len() > 2 && folded.bytes().all(|byte| byte.is_ascii_lowercase()) {
            self.0.stem(folded).into_owned()
        } else {
            folded.to_owned()
        }
    }
}

/// A run of letters and digits.
#[derive(Default)]
struct Chunk {
    /// Folded: lower case, compatibility forms, without accents.
    text: String,
    /// Where it is cut, in bytes.
    cuts: Vec<usize>,
    number: u32,
    /// In a script that puts no space between words.
    unspaced: bool,
    /// One hyphen stands between it and the chunk before.
    hyphened: bool,
}

impl Chunk {
    fn parts(&self) -> impl Iterator<Item = &str> {
        let begins = [0].into_iter().chain(self.cuts.iter().copied());
        let ends = self.cuts.iter().copied().chain([self.text.len()]);
        begins.zip(ends).map(|(begin, end)| &self.text[begin..end])
    }

    /// Each two neighbouring characters; or the only one.
    fn pairs(&self) -> impl Iterator<Item = String> {
        let characters: Vec<char> = self.text.chars().collect();
        let last = characters.len().saturating_sub(2);
        (0..=last).map(move |at| characters[at..].iter().take(2).collect())
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Upper,
    Letter,
    Digit,
    Unspaced,
    /// Within a word, and no part of it.
    Skipped,
    Between,
}

fn kind(c: char) -> Kind {
    match c {
        '\'' | '\u{2019}' | '\u{300}'..='\u{36f}' => Kind::Skipped,
        _ if c.is_numeric() => Kind::Digit,
        _ if is_unspaced(c) => Kind::Unspaced,
        _ if c.is_uppercase() => Kind::Upper,
        _ if c.is_alphabetic() || canonical_combining_class(c) != 0 => Kind::Letter,
        _ => Kind::Between,
    }
}

/// Of the scripts without spaces between words: Thai, Lao, Myanmar, Khmer, kana, Han.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3005}'..='\u{3007}'
        | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}')
}

/// Hands over chunk after chunk, until told to stop.
fn each_chunk(text: &str, each: &mut dyn FnMut(&Chunk) -> bool) {
    if text.is_ascii() {
        cut(text.chars(), each);
    } else {
        cut(text.nfkd().nfc(), each);
    }
}

fn cut(characters: impl Iterator<Item = char>, each: &mut dyn FnMut(&Chunk) -> bool) {
    let mut chunk = Chunk::default();
    let mut length = 0;
    // The kinds of the two characters before.
    let (mut before, mut last) = (Kind::Between, Kind::Between);
    let mut between = 0;
    let mut hyphen = false;
    for c in characters.chain([' ']) {
        let kind = kind(c);
        if kind == Kind::Skipped {
            continue;
        }
        let ends = kind == Kind::Between
            || (last != Kind::Between && (kind == Kind::Unspaced) != (last == Kind::Unspaced));
        if ends && !chunk.text.is_empty() {
            chunk.cuts.retain(|cut| *cut > 0 && *cut < chunk.text.len());
            if !each(&chunk) {
                return;
            }
            chunk = Chunk {
                number: chunk.number + 1,
                ..Chunk::default()
            };
            length = 0;
            between = 0;
            hyphen = false;
        }
        if kind == Kind::Between {
            between += 1;
            hyphen = c == '-';
        } else {
            if chunk.text.is_empty() {
                chunk.unspaced = kind == Kind::Unspaced;
                chunk.hyphened = hyphen && between == 1 && chunk.number > 0;
            } else {
                let digit = |kind| kind == Kind::Digit;
                if (last == Kind::Letter && kind == Kind::Upper) || digit(last) != digit(kind) {
                    chunk.cuts.push(chunk.text.len());
                } else if before == Kind::Upper && last == Kind::Upper && kind == Kind::Letter {
                    let acronym_ends = chunk
                        .text
                        .char_indices()
                        .next_back()
                        .map_or(0, |(at, _)| at);
                    chunk.cuts.push(acronym_ends);
                }
            }
            length += 1;
            match c {
                // A longer run is cut off, and no word is made of its rest.
                _ if length > WORD_MAX_CHARACTERS && !chunk.unspaced => {}
                _ if c.is_ascii() => chunk.text.push(c.to_ascii_lowercase()),
                _ => chunk.text.extend(fold(c)),
            }
        }
        (before, last) = (last, kind);
    }
}

/// In lower case and without accents.
fn fold(c: char) -> impl Iterator<Item = char> {
    c.to_lowercase()
        .nfkd()
        .filter(|c| kind(*c) != Kind::Skipped)
        .nfc()
}
