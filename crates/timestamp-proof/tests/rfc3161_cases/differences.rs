//! `docs/differences.md` counts where public tools answer otherwise; this counts again.

use std::collections::BTreeMap;

use libtest_mimic::Failed;

use super::{
    fixtures::{Case, Fixtures},
    same,
};

const TABLE: &str = include_str!("../../docs/differences.md");

/// The third column of `verdicts.tsv` names the cause of a difference, and stands only where there is one.
pub(crate) fn check(fixtures: &Fixtures, causes: &BTreeMap<&str, &str>) -> Result<(), Failed> {
    let mut counted: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let (mut openssl, mut client, mut either, mut today) = (0, 0, 0, 0);
    for case in &fixtures.cases {
        let ours = if fixtures.verify(case)?.is_ok() {
            "valid"
        } else {
            "invalid"
        };
        let by_openssl = differs(case, "openssl_ts_at_genTime", ours);
        let by_client = differs(case, "rfc3161_client", ours);
        let cause = causes.get(case.id.as_str());
        if (by_openssl || by_client) != cause.is_some() {
            return Err(format!(
                "{}: a cause stands where and only where a tool differs",
                case.id
            )
            .into());
        }
        if let Some(cause) = cause {
            let count = counted.entry(cause).or_default();
            count.0 += usize::from(by_openssl);
            count.1 += usize::from(by_client);
            either += 1;
        }
        openssl += usize::from(by_openssl);
        client += usize::from(by_client);
        today +=
            usize::from(ours == "valid" && !by_openssl && differs(case, "openssl_ts_now", ours));
    }

    for (cause, (openssl, client)) in &counted {
        let row = format!("| `{cause}` | {openssl} | {client} | ");
        if TABLE.lines().filter(|line| line.starts_with(&row)).count() != 1 {
            return Err(format!("docs/differences.md has no row {row:?}").into());
        }
    }
    same(
        "rows of docs/differences.md",
        counted.len(),
        TABLE.lines().filter(|l| l.starts_with("| `")).count(),
    )?;
    let text = TABLE.replace('\n', " ");
    for claim in [
        format!("Of {} RFC 3161 cases", fixtures.cases.len()),
        format!("answers {openssl} otherwise"),
        format!("answers {client} otherwise; {either} cases differ"),
        format!("refuses {today} more"),
    ] {
        if !text.contains(&claim) {
            return Err(format!("docs/differences.md does not say {claim:?}").into());
        }
    }
    Ok(())
}

/// Did the tool run on this case, and answer otherwise?
fn differs(case: &Case, tool: &str, ours: &str) -> bool {
    case.measured
        .get(tool)
        .is_some_and(|verdict| verdict.as_deref().is_some_and(|v| v != ours))
}
