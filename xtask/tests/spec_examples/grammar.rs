//! ABNF: parsed with the crate `abnf`, checked for undefined names, and matched.

use std::collections::{BTreeMap, BTreeSet};

use abnf::types::{Kind, Node, TerminalValues};

use crate::ensure;

/// RFC 5234, appendix B.1.
const CORE: &str = "ALPHA = %x41-5A / %x61-7A\nBIT = \"0\" / \"1\"\nCHAR = %x01-7F\nCR = %x0D\nCRLF = CR LF\n\
                    CTL = %x00-1F / %x7F\nDIGIT = %x30-39\nDQUOTE = %x22\nHEXDIG = DIGIT / \"A\" / \"B\" / \"C\" / \"D\" / \"E\" / \"F\"\n\
                    HTAB = %x09\nLF = %x0A\nLWSP = *(WSP / CRLF WSP)\nOCTET = %x00-FF\nSP = %x20\nVCHAR = %x21-7E\n\
                    WSP = SP / HTAB\n";

/// A rule list.
pub(crate) struct Grammar {
    names: Vec<String>,
    rules: BTreeMap<String, Node>,
}

impl Grammar {
    /// Parses a rule list and adds the core rules.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut rules = BTreeMap::new();
        for rule in abnf::rulelist(CORE).map_err(|error| error.to_string())? {
            rules.insert(rule.name().to_ascii_lowercase(), rule.node().clone());
        }
        let mut names = Vec::new();
        for rule in abnf::rulelist(text).map_err(|error| error.to_string())? {
            ensure(
                rule.kind() == Kind::Basic,
                format!("{} is defined with =/", rule.name()),
            )?;
            let name = rule.name().to_ascii_lowercase();
            ensure(
                rules.insert(name.clone(), rule.node().clone()).is_none(),
                format!("{name} is defined twice"),
            )?;
            names.push(name);
        }
        Ok(Self { names, rules })
    }

    /// Every name is defined, and no rule stands for itself without taking a character.
    pub(crate) fn check(&self) -> Result<(), String> {
        ensure(!self.names.is_empty(), "no rules")?;
        for name in &self.names {
            let mut used = BTreeSet::new();
            self.rules
                .get(name)
                .into_iter()
                .for_each(|node| names(node, &mut used));
            let undefined: Vec<_> = used
                .iter()
                .filter(|used| !self.rules.contains_key(*used))
                .collect();
            ensure(
                undefined.is_empty(),
                format!("{name} uses {undefined:?}, which nothing defines"),
            )?;
            self.ends(self.rules.get(name).ok_or("unreachable")?, &[], 0, 0)?;
        }
        Ok(())
    }

    /// True if the rule `name` matches the whole of `text`.
    pub(crate) fn matches(&self, name: &str, text: &str) -> Result<bool, String> {
        let input: Vec<u32> = text.chars().map(u32::from).collect();
        let node = self
            .rules
            .get(name)
            .ok_or_else(|| format!("no rule {name}"))?;
        Ok(self.ends(node, &input, 0, 0)?.contains(&input.len()))
    }

    /// Every place where `node` can end when it begins at `at`.
    fn ends(
        &self,
        node: &Node,
        input: &[u32],
        at: usize,
        depth: usize,
    ) -> Result<BTreeSet<usize>, String> {
        ensure(depth < 200, "the grammar does not end")?;
        let go = |node: &Node, at: usize| self.ends(node, input, at, depth + 1);
        let mut found = BTreeSet::new();
        match node {
            Node::Alternatives(nodes) => {
                for node in nodes {
                    found.extend(go(node, at)?);
                }
            }
            Node::Concatenation(nodes) => {
                found.insert(at);
                for node in nodes {
                    let starts = std::mem::take(&mut found);
                    for start in starts {
                        found.extend(go(node, start)?);
                    }
                }
            }
            Node::Repetition { repeat, node } => {
                let (min, max) = repeat.min_max();
                let (min, max) = (min.unwrap_or(0), max.unwrap_or(usize::MAX));
                let mut reached = BTreeSet::from([at]);
                let mut count = 0;
                while count < max && !reached.is_empty() {
                    if count >= min {
                        found.extend(&reached);
                    }
                    let mut next = BTreeSet::new();
                    for start in &reached {
                        next.extend(go(node, *start)?);
                    }
                    // Past the lower bound only new places lead anywhere.
                    reached = if count >= min {
                        next.difference(&found).copied().collect()
                    } else {
                        next
                    };
                    count += 1;
                }
                if count >= min {
                    found.extend(&reached);
                }
            }
            Node::Rulename(name) => {
                let rule = self
                    .rules
                    .get(&name.to_ascii_lowercase())
                    .ok_or_else(|| format!("{name} is not defined"))?;
                found = go(rule, at)?;
            }
            Node::Group(node) => found = go(node, at)?,
            Node::Optional(node) => {
                found = go(node, at)?;
                found.insert(at);
            }
            Node::String(literal) => {
                let value: Vec<char> = literal.value().chars().collect();
                let here = input.get(at..at + value.len()).unwrap_or_default();
                let equal = |(read, wanted): (&u32, &char)| {
                    let read = char::from_u32(*read);
                    let same_case = literal.is_case_sensitive();
                    read.is_some_and(|c| {
                        if same_case {
                            c == *wanted
                        } else {
                            c.eq_ignore_ascii_case(wanted)
                        }
                    })
                };
                if here.len() == value.len() && here.iter().zip(&value).all(equal) {
                    found.insert(at + value.len());
                }
            }
            Node::TerminalValues(TerminalValues::Range(from, to)) => {
                found.extend(
                    input
                        .get(at)
                        .filter(|c| (from..=to).contains(c))
                        .map(|_| at + 1),
                );
            }
            Node::TerminalValues(TerminalValues::Concatenation(values)) => {
                found.extend(
                    input
                        .get(at..at + values.len())
                        .filter(|here| here == values)
                        .map(|_| at + values.len()),
                );
            }
            Node::Prose(prose) => return Err(format!("<{prose}> is prose and cannot be checked")),
        }
        Ok(found)
    }
}

fn names(node: &Node, used: &mut BTreeSet<String>) {
    match node {
        Node::Alternatives(nodes) | Node::Concatenation(nodes) => {
            nodes.iter().for_each(|node| names(node, used))
        }
        Node::Repetition { node, .. } | Node::Group(node) | Node::Optional(node) => {
            names(node, used)
        }
        Node::Rulename(name) => drop(used.insert(name.to_ascii_lowercase())),
        Node::String(_) | Node::TerminalValues(_) | Node::Prose(_) => {}
    }
}
