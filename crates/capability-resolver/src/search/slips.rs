//! Words with a slip of the pen, as an automaton over a vocabulary.
//!
//! `fst` has one that is made whole before the first word is looked at, which takes longer than looking at the words does.
//! This one reckons as it goes: a row of the table of edit distances for each letter that is read.

use fst::Automaton;

/// The longest word that slips are looked for in, in characters. Words of texts have 40 at most.
const WORD_MAX_CHARACTERS: usize = 47;

/// Takes the words that differ from one word by so many letters at most that are left out, put in or changed.
#[derive(Debug)]
pub(super) struct Slips {
    word: Vec<char>,
    most: u8,
}

/// What was read so far.
#[derive(Debug, Clone, Copy)]
pub(super) struct Read {
    /// How far what was read is from each beginning of the word; one more than the most where it is farther.
    distances: [u8; WORD_MAX_CHARACTERS + 1],
    /// The character that is being read, and how many of its bytes are still to come.
    character: u32,
    bytes_left: u8,
}

impl Slips {
    /// Slips in a word; nothing if it is too long.
    pub(super) fn of(word: &str, most: u8) -> Option<Self> {
        let word: Vec<char> = word.chars().collect();
        (word.len() <= WORD_MAX_CHARACTERS).then_some(Self { word, most })
    }

    /// The distances after one more character.
    fn after(&self, before: &Read, character: u32) -> [u8; WORD_MAX_CHARACTERS + 1] {
        let far = self.most + 1;
        let mut after = [far; WORD_MAX_CHARACTERS + 1];
        after[0] = far.min(before.distances[0] + 1);
        for (place, letter) in self.word.iter().enumerate() {
            let changed = before.distances[place] + u8::from(u32::from(*letter) != character);
            let put_in = before.distances[place + 1] + 1;
            let left_out = after[place] + 1;
            after[place + 1] = far.min(changed).min(put_in).min(left_out);
        }
        after
    }
}

impl Automaton for Slips {
    type State = Read;

    fn start(&self) -> Read {
        let far = self.most + 1;
        let mut distances = [far; WORD_MAX_CHARACTERS + 1];
        for (distance, place) in distances.iter_mut().zip(0..far) {
            *distance = place;
        }
        Read {
            distances,
            character: 0,
            bytes_left: 0,
        }
    }

    fn is_match(&self, read: &Read) -> bool {
        read.bytes_left == 0 && read.distances[self.word.len()] <= self.most
    }

    fn can_match(&self, read: &Read) -> bool {
        read.distances[..=self.word.len()]
            .iter()
            .any(|distance| *distance <= self.most)
    }

    fn accept(&self, read: &Read, byte: u8) -> Read {
        // A vocabulary is UTF-8.
        let (character, bytes_left) = match byte {
            0x00..=0x7f => (u32::from(byte), 0),
            0x80..=0xbf => (
                (read.character << 6) | u32::from(byte & 0x3f),
                read.bytes_left.saturating_sub(1),
            ),
            0xc0..=0xdf => (u32::from(byte & 0x1f), 1),
            0xe0..=0xef => (u32::from(byte & 0x0f), 2),
            0xf0..=0xff => (u32::from(byte & 0x07), 3),
        };
        let distances = match bytes_left {
            0 => self.after(read, character),
            _ => read.distances,
        };
        Read {
            distances,
            character,
            bytes_left,
        }
    }
}

#[cfg(test)]
mod tests {
    use fst::automaton::Levenshtein;
    use fst::{IntoStreamer as _, Set};
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn takes_what_the_automaton_of_fst_takes(
            word in "[abcé語]{1,8}", words in prop::collection::btree_set("[abcé語𝄞]{0,9}", 0..80), most in 0_u8..3,
        ) {
            let words = Set::from_iter(words).unwrap();
            let theirs = Levenshtein::new(&word, u32::from(most)).unwrap();
            let ours = Slips::of(&word, most).unwrap();
            let found = words.search(ours).into_stream().into_strs().unwrap();
            prop_assert_eq!(found, words.search(theirs).into_stream().into_strs().unwrap());
        }
    }

    #[test]
    fn a_word_that_is_too_long_has_no_slips() {
        let longest = "é".repeat(WORD_MAX_CHARACTERS);
        let slips = Slips::of(&longest, 2).unwrap();
        let words =
            Set::from_iter([&longest[2..], &longest[4..], &longest[6..]].iter().rev()).unwrap();
        let found = words.search(slips).into_stream().into_strs().unwrap();
        assert_eq!(found, [&longest[4..], &longest[2..]]);
        assert!(Slips::of(&format!("{longest}x"), 2).is_none());
    }
}
