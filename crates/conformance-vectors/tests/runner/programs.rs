//! The programs that the runner is tested with: this test program itself, started with `program BEHAVIOUR FOLDER`.
//!
//! A behaviour is `right`, or `WHAT@ID` for one that is right but for the vector with that id, or one of the others
//! below.

use std::env;
use std::io::{self, BufRead as _, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, exit};
use std::thread::sleep;
use std::time::Duration;

use conformance_vectors::{Operation, Suite, Vector};
use serde_json::{Value, json};

/// Longer than any time limit of these tests.
const LONG: Duration = Duration::from_secs(60);

/// Plays a program, if this process was started as one.
pub(super) fn play() -> Option<()> {
    let mut args = env::args().skip(1);
    if args.next()? != "program" {
        return None;
    }
    let (behaviour, folder) = (args.next()?, args.next()?);
    let suite = Suite::read(Path::new(&folder)).expect("vectors");
    match behaviour.as_str() {
        "crash-at-start" => {
            eprintln!("no configuration\u{1b}[31m");
            exit(3);
        }
        "deaf" => sleep(LONG),
        "sleeper" => {
            let pid = std::process::id().to_string();
            std::fs::write(Path::new(&folder).join("sleeper.pid"), pid).expect("pid");
            sleep(LONG);
        }
        _ => answer(&behaviour, &folder, &suite),
    }
    Some(())
}

fn answer(behaviour: &str, folder: &str, suite: &Suite) {
    let (what, at) = behaviour.split_once('@').unwrap_or((behaviour, ""));
    let last = suite.vectors().last().expect("a vector").id.clone();
    for line in io::stdin().lock().lines() {
        let question: Value = serde_json::from_str(&line.expect("a line")).expect("JSON");
        let vector = suite
            .get(question["id"].as_str().expect("an id"))
            .expect("a vector");
        assert_eq!(question["operation"], vector.operation.name());
        if vector.operation != Operation::Client {
            assert_eq!(
                question["input"],
                serde_json::to_value(&vector.input).expect("JSON")
            );
        }
        if what == "stderr-flood" {
            eprintln!("{}", "x".repeat(1_000_000));
        }
        if vector.id == at && what.starts_with("visit") {
            for _ in 0..what.split('-').count() {
                visit(&question["input"]);
            }
            println!("{}", right(vector));
        } else if vector.id == at {
            misbehave(what, folder, vector);
        } else if what == "no-final-newline" && vector.id == last {
            print!("{}", right(vector));
            io::stdout().flush().expect("flush");
            exit(0);
        } else {
            println!("{}", right(vector));
        }
    }
    match what {
        "exit-7-at-end" => exit(7),
        "stays-at-end" => sleep(LONG),
        "speaks-at-end" => println!("bye"),
        _ => {}
    }
}

fn right(vector: &Vector) -> Value {
    json!({"id": vector.id, "result": vector.result, "reason": vector.reason, "output": vector.output})
}

/// Asks the first resolver for something, as a client of a scenario does.
fn visit(input: &Value) {
    let issuer = input["resolvers"][0].as_str().expect("an issuer");
    let address = input["connect"][issuer].as_str().expect("an address");
    let mut stream = TcpStream::connect(address.replace("http://", "")).expect("a connection");
    let host = issuer.replace("https://", "");
    write!(stream, "GET /x HTTP/1.1\r\nHost: {host}\r\n\r\n").expect("write");
    stream.read_to_end(&mut Vec::new()).expect("an end");
}

fn misbehave(what: &str, folder: &str, vector: &Vector) {
    let id = &vector.id;
    let mut answer = right(vector);
    match what {
        "crash" => {
            for n in 1..=30 {
                eprintln!("line {n}");
            }
            exit(101);
        }
        "abort" => std::process::abort(),
        "hang" => sleep(LONG),
        "late" => {
            sleep(Duration::from_millis(2500));
            println!("{answer}");
        }
        "garbage" => println!("ready \u{1b}[2J\u{202e}"),
        "empty-line" => println!(),
        "not-utf8" => {
            io::stdout().write_all(b"\xff\xfe\n").expect("write");
        }
        "log-before" => println!("DEBUG reading\n{answer}"),
        "endless" => loop {
            if io::stdout().write_all(&[b'x'; 4096]).is_err() {
                exit(1);
            }
        },
        "long" => {
            answer["padding"] = "x".repeat(70_000).into();
            println!("{answer}");
        }
        "wrong-id" => {
            answer["id"] = format!("{id}-not").into();
            println!("{answer}");
        }
        "twice" => println!("{answer}\n{answer}"),
        "close" => close_output(),
        "grandchild" => {
            let this = env::current_exe().expect("this program");
            let sleeper = ["program", "sleeper", folder];
            let _ = Command::new(this).args(sleeper).status();
        }
        "accept" => println!("{}", json!({"id": id, "result": "valid"})),
        "refuse" => println!(
            "{}",
            json!({"id": id, "result": "invalid", "reason": "kid-unknown"})
        ),
        "no-reason" => println!("{}", json!({"id": id, "result": "invalid"})),
        "no-output" => println!("{}", json!({"id": id, "result": "valid"})),
        "other-output" => println!(
            "{}",
            json!({"id": id, "result": "valid", "output": {"need": "\u{202e}x"}})
        ),
        "unsupported" => println!("{}", json!({"id": id, "unsupported": true})),
        other => panic!("no behaviour {other}"),
    }
}

/// Lets go of the pipe and goes on.
#[cfg(unix)]
fn close_output() {
    let null = std::fs::OpenOptions::new()
        .write(true)
        .open("/dev/null")
        .expect("null");
    rustix::stdio::dup2_stdout(null).expect("dup2");
    sleep(LONG);
}

#[cfg(not(unix))]
fn close_output() {
    exit(0);
}
