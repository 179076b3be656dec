//! The two readers beside a reader of robots.txt, on files of the same size and shape, in one run.
//!
//! The figure is the time for 1,024 bytes read. Of files over their limits our readers read 524,288 bytes (the strict one
//! to find a deny in them): only what was read counts. Each hostile shape costs as much a byte as a plain file does, or
//! less than a constant times it: that is how time is seen to be linear. Hostile shapes are no robots.txt, so that there is
//! nothing to compare them with.

use std::hint::black_box;

use capabilities_txt::limits::SCAN_MAX_BYTES;
use capabilities_txt::{PublicSuffixes, Scope, allows, read};
use capability_resolution::{Host, Origin, Time};
use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use texting_robots::Robot;

/// Lines over and over, up to a size.
fn fill(head: &str, block: impl Fn(usize) -> String, size: usize) -> String {
    let mut file = head.to_owned();
    for n in 0.. {
        let block = block(n);
        if file.len() + block.len() > size {
            break;
        }
        file += &block;
    }
    let rest = size.saturating_sub(file.len() + 2);
    format!("{file}#{}\n", "x".repeat(rest))
}

fn server_file(size: usize) -> String {
    let head = "# Who may list our servers, and what they do.\nConformance: Capability Resolution 0.2\n\
                Contact: mailto:tools@example.com\nExpires: 2027-04-30T00:00:00Z\nResolvers: *, -https://unwanted.example\n";
    let block = |n: usize| {
        let jobs: Vec<_> = (0..14)
            .map(|job| format!("look up the delivery status number {job} of {n}"))
            .collect();
        let jobs = jobs.join("; ");
        format!(
            "\nEndpoint: https://mail{n}.example.com/mcp\nProtocol: mcp\nJobs: {jobs}\nSign-in: none\nPayment: none\n"
        )
    };
    fill(head, block, size)
}

fn robots(size: usize) -> String {
    let head = "# Who may fetch what.\nUser-agent: *\nCrawl-delay: 5\nDisallow: /private/\n";
    let block = |n: usize| {
        format!(
            "\nUser-agent: agent{n}\nAllow: /public/{n}/*.html\nDisallow: /private/{n}/\nDisallow: /*?q={n}$\n"
        )
    };
    fill(head, block, size)
}

fn readers(c: &mut Criterion) {
    let scope = Scope::new(
        Host::from_written("example.com").expect("a host"),
        &PublicSuffixes::compiled_in(),
    );
    let resolver: Origin = "https://resolver.example".parse().expect("an origin");
    let now = Time::from_unix_seconds(1_796_040_000);
    let valid = [server_file(1_024), server_file(65_536)];
    for file in &valid {
        assert_eq!(read(file.as_bytes(), &scope, now).diagnostics(), []);
    }
    let [small, large] = valid;
    let files = [
        ("1 KiB", small, Some(robots(1_024))),
        ("64 KiB", large, Some(robots(65_536))),
        (
            "10^4 Resolvers lines",
            "Resolvers: *, -https://b.example\n".repeat(10_000),
            None,
        ),
        (
            "one line of 1 MB",
            format!("Resolvers: *{}\n", ", -https://b.example".repeat(50_000)),
            None,
        ),
        ("10^6 lines", "a\n".repeat(1_000_000), None),
        (
            "512 KiB of dashes",
            format!("Resolvers: {}", "- ".repeat(300_000)),
            None,
        ),
        (
            "512 KiB in one host",
            format!("Resolvers: *, -https://{}\n", "ü".repeat(300_000)),
            None,
        ),
        (
            "512 KiB of brackets",
            format!("Resolvers: {}", "[".repeat(600_000)),
            None,
        ),
        (
            "64 KiB of semicolons",
            format!(
                "Endpoint: https://a/\n{}",
                format!("Jobs:{}\n", ";".repeat(4_000)).repeat(16)
            ),
            None,
        ),
    ];
    for (name, file, robots) in files {
        let mut group = c.benchmark_group(name);
        // Of a slow one the samples are of one iteration each, and do not grow.
        group.sample_size(10).sampling_mode(SamplingMode::Flat);
        let bytes = |n: usize| Throughput::Bytes(u64::try_from(n).unwrap_or(u64::MAX));
        group.throughput(bytes(file.len().min(SCAN_MAX_BYTES)));
        group.bench_function("strict reader", |b| {
            b.iter(|| read(black_box(file.as_bytes()), &scope, now))
        });
        group.bench_function("deny reader", |b| {
            b.iter(|| allows(black_box(file.as_bytes()), &resolver))
        });
        if let Some(robots) = robots {
            group.throughput(bytes(robots.len()));
            group.bench_function("texting_robots", |b| {
                b.iter(|| {
                    let robot = Robot::new("resolver", black_box(robots.as_bytes()));
                    robot.map(|robot| robot.allowed("https://example.com/private/mcp"))
                });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, readers);
criterion_main!(benches);
