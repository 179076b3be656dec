//! A need as what is looked up.

use std::collections::HashSet;

use fst::automaton::Str;
use fst::{Automaton, IntoStreamer as _, Streamer as _};

use super::index::{Counts, Index, whole_name};
use super::pairs::neighbours;
use super::slips::Slips;
use super::words::{Reader, Word};
use super::{associations, at, noise, real};

/// The most words of a need; 200 characters hold no more than 100.
const NEED_MAX_WORDS: usize = 100;

/// Of how many words of a need, that stand nowhere, words nearly the same are looked for.
const UNKNOWN_MAX: usize = 3;

/// How many words nearly the same are taken, those that stand in most documents first.
const NEARLY_MAX: usize = 4;

/// How many words of the vocabulary are looked at for that.
const LOOKED_AT_MAX: usize = 400;

/// A need, read.
#[derive(Debug)]
pub(super) struct Query {
    /// Its words, each once.
    pub(super) wanted: Vec<Wanted>,
    /// What they weigh together.
    pub(super) whole: f32,
    /// Its neighbouring words that stand side by side somewhere too.
    pub(super) pairs: Vec<Pair>,
    /// The list of the tools whose name the whole need is.
    pub(super) named: Option<u32>,
}

/// A word of the need.
#[derive(Debug, Clone)]
pub(super) struct Wanted {
    /// As it stands in the need, folded.
    pub(super) word: String,
    /// What it is worth when it is met as it is.
    pub(super) weight: f32,
    /// How little it is expected: the natural logarithm of one in how many servers has it.
    pub(super) surprise: f32,
    /// How it can be met, each list once.
    pub(super) ways: Vec<Way>,
}

/// Two neighbouring words of the need.
#[derive(Debug)]
pub(super) struct Pair {
    /// What it is worth that they stand side by side.
    pub(super) weight: f32,
    /// How little that is expected, beside what is not expected of the two: as little as of one more word like them.
    pub(super) surprise: f32,
    /// Where they do.
    pub(super) units: Vec<(u32, Counts)>,
}

impl Pair {
    /// What of it lies within some units.
    pub(super) fn within(&self, first: u32, units: usize) -> impl Iterator<Item = (u32, Counts)> {
        let begin = self.units.partition_point(|(unit, _)| *unit < first);
        let places = self.units[begin..].iter().copied();
        places.take_while(move |(unit, _)| at(unit - first) < units)
    }
}

/// One way to meet a word.
#[derive(Debug, Clone, Copy)]
pub(super) struct Way {
    /// The list of another word, or its own.
    pub(super) list: u32,
    /// How good that is: 1 for the word itself.
    pub(super) likeness: f32,
    /// What makes the two alike.
    pub(super) kind: Kind,
}

/// What makes two words alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The same word, in some form.
    Itself,
    /// One is the other with a slip of the pen.
    Typo,
    /// One is the beginning of the other.
    Beginning,
    /// Two words that stand as one.
    Compound,
    /// Catalogues use one where they use the other.
    Associated,
}

pub(super) fn read(index: &Index, need: &str) -> Query {
    let words = index.reader.words(need, NEED_MAX_WORDS);
    let mut wanted = Vec::new();
    let mut known = HashSet::new();
    let mut unknown = 0;
    let common = index.common();
    for word in &words {
        let own = index.list(&word.stem);
        // Parts as one word count only where that is known, and parts that are not known only where it is not.
        let known_whole = |other: &Word| is_part_of_known(index, word, other);
        let leave = own.is_none() && (word.whole || words.iter().any(known_whole));
        if leave || !known.insert(&word.stem) {
            continue;
        }
        let mut ways = Ways(Vec::new());
        let neighbours = words.iter().filter_map(|other| joined(index, word, other));
        neighbours.for_each(|list| ways.add(list, index.settings.compound, Kind::Compound));
        if let Some(list) = own {
            ways.add(list, 1.0, Kind::Itself);
        } else if ways.0.is_empty()
            && unknown < UNKNOWN_MAX
            && associations::known(&word.stem).servers == 0.0
        {
            unknown += 1;
            nearly(index, word, &mut ways);
        }
        for (other, nearness) in associations::known(&word.stem).near() {
            if let Some(list) = index
                .list(other)
                .filter(|list| index.frequency(*list) <= common)
            {
                ways.add(list, index.settings.associated * nearness, Kind::Associated);
            }
        }
        let (weight, surprise) = weights(index, word, own);
        wanted.push(Wanted {
            word: word.folded.clone(),
            weight,
            surprise,
            ways: ways.0,
        });
    }
    Query {
        pairs: pairs(index, &words, &wanted),
        whole: wanted.iter().map(|wanted| wanted.weight).sum(),
        wanted,
        named: index.list(&whole_name(&Reader::joined(need))),
    }
}

/// The pairs of a need, each once.
fn pairs(index: &Index, words: &[Word], wanted: &[Wanted]) -> Vec<Pair> {
    let mut known = HashSet::new();
    let known_of = |word: &Word| {
        let same = wanted.iter().find(|wanted| wanted.word == word.folded);
        same.map_or((0.0, 0.0), |wanted| (wanted.weight, wanted.surprise))
    };
    let mut pairs = Vec::new();
    for (a, b) in neighbours(words) {
        if index.settings.pair > 0.0 && known.insert((&a.stem, &b.stem)) {
            let units = index.pairs.units(&a.stem, &b.stem);
            if !units.is_empty() {
                let (a, b) = (known_of(a), known_of(b));
                pairs.push(Pair {
                    weight: index.settings.pair * f32::midpoint(a.0, b.0),
                    surprise: f32::midpoint(a.1, b.1),
                    units,
                });
            }
        }
    }
    pairs
}

/// What a word is worth, and how little it is expected: the rarer, the more, and less if people merely ask with it.
fn weights(index: &Index, word: &Word, list: Option<u32>) -> (f32, f32) {
    let settings = &index.settings;
    let here = real(list.map_or(0, |list| index.frequency(list)));
    let all_here = real(u32::try_from(index.len()).unwrap_or(u32::MAX));
    // A small index knows little of how usual a word is, and the catalogues help it.
    let (known, all_known) = (
        associations::known(&word.stem).servers,
        associations::servers(),
    );
    let all = all_here + settings.background;
    let with = here + settings.background * known / all_known;
    let rarity = (1.0 + (all - with + 0.5) / (with + 0.5)).ln();
    let surprise = ((all_here + all_known + 1.0) / (here + known + 1.0)).ln();
    let less = match noise::asks(&word.folded) {
        true => settings.asking,
        false => 1.0,
    };
    (rarity * less, surprise * less)
}

/// Whether a word is a part of another that stands somewhere.
fn is_part_of_known(index: &Index, word: &Word, whole: &Word) -> bool {
    word.is_part_of(whole) && index.list(&whole.stem).is_some()
}

/// The list of two neighbours as one word: `data base`.
fn joined(index: &Index, word: &Word, other: &Word) -> Option<u32> {
    let both = match (word.chunks.0, other.chunks.0) {
        _ if word.whole || other.whole => return None,
        (this, that) if that + 1 == this => format!("{}{}", other.folded, word.folded),
        (this, that) if this + 1 == that => format!("{}{}", word.folded, other.folded),
        _ => return None,
    };
    index.list(&index.reader.stem(&both))
}

/// Ways to meet a word that stands nowhere.
fn nearly(index: &Index, word: &Word, ways: &mut Ways) {
    let settings = &index.settings;
    let length = word.folded.chars().count();
    if !word.folded.chars().all(char::is_alphabetic) || length < 4 {
        return;
    }
    let beginning = Str::new(&word.stem);
    common(
        index,
        beginning.starts_with(),
        settings.beginning,
        Kind::Beginning,
        ways,
    );
    if length < 5 {
        return;
    }
    for swapped in swaps(&word.folded) {
        if let Some(list) = index.list(&index.reader.stem(&swapped)) {
            ways.add(list, settings.typo, Kind::Typo);
        }
    }
    let first = word.stem.chars().next().map_or(0, char::len_utf8);
    let distance = if length < 9 { 1 } else { 2 };
    for text in [&word.stem, &word.folded] {
        if let Some(slips) = Slips::of(text, distance) {
            let first = Str::new(&text[..first]);
            common(
                index,
                slips.intersection(first.starts_with()),
                settings.typo,
                Kind::Typo,
                ways,
            );
        }
        if word.stem == word.folded {
            break;
        }
    }
}

/// A word with two neighbouring letters in each other's place.
fn swaps(word: &str) -> impl Iterator<Item = String> {
    let letters: Vec<char> = word.chars().collect();
    (1..letters.len()).map(move |place| {
        let mut swapped = letters.clone();
        swapped.swap(place - 1, place);
        swapped.into_iter().collect()
    })
}

/// Adds the most common words that an automaton takes.
fn common(index: &Index, automaton: impl Automaton, likeness: f32, kind: Kind, ways: &mut Ways) {
    let mut found = Vec::new();
    let mut stream = index.vocabulary.search(automaton).into_stream();
    while let Some((_, list)) = stream.next() {
        let list = u32::try_from(list).unwrap_or(0);
        found.push((index.frequency(list), list));
        if found.len() == LOOKED_AT_MAX {
            break;
        }
    }
    found.sort_by(|(x, a), (y, b)| y.cmp(x).then(a.cmp(b)));
    for (_, list) in found.into_iter().take(NEARLY_MAX) {
        ways.add(list, likeness, kind);
    }
}

/// Ways to meet one word, each list once.
struct Ways(Vec<Way>);

impl Ways {
    fn add(&mut self, list: u32, likeness: f32, kind: Kind) {
        match self.0.iter_mut().find(|way| way.list == list) {
            Some(way) if way.likeness >= likeness => {}
            Some(way) => {
                *way = Way {
                    list,
                    likeness,
                    kind,
                }
            }
            None if likeness > 0.0 => self.0.push(Way {
                list,
                likeness,
                kind,
            }),
            None => {}
        }
    }
}
