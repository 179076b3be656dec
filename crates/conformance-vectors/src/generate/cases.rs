//! Collects the vectors of one file.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::model::{Input, Kind, Level, Operation, Vector, VectorFile, Verdict};

/// What the files say that they judge by: `draft`, and the version for the commit that is frozen as that version.
const VERSION: &str = "draft";

/// The vectors of one file, in the order in which they are added.
pub(super) struct Cases {
    kind: Kind,
    operation: Operation,
    base: Option<String>,
    tests: Vec<Vector>,
}

impl Cases {
    pub(super) fn new(kind: Kind, operation: Operation) -> Self {
        Self {
            kind,
            operation,
            base: None,
            tests: Vec::new(),
        }
    }

    /// From here on the vectors ask for another operation.
    pub(super) fn operation(&mut self, operation: Operation) {
        self.operation = operation;
        self.base = None;
    }

    /// From here on the vectors are made from this one, which was added before.
    pub(super) fn from(&mut self, slug: &str) {
        self.base = Some(self.id(slug));
    }

    /// A valid vector that stands alone; the ones after it are made from it.
    pub(super) fn base(
        &mut self,
        slug: &str,
        rules: &str,
        comment: &str,
        input: Input,
    ) -> &mut Vector {
        self.base = None;
        self.push(slug, None, rules, None, comment, input);
        self.from(slug);
        self.last()
    }

    /// A valid vector, one change away from the base.
    pub(super) fn valid(
        &mut self,
        slug: &str,
        rules: &str,
        change: &str,
        comment: &str,
        input: Input,
    ) -> &mut Vector {
        self.push(slug, None, rules, Some(change), comment, input);
        self.last()
    }

    /// An invalid vector, one change away from the base, refused with the code `reason`.
    pub(super) fn invalid(
        &mut self,
        slug: &str,
        reason: &str,
        rules: &str,
        change: &str,
        comment: &str,
        input: Input,
    ) {
        self.push(slug, Some(reason), rules, Some(change), comment, input);
    }

    /// A vector one change away from the base: invalid with a code, or valid without.
    pub(super) fn judged(
        &mut self,
        slug: &str,
        reason: Option<&str>,
        rules: &str,
        change: &str,
        comment: &str,
        input: Input,
    ) -> &mut Vector {
        self.push(slug, reason, rules, Some(change), comment, input);
        self.last()
    }

    /// A vector one change away from the base, about a server file of which no claim counts; the text has a code for that
    /// only where there is a file.
    pub(super) fn without_claims(
        &mut self,
        slug: &str,
        reason: Option<&str>,
        rules: &str,
        change: &str,
        comment: &str,
        input: Input,
    ) -> &mut Vector {
        self.push(slug, reason, rules, Some(change), comment, input);
        self.last().result = Verdict::Invalid;
        self.last()
    }

    /// An invalid vector about a bare name, for which the text has no code.
    pub(super) fn refused(
        &mut self,
        slug: &str,
        rules: &str,
        change: &str,
        comment: &str,
        input: Input,
    ) {
        self.push(slug, None, rules, Some(change), comment, input);
        self.last().result = Verdict::Invalid;
    }

    pub(super) fn into_file(self) -> VectorFile {
        VectorFile {
            schema: format!("schema/{}.schema.json", self.kind),
            version: VERSION.to_owned(),
            kind: self.kind,
            number_of_tests: self.tests.len(),
            tests: self.tests,
            withdrawn: Vec::new(),
        }
    }

    fn id(&self, slug: &str) -> String {
        format!("{}-{slug}", self.kind)
    }

    fn push(
        &mut self,
        slug: &str,
        reason: Option<&str>,
        rules: &str,
        change: Option<&str>,
        comment: &str,
        input: Input,
    ) {
        self.tests.push(Vector {
            id: self.id(slug),
            comment: comment.to_owned(),
            rules: rules.split_whitespace().map(str::to_owned).collect(),
            level: Level::Must,
            derived_from: self.base.clone(),
            mutation: change.map(|change| {
                if change.is_empty() {
                    "the empty text"
                } else {
                    change
                }
                .to_owned()
            }),
            operation: self.operation,
            input,
            result: if reason.is_some() {
                Verdict::Invalid
            } else {
                Verdict::Valid
            },
            reason: reason.map(str::to_owned),
            output: None,
        });
    }

    fn last(&mut self) -> &mut Vector {
        let last = self.tests.len() - 1;
        &mut self.tests[last]
    }
}

impl Vector {
    /// What the input yields, beside the verdict.
    pub(super) fn yields<const N: usize>(&mut self, members: [(&str, Value); N]) {
        let members: BTreeMap<_, _> = members
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect();
        self.output = Some(members);
    }
}

/// An input of members that are texts or raw bytes; bytes that are not UTF-8 travel as base64.
pub(super) fn input<const N: usize>(members: [(&str, &[u8]); N]) -> Input {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;

    let members = members
        .into_iter()
        .map(|(name, bytes)| match str::from_utf8(bytes) {
            Ok(text) => (name.to_owned(), json!(text)),
            Err(_) => (format!("{name}_base64"), json!(STANDARD.encode(bytes))),
        });
    Input(members.collect())
}
