//! The list of resolvers, and the file that it is in.

use std::fs;

use capability_resolution::Status;
use insta::assert_snapshot;

use crate::common::{Home, Resolver, unchanged};

const FILE: &str = ".config/capability-resolver-client/config.toml";

// r[client.list] r[client.no-default]
#[test]
fn the_list_is_empty_until_the_user_adds_one() {
    let home = Home::new();
    let nobody = home.run(&["resolve", "send an email"]);
    assert_snapshot!(nobody.all(), @r"
    exit 2
    error[no-resolvers]: your list of resolvers is empty, so there is nobody to ask
      help: capability-resolver-client resolvers add ORIGIN puts one into HOME/.config/capability-resolver-client/config.toml; which one you trust is for you to say
    ");
    assert_eq!(home.run(&["resolvers", "list"]).code, Some(0));
    assert!(!home.path(FILE).exists());
    let list = home.run(&["resolvers", "list", "--format", "json"]);
    assert_eq!(
        list.json("client-resolvers.schema.json")["resolvers"],
        serde_json::json!([])
    );
}

#[test]
fn what_a_person_wrote_stays_as_it_is() {
    let home = Home::new();
    let added = home.run(&["resolvers", "add", "https://Two.example/"]);
    assert_eq!(added.out, "https://two.example is in your list now\n");
    assert!(
        home.run(&["resolvers", "add", "https://one.example", "--first"])
            .code
            == Some(0)
    );
    let text = fs::read_to_string(home.path(FILE)).unwrap();
    let by_hand = text.replace('[', "[ # mine\n  ") + "ask = \"at-once\" # all of them\n";
    fs::write(home.path(FILE), &by_hand).unwrap();
    home.run(&["resolvers", "add", "https://three.example"]);
    let removed = home.run(&["resolvers", "remove", "https://two.example"]);
    assert_eq!(
        (removed.code, removed.out.as_str()),
        (Some(0), "https://two.example is not asked any more\n")
    );
    assert_snapshot!(fs::read_to_string(home.path(FILE)).unwrap(), @r#"
    # Who learns your needs: these resolvers, in this order, and nobody else.
    # The next one is asked only when those before it have nobody, unless ask = "at-once".
    resolvers = [ # mine
      "https://one.example", "https://three.example"]
    ask = "at-once" # all of them
    "#);
    assert_snapshot!(home.run(&["resolvers", "list"]).all(), @r"
    exit 0
     1  https://one.example
     2  https://three.example
    ");
    let list = home.run(&["resolvers", "list", "--format", "json"]);
    assert_eq!(
        list.json("client-resolvers.schema.json")["resolvers"][1]["iss"],
        "https://three.example"
    );
    assert_eq!(
        home.run(&["resolvers", "remove", "https://two.example"])
            .code,
        Some(1)
    );
}

#[cfg(unix)]
#[test]
fn the_file_is_the_users_own_and_may_be_a_link() {
    use std::os::unix::fs::PermissionsExt as _;
    let home = Home::new();
    home.run(&["resolvers", "add", "https://one.example"]);
    let mode = fs::metadata(home.path(FILE)).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let real = home.path("dotfiles.toml");
    fs::rename(home.path(FILE), &real).unwrap();
    std::os::unix::fs::symlink(&real, home.path(FILE)).unwrap();
    home.run(&["resolvers", "add", "https://two.example"]);
    assert!(
        fs::read_to_string(&real)
            .unwrap()
            .contains("https://two.example")
    );
    assert!(fs::symlink_metadata(home.path(FILE)).unwrap().is_symlink());
}

// r[origin.loopback-off]
#[test]
fn one_of_this_machine_is_seen_and_taken_out_without_the_switch_that_asks_it() {
    let home = Home::new();
    let local = "http://127.0.0.1:8420";
    home.run(&["--allow-loopback", "resolvers", "add", local]);
    assert_eq!(
        home.run(&["resolvers", "list"]).out,
        format!(" 1  {local}\n")
    );
    let asked = home.run(&["resolve", "send an email"]);
    assert_eq!(asked.code, Some(2));
    assert!(asked.all().contains("--allow-loopback"), "{}", asked.all());
    assert_eq!(
        home.run(&["resolvers", "remove", local]).out,
        format!("{local} is not asked any more\n")
    );
}

#[test]
fn what_is_no_resolver_is_not_taken() {
    let home = Home::new();
    home.run(&["resolvers", "add", "https://one.example"]);
    let all: Vec<String> = [
        "https://one.example",
        "resolver.example",
        "https://resolver.example/resolve",
        "https://192.0.2.1",
        "http://127.0.0.1:8420",
        "http://resolver.example",
    ]
    .iter()
    .map(|wrong| home.run(&["resolvers", "add", wrong]).all())
    .collect();
    assert_snapshot!(all.concat());
    assert_eq!(
        fs::read_to_string(home.path(FILE))
            .unwrap()
            .matches("https://")
            .count(),
        1
    );
}

#[test]
fn a_wrong_file_is_shown_where_it_is_wrong_and_left_alone() {
    let home = Home::new();
    let file = home.path("config.toml");
    let mut all = String::new();
    for text in [
        "resolvers = [\"https://one.example\"\n",
        "resolver = []\n",
        "resolvers = \"https://one.example\"\n",
        "ask = \"both\"\n",
        "seconds-in-all = 0\n",
        "resolvers = [\"https://one.example/path\"]\n",
        "allow-addresses = [\"10.0.0.0/99\"]\n",
    ] {
        fs::write(&file, text).unwrap();
        all += &home
            .run(&["--config", "config.toml", "resolve", "send an email"])
            .all();
        assert_eq!(fs::read_to_string(&file).unwrap(), text);
    }
    fs::write(&file, "resolver = []\n").unwrap();
    assert_eq!(
        home.run(&[
            "--config",
            "config.toml",
            "resolvers",
            "add",
            "https://one.example"
        ])
        .code,
        Some(2)
    );
    assert_eq!(fs::read_to_string(&file).unwrap(), "resolver = []\n");
    assert_snapshot!(all);
}

// r[discovery.keys.private]
#[test]
fn each_resolver_is_tried() {
    let home = Home::new();
    let good = Resolver::start(
        "good",
        &[("https://mail.example.com/mcp", Status::Ok, 60)],
        unchanged,
    );
    let leaky = Resolver::start("leaky", &[], |_, body| {
        body.replace("\"kid\"", "\"d\":\"x\",\"kid\"")
    });
    let gone = Resolver::start("gone", &[], |_, _| "status 503".to_owned());
    let test = |resolvers: &[&Resolver], more: &[&str]| {
        let named = resolvers
            .iter()
            .flat_map(|resolver| ["--resolver", resolver.origin()]);
        let arguments: Vec<&str> = ["resolvers", "test"]
            .into_iter()
            .chain(named)
            .chain(more.iter().copied())
            .collect();
        home.at_now(&arguments)
    };
    let all = [&good, &leaky, &gone];
    let ran = test(&all, &[]);
    let shown = ran.shown(&all);
    let times = regex(&shown);
    assert_snapshot!(times);
    assert_eq!(test(&[&good], &[]).code, Some(0));
    assert_eq!(test(&[&good, &gone], &[]).code, Some(2));
    let value = test(&all, &["--format", "json"]).json("client-resolvers.schema.json");
    assert_eq!(value["resolvers"][0]["tested"]["usable_keys"], 1);
    assert_eq!(
        value["resolvers"][1]["tested"]["failure"]["code"],
        "key-private"
    );
    // Nobody learned a need, and nobody was asked for a record.
    assert!(
        good.stand
            .heads()
            .iter()
            .all(|head| head.starts_with("GET /.well-known/"))
    );
}

/// Without the times.
fn regex(text: &str) -> String {
    let words = text.split_inclusive(' ');
    let mut shown = String::new();
    let mut last = "";
    for word in words.chain([""]) {
        let number = last.trim_end().parse::<u64>().is_ok() && word.starts_with("ms");
        shown.push_str(if number { "N " } else { last });
        last = word;
    }
    shown + last
}
