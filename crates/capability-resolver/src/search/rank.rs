//! Servers, best first.
//!
//! Each server that may be a candidate has a most that it could be worth: all its words, from whichever of its tools. The
//! servers are looked at in that order, tool by tool, until none that is left can be better. So the order is exact, and few
//! servers are looked at closely.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::index::{Counts, Index, count};
use super::possible::possible;
use super::query::{self, Pair, Query, Wanted, Way};
use super::{Hit, at, real};

/// How many servers are looked at closely at most, whatever `keep` says of them.
const LOOKED_AT_MAX: usize = 5_000;

pub(super) fn find(
    index: &Index,
    need: &str,
    limit: usize,
    keep: &mut dyn FnMut(&Hit) -> bool,
) -> Vec<Hit> {
    let query = query::read(index, need);
    let enough = Enough::of(index, &query);
    let lot_of_need = lot(need.as_bytes());
    let lot_of = |document: u32| mixed(index.lots[at(document)], lot_of_need);
    let mut possible: BinaryHeap<Placed<()>> = possible(index, &query, enough)
        .into_iter()
        .map(|(document, score)| Placed {
            score,
            lot: lot_of(document),
            document,
            what: (),
        })
        .collect();
    let mut sure: BinaryHeap<Placed<Vec<u32>>> = BinaryHeap::new();
    let mut hits = Vec::new();
    let mut looked_at = 0;
    while hits.len() < limit {
        let next = possible
            .peek()
            .filter(|_| looked_at < LOOKED_AT_MAX)
            .map(|next| next.score);
        match sure.pop_if_before(next) {
            Some(found) => {
                let hit = Hit {
                    document: found.document,
                    score: found.score,
                    tools: found.what,
                };
                if keep(&hit) {
                    hits.push(hit);
                }
            }
            None => {
                let Some(next) = possible.pop().filter(|_| looked_at < LOOKED_AT_MAX) else {
                    break;
                };
                looked_at += 1;
                let seen = look_at(index, &query, next.document);
                if seen.is_enough {
                    sure.push(Placed {
                        score: seen.score,
                        lot: next.lot,
                        document: next.document,
                        what: seen.tools,
                    });
                }
            }
        }
    }
    hits
}

/// One server, looked at closely.
pub(super) struct Seen {
    /// Whether it is a candidate.
    pub(super) is_enough: bool,
    pub(super) score: f32,
    /// Which share of the need it meets, by weight.
    pub(super) met: f32,
    /// The tools that are for the need, best first.
    pub(super) tools: Vec<u32>,
}

pub(super) fn look_at(index: &Index, query: &Query, document: u32) -> Seen {
    let settings = &index.settings;
    let first = index.first_unit[at(document)];
    let units = at(index.first_unit[at(document) + 1] - first);
    // Of each tool, what it has above that which its server has. Place 0 is the server's own.
    let mut above = vec![Worth::default(); units];
    let mut best = vec![Worth::default(); units];
    let (mut server, mut shared, mut all) = (Worth::default(), Worth::default(), Worth::default());
    let mut touched: Vec<usize> = Vec::new();
    for wanted in &query.wanted {
        for way in &wanted.ways {
            for (unit, counts) in index.within(way.list, first, units) {
                let place = at(unit - first);
                if best[place].score == 0.0 {
                    touched.push(place);
                }
                best[place] = best[place].max(Worth::of(way, index.value(unit, counts)));
            }
        }
        let own = best[0];
        let lent = Worth {
            score: own.score * settings.server,
            met: own.met,
            evidence: 0.0,
        };
        let mut most = Worth::default();
        for place in touched.drain(..) {
            let found = std::mem::take(&mut best[place]);
            most = most.max(found);
            above[place].add(wanted, found.max(lent).less(lent));
        }
        server.add(wanted, own);
        shared.add(wanted, lent);
        all.add(wanted, most);
    }
    for pair in &query.pairs {
        // The server comes first, and lends to its tools as above.
        let (mut most, mut lent) = (0.0_f32, 0.0);
        for (unit, counts) in pair.within(first, units) {
            let value = index.value(unit, counts);
            most = most.max(value);
            if unit == first {
                lent = value * settings.server;
                server.add_pair(pair, value);
                shared.add_pair(pair, lent);
            } else {
                above[at(unit - first)].add_pair(pair, (value - lent).max(0.0));
            }
        }
        all.add_pair(pair, most);
    }
    let exact = settings.exact * query.whole;
    let named = query
        .named
        .into_iter()
        .flat_map(|list| index.within(list, first, units));
    let mut once = 0.0;
    for (unit, _) in named {
        above[at(unit - first)].score += exact;
        once = exact;
    }
    // However many tools have that name, written in however many ways.
    all.score += once;
    let mut tools: Vec<(u32, Worth)> = (0..)
        .zip(&above)
        .skip(1)
        .map(|(place, own)| (place - 1, *own))
        .collect();
    tools.retain(|(_, own)| own.score > 0.0);
    tools.sort_by(|(a, x), (b, y)| y.score.total_cmp(&x.score).then(a.cmp(b)));
    let best = tools.first().map_or(server, |(_, own)| {
        let mut best = *own;
        best.score += shared.score;
        best.met += shared.met;
        best.evidence += shared.evidence;
        best.max(server)
    });
    let least = tools
        .first()
        .map_or(0.0, |(_, own)| own.score * settings.for_the_need);
    tools.retain(|(_, own)| own.score >= least);
    let share =
        |best: f32, all: f32| settings.tool_share * best + (1.0 - settings.tool_share) * all;
    let worth = Worth {
        score: share(best.score, all.score),
        met: share(best.met, all.met),
        evidence: share(best.evidence, all.evidence),
    };
    Seen {
        is_enough: worth.is_enough(Enough::of(index, query)),
        score: worth.score,
        met: worth.met / query.whole.max(f32::MIN_POSITIVE),
        tools: tools.into_iter().map(|(tool, _)| tool).collect(),
    }
}

/// What was found of a word, or of all words.
#[derive(Clone, Copy, Default)]
pub(super) struct Worth {
    pub(super) score: f32,
    /// How well it is met, however often and wherever.
    met: f32,
    /// How little that is expected.
    evidence: f32,
}

/// What makes a candidate. In a large index some words of a need are met by chance, and what does the job meets more of
/// them, so that evidence is asked for; unless the need is met nearly whole.
#[derive(Clone, Copy)]
pub(super) struct Enough {
    met: f32,
    evidence: f32,
}

impl Enough {
    pub(super) fn of(index: &Index, query: &Query) -> Self {
        let units = real(u32::try_from(index.document_of.len()).unwrap_or(u32::MAX));
        Self {
            met: index.settings.nearly_whole * query.whole,
            evidence: index.settings.chance * units.ln().powi(3),
        }
    }
}

impl Worth {
    /// What was found of one word, before it is weighted.
    pub(super) fn of(way: &Way, value: f32) -> Self {
        Self {
            score: way.likeness * value,
            met: way.likeness,
            evidence: 0.0,
        }
    }

    /// Whether that makes a candidate.
    pub(super) fn is_enough(self, enough: Enough) -> bool {
        self.score > 0.0 && (self.met >= enough.met || self.evidence >= enough.evidence)
    }

    pub(super) fn max(self, other: Self) -> Self {
        Self {
            score: self.score.max(other.score),
            met: self.met.max(other.met),
            evidence: self.evidence.max(other.evidence),
        }
    }

    fn less(self, other: Self) -> Self {
        Self {
            score: self.score - other.score,
            met: self.met - other.met,
            evidence: 0.0,
        }
    }

    /// Adds what was found of one word.
    pub(super) fn add(&mut self, wanted: &Wanted, found: Self) {
        self.score += wanted.weight * found.score;
        self.met += wanted.weight * found.met;
        self.evidence += wanted.surprise * found.score;
    }

    /// Adds what it is worth that two words stand side by side.
    pub(super) fn add_pair(&mut self, pair: &Pair, value: f32) {
        self.score += pair.weight * value;
        self.evidence += pair.surprise * value;
    }
}

impl Index {
    /// What the places of a word in a unit are worth: 0 to 1, and less and less for each more.
    pub(super) fn value(&self, unit: u32, counts: Counts) -> f32 {
        let worth = &self.worth[at(unit)];
        let sum: f32 = (0..3)
            .map(|slot| f32::from(count(counts, slot)) * worth[slot])
            .sum();
        sum / (self.settings.saturation + sum)
    }
}

/// Something at its place: by score, then by lot.
struct Placed<T> {
    score: f32,
    lot: u64,
    document: u32,
    what: T,
}

trait PopIfBefore<T> {
    /// The first, if nothing that scores `next` can come before it.
    fn pop_if_before(&mut self, next: Option<f32>) -> Option<Placed<T>>;
}

impl<T> PopIfBefore<T> for BinaryHeap<Placed<T>> {
    fn pop_if_before(&mut self, next: Option<f32>) -> Option<Placed<T>> {
        // What may yet turn out to be equal is waited for, since the lot decides between them.
        let sure = self
            .peek()
            .is_some_and(|first| next.is_none_or(|next| first.score > next));
        if sure { self.pop() } else { None }
    }
}

impl<T> Ord for Placed<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.score
            .total_cmp(&other.score)
            .then(self.lot.cmp(&other.lot))
            .then(other.document.cmp(&self.document))
    }
}

impl<T> PartialOrd for Placed<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> PartialEq for Placed<T> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<T> Eq for Placed<T> {}

/// A number drawn from bytes (FNV-1a). Among servers of equal score the one with the highest number drawn from its key
/// and the need comes first: always the same one for one need, another one for another, so no operator is favoured.
pub(super) fn lot(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |lot, byte| {
        (lot ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Two lots as one (the finalizer of SplitMix64).
fn mixed(a: u64, b: u64) -> u64 {
    let mut mixed = a ^ b.rotate_left(32);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
