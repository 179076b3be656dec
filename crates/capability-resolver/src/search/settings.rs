//! What a match is worth: every number of the search, with its reason.

/// The numbers. [`Settings::DEFAULT`] is what is used; others are for measuring.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// What a word is worth in a tool's name, a tool's description, the server's name, its description, its jobs: a name
    /// is chosen with care, a description is long.
    pub fields: [f32; 5],
    /// How much of that the length of the field takes away, 0 nothing and 1 all: whoever says everything is found for
    /// nothing.
    pub lengths: [f32; 5],
    /// The usual length of a field, in words, of the catalogues known. It does not depend on what else is in the index,
    /// so that nobody changes the score of others by long texts.
    pub usual: [f32; 5],
    /// How slowly a word that is repeated stops to count: the second one adds less than half of the first.
    pub saturation: f32,
    /// What is said of the server counts for each of its tools, but less than what the tool says.
    pub server: f32,
    /// How much of the score is the best tool's; the rest is the server's, all tools together, for jobs of several parts.
    pub tool_share: f32,
    /// A tool is for the need if it is worth so much of the best one.
    pub for_the_need: f32,
    /// A word of asking says little, and can still tell `show` from `delete`.
    pub asking: f32,
    /// A word with a slip of the pen may be meant as it is.
    pub typo: f32,
    /// A word of which the need has the beginning.
    pub beginning: f32,
    /// Two words as one.
    pub compound: f32,
    /// That two neighbours of the need are neighbours, beside what the two are worth in the mean.
    pub pair: f32,
    /// A word that catalogues use where they use another, if the two were the same.
    pub associated: f32,
    /// Unless the other is common, which is to say that more than one server in so many has it: it says nothing of the one,
    /// and its list is long.
    pub common: usize,
    /// For how many servers of one's own the known catalogues count when it is asked how rare a word is.
    pub background: f32,
    /// The whole need is the name of a tool: more than all words together.
    pub exact: f32,
    /// How much evidence a candidate needs, times the third power of the logarithm of the number of servers and tools.
    pub chance: f32,
    /// Or else which share of the need, by weight, it meets.
    pub nearly_whole: f32,
}

impl Settings {
    /// What is used.
    pub const DEFAULT: Self = Self {
        fields: [3.0, 1.0, 1.5, 1.0, 1.5],
        lengths: [0.5, 0.75, 0.5, 0.75, 0.5],
        usual: [3.0, 15.0, 3.0, 15.0, 6.0],
        saturation: 1.2,
        server: 0.5,
        tool_share: 0.7,
        for_the_need: 0.6,
        asking: 0.4,
        typo: 0.4,
        beginning: 0.5,
        compound: 0.9,
        pair: 0.2,
        associated: 0.5,
        common: 33,
        background: 200.0,
        exact: 2.0,
        chance: 0.0056,
        nearly_whole: 0.8,
    };
}
