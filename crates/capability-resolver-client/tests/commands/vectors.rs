//! Our client passes every vector of clients, asked by the runner over the line protocol.

use conformance_vectors::run::{Outcome, Settings, run};
use conformance_vectors::{Operation, Suite};

#[test]
fn all_vectors_of_clients_pass() {
    let suite = Suite::embedded().unwrap();
    let program = env!("CARGO_BIN_EXE_capability-resolver-client");
    let of_clients = suite
        .vectors()
        .filter(|vector| vector.operation == Operation::Client);
    let command = [program.into(), "adapter".into()];
    let run = run(&command, of_clients, Settings::default()).unwrap();
    assert!(run.judged.len() > 150, "{}", run.judged.len());
    let failed: Vec<_> = run
        .judged
        .iter()
        .filter(|judged| judged.outcome != Outcome::Passed)
        .map(|judged| format!("{}: {:?}", judged.vector.id, judged.outcome))
        .collect();
    assert!(failed.is_empty(), "{failed:#?}");
}
