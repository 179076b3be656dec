//! Examples: every code block has a name, and a test checks it.

use std::collections::BTreeMap;

use super::Findings;

/// Where an example is claimed.
const LIST: &str = "xtask/src/spec/examples.rs";

pub(super) fn check(findings: &mut Findings<'_>) {
    let text = findings.text;
    let mut first: BTreeMap<&str, usize> = BTreeMap::new();
    for block in &text.code_blocks {
        let span = block.span.clone();
        let Some(name) = block.example() else {
            let help = "open the block with ```LANG example=NAME; names are a-z, 0-9 and -";
            findings.add(
                "example-unnamed",
                span,
                "the code block is not named as an example",
                help,
            );
            continue;
        };
        if let Some(line) = first.get(name) {
            let message = format!("the example {name} stands already in line {line}");
            findings.add(
                "example-duplicate",
                span,
                message,
                "give one of them another name",
            );
            continue;
        }
        first.insert(name, text.position(span.start).0);
        if findings
            .context
            .examples
            .iter()
            .all(|example| example.name != name)
        {
            let help = format!("add it to EXAMPLES in {LIST} with what it has to pass");
            findings.add(
                "example-unchecked",
                span,
                format!("no test checks the example {name}"),
                help,
            );
        }
    }
    for gone in findings
        .context
        .examples
        .iter()
        .filter(|example| !first.contains_key(example.name))
    {
        let message = format!("the test of example {} has no block", gone.name);
        findings.add(
            "example-gone",
            0..0,
            message,
            format!("remove it from EXAMPLES in {LIST}"),
        );
    }
}
