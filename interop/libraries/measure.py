#!/usr/bin/env python3
"""How JWT libraries do on the token vectors:  measure.py [--check | --install]

Installs the libraries as the lock files pin them, into node_modules and .venv beside this file, asks each of them with
the project's runner, and writes the table into test-vectors/README.md. With --check it writes nothing and says whether
the table there is what was measured; with --install it only installs. Exit code 0: done, or the table is current;
1: it is not; 2: it could not be told, since something is missing or the table was made with other versions of Node
and Python, on which a few verdicts depend.
"""
import collections
import difflib
import json
import pathlib
import platform
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
README = ROOT / "test-vectors" / "README.md"
START, END = "<!-- written by interop/libraries/measure.py -->\n", "<!-- end of what it writes -->\n"
PYTHON = HERE / ".venv" / "bin" / "python3"
LIBRARIES = [
    ("jose", "npm", ["node", HERE / "with_jose.mjs"]),
    ("jsonwebtoken", "npm", ["node", HERE / "with_jsonwebtoken.mjs"]),
    ("PyJWT", "PyPI", [PYTHON, HERE / "with_pyjwt.py"]),
    ("joserfc", "PyPI", [PYTHON, HERE / "with_joserfc.py"]),
]
# How many rules are named, of those where a library and the text part most often.
MOST = 4


def main(arguments):
    if arguments not in ([], ["--check"], ["--install"]):
        print(__doc__, file=sys.stderr)
        return 2
    install()
    if arguments == ["--install"]:
        return 0
    text = README.read_text("utf-8")
    before, start, rest = text.partition(START)
    there, end, after = rest.partition(END)
    if not start or not end:
        print(f"{README}: expected {START.strip()} and {END.strip()}", file=sys.stderr)
        return 2
    made_with = runtimes()
    if arguments == ["--check"] and made_with not in there:
        print(f"the table was made with other versions; these are: {made_with}", file=sys.stderr)
        return 2
    asked = [(f"{name} {version(name, registry)}", ask_all(command)) for name, registry, command in LIBRARIES]
    measured = f"{made_with}\n\n{table(asked)}\n{differences(asked)}"
    print(measured)
    if arguments == ["--check"]:
        lines = (text.splitlines(keepends=True) for text in (there, measured))
        changes = "".join(difflib.unified_diff(*lines, "test-vectors/README.md", "measured"))
        print(changes or "as in test-vectors/README.md\n", end="")
        return 1 if changes else 0
    README.write_text(before + start + measured + end + after, "utf-8")
    return 0


def install():
    """What the lock files say and nothing else; no package runs a script or is compiled."""
    run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"], cwd=HERE)
    if not PYTHON.exists():
        run([sys.executable, "-m", "venv", HERE / ".venv"])
    pip = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    run([*pip, "--no-deps", "--require-hashes", "--only-binary", ":all:", "-r", HERE / "requirements.txt"])


def run(command, **options):
    if subprocess.run(command, stdout=sys.stderr, **options).returncode != 0:
        print("failed: " + " ".join(str(word) for word in command), file=sys.stderr)
        sys.exit(2)


def version(name, registry):
    """The version that is installed."""
    if registry == "npm":
        return json.loads((HERE / "node_modules" / name / "package.json").read_text("utf-8"))["version"]
    program = "import importlib.metadata, sys; print(importlib.metadata.version(sys.argv[1]))"
    return subprocess.run([PYTHON, "-c", program, name], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def ask_all(command):
    """The runner's word on each vector of the operation `token`. It stops after a few errors in a row: ask on."""
    tests, left = [], None
    while left != []:
        asked = ask(command, left or [])
        left = [test["id"] for test in asked if test["status"] == "not-run"]
        tests += [test for test in asked if test["status"] != "not-run" and test["operation"] == "token"]
    return tests


def ask(command, only):
    """The report of one run, over the vectors with these ids or over all."""
    runner = ["cargo", "run", "-q", "-p", "conformance-vectors", "--", "run", "--vectors", "test-vectors/draft"]
    options = ["--format", "json", "--reasons", "ignore", *(word for id in only for word in ("--only", id))]
    done = subprocess.run([*runner, *options, "--", *command], cwd=ROOT, stdout=subprocess.PIPE)
    if not done.stdout:
        sys.exit(2)
    return json.loads(done.stdout)["tests"]


def outcome(test):
    """What the library made of a vector: `accepted`, `refused`, `unsupported` or `error`."""
    if test["status"] == "skipped":
        return "unsupported"
    if test["problem"] is None:
        return {"valid": "accepted", "invalid": "refused"}[test["expected"]["result"]]
    code = test["problem"]["code"]
    return code if code in ("accepted", "refused") else "error"


def runtimes():
    """On what the libraries run: verdicts depend on its JSON parser and its cryptography."""
    node = subprocess.run(["node", "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout
    python = platform.python_version_tuple()
    return f"Measured with Node {node.lstrip('v').split('.')[0]} and Python {python[0]}.{python[1]}:"


def table(asked):
    """How many vectors each library judged in which way."""
    rows = []
    for name, tests in asked:
        count = collections.Counter((test["expected"]["result"], outcome(test)) for test in tests)
        cells = [("valid", "accepted"), ("valid", "refused"), ("invalid", "refused"), ("invalid", "accepted")]
        either = [count["valid", kind] + count["invalid", kind] for kind in ("error", "unsupported")]
        rows.append([name, *(count[cell] for cell in cells), *either])
    valid, invalid = (
        sum(test["expected"]["result"] == result for test in asked[0][1]) for result in ("valid", "invalid")
    )
    head = [f"{valid} valid: accepted", "refused", f"{invalid} invalid: refused", "**accepted**"]
    rows = [["library", *head, "other error", "not supported"], ["---"] * 7, *rows]
    return "".join("|" + "|".join(f" {cell} " for cell in row).replace(" --- ", "---") + "|\n" for row in rows)


def differences(asked):
    """For each library the rules whose vectors it judges most often in another way than the text."""
    lines = []
    for name, tests in asked:
        for result, kind in (("invalid", "accepted"), ("valid", "refused")):
            wrong = [test for test in tests if test["expected"]["result"] == result and outcome(test) == kind]
            rules = collections.Counter(test["rules"][0] for test in wrong)
            most = sorted(rules.items(), key=lambda of: (-of[1], of[0]))[:MOST]
            if most:
                named = ", ".join(f"`{rule}` {number}" for rule, number in most)
                lines.append(f"- {name}, {result} and {kind}: {named}{', others' if len(rules) > MOST else ''}\n")
    return "".join(lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
