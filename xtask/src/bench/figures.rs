//! `docs/figures.md`: what was measured, when, on what and how, for people who were not there.
//!
//! One section for each bench, with its own date and machine: some benches take minutes and are run alone. A run replaces
//! the sections of what it measured and leaves the others as they are.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::Bench;
use super::report::{BenchReport, Measurement, Report};

/// Repository-relative path of the page.
pub const PATH: &str = "docs/figures.md";

const HEAD: &str = "\
# Figures

Measured by `cargo xtask bench --figures`, which writes this page; nobody edits it. Each section says when and on what its
figures were measured, and the load of the machine then: more than 1 means that other programs kept it busy. Of each round
the fastest sample counts, of the rounds the median. A ratio is the median of the rounds' ratios to the first row, measured
in the same rounds.
";

/// The page with the sections of this report in place of those that it had; `written` is the page as it is, empty if there
/// is none. Sections stand in the order of `benches`, and one whose bench is gone goes too.
#[must_use]
pub fn page(written: &str, report: &Report, date: &str, benches: &[Bench]) -> String {
    let mut sections = sections(written);
    // A bench that was left out has nothing to put in place of what is there.
    let measured = |bench: &&BenchReport| !bench.measurements.is_empty();
    for bench in report.benches.iter().filter(measured) {
        let heading = heading(bench.package, bench.target);
        if let Some(entry) = benches.iter().find(|entry| is_of(entry, bench)) {
            sections.insert(heading, section(bench, entry, report, date));
        }
    }
    let mut page = HEAD.to_owned();
    for bench in benches {
        let heading = heading(bench.package, bench.target);
        if let Some(section) = sections.get(&heading) {
            let _ = write!(page, "\n## {heading}\n\n{section}\n");
        }
    }
    page
}

fn is_of(entry: &Bench, report: &BenchReport) -> bool {
    (entry.package, entry.target) == (report.package, report.target)
}

fn heading(package: &str, target: &str) -> String {
    format!("{package} {target}")
}

/// The sections of a page, by their headings.
fn sections(page: &str) -> BTreeMap<String, String> {
    page.split("\n## ")
        .skip(1)
        .filter_map(|section| section.split_once('\n'))
        .map(|(heading, body)| (heading.to_owned(), body.trim().to_owned()))
        .collect()
}

fn section(bench: &BenchReport, entry: &Bench, report: &Report, date: &str) -> String {
    let rounds = report.rounds_of(entry);
    let mut text = format!(
        "{date}, {}. {rounds} rounds of {} ms for each row.\n\n\
         | What | Time | Beside the first | Input | Memory |",
        report.machine.human(),
        report.milliseconds,
    );
    // What else was measured, a column each.
    let figures: BTreeSet<&String> = bench
        .measurements
        .iter()
        .flat_map(|row| row.figures.keys())
        .collect();
    for figure in &figures {
        let _ = write!(text, " {} |", cell(figure));
    }
    let columns = "--:|".repeat(4 + figures.len());
    let _ = writeln!(text, " Measured by |\n|---|{columns}---|");
    for row in &bench.measurements {
        let _ = write!(
            text,
            "| {} | {} | {} | {} | {} |",
            cell(&row.name),
            time(row.nanoseconds),
            row.ratio
                .map_or(String::new(), |ratio| format!("{ratio:.2} times")),
            row.nanoseconds_per_kib
                .map_or(String::new(), |per_kib| format!(
                    "{:.2} \u{b5}s/KiB",
                    per_kib / 1e3
                )),
            row.mebibytes
                .map_or(String::new(), |mebibytes| format!("{mebibytes:.0} MiB")),
        );
        for figure in &figures {
            let figure = row.figures.get(*figure);
            let figure = figure.map_or(String::new(), |figure| format!(" {figure:.4}"));
            let _ = write!(text, "{figure} |");
        }
        let _ = writeln!(text, " `{}` |", cell(&command(row, entry)));
    }
    let aims = bench
        .measurements
        .iter()
        .flat_map(|row| row.aims.iter().map(move |aim| (row, aim)));
    let aims: Vec<_> = aims
        .map(|(row, aim)| {
            format!(
                "- {} {}: found {}, {}",
                row.name,
                aim.limit,
                aim.shown(),
                aim.verdict()
            )
        })
        .collect();
    if !aims.is_empty() {
        let _ = write!(text, "\nAims:\n\n{}\n", aims.join("\n"));
    }
    for peer in &bench.left_out {
        let _ = write!(
            text,
            "\nNot measured: {}, since {}.\n",
            peer.name, peer.reason
        );
    }
    text.truncate(text.trim_end().len());
    text
}

/// What measures a row again: our own bench, or the program that it is about.
fn command(row: &Measurement, entry: &Bench) -> String {
    match entry
        .peers
        .iter()
        .find(|peer| row.peer && peer.name == row.name)
    {
        Some(peer) => peer.command.join(" "),
        None => format!("cargo bench -p {} --bench {}", entry.package, entry.target),
    }
}

fn time(nanoseconds: f64) -> String {
    match nanoseconds {
        ..1e3 => format!("{nanoseconds:.0} ns"),
        ..1e6 => format!("{:.2} \u{b5}s", nanoseconds / 1e3),
        ..1e9 => format!("{:.2} ms", nanoseconds / 1e6),
        _ => format!("{:.2} s", nanoseconds / 1e9),
    }
}

/// Words in a cell of a table.
fn cell(words: &str) -> String {
    words.replace('|', "\\|").replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::super::report::tests::{BENCH, measured};
    use super::*;

    const OTHER: Bench = Bench {
        package: "z-crate",
        target: "slow",
        ours: "slow/ours",
        aims: &[],
        peers: &[],
        input: |_| Ok(serde_json::Value::Null),
        slow: Some(3),
        needs: None,
    };

    fn benches() -> [Bench; 2] {
        [BENCH, OTHER]
    }

    #[test]
    fn a_section_says_when_on_what_and_how() {
        let report = measured([10_500.0, 21_000.0, 10_500.0]);
        insta::assert_snapshot!(page("", &report, "2026-11-30", &benches()));
    }

    #[test]
    fn a_run_replaces_its_own_sections_alone() {
        let report = measured([10_500.0, 21_000.0, 10_500.0]);
        let old = format!(
            "{HEAD}\n## gone bench\n\nx\n\n## z-crate slow\n\nkept as it was\n\n## a-crate work\n\nold\n"
        );
        let new = page(&old, &report, "2026-12-01", &benches());
        assert!(
            new.contains("\n## z-crate slow\n\nkept as it was\n"),
            "{new}"
        );
        assert!(!new.contains("gone") && !new.contains("\nold\n"), "{new}");
        assert_eq!(
            page(&new, &report, "2026-12-01", &benches()),
            new,
            "the same figures change nothing"
        );
    }

    #[test]
    fn other_figures_have_columns_of_their_own() {
        let mut report = measured([10_500.0, 21_000.0, 10_500.0]);
        let figures = &mut report.benches[0].measurements[0].figures;
        figures.insert("recall@10".to_owned(), 0.51234);
        let page = page("", &report, "2026-11-30", &benches());
        assert!(
            page.contains("| Memory | recall@10 | Measured by |\n|---|--:|--:|--:|--:|--:|---|\n"),
            "{page}"
        );
        assert!(page.contains("|  | 0.5123 | `cargo bench"), "{page}");
    }

    #[test]
    fn a_bench_that_was_left_out_keeps_its_section() {
        let mut report = measured([10_500.0, 21_000.0, 10_500.0]);
        let before = page("", &report, "2026-11-30", &benches());
        report.benches = vec![BenchReport::left_out(&BENCHES[0], "why".to_owned())];
        assert_eq!(page(&before, &report, "2026-12-01", &benches()), before);
    }

    static BENCHES: [Bench; 2] = [BENCH, OTHER];

    #[test]
    fn a_time_has_its_unit() {
        let shown: Vec<_> = [999.0, 1_500.0, 2.5e6, 3e9].into_iter().map(time).collect();
        assert_eq!(shown, ["999 ns", "1.50 \u{b5}s", "2.50 ms", "3.00 s"]);
    }
}
