//! The policy and the changelog: served, dated, and with the statements that the text asks for.

use guarded_fetch::header::CONTENT_TYPE;

use super::http::{essence, later};
use crate::origin::check::{Check, Group, Not, could_not_tell, failed};
use crate::origin::evidence::Evidence;
use crate::origin::page::{Page, STATEMENTS};
use crate::origin::recording::{Ask, Reply};

/// The largest page, in bytes: `policy.page`.
pub(crate) const PAGE_MAX_BYTES: usize = 1_048_576;

pub(super) fn checks() -> Vec<Option<Check>> {
    let check =
        |id, aspect: &'static str, expected, mend, judge: fn(&Evidence<'_>) -> Result<(), Not>| {
            Check::new(Group::Pages, id, aspect, expected, mend, judge)
        };
    let served = |id: &'static str, ask: Ask| {
        [
            check_page(
                id,
                ask,
                "status",
                "status 200 at the URL that the discovery document gives",
                "serve it there, without a redirect",
                |reply| {
                    (reply.status == 200)
                        .then_some(())
                        .ok_or_else(|| format!("it was answered with {}", reply.status))
                },
            ),
            check_page(
                id,
                ask,
                "media-type",
                "text/html, text/plain or text/markdown",
                "send Content-Type: text/html; charset=utf-8, or one of the others",
                |reply| {
                    let given = reply.only(CONTENT_TYPE).unwrap_or_default();
                    let known = ["text/html", "text/plain", "text/markdown"];
                    let is_known = known
                        .iter()
                        .any(|known| essence(given).eq_ignore_ascii_case(known));
                    is_known
                        .then_some(())
                        .ok_or_else(|| reply.shown(CONTENT_TYPE))
                },
            ),
            check_page(
                id,
                ask,
                "size",
                "at most 1,048,576 bytes",
                "make the page shorter",
                |reply| {
                    let fits = reply.body.len() <= PAGE_MAX_BYTES;
                    fits.then_some(()).ok_or_else(|| "it is longer".to_owned())
                },
            ),
        ]
    };
    let mut checks = Vec::new();
    checks.extend(served("policy.page", Ask::Policy));
    checks.extend([
        check(
            "policy.statements",
            "",
            "the policy has the seven obligations, each beside its statement",
            "write for each id the sentence by which you take it on",
            statements,
        ),
        check(
            "obligation.disclosure",
            "",
            "beside obligation.disclosure stand your relationships, or that there is none",
            "name each relationship with an owner of listed servers, or say that there is none",
            disclosure,
        ),
        check(
            "policy.dated",
            "",
            "the policy holds the date from which it is in force",
            "write the date as YYYY-MM-DD",
            dated,
        ),
    ]);
    checks.extend(served("policy.changelog", Ask::Changelog));
    checks.extend([
        check(
            "policy.changelog",
            "entry",
            "the changelog has an entry: a date and what changed",
            "write the date as YYYY-MM-DD and what changed behind it",
            entry,
        ),
        check(
            "policy.changelog",
            "order",
            "the newest entry of the changelog comes first",
            "put new entries above the older ones",
            order,
        ),
    ]);
    checks
}

fn check_page(
    id: &'static str,
    ask: Ask,
    aspect: &'static str,
    expected: &'static str,
    mend: &'static str,
    judge: fn(&Reply) -> Result<(), String>,
) -> Option<Check> {
    let name = if ask == Ask::Policy {
        "the policy"
    } else {
        "the changelog"
    };
    let judge = move |evidence: &Evidence<'_>| {
        let reply = reply(evidence, ask)?;
        if reply.is_later() {
            return could_not_tell(later(reply));
        }
        if aspect != "status" && reply.status != 200 {
            return could_not_tell(format!("it was answered with {}", reply.status));
        }
        judge(reply).or_else(failed)
    };
    Check::new(
        Group::Pages,
        id,
        aspect,
        format!("{name}: {expected}"),
        mend,
        judge,
    )
}

fn reply<'e>(evidence: &'e Evidence<'_>, ask: Ask) -> Result<&'e Reply, Not> {
    evidence.discovery()?;
    match evidence.recording.get(ask).map(|exchange| &exchange.reply) {
        Some(Ok(reply)) => Ok(reply),
        Some(Err(none)) => could_not_tell(none.why.clone()),
        None => could_not_tell("the discovery document names none"),
    }
}

fn page(evidence: &Evidence<'_>, ask: Ask) -> Result<Page, Not> {
    let reply = reply(evidence, ask)?;
    if reply.status != 200 {
        return could_not_tell(format!("it was answered with {}", reply.status));
    }
    Ok(Page::read(&reply.body))
}

fn statements(evidence: &Evidence<'_>) -> Result<(), Not> {
    let page = page(evidence, Ask::Policy)?;
    for id in STATEMENTS {
        match page.statement(id) {
            None => return failed(format!("{id} is not in the policy")),
            Some(statement) if !says_something(statement) => {
                return failed(format!("nothing is stated beside {id}"));
            }
            Some(_) => {}
        }
    }
    Ok(())
}

/// Three words at least.
fn says_something(statement: &str) -> bool {
    let words = statement.split_whitespace();
    words
        .filter(|word| word.chars().any(char::is_alphabetic))
        .count()
        >= 3
}

fn disclosure(evidence: &Evidence<'_>) -> Result<(), Not> {
    let page = page(evidence, Ask::Policy)?;
    let Some(statement) = page.statement("obligation.disclosure") else {
        // A rule of its own.
        return could_not_tell("obligation.disclosure is not in the policy");
    };
    match left_open(statement) {
        Some(left) => failed(format!("it was left to be filled in: [{left}]")),
        None => Ok(()),
    }
}

/// What a template left to be filled in stands in brackets; a link in Markdown does too, and its target follows.
fn left_open(statement: &str) -> Option<&str> {
    let (_, rest) = statement.split_once('[')?;
    let (inside, behind) = rest.split_once(']')?;
    if behind.starts_with(['(', '[', ':']) {
        return left_open(behind);
    }
    Some(inside)
}

fn dated(evidence: &Evidence<'_>) -> Result<(), Not> {
    match page(evidence, Ask::Policy)?.dates().is_empty() {
        true => failed("no date in the form YYYY-MM-DD"),
        false => Ok(()),
    }
}

fn entry(evidence: &Evidence<'_>) -> Result<(), Not> {
    let page = page(evidence, Ask::Changelog)?;
    match page.first_entry() {
        None => failed("no date in the form YYYY-MM-DD"),
        Some((date, text)) if !text.chars().any(char::is_alphabetic) => {
            failed(format!("nothing stands behind {date}"))
        }
        Some(_) => Ok(()),
    }
}

fn order(evidence: &Evidence<'_>) -> Result<(), Not> {
    let page = page(evidence, Ask::Changelog)?;
    let entries = page.entry_dates();
    if entries.is_empty() {
        return could_not_tell("the changelog has no date");
    }
    match entries.windows(2).find(|pair| pair[0] < pair[1]) {
        Some(pair) => failed(format!("{} stands below {}", pair[1], pair[0])),
        None => Ok(()),
    }
}
