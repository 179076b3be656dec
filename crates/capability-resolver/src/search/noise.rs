//! Words that say nothing of a job, and words that say little: those in which people ask.
//!
//! The lists are general English, not drawn from any set of needs.

/// Function words: no list is kept of them. In the order of their bytes.
#[rustfmt::skip]
const NOTHING: &[&str] = &[
    "a", "about", "above", "across", "after", "again", "against", "ago", "all", "almost", "along", "already", "also", "although", "always", "am", "among", "an", "and", "any",
    "anybody", "anyone", "anything", "anyway", "anywhere", "are", "arent", "around", "as", "at", "away", "be", "became", "because", "been", "before", "behind", "being",
    "below", "beside", "besides", "between", "beyond", "both", "but", "by", "came", "can", "cannot", "cant", "could", "couldnt", "did", "didnt", "do", "does", "doesnt",
    "doing", "done", "dont", "during", "e", "each", "eg", "either", "else", "enough", "especially", "etc", "even", "ever", "every", "everybody", "everyone",
    "everything", "except", "few", "for", "from", "further", "g", "had", "hadnt", "has", "hasnt", "have", "havent", "having", "he", "hence", "her", "here", "hers", "herself",
    "hes", "him", "himself", "his", "how", "however", "hows", "i", "id", "ie", "if", "ill", "im", "in", "indeed", "instead", "into", "is", "isnt", "it", "its", "itself", "ive", "just",
    "least", "less", "let", "lets", "lot", "lots", "many", "may", "maybe", "me", "might", "mine", "more", "most", "much", "must", "my", "myself", "neither", "never", "no",
    "nobody", "none", "nor", "not", "nothing", "now", "of", "off", "often", "oh", "on", "once", "one", "ones", "only", "onto", "or", "other", "others", "otherwise", "ought", "our",
    "ours", "ourselves", "out", "over", "own", "per", "perhaps", "quite", "rather", "really", "s", "same", "seem", "seems", "several", "shall", "she", "should",
    "shouldnt", "since", "so", "some", "somebody", "somehow", "someone", "something", "sometimes", "somewhere", "soon", "still", "such", "t", "than", "that",
    "thats", "the", "their", "theirs", "them", "themselves", "then", "there", "therefore", "theres", "these", "they", "theyre", "this", "those", "though", "through",
    "throughout", "thus", "to", "together", "too", "toward", "towards", "under", "unless", "until", "up", "upon", "us", "usually", "various", "very", "via", "was",
    "wasnt", "we", "well", "were", "werent", "weve", "what", "whatever", "whats", "when", "whenever", "where", "wheres", "whether", "which", "whichever", "while",
    "who", "whoever", "whole", "whom", "whos", "whose", "why", "will", "with", "within", "without", "wont", "would", "wouldnt", "yes", "yet", "you", "youd", "youll", "your",
    "youre", "yours", "yourself", "youve",
];

/// Words of asking and of courtesy, and of the talk about tools as such.
#[rustfmt::skip]
const ASKING: &[&str] = &[
    "able", "actually", "advice", "advise", "allow", "allows", "appreciate", "ask", "assist", "assistance", "aware", "best", "better", "bit", "certain", "come",
    "curious", "currently", "different", "enable", "enables", "ensure", "exactly", "excited", "explain", "feel", "get", "give", "gives", "giving", "glad", "go",
    "going", "good", "got", "great", "guess", "happy", "hello", "help", "helpful", "helping", "helps", "hey", "hi", "hope", "idea", "ideas", "interested",
    "interesting", "kind", "kindly", "know", "let", "like", "looking", "love", "make", "makes", "making", "mean", "mind", "need", "needed", "needs", "new", "nice",
    "obtain", "okay", "particular", "planning", "please", "possible", "prefer", "provide", "provided", "provides", "providing", "recommend",
    "recommendation", "recommendations", "recommended", "regarding", "related", "relevant", "right", "see", "show", "sorry", "specific", "suggest",
    "suggestion", "suggestions", "sure", "take", "tell", "thank", "thanks", "thing", "things", "think", "thinking", "thought", "tip", "tips", "tool", "tools",
    "tried", "try", "trying", "understand", "use", "used", "useful", "uses", "using", "want", "wanted", "wants", "way", "ways", "wish", "wonder", "wondering", "work",
    "works",
];

/// Whether a folded word is a function word.
pub(super) fn says_nothing(folded: &str) -> bool {
    NOTHING.binary_search(&folded).is_ok()
}

/// Whether a folded word is one of asking.
pub(super) fn asks(folded: &str) -> bool {
    ASKING.binary_search(&folded).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_in_order() {
        for list in [NOTHING, ASKING] {
            assert!(
                list.is_sorted_by(|a, b| a < b),
                "{:?}",
                list.windows(2).find(|pair| pair[0] >= pair[1])
            );
        }
    }
}
