//! What every command says of itself. That its examples are understood is tested where the command line is.

use insta::assert_snapshot;

use crate::common::Place;

#[test]
fn help_is_complete() {
    let place = Place::new();
    for command in [
        "",
        "demo",
        "init",
        "keys",
        "keys list",
        "keys rotate",
        "keys retire",
        "import",
        "observe",
        "search",
        "serve",
        "status",
        "forget",
    ] {
        let arguments: Vec<&str> = command.split_whitespace().chain(["--help"]).collect();
        let ran = place.run(&arguments);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{command}");
        assert_snapshot!(format!("help_{}", command.replace(' ', "_")), ran.out);
    }
}

#[test]
fn a_command_line_that_is_wrong_ends_with_2() {
    let place = Place::new();
    for wrong in [
        &[][..],
        &["observe-all"],
        &["init"],
        &["import", "--as", "yaml"],
        &["forget"],
        &["status", "--format", "xml"],
    ] {
        assert_eq!(place.run(wrong).code, Some(2), "{wrong:?}");
    }
}
