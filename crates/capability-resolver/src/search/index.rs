//! The index: for each word, where it stands.

use std::collections::HashMap;
use std::ops::Range;

use fst::{Map, MapBuilder};

use super::pairs::Pairs;
use super::settings::Settings;
use super::words::{Reader, Word};
use super::{Document, Hit, ToolText, at};

/// The most words of one text that are read; the longest that a store keeps has 4,000 characters.
pub(super) const TEXT_MAX_WORDS: usize = 1_000;

/// The most tools of a document.
pub(super) const TOOLS_MAX: usize = 2_000;

/// In how many documents a word stands at least that is common.
const COMMON_MIN: u32 = 30;

/// How a unit's fields are called; a tool's are the first two, a server's the others.
const TOOL_FIELDS: [usize; 2] = [0, 1];
const SERVER_FIELDS: [usize; 3] = [2, 3, 4];

/// How often a word stands in the fields of a unit, five bits each.
pub(super) type Counts = u16;
const COUNT_BITS: u32 = 5;
const COUNT_MAX: u16 = (1 << COUNT_BITS) - 1;

/// An index over documents. It never changes.
///
/// A *unit* is a server without its tools, or one tool. The units of a document stand one after the other, the server
/// first.
pub struct Index {
    pub(super) settings: Settings,
    pub(super) reader: Reader,
    /// Each word, and the number of its list.
    pub(super) vocabulary: Map<Vec<u8>>,
    /// Where each list begins in `units` and `counts`, and where the last one ends.
    pub(super) starts: Vec<u32>,
    pub(super) units: Vec<u32>,
    pub(super) counts: Vec<Counts>,
    /// The same by document: where each list begins in `documents` and `best`, and where the last one ends.
    document_starts: Vec<u32>,
    documents: Vec<u32>,
    best: Vec<f32>,
    /// What a word that stands once in each field of a unit is worth.
    pub(super) worth: Vec<[f32; 3]>,
    /// Where two words stand side by side.
    pub(super) pairs: Pairs,
    /// The document of each unit.
    pub(super) document_of: Vec<u32>,
    /// The first unit of each document, and one past the last.
    pub(super) first_unit: Vec<u32>,
    /// Lots for [`super::rank`].
    pub(super) lots: Vec<u64>,
}

/// A word that stands for a whole name, so that it is found as such.
pub(super) fn whole_name(joined: &str) -> String {
    format!("={joined}")
}

impl Index {
    /// Reads documents. Their place in the order is their number.
    pub fn build(documents: impl IntoIterator<Item = Document>) -> Self {
        Self::with_settings(documents, Settings::DEFAULT)
    }

    /// The same with other numbers, for measuring.
    #[doc(hidden)]
    pub fn with_settings(
        documents: impl IntoIterator<Item = Document>,
        settings: Settings,
    ) -> Self {
        let mut building = Building {
            settings,
            reader: Reader::new(),
            numbers: HashMap::new(),
            lists: Vec::new(),
            worth: Vec::new(),
            pairs: Pairs::default(),
            document_of: Vec::new(),
            first_unit: vec![0],
            lots: Vec::new(),
        };
        for document in documents {
            building.add(&document);
        }
        building.end()
    }

    /// Takes other numbers, unless one differs by which the lists were made; for measuring, which is quicker so.
    #[doc(hidden)]
    pub fn renumber(&mut self, settings: Settings) -> bool {
        let made_by = |settings: &Settings| {
            let Settings {
                fields,
                lengths,
                usual,
                saturation,
                ..
            } = *settings;
            (fields, lengths, usual, saturation)
        };
        let same = made_by(&self.settings) == made_by(&settings);
        if same {
            self.settings = settings;
        }
        same
    }

    /// How many documents there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lots.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lots.is_empty()
    }

    /// The servers that can do a job, best first, at most `limit`. `keep` is asked in that order, until enough are kept.
    pub fn find(&self, need: &str, limit: usize, keep: &mut dyn FnMut(&Hit) -> bool) -> Vec<Hit> {
        super::rank::find(self, need, limit, keep)
    }

    /// In how many documents a word stands that is common; in a small index none is.
    pub(super) fn common(&self) -> u32 {
        u32::try_from(self.len() / self.settings.common)
            .unwrap_or(u32::MAX)
            .max(COMMON_MIN)
    }

    /// Where the list of a word lies.
    pub(super) fn list(&self, word: &str) -> Option<u32> {
        self.vocabulary
            .get(word)
            .and_then(|number| u32::try_from(number).ok())
    }

    /// Where a list lies in `units` and `counts`.
    pub(super) fn range(&self, list: u32) -> Range<usize> {
        at(self.starts[at(list)])..at(self.starts[at(list) + 1])
    }

    /// The documents of a list in their order, and what its word is worth at best in a unit of each.
    pub(super) fn documents(&self, list: u32) -> (&[u32], &[f32]) {
        let range = at(self.document_starts[at(list)])..at(self.document_starts[at(list) + 1]);
        (&self.documents[range.clone()], &self.best[range])
    }

    /// In how many documents a word stands.
    pub(super) fn frequency(&self, list: u32) -> u32 {
        self.document_starts[at(list) + 1] - self.document_starts[at(list)]
    }

    /// What of a list lies within some units.
    pub(super) fn within(
        &self,
        list: u32,
        first: u32,
        units: usize,
    ) -> impl Iterator<Item = (u32, Counts)> {
        let range = self.range(list);
        let begin = range.start + self.units[range.clone()].partition_point(|unit| *unit < first);
        let places = begin..range.end;
        places
            .map(|place| (self.units[place], self.counts[place]))
            .take_while(move |(unit, _)| at(unit - first) < units)
    }
}

/// The counts of a word that stands once in one field.
pub(super) fn once(slot: usize) -> Counts {
    1 << (u32::try_from(slot).unwrap_or(0) * COUNT_BITS)
}

pub(super) fn count(counts: Counts, field: usize) -> u16 {
    (counts >> (u32::try_from(field).unwrap_or(0) * COUNT_BITS)) & COUNT_MAX
}

/// An index that is being built.
struct Building {
    settings: Settings,
    reader: Reader,
    numbers: HashMap<String, usize>,
    lists: Vec<Vec<(u32, Counts)>>,
    worth: Vec<[f32; 3]>,
    pairs: Pairs,
    document_of: Vec<u32>,
    first_unit: Vec<u32>,
    lots: Vec<u64>,
}

impl Building {
    fn add(&mut self, document: &Document) {
        let jobs = document.jobs.join("\n");
        self.unit(
            &SERVER_FIELDS,
            &[&document.name, &document.description, &jobs],
            None,
        );
        for ToolText { name, description } in document.tools.iter().take(TOOLS_MAX) {
            self.unit(&TOOL_FIELDS, &[name, description], Some(name));
        }
        self.lots.push(super::rank::lot(document.key.as_bytes()));
        self.first_unit.push(number(self.worth.len()));
    }

    fn unit(&mut self, fields: &[usize], texts: &[&str], name: Option<&str>) {
        let unit = number(self.worth.len());
        let mut worth = [0.0; 3];
        for (slot, (field, text)) in fields.iter().zip(texts).enumerate() {
            let words = self.reader.words(text, TEXT_MAX_WORDS);
            let length = words.iter().filter(|word| !word.whole).count();
            let share = self.settings.lengths[*field];
            let relative =
                f32::from(u16::try_from(length).unwrap_or(u16::MAX)) / self.settings.usual[*field];
            worth[slot] = self.settings.fields[*field] / (1.0 - share + share * relative);
            self.pairs.add(&words, slot, unit);
            for Word { stem, .. } in words {
                self.put(stem, unit, slot);
            }
        }
        if let Some(name) = name {
            self.put(whole_name(&Reader::joined(name)), unit, 0);
        }
        self.worth.push(worth);
        self.document_of.push(number(self.lots.len()));
    }

    fn put(&mut self, word: String, unit: u32, slot: usize) {
        let next = self.lists.len();
        let list = *self.numbers.entry(word).or_insert(next);
        if list == next {
            self.lists.push(Vec::new());
        }
        let list = &mut self.lists[list];
        if list.last().is_none_or(|(last, _)| *last != unit) {
            list.push((unit, 0));
        }
        if let Some((_, counts)) = list.last_mut()
            && count(*counts, slot) < COUNT_MAX
        {
            *counts += once(slot);
        }
    }

    fn end(mut self) -> Index {
        self.pairs.sort();
        let mut words: Vec<(String, usize)> = self.numbers.into_iter().collect();
        words.sort_unstable();
        let mut builder = MapBuilder::memory();
        let mut index = Index {
            settings: self.settings,
            reader: self.reader,
            vocabulary: Map::default(),
            starts: vec![0],
            units: Vec::new(),
            counts: Vec::new(),
            document_starts: vec![0],
            documents: Vec::new(),
            best: Vec::new(),
            worth: self.worth,
            pairs: self.pairs,
            document_of: self.document_of,
            first_unit: self.first_unit,
            lots: self.lots,
        };
        for (place, (word, list)) in words.iter().enumerate() {
            // Words are sorted and each there once, which is all that a builder asks for.
            let _ = builder.insert(word, u64::try_from(place).unwrap_or(u64::MAX));
            let begin = index.documents.len();
            for (unit, counts) in std::mem::take(&mut self.lists[*list]) {
                index.units.push(unit);
                index.counts.push(counts);
                let document = index.document_of[at(unit)];
                let value = index.value(unit, counts);
                match index.documents[begin..].last() {
                    Some(last) if *last == document => {
                        let place = index.best.len() - 1;
                        index.best[place] = index.best[place].max(value);
                    }
                    _ => {
                        index.documents.push(document);
                        index.best.push(value);
                    }
                }
            }
            index.starts.push(number(index.units.len()));
            index.document_starts.push(number(index.documents.len()));
        }
        index.vocabulary = builder.into_map();
        for list in [
            &mut index.starts,
            &mut index.units,
            &mut index.document_starts,
            &mut index.documents,
        ] {
            list.shrink_to_fit();
        }
        index.counts.shrink_to_fit();
        index.best.shrink_to_fit();
        index
    }
}

/// A number of units or documents; more than fit are not kept in one index.
fn number(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
