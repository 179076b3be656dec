//! Why a server is where it is, for the operator.

use std::collections::HashMap;

use fst::Streamer as _;

use super::index::{Index, count};
use super::query;
use super::{at, rank};

/// Why a server is where it is for a need.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// Its score.
    pub score: f32,
    /// Which share of the need it meets, by weight.
    pub met: f32,
    /// The need is the name of one of its tools.
    pub named: bool,
    /// The tool that is best for the need, by its place in the document.
    pub tool: Option<u32>,
    /// The words of the need, in its order.
    pub words: Vec<Sought>,
}

/// A word of a need.
#[derive(Debug, Clone, PartialEq)]
pub struct Sought {
    /// The word.
    pub word: String,
    /// Its share of the need.
    pub share: f32,
    /// Where it was found best.
    pub found: Option<Found>,
}

/// How a word was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// As which word; words are stems.
    pub word: String,
    /// What makes the two alike.
    pub how: How,
    /// In the tool, in what is said of the server, or in another of its tools.
    pub place: Place,
    /// How often it stands in which field.
    pub fields: Vec<(Field, u16)>,
    /// What it adds to the score of its tool or server, before the tool's share of it.
    pub worth: f32,
}

/// Where a word was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In the tool that is best for the need.
    Tool,
    /// In what is said of the server.
    Server,
    /// In another tool, by its place in the document.
    OtherTool(u32),
}

/// A field of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// [`ToolText::name`](super::ToolText::name).
    ToolName,
    /// [`ToolText::description`](super::ToolText::description).
    ToolDescription,
    /// [`Document::name`](super::Document::name).
    Name,
    /// [`Document::description`](super::Document::description).
    Description,
    /// [`Document::jobs`](super::Document::jobs).
    Jobs,
}

/// The fields in the order of [`super::settings`].
const FIELDS: [Field; 5] = [
    Field::ToolName,
    Field::ToolDescription,
    Field::Name,
    Field::Description,
    Field::Jobs,
];

/// What makes two words alike.
pub use query::Kind as How;

impl Index {
    /// Why a document is where it is for a need; nothing if no candidate is made of it.
    #[must_use]
    pub fn explain(&self, need: &str, document: u32) -> Option<Explanation> {
        let query = query::read(self, need);
        let seen = rank::look_at(self, &query, document);
        if !seen.is_enough {
            return None;
        }
        let first = self.first_unit[at(document)];
        let units = at(self.first_unit[at(document) + 1] - first);
        let tool = seen.tools.first().copied();
        let place = |unit: u32| match unit - first {
            0 => Place::Server,
            nth if Some(nth - 1) == tool => Place::Tool,
            nth => Place::OtherTool(nth - 1),
        };
        let names = self.names(
            query
                .wanted
                .iter()
                .flat_map(|wanted| &wanted.ways)
                .map(|way| way.list),
        );
        let words = query.wanted.iter().map(|wanted| {
            let mut best: Option<(bool, Found)> = None;
            for way in &wanted.ways {
                for (unit, counts) in self.within(way.list, first, units) {
                    let place = place(unit);
                    let lent = if place == Place::Server && tool.is_some() {
                        self.settings.server
                    } else {
                        1.0
                    };
                    let near = !matches!(place, Place::OtherTool(_));
                    let worth = wanted.weight * way.likeness * self.value(unit, counts) * lent;
                    if best
                        .as_ref()
                        .is_some_and(|(was_near, found)| (*was_near, found.worth) >= (near, worth))
                    {
                        continue;
                    }
                    let fields = if place == Place::Server {
                        &FIELDS[2..]
                    } else {
                        &FIELDS[..2]
                    };
                    let fields = fields
                        .iter()
                        .enumerate()
                        .map(|(slot, field)| (*field, count(counts, slot)));
                    let found = Found {
                        word: names.get(&way.list).cloned().unwrap_or_default(),
                        how: way.kind,
                        place,
                        fields: fields.filter(|(_, times)| *times > 0).collect(),
                        worth,
                    };
                    best = Some((near, found));
                }
            }
            Sought {
                word: wanted.word.clone(),
                share: wanted.weight / query.whole.max(f32::MIN_POSITIVE),
                found: best.map(|(_, found)| found),
            }
        });
        Some(Explanation {
            score: seen.score,
            met: seen.met,
            named: query
                .named
                .is_some_and(|list| self.within(list, first, units).next().is_some()),
            tool,
            words: words.collect(),
        })
    }

    /// The words of some lists; it goes through the vocabulary, which only a person waits for.
    fn names(&self, lists: impl Iterator<Item = u32>) -> HashMap<u32, String> {
        let mut names: HashMap<u32, String> = lists.map(|list| (list, String::new())).collect();
        let mut stream = self.vocabulary.stream();
        while let Some((word, list)) = stream.next() {
            if let Some(name) = u32::try_from(list)
                .ok()
                .and_then(|list| names.get_mut(&list))
            {
                *name = String::from_utf8_lossy(word).into_owned();
            }
        }
        names
    }
}
