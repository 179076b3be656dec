//! Which servers can do a job: an index in memory over what they and their sources say of them.
//!
//! The search is lexical and without a model. A need is read as words; a word is found as itself, in another form of it,
//! with a slip of the pen, as one word or two, or by a word that stands for much the same; and two words that stand side
//! by side in the need are worth more where they do so too. What that is worth stands in [`settings`], and nothing else
//! decides but, among equals, a lot that favours nobody. [`Index::explain`] tells the operator why.
//!
//! ```text
//! words     text  -> words
//! index     documents -> lists: word -> where it stands
//! pairs     neighbouring words -> where they stand side by side
//! query     need  -> the words that are looked up, and what each is worth
//! possible  lists -> servers that may be candidates
//! rank      those -> servers, best first
//! ```
//!
//! It knows nothing of stores, tokens and HTTP, and no need outlives the call.

mod associations;
mod explain;
mod index;
mod noise;
mod pairs;
mod possible;
mod query;
mod rank;
pub mod settings;
mod slips;
mod words;

pub use explain::{Explanation, Field, Found, How, Place, Sought};
pub use index::Index;
pub use settings::Settings;

/// What is said of one server.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Document {
    /// What is the server's alone, such as its URL: it decides among equals, and is not searched.
    pub key: String,
    /// Its names.
    pub name: String,
    /// What it is said to do.
    pub description: String,
    /// The jobs that are declared for it.
    pub jobs: Vec<String>,
    /// Its tools.
    pub tools: Vec<ToolText>,
}

/// What is said of a tool.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToolText {
    /// Its name.
    pub name: String,
    /// What it does.
    pub description: String,
}

/// A server that can do the job.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// The place of its document in what the index was built from.
    pub document: u32,
    /// Greater is better; comparable within one need only.
    pub score: f32,
    /// The tools that are for the need, by their place in the document, best first.
    pub tools: Vec<u32>,
}

/// A number of words or documents as a number to reckon with; what is lost beyond 2^24 changes no order.
#[expect(
    clippy::as_conversions,
    reason = "there is no lossy conversion that is not one"
)]
fn real(number: u32) -> f32 {
    number as f32
}

/// A number of units, lists or documents as a place in memory.
#[expect(
    clippy::as_conversions,
    reason = "a usize has 32 bits or more wherever this is built"
)]
fn at(number: u32) -> usize {
    number as usize
}

/// The words of a text as they are looked up, for deriving [`associations`] from texts.
#[doc(hidden)]
#[must_use]
pub fn stems(text: &str) -> Vec<String> {
    let words = words::Reader::new().words(text, index::TEXT_MAX_WORDS);
    words
        .into_iter()
        .filter(|word| !word.whole)
        .map(|word| word.stem)
        .collect()
}

#[cfg(test)]
mod tests;
