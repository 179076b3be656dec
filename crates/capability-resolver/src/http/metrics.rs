//! Figures for whoever watches the resolver, in the text format of Prometheus. None is about a caller or a need.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Mutex;
use std::time::Duration;

use crate::answer::Resolver;
use crate::lock;

/// The media type of the format.
pub(super) const MEDIA_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// The upper bounds of the classes of durations, in seconds.
const BOUNDS: [f64; 9] = [
    0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.1, 1.0,
];

/// What was counted.
#[derive(Debug, Default)]
pub(super) struct Metrics {
    requests: Mutex<BTreeMap<(&'static str, u16), u64>>,
    durations: Mutex<BTreeMap<&'static str, Durations>>,
}

#[derive(Debug, Default)]
struct Durations {
    within: [u64; BOUNDS.len()],
    count: u64,
    sum: f64,
}

impl Metrics {
    /// Counts a request that was answered.
    pub(super) fn count(&self, endpoint: &'static str, status: u16, took: Duration) {
        let mut requests = lock::lock(&self.requests);
        *requests.entry((endpoint, status)).or_insert(0) += 1;
        drop(requests);
        let seconds = took.as_secs_f64();
        let mut durations = lock::lock(&self.durations);
        let durations = durations.entry(endpoint).or_default();
        durations.count += 1;
        durations.sum += seconds;
        for (within, bound) in durations.within.iter_mut().zip(BOUNDS) {
            if seconds <= bound {
                *within += 1;
            }
        }
    }

    /// All figures as text.
    pub(super) fn text(&self, resolver: &Resolver, connections: usize) -> String {
        let mut text = String::new();
        let mut put = |line: std::fmt::Arguments<'_>| {
            // A string takes everything.
            let _ = writeln!(text, "{line}");
        };
        put(format_args!("# TYPE resolver_requests_total counter"));
        let requests = lock::lock(&self.requests);
        for ((endpoint, status), count) in &*requests {
            put(format_args!(
                "resolver_requests_total{{endpoint=\"{endpoint}\",status=\"{status}\"}} {count}"
            ));
        }
        drop(requests);
        put(format_args!("# TYPE resolver_request_seconds histogram"));
        let durations = lock::lock(&self.durations);
        for (endpoint, durations) in &*durations {
            for (within, bound) in durations.within.iter().zip(BOUNDS) {
                put(format_args!(
                    "resolver_request_seconds_bucket{{endpoint=\"{endpoint}\",le=\"{bound}\"}} {within}"
                ));
            }
            let Durations { count, sum, .. } = durations;
            put(format_args!(
                "resolver_request_seconds_bucket{{endpoint=\"{endpoint}\",le=\"+Inf\"}} {count}"
            ));
            put(format_args!(
                "resolver_request_seconds_sum{{endpoint=\"{endpoint}\"}} {sum}"
            ));
            put(format_args!(
                "resolver_request_seconds_count{{endpoint=\"{endpoint}\"}} {count}"
            ));
        }
        drop(durations);
        put(format_args!("# TYPE resolver_connections gauge"));
        put(format_args!("resolver_connections {connections}"));
        put(format_args!("# TYPE resolver_tokens_signed_total counter"));
        put(format_args!(
            "resolver_tokens_signed_total {}",
            resolver.tokens_signed()
        ));
        put(format_args!("# TYPE resolver_available gauge"));
        put(format_args!(
            "resolver_available {}",
            u8::from(resolver.check().is_ok())
        ));
        if let Some((servers, made_at)) = resolver.snapshot() {
            put(format_args!("# TYPE resolver_servers gauge"));
            put(format_args!("resolver_servers {servers}"));
            put(format_args!("# TYPE resolver_snapshot_made_seconds gauge"));
            put(format_args!(
                "resolver_snapshot_made_seconds {}",
                made_at.unix_seconds()
            ));
        }
        text
    }
}
