//! Observes one server and says what was seen.
//!
//! ```text
//! cargo run -p mcp-observation --example probe -- https://example.org/contact https://mail.example.com/mcp
//! cargo run -p mcp-observation --example probe -- --loopback https://example.org/contact http://127.0.0.1:3001/mcp
//! ```
//!
//! The first URL is where the owner of the server reaches you. It exits with 0 for `ok`, else with 1; with 2 where
//! nothing was observed.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command line program"
)]

use std::process::ExitCode;
use std::time::SystemTime;

use capability_resolution::Time;
use guarded_fetch::Fetcher;
use mcp_observation::{Observation, Options, Outcome, Target, probe};

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    match observe().await {
        Ok(observation) => {
            show(&observation);
            if observation.findings.outcome == Outcome::Ok {
                ExitCode::SUCCESS
            } else {
                ExitCode::FAILURE
            }
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

async fn observe() -> Result<Observation, Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (loopback, contact, url) = match words[..] {
        ["--loopback", contact, url] => (true, contact, url),
        [contact, url] => (false, contact, url),
        _ => return Err("expected [--loopback] CONTACT-URL SERVER-URL".into()),
    };
    let target = if loopback {
        Target::loopback(url)?
    } else {
        url.parse()?
    };
    let fetcher = Fetcher::builder("mcp-observation/0.2", contact)
        .allow_loopback(loopback)
        .build()?;
    let now = Time::from(SystemTime::now());
    let mut options = Options::new("mcp-observation", "0.2");
    options.all_pages = true;
    Ok(probe(&fetcher, &target, &options, now).await?)
}

fn show(observation: &Observation) {
    for exchange in &observation.exchanges {
        let status = exchange
            .status
            .map_or("-".to_owned(), |status| status.to_string());
        let message = exchange.step.message().unwrap_or_default();
        let failure = exchange.failure.unwrap_or_default();
        let (method, took) = (exchange.step.method(), exchange.took.as_millis());
        println!("{method:6} {message:26} {status:3} {took:6} ms  {failure}");
    }
    let findings = &observation.findings;
    println!("{} at {}", findings.outcome, observation.ended);
    if let Some(handshake) = findings.handshake_ms {
        println!("handshake {handshake} ms");
    }
    if let Some(revision) = findings.revision {
        println!("revision {}", revision.as_str());
    }
    if let Some(challenges) = &findings.challenges {
        println!(
            "challenges {:?}, usable: {}",
            challenges.schemes,
            challenges.is_usable()
        );
    }
    if let Some(name) = &findings.server.name {
        println!("calls itself {name:?}");
    }
    for tool in &findings.tools {
        let hint = if tool.is_read_only() { "read-only" } else { "" };
        println!("tool {:?} {hint}", tool.name);
    }
}
