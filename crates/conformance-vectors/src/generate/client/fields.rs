//! Header fields about keeping that come twice, in quotes or with an argument (§4.1, §10.3).

use super::super::cases::Cases;
use super::caches::{answer_kept, answer_not_kept, document_kept, document_of_one_call};

/// Header fields, and for how many seconds they let something be kept; for 0 it is not kept.
const FIELDS: [(&str, &[&str], i64, &str); 9] = [
    (
        "no-digits-first",
        &["Cache-Control: max-age=soon, max-age=60"],
        DEFAULT,
        "max-age=soon and then max-age=60",
    ),
    (
        "quoted",
        &["Cache-Control: max-age=\"60\""],
        DEFAULT,
        "a max-age in quotes",
    ),
    (
        "space-before-equals",
        &["Cache-Control: max-age =60"],
        DEFAULT,
        "a space before the = of max-age",
    ),
    (
        "space-behind-equals",
        &["Cache-Control: max-age= 60"],
        DEFAULT,
        "a space behind the = of max-age",
    ),
    (
        "two-ages",
        &["Cache-Control: max-age=100", "Age: 40", "Age: 90"],
        60,
        "max-age=100, Age: 40 and then Age: 90",
    ),
    (
        "quoted-comma",
        &["Cache-Control: note=\"a, no-store, max-age=10\", max-age=60"],
        60,
        "no-store and max-age=10 inside of the quotes of another directive",
    ),
    (
        "quoted-quote",
        &["Cache-Control: note=\"a\\\", no-store, b\", max-age=60"],
        60,
        "no-store inside of quotes, behind a quote that a backslash escapes",
    ),
    (
        "no-cache-of-a-field",
        &["Cache-Control: max-age=600, no-cache=\"Set-Cookie\""],
        0,
        "no-cache with a value",
    ),
    (
        "no-store-with-a-value",
        &["Cache-Control: max-age=600, No-Store=1"],
        0,
        "no-store with a value, in another case",
    ),
];

/// As long as without a `max-age`.
const DEFAULT: i64 = -1;

pub(super) fn add(cases: &mut Cases) {
    cases.from("discovery-kept");
    for (slug, headers, seconds, change) in FIELDS {
        match seconds {
            0 => document_of_one_call(cases, slug, headers, change),
            DEFAULT => document_kept(cases, slug, headers, 3600, change),
            _ => document_kept(cases, slug, headers, seconds, change),
        }
    }
    let aged = ["Cache-Control: max-age=172800", "Age: 86400"];
    let change = "max-age of two days and an Age of one";
    document_kept(cases, "longest-after-age", &aged, 86_400, change);
    cases.from("answer-reused");
    for (slug, headers, seconds, change) in FIELDS {
        match seconds {
            0 | DEFAULT => answer_not_kept(cases, slug, headers, change),
            _ => answer_kept(cases, slug, headers, seconds, change),
        }
    }
    let aged = ["Cache-Control: max-age=7200", "Age: 3600"];
    let change = "max-age of two hours and an Age of one";
    answer_kept(cases, "longest-after-age", &aged, 3600, change);
}
