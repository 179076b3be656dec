//! What every command says of itself. That its examples are understood is tested where the command line is.

use insta::assert_snapshot;

use crate::common::Home;

#[test]
fn help_is_complete() {
    let home = Home::new();
    for command in [
        "",
        "resolve",
        "record",
        "verify",
        "resolvers",
        "resolvers add",
        "resolvers remove",
        "resolvers list",
        "resolvers test",
        "mcp",
        "adapter",
    ] {
        let arguments: Vec<&str> = command.split_whitespace().chain(["--help"]).collect();
        let ran = home.run(&arguments);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{command}");
        assert_snapshot!(format!("help_{}", command.replace(' ', "_")), ran.out);
    }
}

#[test]
fn a_command_line_that_is_wrong_ends_with_2() {
    let home = Home::new();
    for wrong in [
        &[][..],
        &["find"],
        &["resolve"],
        &["resolve", "abc", "--max-handshake", "0"],
        &["resolve", "abc", "--max-handshake", "60001"],
        &["resolve", "abc", "--timeout", "0"],
        &["record"],
        &["verify"],
        &["resolvers"],
        &["mcp", "--print-config", "emacs"],
        &["resolve", "abc", "--format", "xml"],
    ] {
        assert_eq!(home.run(wrong).code, Some(2), "{wrong:?}");
    }
}
