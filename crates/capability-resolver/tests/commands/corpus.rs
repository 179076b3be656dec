//! Real catalogues, thirty thousand lines of strangers' words.

use std::env;
use std::path::PathBuf;
use std::time::Instant;

use crate::common::{NOW, Place};

#[test]
fn real_catalogues_are_taken_and_counted() {
    let Some(fixtures) = env::var_os("FIXTURES_DIR") else {
        println!("skipped: FIXTURES_DIR is not set");
        return;
    };
    let corpus = PathBuf::from(fixtures).join("mcp-corpus");
    let place = Place::with_resolver();
    for (file, entries, servers, without_url, refused) in [
        ("servers.jsonl", 20_519, 2_687, 17_832, 0),
        ("remotes.jsonl", 10_395, 10_263, 0, 132),
        ("servers-cc-by-sa.jsonl", 1_686, 0, 1_686, 0),
    ] {
        let path = corpus.join(file);
        assert!(path.is_file(), "{} is missing", path.display());
        let started = Instant::now();
        let ran = place.at(NOW, &["import", "--format", "json", path.to_str().unwrap()]);
        println!("{file}: {} ms", started.elapsed().as_millis());
        let report = ran.json("resolver-import.schema.json")["sources"][0].clone();
        assert_eq!(report["entries"], entries, "{file}: {report:#}");
        assert_eq!(report["without_url"], without_url, "{file}: {report:#}");
        let taken =
            report["new_servers"].as_u64().unwrap() + report["known_servers"].as_u64().unwrap();
        assert_eq!(taken, servers, "{file}: {report:#}");
        let all: u64 = report["refused"]
            .as_object()
            .unwrap()
            .values()
            .filter_map(serde_json::Value::as_u64)
            .sum();
        assert_eq!(all, refused, "{file}: {report:#}\n{}", ran.err);
        assert_eq!(ran.code, Some(i32::from(servers == 0 && refused > 0)));
    }
    let status = place
        .at(NOW, &["status", "--format", "json"])
        .json("resolver-status.schema.json");
    assert_eq!(
        status["servers"]["never_observed"],
        status["servers"]["all"]
    );
}
