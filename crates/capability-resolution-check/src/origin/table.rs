//! The errors of a resolver: the table of `error.body`.

/// Status, code and rule of each error that the checker provokes or may meet.
const ERRORS: [(u16, &str, &str); 12] = [
    (400, "query-encoding", "resolve.query.encoding"),
    (400, "parameter-unknown", "resolve.parameter.unknown"),
    (400, "parameter-repeated", "resolve.parameter.repeated"),
    (400, "need-missing", "resolve.need.missing"),
    (400, "need-character", "resolve.need.control"),
    (400, "need-length", "resolve.need.length"),
    (400, "constraint-value", "constraint.names"),
    (400, "record-query", "record.request"),
    (404, "record-not-found", "record.not-found"),
    (414, "request-too-long", "error.too-long"),
    (429, "rate-limited", "error.rate"),
    (503, "unavailable", "error.unavailable"),
];

/// The status of an error; 0 for a code that is none.
pub(crate) fn status_of(code: &str) -> u16 {
    row(code).map_or(0, |(status, ..)| status)
}

/// The rule of an error.
pub(crate) fn rule_of(code: &str) -> Option<&'static str> {
    row(code).map(|(.., rule)| rule)
}

fn row(code: &str) -> Option<(u16, &'static str, &'static str)> {
    ERRORS.into_iter().find(|(_, known, _)| *known == code)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    #[test]
    fn the_table_is_that_of_the_text() {
        let text =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec/draft/capability-resolution.md");
        let text = fs::read_to_string(text).unwrap();
        for (status, code, rule) in ERRORS {
            let line = format!("| {status} | `{code}` | [{rule}] |");
            assert!(text.contains(&line), "{line}");
        }
    }
}
