//! Two words side by side: `send email` says more than `send` and `email`, each somewhere.
//!
//! That two words stand side by side in a field of a unit, in either order and with none but function words between them, is
//! kept as one number: a lot drawn from words and field, then the unit. Two pairs may draw the same lot, once in thousands;
//! then a unit is thought a little better than it is.

use super::index::{Counts, once};
use super::rank::lot;
use super::words::Word;

/// How many fields a unit has at most.
const SLOTS: usize = 3;

/// Where pairs stand, in order.
#[derive(Default)]
pub(super) struct Pairs(Vec<u64>);

impl Pairs {
    /// Adds the pairs of a field.
    pub(super) fn add(&mut self, words: &[Word], slot: usize, unit: u32) {
        for (a, b) in neighbours(words) {
            self.0.push(key(&a.stem, &b.stem, slot, unit));
        }
    }

    /// After the last one was added.
    pub(super) fn sort(&mut self) {
        self.0.sort_unstable();
        self.0.dedup();
        self.0.shrink_to_fit();
    }

    /// The units that have a pair, in order, each with the fields where it stands.
    pub(super) fn units(&self, a: &str, b: &str) -> Vec<(u32, Counts)> {
        let mut found = Vec::new();
        for slot in 0..SLOTS {
            let begin = self.0.partition_point(|key_| *key_ < key(a, b, slot, 0));
            let same = self.0[begin..]
                .iter()
                .take_while(|key_| **key_ <= key(a, b, slot, u32::MAX));
            found.extend(same.map(|key| (unit(*key), once(slot))));
        }
        found.sort_unstable();
        found.dedup_by(|(unit, counts), (last, all)| {
            let is_same = unit == last;
            if is_same {
                *all += *counts;
            }
            is_same
        });
        found
    }
}

/// Each two neighbouring words of a text; a word that was made of its parts is no neighbour.
pub(super) fn neighbours(words: &[Word]) -> impl Iterator<Item = (&Word, &Word)> {
    let simple = || words.iter().filter(|word| !word.whole);
    simple().zip(simple().skip(1))
}

fn key(a: &str, b: &str, slot: usize, unit: u32) -> u64 {
    let (first, last) = if a < b { (a, b) } else { (b, a) };
    let field = ["0", "1", "2"][slot.min(SLOTS - 1)];
    let lot = lot(format!("{first} {last} {field}").as_bytes());
    // The upper half, in which every byte of the words has had its say.
    (lot & !u64::from(u32::MAX)) | u64::from(unit)
}

fn unit(key: u64) -> u32 {
    u32::try_from(key & u64::from(u32::MAX)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::super::words::Reader;
    use super::*;

    #[test]
    fn neighbours_are_found_in_either_order_and_field() {
        let reader = Reader::new();
        let mut pairs = Pairs::default();
        let texts = [
            ("send_email", 0, 7),
            ("Emails are sent", 1, 7),
            ("send a fax, then an email", 1, 8),
            ("sendEmail", 0, 9),
        ];
        for (text, slot, unit) in texts {
            pairs.add(&reader.words(text, 10), slot, unit);
        }
        pairs.sort();
        let both = once(0) + once(1);
        assert_eq!(pairs.units("email", "send"), [(7, once(0)), (9, once(0))]);
        assert_eq!(pairs.units("send", "email"), pairs.units("email", "send"));
        assert_eq!(pairs.units("email", "sent"), [(7, once(1))]);
        assert_eq!(pairs.units("fax", "then"), []);
        pairs.add(&reader.words("an email to send", 10), 1, 7);
        pairs.sort();
        assert_eq!(pairs.units("send", "email"), [(7, both), (9, once(0))]);
    }
}
