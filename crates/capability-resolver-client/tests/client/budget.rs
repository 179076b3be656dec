//! How long a call takes, whatever the resolvers do.

use std::time::Duration;

use capability_resolver_client::{Asking, Budget};
use tokio::time::Instant;

use crate::stage::*;

const MAIL: &str = "https://mail.example.com/mcp";

/// Time itself adds a millisecond here and there.
fn about(began: Instant, seconds: u64) {
    let took = began.elapsed();
    let (least, most) = (
        Duration::from_secs(seconds),
        Duration::from_millis(seconds * 1_000 + 20),
    );
    assert!((least..=most).contains(&took), "{took:?}");
}

// r[client.budget] r[client.fails-open]
#[tokio::test(start_paused = true)]
async fn one_that_hangs_anywhere_costs_its_time_and_no_more() {
    let (a, b) = (Resolver::new("a.example"), Resolver::new("b.example"));
    for path in [DISCOVERY, "/resolve"] {
        for hang in [Answer::Hang, Answer::BodyHang] {
            let stage = Stage::new();
            a.plays(&stage, &[]);
            b.plays(&stage, &[b.ok(MAIL)]);
            stage.set(&a.issuer, path, hang);
            let began = Instant::now();
            let found = resolve(&stage.client(&[&a, &b])).await;
            about(began, 5);
            assert_eq!(urls(&found), [MAIL]);
            assert_eq!(words(found.resolvers()), ["timeout", "answered"]);
        }
    }
}

// r[client.budget]
#[tokio::test(start_paused = true)]
async fn the_call_as_a_whole_is_bounded() {
    let stage = Stage::new();
    let resolvers: Vec<_> = ["a", "b", "c", "d"]
        .map(|name| Resolver::new(&format!("{name}.example")))
        .into();
    for resolver in &resolvers {
        stage.set(&resolver.issuer, DISCOVERY, Answer::Hang);
    }
    let all: Vec<_> = resolvers.iter().collect();
    let began = Instant::now();
    let found = resolve(&stage.client(&all)).await;
    about(began, 10);
    assert_eq!(words(found.resolvers()), ["timeout"; 4]);
    // Nobody learned anything for whom no time was left.
    assert_eq!(stage.asked().len(), 2);
    let began = Instant::now();
    let found = resolve(&stage.builder(&all).asking(Asking::AtOnce).build().unwrap()).await;
    about(began, 5);
    assert_eq!(words(found.resolvers()), ["timeout"; 4]);
}

// r[client.budget-caller]
#[tokio::test(start_paused = true)]
async fn the_caller_sets_both_bounds() {
    let stage = Stage::new();
    let (a, b) = (Resolver::new("a.example"), Resolver::new("b.example"));
    stage.set(&a.issuer, DISCOVERY, Answer::Hang);
    stage.set(&b.issuer, DISCOVERY, Answer::Hang);
    for (per_resolver, in_all, takes) in [(2, 10, 4), (7, 3, 3), (1, 1, 1), (0, 5, 0)] {
        let budget = Budget {
            per_resolver: Duration::from_secs(per_resolver),
            in_all: Duration::from_secs(in_all),
        };
        let client = stage.builder(&[&a, &b]).budget(budget).build().unwrap();
        let began = Instant::now();
        let found = resolve(&client).await;
        about(began, takes);
        assert_eq!(words(found.resolvers()), ["timeout"; 2]);
    }
    let endless = Budget {
        per_resolver: Duration::MAX,
        in_all: Duration::MAX,
    };
    let client = stage.builder(&[&a]).budget(endless).build().unwrap();
    let began = Instant::now();
    resolve(&client).await;
    about(began, 86_400);
}

// r[client.cancel]
#[tokio::test(start_paused = true)]
async fn a_call_ends_when_it_is_dropped_and_nothing_is_left_behind() {
    let (a, b) = (Resolver::new("a.example"), Resolver::new("b.example"));
    for asking in [Asking::InOrder, Asking::AtOnce] {
        let stage = Stage::new();
        stage.set(&a.issuer, DISCOVERY, Answer::Hang);
        stage.set(&b.issuer, DISCOVERY, Answer::Hang);
        let client = stage.builder(&[&a, &b]).asking(asking).build().unwrap();
        let cancelled = tokio::time::timeout(Duration::from_millis(10), resolve(&client)).await;
        assert!(cancelled.is_err());
        // No lock is held by the dropped call, and no task of it goes on.
        a.plays(&stage, &[a.ok(MAIL)]);
        stage.asked();
        tokio::time::sleep(Duration::from_secs(60)).await;
        assert_eq!(stage.asked(), [""; 0]);
        let began = Instant::now();
        assert_eq!(urls(&resolve(&client).await), [MAIL]);
        about(began, if asking == Asking::AtOnce { 5 } else { 0 });
    }
}
