//! What reading costs in memory, counted by an allocator.

use capabilities_txt::{PublicSuffixes, Scope, allows, read};
use capability_resolution::{Host, Origin, Time};

fn file(endpoints: usize) -> String {
    let mut file =
        "# Who may list our servers, and what they do.\nConformance: Capability Resolution 0.2\n\
                    Contact: mailto:tools@example.com\nExpires: 2027-04-30T00:00:00Z\n\
                    Resolvers: *, -https://unwanted.example, -https://other.example:8443\n"
            .to_owned();
    for n in 0..endpoints {
        file += &format!(
            "\nEndpoint: https://s{n}.example.com/mcp\nProtocol: mcp\nJobs: send an email; ein Gerät zurücksetzen\n\
             Sign-in: none\n\t# a comment\nPayment: required\n"
        );
    }
    file
}

#[test]
fn a_file_without_findings_costs_its_result() {
    let scope = Scope::new(
        Host::from_written("example.com").unwrap(),
        &PublicSuffixes::compiled_in(),
    );
    let now = Time::from_unix_seconds(1_796_040_000);
    // A list of endpoints starts with room for four, and doubles.
    for (endpoints, growth) in [(1, 0), (4, 0), (5, 1), (100, 5)] {
        let text = file(endpoints);
        let reading = read(text.as_bytes(), &scope, now);
        assert_eq!(reading.diagnostics(), []);
        let value = reading.file().expect("a valid file");
        let cloned = allocation_counter::measure(|| drop(value.clone()));
        let read = allocation_counter::measure(|| drop(read(text.as_bytes(), &scope, now)));
        assert_eq!(
            read.count_total,
            cloned.count_total + growth,
            "{endpoints} endpoints"
        );
    }
}

#[test]
fn the_deny_reader_costs_nothing_for_denies_in_canonical_form() {
    let resolver: Origin = "https://resolver.example".parse().unwrap();
    let text = file(100);
    let cost =
        allocation_counter::measure(|| assert!(allows(text.as_bytes(), &resolver).is_allowed()));
    assert_eq!(cost.count_total, 0);
}

/// The worst files of 64 KiB: what is kept of them is bounded by their size.
#[test]
fn findings_are_bounded_by_the_size_of_the_file() {
    let scope = Scope::new(
        Host::from_written("example.com").unwrap(),
        &PublicSuffixes::compiled_in(),
    );
    let now = Time::from_unix_seconds(0);
    assert_eq!(size_of::<capabilities_txt::Diagnostic>(), 40);
    let block = "Endpoint: https://a/\nJobs: ";
    for (name, text) in [
        ("bare CR", "\r".repeat(65_536)),
        ("malformed", "a\n".repeat(32_768)),
        ("indented", " a\r".repeat(21_845)),
        (
            "jobs",
            format!(
                "{block}{}",
                format!("{}\nJobs:;", ";".repeat(4_000)).repeat(16)
            ),
        ),
        ("blocks", "Endpoint:\n".repeat(6_553)),
        ("entries", format!("Resolvers:{}", ",".repeat(4_000))),
    ] {
        let mut found = 0;
        let cost = allocation_counter::measure(|| {
            found = read(text.as_bytes(), &scope, now).diagnostics().len()
        });
        assert!(found <= text.len() + 16, "{name}: {found} findings");
        assert!(
            cost.bytes_max < 8 * 1024 * 1024,
            "{name}: {} bytes",
            cost.bytes_max
        );
    }
}
