//! Jobs (§11.4).

use super::blocks::{second, two_blocks};
use super::build::{File, Files, JOB, endpoint, said};

pub(super) fn add(files: &mut Files<'_>) {
    jobs(files);
    duplicate_jobs(files);
    job_count(files);
}

fn jobs(files: &mut Files<'_>) {
    files.from("plain");
    let job_200 = "j".repeat(200);
    let wide_200 = "\u{1f4e8}".repeat(200);
    for (slug, value, jobs, comment) in [
        ("3", "run", vec!["run"], "As short as a job may be."),
        (
            "200",
            job_200.as_str(),
            vec![job_200.as_str()],
            "As long as a job may be.",
        ),
        (
            "200-wide",
            wide_200.as_str(),
            vec![wide_200.as_str()],
            "200 characters are 400 units of UTF-16 and 800 bytes: characters are counted.",
        ),
        (
            "3-combining",
            "e\u{301}a",
            vec!["e\u{301}a"],
            "Three characters, which normalization would make two.",
        ),
        (
            "not-normalized",
            "cafe\u{301} menu",
            vec!["cafe\u{301} menu"],
            "A job is reported as it stands.",
        ),
        (
            "several",
            "send mail;read mail ;  find mail",
            vec!["send mail", "read mail", "find mail"],
            "Semicolons separate, and spaces around them do not matter.",
        ),
        (
            "commas",
            "send, read, find",
            vec!["send, read, find"],
            "Commas do not separate.",
        ),
        (
            "white-space",
            "\u{a0}send mail\u{3000}; \u{2003}read mail",
            vec!["send mail", "read mail"],
            "Ends are trimmed of all white space, and not of spaces and tabs only.",
        ),
        (
            "inner-white-space",
            "send\u{a0}mail  now",
            vec!["send\u{a0}mail  now"],
            "White space inside stays as it is.",
        ),
        (
            "joiner-at-the-end",
            "\u{646}\u{627}\u{645}\u{647}\u{200c}",
            vec!["\u{646}\u{627}\u{645}\u{647}\u{200c}"],
            "U+200C is no white space and not trimmed.",
        ),
    ] {
        let endpoint = endpoint().with_jobs(&jobs);
        files.case(
            &format!("jobs-{slug}"),
            "captxt.jobs text.character",
            &shown(value),
            comment,
            File::jobs(value),
            said().endpoint(endpoint),
        );
    }
    let job_201 = "j".repeat(201);
    let wide_201 = "\u{e9}".repeat(201);
    for (slug, value, columns, comment) in [
        ("2", "ab", vec![7], "One character too few."),
        (
            "1-wide",
            "\u{1f4e8}",
            vec![7],
            "One character of four bytes.",
        ),
        (
            "2-wide",
            "\u{1f4e8}\u{1f4e8}",
            vec![7],
            "Two characters in four units of UTF-16.",
        ),
        ("201", job_201.as_str(), vec![7], "One character too many."),
        (
            "201-wide",
            wide_201.as_str(),
            vec![7],
            "201 characters of two bytes.",
        ),
        (
            "empty-last",
            "send mail;",
            vec![17],
            "A semicolon at the end: an empty job behind the value.",
        ),
        (
            "empty-between",
            "send mail; \u{a0}; read mail",
            vec![19],
            "Nothing but white space between two semicolons: said of the character behind it.",
        ),
        (
            "empty-first",
            ";send mail",
            vec![7],
            "A semicolon at the start: said of the semicolon.",
        ),
        ("only-separator", ";", vec![7, 8], "Two empty jobs."),
        (
            "trimmed-2",
            "send mail; \u{3000}ab\u{3000}",
            vec![19],
            "Two characters are left after trimming; said of the first of them.",
        ),
        (
            "each",
            "a; send mail; \u{1f4e8}x",
            vec![7, 21],
            "Each is reported; columns count characters.",
        ),
        (
            "behind-wide",
            "\u{1f4e8}\u{1f4e8}\u{1f4e8}; x",
            vec![12],
            "Columns count characters, and not units of UTF-16 or bytes.",
        ),
    ] {
        let mut said = said();
        for column in columns {
            said = said.error("job-length", 8, column);
        }
        files.case(
            &format!("jobs-{slug}"),
            "captxt.jobs text.character captxt.position captxt.once",
            &shown(value),
            comment,
            File::jobs(value),
            said,
        );
    }
}

/// A value in the name of a change.
fn shown(value: &str) -> String {
    if value.len() > 60 {
        format!("{} characters", value.chars().count())
    } else {
        value.escape_default().to_string()
    }
}

fn duplicate_jobs(files: &mut Files<'_>) {
    files.from("plain");
    for (slug, value, column, comment) in [
        ("same", "send mail; send mail", 18, "The same job twice."),
        ("case", "send mail; Send MAIL", 18, "Case does not matter."),
        (
            "spaces",
            "send mail; send   mail",
            18,
            "A run of white space is one space.",
        ),
        (
            "white-space",
            "send mail; send\u{3000}\u{a0}mail",
            18,
            "All white space is.",
        ),
        (
            "dotted-i",
            "send mail\u{130}; SEND MAILI",
            19,
            "The simple mapping of U+0130 is i, one character.",
        ),
        (
            "kelvin",
            "send mail k; send mail \u{212a}",
            20,
            "U+212A is k in lower case.",
        ),
        (
            "greek",
            "\u{394}\u{39f}\u{3a3}\u{391}; \u{3b4}\u{3bf}\u{3c3}\u{3b1}",
            13,
            "Case of other letters.",
        ),
    ] {
        let first = value.split(';').next().unwrap_or_default();
        files.case(
            &format!("jobs-duplicate-{slug}"),
            "captxt.jobs.duplicate captxt.position",
            &value.escape_default().to_string(),
            &format!("{comment} A warning, and the first is kept."),
            File::jobs(value),
            said()
                .warning("duplicate-job", 8, column)
                .endpoint(endpoint().jobs([first])),
        );
    }
    for (slug, first, second, comment) in [
        (
            "sharp-s",
            "weigh STRASSE",
            "weigh stra\u{df}e",
            "Lower case is not case folding.",
        ),
        (
            "final-sigma",
            "read \u{39f}\u{394}\u{39f}\u{3a3}",
            "read \u{3bf}\u{3b4}\u{3bf}\u{3c2}",
            "The simple mapping knows no final sigma.",
        ),
        (
            "not-normalized",
            "read caf\u{e9}",
            "read cafe\u{301}",
            "Jobs are not normalized.",
        ),
        (
            "punctuation",
            "send mail",
            "send mail.",
            "Any other character counts.",
        ),
        (
            "no-space",
            "send mail",
            "sendmail",
            "White space counts as one space, and not as none.",
        ),
    ] {
        let value = format!("{first}; {second}");
        files.case(
            &format!("jobs-different-{slug}"),
            "captxt.jobs.duplicate",
            &value.escape_default().to_string(),
            &format!("{comment} Two jobs."),
            File::jobs(&value),
            said().endpoint(endpoint().jobs([first, second])),
        );
    }
    files.case(
        "jobs-duplicate-other-line",
        "captxt.jobs.duplicate captxt.once",
        "the job of the block on a second line, twice",
        "All jobs of a block are compared, and each duplicate is reported.",
        File::plain().insert(9, &format!("Jobs: {JOB}; {JOB}")),
        said()
            .warning("duplicate-job", 9, 7)
            .warning("duplicate-job", 9, 35),
    );
    files.case(
        "jobs-with-error-not-compared",
        "captxt.jobs captxt.jobs.duplicate",
        "two equal jobs of two characters",
        "A job with an error takes no part in the comparison.",
        File::jobs("ab; ab"),
        said().error("job-length", 8, 7).error("job-length", 8, 11),
    );
    files.from("two-blocks");
    files.case(
        "jobs-same-in-two-blocks",
        "captxt.jobs.duplicate",
        "the job of the first block in the second",
        "Two servers may do one job.",
        two_blocks().line(13, &format!("Jobs: {JOB}")),
        said().endpoints([endpoint(), second().jobs([JOB])]),
    );
}

fn job_count(files: &mut Files<'_>) {
    files.from("plain");
    let jobs: Vec<_> = (1..=22).map(|n| format!("job {n:02}")).collect();
    let some = |count: usize| jobs[..count].join("; ");
    let names: Vec<_> = jobs[..20].iter().map(String::as_str).collect();
    files.case(
        "jobs-20",
        "captxt.jobs.count",
        "20 jobs",
        "As many jobs as a block may have.",
        File::jobs(&some(20)),
        said().endpoint(endpoint().with_jobs(&names)),
    );
    files.case(
        "jobs-22",
        "captxt.jobs.count captxt.position captxt.once",
        "22 jobs",
        "Said of the name of the block's Endpoint, once.",
        File::jobs(&some(22)),
        said().error("too-many-jobs", 6, 1),
    );
    files.case(
        "jobs-21-on-two-lines",
        "captxt.jobs.count captxt.jobs.duplicate",
        "20 jobs, and one of them on a second line",
        "The limit is that of the block, and a duplicate counts.",
        File::jobs(&some(20)).insert(9, "Jobs: job 01"),
        said()
            .error("too-many-jobs", 6, 1)
            .warning("duplicate-job", 9, 7),
    );
    files.case(
        "jobs-21-with-error",
        "captxt.jobs.count captxt.jobs captxt.order",
        "20 jobs and an empty one",
        "One with an error counts.",
        File::jobs(&format!("{};", some(20))),
        said()
            .error("too-many-jobs", 6, 1)
            .error("job-length", 8, 166),
    );
    files.from("two-blocks");
    files.case(
        "jobs-20-and-more-in-two-blocks",
        "captxt.jobs.count",
        "20 jobs in the first block, one in the second",
        "Each block has a count of its own.",
        two_blocks().line(8, &format!("Jobs: {}", some(20))),
        said().endpoints([endpoint().with_jobs(&names), second()]),
    );
}
