//! Each finding, from a small text that has one fault.

use std::collections::BTreeSet;
use std::fs;

use anstream::adapter::strip_str;

use super::*;
use crate::spec::examples::Checker;

const HEAD: &str = "# Title\n\nVersion: 0.2-rc.1\n\n";

/// A text without faults that uses everything the format has.
const SOUND: &str = "# Title

Version: 0.2-rc.1\\
Editors: the editors

## 1. Introduction

The key words \"MUST\", \"MUST NOT\" and \"MAY\" in this document are to be read as [BCP 14] says. A *resolver* answers; see
§2.1, §A.1, [the terms](#3-terms), [the copy](copy.md#title), <https://a.example/x> and [token.exp].

### 1.1 `Code` in a heading

## 2. Rules

### 2.1 First

r[token.exp | vector, check]
A resolver MUST
NOT answer late; `MAY` is code:

- it waits and MUST stop;
- it stops.

r[token.nbf | none]
A resolver MAY answer early, as [token.exp] says:

| a | b |
|---|---|
| 1 | 2 |

```json example=first
{\"MUST\": 1}
```

## 3. Terms

- **resolver**: a program that answers.
- **agent**: a program that asks *resolvers*.

Agents are programs.

## 4. References

- **[BCP 14]** Key words, <https://www.rfc-editor.org/info/bcp14>

## Appendix A. More

### A.1 Last
";

fn lint_text(source: &str, retired: &str, previous: Option<&Previous>) -> Vec<Diagnostic> {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("copy.md"), "# Title\n").unwrap();
    let retired = RuleList::parse(retired.to_owned(), "retired-ids.toml");
    let examples: &[Example] = match source.contains("example=first") {
        true => &[Example {
            name: "first",
            checker: Checker::Abnf,
        }],
        false => &[],
    };
    let context = Context {
        path: "text.md",
        directory: directory.path(),
        examples,
        retired: &retired,
        previous,
    };
    lint(&Text::parse(source), context)
}

fn shown(findings: &[Diagnostic]) -> String {
    let shown: Vec<_> = findings
        .iter()
        .map(|finding| strip_str(&finding.to_string()).to_string())
        .collect();
    shown.join("\n\n")
}

#[test]
fn a_sound_text_has_no_findings() {
    assert_eq!(shown(&lint_text(SOUND, "", None)), "");
}

/// The faults, by the code of the finding; each text stands below [`HEAD`] unless it has a head.
const FAULTS: &[(&str, &str)] = &[
    ("line-ending", "Words.\r\n"),
    ("trailing-space", "Words. \n"),
    ("tab", "Words\tand words.\n"),
    (
        "line-length",
        "This line goes on and on until it has more characters than a line may have, and then it still does not come to its endx.\n\
         This line goes on and on until it has more characters than a line may have, and then it still does not come to its endx.!\n\
         <https://a.example/xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx>\n",
    ),
    ("final-newline", "Words."),
    ("title", "Version: 0.2\n\n## 1. Section\n\n# Again\n"),
    ("version-line", "# Title\n\nVersion: draft\n"),
    (
        "section-order",
        "## 1. One\n\n### 1.2 Two\n\n## 3. Three\n\n### Four\n\n## Appendix B. Five\n",
    ),
    (
        "section-depth",
        "## 1. One\n\n### 1.1 Two\n\n#### 1.1.1 Three\n\n##### 1.1.1.1 Four\n",
    ),
    ("html", "A <name> is lost.\n"),
    (
        "rule-marker",
        "r[token | vector]\nA rule MUST have an id.\n\nr[a.b]\nIt MUST say how.\n\nr[a.c | vector] It MUST stand alone.\n\n\
         r[a.d | maybe]\nIt MUST know the way.\n\nr[a.e | none, test]\nIt MUST decide.\n\nr[a.f | test]\n\n\
         r[a.g | test]\nIt MUST name:\n\nSomething.\n",
    ),
    (
        "rule-misplaced",
        "- r[a.b | vector]\n  An item is no rule.\n",
    ),
    (
        "rule-duplicate",
        "r[a.b | vector]\nThis MUST be.\n\nr[a.b | vector]\nThat MUST be.\n",
    ),
    ("rule-without-keyword", "r[a.b | vector]\nThis must be.\n"),
    (
        "rule-two-levels",
        "r[a.b | vector]\nThis MUST be and that is\nNOT RECOMMENDED.\n",
    ),
    (
        "keyword-outside-rule",
        "This MUST\nNOT be.\n\n- Nor is this RECOMMENDED.\n\n| a |\n|---|\n| MAY |\n",
    ),
    ("unknown-rule", "See [token.exp].\n"),
    ("unlisted-document", "See [RFC 7515].\n"),
    ("unresolved-reference", "See [this] and [^1].\n"),
    (
        "document-twice",
        "## 1. References\n\n- **[A]** One.\n- **[A]** Two.\n\nSee [A].\n",
    ),
    ("uncited-document", "## 1. References\n\n- **[A]** One.\n"),
    ("unknown-section", "See §1, §A.2. and § 3.\n"),
    ("link-file", "See [this](gone.md) and [that](/copy.md).\n"),
    (
        "link-anchor",
        "See [this](#gone) and [that](copy.md#gone).\n",
    ),
    (
        "link-url",
        "See <http://a.example>, <https://localhost/> and [x](https://a.example/%zz).\n",
    ),
    (
        "term-twice",
        "## 1. Terms\n\n- **agent**: one.\n- **agents**: two.\n\nAgents.\n",
    ),
    ("term-undefined", "An *agent* asks.\n"),
    (
        "term-unused",
        "## 1. Terms\n\n- **agent**: an agent asks.\n",
    ),
    ("example-unnamed", "```json\n{}\n```\n\n    indented\n"),
    (
        "example-duplicate",
        "```json example=first\n{}\n```\n\n```json example=first\n{}\n```\n",
    ),
    ("example-unchecked", "```json example=second\n{}\n```\n"),
    ("example-gone", "No block, only the words example=first.\n"),
];

#[test]
fn each_fault_is_found() {
    for (code, fault) in FAULTS {
        let has_head = fault.starts_with("# ") || fault.starts_with("Version: ");
        let head = if has_head { "" } else { HEAD };
        let findings = lint_text(&format!("{head}{fault}"), "", None);
        let codes: BTreeSet<_> = findings.iter().map(Diagnostic::code).collect();
        assert_eq!(codes, BTreeSet::from([*code]), "{}", shown(&findings));
        insta::assert_snapshot!(*code, shown(&findings));
    }
}

#[test]
fn an_id_is_never_used_again() {
    let text = format!("{HEAD}r[a.b | vector]\nThis MUST be.\n");
    let entry =
        |id: &str, reason: &str| format!("[[rule]]\nid = \"{id}\"\nreason = \"{reason}\"\n");
    let findings = lint_text(&text, &entry("a.b", "Nobody needed it."), None);
    insta::assert_snapshot!("rule-retired", shown(&findings));

    let list = entry("x.y", "Gone.") + &entry("x.y", "");
    insta::assert_snapshot!("retired-list", shown(&lint_text(&text, &list, None)));

    let ids = |ids: &[&str]| ids.iter().map(|id| (*id).to_owned()).collect();
    let previous = Previous {
        version: "0.1".parse().unwrap(),
        ids: ids(&["a.b", "a.c", "a.d"]),
        retired: ids(&["a.e", "a.f"]),
    };
    let list = entry("a.d", "Gone.") + &entry("a.f", "Gone long ago.");
    insta::assert_snapshot!(
        "rule-gone",
        shown(&lint_text(&text, &list, Some(&previous)))
    );
}

#[test]
fn every_code_is_tested() {
    let sources = [
        include_str!("lines.rs"),
        include_str!("structure.rs"),
        include_str!("rules.rs"),
        include_str!("references.rs"),
        include_str!("links.rs"),
        include_str!("terms.rs"),
        include_str!("examples.rs"),
    ];
    let mut codes = BTreeSet::new();
    for call in sources
        .iter()
        .flat_map(|source| {
            ["findings.add(", "findings.add_elsewhere("].map(|call| source.split(call).skip(1))
        })
        .flatten()
    {
        codes.extend(
            call.trim_start()
                .strip_prefix('"')
                .and_then(|rest| rest.split('"').next()),
        );
    }
    let elsewhere = ["rule-retired", "retired-list", "rule-gone"];
    let tested: BTreeSet<_> = FAULTS
        .iter()
        .map(|(code, _)| *code)
        .chain(elsewhere)
        .collect();
    assert_eq!(codes, tested);
}
