//! Which servers may be candidates for a need, and the most that each could be worth.

use super::at;
use super::index::Index;
use super::query::Query;
use super::rank::{Enough, Worth};

/// The servers that may be candidates, with what each could be worth at most: all its words, from whichever of its tools.
pub(super) fn possible(index: &Index, query: &Query, enough: Enough) -> Vec<(u32, f32)> {
    let mut most = vec![Worth::default(); index.len()];
    let mut best = vec![Worth::default(); index.len()];
    let (mut met, mut touched) = (Vec::new(), Vec::new());
    for wanted in &query.wanted {
        for way in &wanted.ways {
            let (documents, values) = index.documents(way.list);
            for (document, value) in documents.iter().zip(values) {
                let best = &mut best[at(*document)];
                if best.score == 0.0 {
                    touched.push(*document);
                }
                *best = best.max(Worth::of(way, *value));
            }
        }
        for document in touched.drain(..) {
            let most = &mut most[at(document)];
            if most.score == 0.0 {
                met.push(document);
            }
            most.add(wanted, std::mem::take(&mut best[at(document)]));
        }
    }
    for pair in &query.pairs {
        let of = |unit: u32| index.document_of[at(unit)];
        for document in pair.units.chunk_by(|(a, _), (b, _)| of(*a) == of(*b)) {
            let values = document
                .iter()
                .map(|(unit, counts)| index.value(*unit, *counts));
            most[at(of(document[0].0))].add_pair(pair, values.fold(0.0, f32::max));
        }
    }
    for unit in query.named.into_iter().flat_map(|list| index.range(list)) {
        let document = index.document_of[at(index.units[unit])];
        most[at(document)].score += index.settings.exact * query.whole;
    }
    let possible = met
        .into_iter()
        .map(|document| (document, most[at(document)]));
    possible
        .filter(|(_, most)| most.is_enough(enough))
        .map(|(document, most)| (document, most.score))
        .collect()
}
