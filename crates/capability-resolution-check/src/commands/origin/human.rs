//! The report for people: the verdict, what is broken and how to mend it, and the counts.

use std::fmt::Write as _;

use command_console::style::{BAD, BOLD, DIM, DOUBT, GOOD, HELP};
use command_console::visible;

use super::Run;
use crate::origin::{Group, Judged, Level, Outcome, Report, Standing};

/// Writing to a string cannot fail, so its results are dropped here.
pub(super) fn human(run: &Run, verbose: bool) -> String {
    let mut out = String::new();
    verdict(&mut out, run);
    for group in Group::ALL {
        let of_group: Vec<_> = run
            .report
            .judged
            .iter()
            .filter(|j| j.check.group == group)
            .collect();
        if of_group.is_empty() {
            continue;
        }
        let passed = of_group
            .iter()
            .filter(|j| j.outcome == Outcome::Passed)
            .count();
        let _ = writeln!(
            out,
            "\n{BOLD}{group}{BOLD:#}: {passed} of {} passed",
            of_group.len()
        );
        for alike in of_group.chunk_by(|a, b| same_doubt(a, b)) {
            match alike {
                [judged] => one(&mut out, judged, verbose),
                [first, .., last] => doubt(&mut out, first, last, alike.len()),
                [] => {}
            }
        }
    }
    if let Some(changes) = &run.changes {
        let _ = writeln!(
            out,
            "\nchanged since the earlier report: {}",
            if changes.is_empty() { "nothing" } else { "" }
        );
        for change in changes {
            let _ = writeln!(out, "  {change}");
        }
    }
    let _ = writeln!(out, "\n{}", counts(&run.report));
    let _ = writeln!(
        out,
        "{DIM}{} requests in {} ms, at most two at a time, for the need {:?}, at {}{DIM:#}",
        run.recording.requests,
        run.recording.took.as_millis(),
        visible(&run.recording.need),
        run.at
    );
    out
}

fn verdict(out: &mut String, run: &Run) {
    let (origin, report) = (&run.recording.issuer, &run.report);
    let broken = report
        .of(Outcome::Failed)
        .filter(|judged| judged.check.rule.level == Level::Must)
        .count();
    let checks = if broken == 1 { "check" } else { "checks" };
    let (style, sentence) = match (report.standing(), report.is_whole) {
        (Standing::Reached, true) => (GOOD, format!("{origin} reaches resolver-1")),
        (Standing::Reached, false) => {
            (GOOD, format!("{origin} passes the checks that were chosen"))
        }
        (Standing::NotReached, true) => (
            BAD,
            format!("{origin} does not reach resolver-1: {broken} {checks} of level MUST failed"),
        ),
        (Standing::NotReached, false) => (
            BAD,
            format!("{origin} fails {broken} {checks} of level MUST, of those that were chosen"),
        ),
        (Standing::CouldNotTell, _) => (
            DOUBT,
            format!("it could not be told whether {origin} reaches resolver-1"),
        ),
    };
    let _ = writeln!(out, "{style}{sentence}{style:#}");
}

/// Whether two checks could not be told for one reason.
fn same_doubt(a: &Judged, b: &Judged) -> bool {
    a.outcome == Outcome::CouldNotTell && b.outcome == a.outcome && a.seen == b.seen
}

/// Checks that could not be told for one reason.
fn doubt(out: &mut String, first: &Judged, last: &Judged, count: usize) {
    let _ = writeln!(
        out,
        "  {DOUBT}{:15} {count} checks, from {} to {}{DOUBT:#}\n    because   {}",
        "could not tell",
        first.check.id(),
        last.check.id(),
        visible(&first.seen)
    );
}

fn one(out: &mut String, judged: &Judged, verbose: bool) {
    let (check, seen) = (&judged.check, visible(&judged.seen));
    let head = |word: &str| {
        format!(
            "{word:15} {BOLD}{}{BOLD:#}  {}  §{}",
            check.id(),
            check.rule.level,
            check.rule.section
        )
    };
    let _ = match judged.outcome {
        Outcome::Passed if verbose => {
            let word = format!("  {GOOD}passed{GOOD:#}");
            writeln!(
                out,
                "{word}  {}  {DIM}{}{DIM:#}",
                check.id(),
                check.expected
            )
        }
        Outcome::Passed => Ok(()),
        Outcome::Failed => writeln!(
            out,
            "  {BAD}{}{BAD:#}\n    expected  {}\n    seen      {seen}\n    {HELP}mend{HELP:#}      {}",
            head("FAILED"),
            check.expected,
            check.mend
        ),
        Outcome::CouldNotTell => writeln!(
            out,
            "  {DOUBT}{}{DOUBT:#}\n    because   {seen}",
            head("could not tell")
        ),
        Outcome::NotApplicable => writeln!(
            out,
            "  {DIM}{}{DIM:#}\n    because   {seen}",
            head("not applicable")
        ),
    };
}

/// `conformance.resolver-1`: what the verdict rests on, in one line.
fn counts(report: &Report) -> String {
    let of = |outcome| report.count(outcome);
    let should = report
        .of(Outcome::Failed)
        .filter(|judged| judged.check.rule.level != Level::Must)
        .count();
    let mut line = format!(
        "{BOLD}resolver-1: {} passed, {} failed, {} could not tell{BOLD:#}",
        of(Outcome::Passed),
        of(Outcome::Failed),
        of(Outcome::CouldNotTell)
    );
    if of(Outcome::NotApplicable) > 0 {
        let _ = write!(line, ", {} not applicable", of(Outcome::NotApplicable));
    }
    if should > 0 {
        let _ = write!(
            line,
            " ({should} of the failed are of level SHOULD, which decide nothing)"
        );
    }
    if !report.is_whole {
        line.push_str("; not every check was made, so this is no verdict of resolver-1");
    }
    line
}
