//! What the numbers of [`Settings`] are worth on needs that they were not chosen by.
//!
//! A set is left out, with the others of its family; the numbers are chosen on the sets that are left, and the set is asked
//! with them. Choosing begins with the numbers of plain BM25, none of which was chosen here, and takes for one number
//! after the other the value that is best, until a pass changes nothing. What slips of the pen and whole names are worth is
//! not chosen: these sets hardly have them; nor is what belongs to servers of several tools, or to having no candidate.

use std::collections::HashMap;

use capability_resolver::search::{Index, Settings};

use crate::sets::{Scores, Set};

/// How many needs of a set numbers are chosen by.
const SAMPLE: usize = 80;
const PASSES: usize = 2;
/// Less is no gain.
const GAIN_MIN: f64 = 1e-4;

/// A number that is chosen.
struct Number {
    name: &'static str,
    /// The first is that of plain BM25.
    values: &'static [f32],
    put: fn(&mut Settings, f32),
}

const NUMBERS: &[Number] = &[
    Number {
        name: "tool's name",
        values: &[1.0, 2.0, 3.0, 4.0],
        put: |settings, value| settings.fields[0] = value,
    },
    Number {
        name: "length of a name",
        values: &[0.75, 0.5, 0.25],
        put: |settings, value| settings.lengths[0] = value,
    },
    Number {
        name: "length of a description",
        values: &[0.75, 0.5, 0.9],
        put: |settings, value| settings.lengths[1] = value,
    },
    Number {
        name: "usual name",
        values: &[3.0, 2.0, 5.0],
        put: |settings, value| settings.usual[0] = value,
    },
    Number {
        name: "usual description",
        values: &[15.0, 10.0, 25.0],
        put: |settings, value| settings.usual[1] = value,
    },
    Number {
        name: "saturation",
        values: &[1.2, 0.8, 1.8],
        put: |settings, value| settings.saturation = value,
    },
    Number {
        name: "asking",
        values: &[1.0, 0.4, 0.1],
        put: |settings, value| settings.asking = value,
    },
    Number {
        name: "compound",
        values: &[0.0, 0.5, 0.9],
        put: |settings, value| settings.compound = value,
    },
    Number {
        name: "pair",
        values: &[0.0, 0.1, 0.2, 0.4],
        put: |settings, value| settings.pair = value,
    },
    Number {
        name: "associated",
        values: &[0.0, 0.3, 0.5, 0.7],
        put: |settings, value| settings.associated = value,
    },
    Number {
        name: "background",
        values: &[0.0, 50.0, 200.0, 500.0],
        put: |settings, value| settings.background = value,
    },
];

/// What came of leaving out each set.
pub(crate) struct HeldOut {
    /// Of each set, with numbers chosen without it.
    pub(crate) scores: Vec<Scores>,
    /// For each number, how often which value was chosen.
    pub(crate) chosen: Vec<(&'static str, Vec<(f32, usize)>)>,
}

pub(crate) fn measure(sets: &[Set]) -> HeldOut {
    let mut samples: Vec<Sample> = sets
        .iter()
        .map(|set| Sample {
            set: set.sample(SAMPLE),
            index: Index::build([]),
            known: HashMap::new(),
        })
        .collect();
    let mut scores = Vec::new();
    let mut choices: HashMap<String, Vec<f32>> = HashMap::new();
    let mut chosen: Vec<_> = NUMBERS
        .iter()
        .map(|number| {
            let times = number.values.iter().map(|value| (*value, 0)).collect();
            (number.name, times)
        })
        .collect::<Vec<(&'static str, Vec<(f32, usize)>)>>();
    for set in sets {
        let values = choices.entry(set.family().to_owned()).or_insert_with(|| {
            let mut others: Vec<&mut Sample> = samples
                .iter_mut()
                .filter(|other| other.set.family() != set.family())
                .collect();
            let values = choose(&mut others);
            for ((_, times), value) in chosen.iter_mut().zip(&values) {
                times
                    .iter_mut()
                    .filter(|(other, _)| other == value)
                    .for_each(|(_, times)| *times += 1);
            }
            values
        });
        let index = Index::with_settings(set.documents.iter().cloned(), settings(values));
        scores.push(ask(set, &index));
    }
    HeldOut { scores, chosen }
}

/// Asks an index of a set's documents its needs.
pub(crate) fn ask(set: &Set, index: &Index) -> Scores {
    set.ask(&mut |need| {
        let hits = index.find(need, 10, &mut |_| true);
        hits.iter().map(|hit| hit.document as usize).collect()
    })
}

/// A set with fewer needs, and what is known of it.
struct Sample {
    set: Set,
    index: Index,
    /// nDCG@10 by the numbers.
    known: HashMap<Vec<u32>, f64>,
}

impl Sample {
    fn ndcg(&mut self, values: &[f32]) -> f64 {
        let bits: Vec<u32> = values.iter().map(|value| value.to_bits()).collect();
        if let Some(known) = self.known.get(&bits) {
            return *known;
        }
        let settings = settings(values);
        if self.index.is_empty() || !self.index.renumber(settings) {
            self.index = Index::with_settings(self.set.documents.iter().cloned(), settings);
        }
        let ndcg = ask(&self.set, &self.index).ndcg;
        self.known.insert(bits, ndcg);
        ndcg
    }
}

fn settings(values: &[f32]) -> Settings {
    let mut settings = Settings::DEFAULT;
    for (number, value) in NUMBERS.iter().zip(values) {
        (number.put)(&mut settings, *value);
    }
    settings
}

fn choose(samples: &mut [&mut Sample]) -> Vec<f32> {
    let mut mean = |values: &[f32]| {
        let all: f64 = samples.iter_mut().map(|sample| sample.ndcg(values)).sum();
        all / samples.len() as f64
    };
    let mut best: Vec<f32> = NUMBERS.iter().map(|number| number.values[0]).collect();
    let mut best_mean = mean(&best);
    for _ in 0..PASSES {
        let before = best.clone();
        for (place, number) in NUMBERS.iter().enumerate() {
            for value in number.values {
                let mut other = best.clone();
                other[place] = *value;
                let other_mean = mean(&other);
                if other_mean > best_mean + GAIN_MIN {
                    (best, best_mean) = (other, other_mean);
                }
            }
        }
        if best == before {
            break;
        }
    }
    best
}
