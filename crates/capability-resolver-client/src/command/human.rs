//! What came of a call, for people.

use capability_resolution::{Code, Origin, Status, Time};
use clap::builder::styling::Style;
use command_console::style::{BAD, BOLD, DIM, DOUBT, GOOD};
use command_console::{Console, Diagnostic, Outcome as Answer, roughly, visible};

use crate::clock::difference;
use crate::{
    Advice, Answered, Difference, Failure, FailureCode, Outcome, Report, Resolution, Statement,
};

/// Candidates in order, then what became of each resolver.
pub(super) fn resolution(resolution: &Resolution, now: Time, console: &mut Console) {
    match resolution.advice() {
        [] => console.data(format_args!("{BOLD}nobody{BOLD:#} was found for this")),
        [_] => console.data(format_args!("{BOLD}1 server{BOLD:#} may do this")),
        many => console.data(format_args!(
            "{BOLD}{} servers{BOLD:#} may do this",
            many.len()
        )),
    }
    for (at, advice) in resolution.advice().iter().enumerate() {
        console.data("");
        show(at + 1, advice, now, console);
    }
    reports(resolution.resolvers(), console);
}

/// What an exit code says of a search: nobody is not the same as not knowing.
pub(super) fn outcome(found: bool, reports: &[Report]) -> Answer {
    let mut failures = reports.iter().filter_map(Report::failure);
    match found {
        true => Answer::True,
        false if failures.all(Failure::is_no_record) => Answer::False,
        false => Answer::Unknown,
    }
}

fn show(number: usize, advice: &Advice, now: Time, console: &mut Console) {
    console.data(format_args!("{number:>2}  {BOLD}{}{BOLD:#}", advice.url()));
    let counts = advice.statement();
    statement(counts, now, console);
    let others = advice.statements().iter();
    for other in others.filter(|other| !std::ptr::eq(*other, counts)) {
        statement(other, now, console);
    }
    if advice.is_contradicted() {
        console.data(format_args!(
            "    {DOUBT}they do not agree{DOUBT:#}{DIM}: the last look counts{DIM:#}"
        ));
    }
}

/// One line: status, seen when, by whom, until when.
pub(super) fn statement(statement: &Statement, now: Time, console: &mut Console) {
    let (style, word) = status(statement.status());
    console.data(format_args!(
        "    {style}{word:8}{style:#}  seen {}, holds {}  {DIM}{}, {}{DIM:#}",
        ago(now, statement.checked_at()),
        until(now, statement.expires()),
        visible(statement.resolver()),
        statement.issuer(),
    ));
}

/// A status with its style, in words.
pub(super) fn status(status: Status) -> (Style, &'static str) {
    match status {
        Status::Ok => (GOOD, "ok"),
        Status::SignIn => (DOUBT, "sign in"),
        Status::Down => (BAD, "down"),
        Status::Unknown => (DIM, "unknown"),
    }
}

/// What became of each resolver.
pub(super) fn reports(reports: &[Report], console: &mut Console) {
    console.data(format_args!("\n{BOLD}asked{BOLD:#}"));
    for report in reports {
        let issuer = report.issuer();
        match report.outcome() {
            Outcome::NotAsked => console.data(format_args!(
                "  {DIM}{issuer}  not asked: those before it had somebody{DIM:#}"
            )),
            Outcome::Skipped(failure) if failure.is_no_record() => {
                console.data(format_args!("  {issuer}  has no record of it"));
            }
            Outcome::Skipped(failure) => skipped(report, failure, console),
            Outcome::Answered(answered) => said(report, answered, console),
        }
        if let Some(refresh) = report.refresh() {
            console.data(format_args!(
                "    {DOUBT}{}{DOUBT:#}  a newer list of its keys was not to be had: {}",
                refresh.code(),
                visible(refresh.detail())
            ));
        }
    }
}

fn skipped(report: &Report, failure: &Failure, console: &mut Console) {
    console.data(format_args!(
        "  {}  {BAD}skipped{BAD:#}: {} at {}: {}",
        report.issuer(),
        failure.code(),
        failure.stage(),
        visible(failure.detail())
    ));
    if failure.code() == FailureCode::Rule(Code::KeyPrivate) {
        console.talk(loud(report.issuer()));
    }
}

/// `discovery.keys.private`: whoever sees it should tell the operator.
pub(super) fn loud(issuer: &Origin) -> Diagnostic {
    Diagnostic::error("key-private", format!("{issuer} published a private key"))
        .note("whoever read it can sign in its name: nothing that it says can be believed (rule discovery.keys.private)")
        .help("tell its operator, and take it out of your list until it has new keys")
}

fn said(report: &Report, answered: &Answered, console: &mut Console) {
    let count = match answered.candidates {
        0 => "nobody".to_owned(),
        1 => "1 server".to_owned(),
        many => format!("{many} servers"),
    };
    let earlier = if answered.cached {
        ", said earlier"
    } else {
        ""
    };
    console.data(format_args!(
        "  {}  {DIM}{}{DIM:#}  {count}{earlier}",
        report.issuer(),
        visible(&answered.resolver)
    ));
    for dropped in &answered.dropped {
        console.data(format_args!(
            "    {BAD}dropped{BAD:#} number {}: {}: {}",
            dropped.at + 1,
            dropped.refusal.code(),
            visible(dropped.refusal.detail())
        ));
    }
    for difference in &answered.differences {
        let told = match difference {
            Difference::CopyDiffers(pointer) => {
                format!("{} is not what was signed, which counts", visible(pointer))
            }
            Difference::DuplicateUrl(at) => {
                format!("number {} names a server once more", at + 1)
            }
            Difference::ClockDoubt { theirs, ours } => format!(
                "every token is out of its time, and its clock says {theirs}, yours {ours}: is yours right?"
            ),
        };
        console.data(format_args!(
            "    {DOUBT}{}{DOUBT:#}  {told}",
            difference.name()
        ));
    }
}

/// How long ago a moment was.
pub(super) fn ago(now: Time, moment: Time) -> String {
    let distance = roughly(difference(now, moment));
    if moment > now {
        format!("in {distance} by your clock")
    } else {
        format!("{distance} ago")
    }
}

/// How long until a moment.
pub(super) fn until(now: Time, moment: Time) -> String {
    let distance = roughly(difference(now, moment));
    if moment > now {
        format!("for {distance} more")
    } else {
        format!("no more since {distance}")
    }
}
