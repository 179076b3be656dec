#!/usr/bin/env python3
"""Runs every vector against a program:  consumer.py [--vectors FOLDER] PROGRAM [ARGUMENT...]

A complete consumer of the vectors, in the standard library alone. It starts the program once, writes one JSON object
a line to it and reads one a line from it; for the vectors of a client it plays the servers (player.py). Exit code 0:
nothing failed; 1: something did; 2: the program broke off, or the run could not begin. The vectors are those of draft/
beside this file, or of the one version that an archive holds.
"""
import json
import pathlib
import subprocess
import sys

from player import Player


def judge(vector, answer):
    """Why the answer is not the right one, or None."""
    if answer.get("result") != vector["result"]:
        return "is %s, and was found %s" % (vector["result"], answer.get("result"))
    if vector["reason"] is not None and answer.get("reason") != vector["reason"]:
        return "is invalid for %s, and was found to be for %s" % (vector["reason"], answer.get("reason"))
    if vector["output"] is not None and comparable(answer.get("output")) != comparable(vector["output"]):
        return "yields %s, and not %s" % (json.dumps(vector["output"]), json.dumps(answer.get("output")))
    return None


def comparable(output):
    """An output with its JSON pointers as a set: their order does not count."""
    if isinstance(output, list):
        return [comparable(item) for item in output]
    if not isinstance(output, dict):
        return output
    as_set = lambda value: sorted(set(map(json.dumps, value))) if isinstance(value, list) else value
    return {name: as_set(value) if name == "copyDiffers" else comparable(value) for name, value in output.items()}


def whole(input):
    """The input as it is sent: a text that the file has in parts, each with a count, is sent whole."""
    parts = {name: "".join(text * count for text, count in input[name]) for name in input if name.endswith("_parts")}
    return {name.removesuffix("_parts"): parts.get(name, value) for name, value in input.items()}


class NoRun(Exception):
    """The run could not begin, or not go on."""


def vectors_beside():
    """The folder draft/, or the only one of a version."""
    here = pathlib.Path(__file__).parent
    if (here / "draft").is_dir():
        return here / "draft"
    folders = [path.parent for path in here.glob("*/FORMAT.md")]
    if len(folders) != 1:
        raise NoRun("which vectors? say --vectors FOLDER")
    return folders[0]


def read(folder):
    try:
        files = [json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("*.json"))]
        cut = [file["kind"] for file in files if file["numberOfTests"] != len(file["tests"])]
    except (OSError, ValueError, KeyError, TypeError) as why:
        raise NoRun("%s holds something else than vectors: %r" % (folder, why)) from None
    if not files or cut:
        raise NoRun("%s: %s" % (folder, "%s was cut" % cut[0] if cut else "no vectors"))
    return files


def ask(program, question):
    """The program's answer to one question."""
    try:
        program.stdin.write(json.dumps(question) + "\n")
        program.stdin.flush()
        answer = json.loads(program.stdout.readline())
    except (OSError, ValueError):
        answer = None
    if not isinstance(answer, dict) or answer.get("id") != question["id"]:
        raise NoRun("%s: no answer, or not to this vector" % question["id"])
    return answer


def main(arguments):
    if arguments[:1] == ["--vectors"] and len(arguments) > 1:
        folder, arguments = pathlib.Path(arguments[1]), arguments[2:]
    else:
        folder = vectors_beside()
    if not arguments or arguments[0].startswith("-"):
        raise NoRun(__doc__)
    files = read(folder)
    try:
        program = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")
    except OSError as error:
        raise NoRun("cannot start %s: %s" % (arguments[0], error.strerror)) from None
    passed, failed, skipped = 0, 0, 0
    for vector in (vector for file in files for vector in file["tests"]):
        question = {"id": vector["id"], "operation": vector["operation"], "input": whole(vector["input"])}
        player = Player(question["input"].pop("play")) if "play" in question["input"] else None
        if player:
            question["input"]["connect"] = player.connect()
        answer = ask(program, question)
        if player:
            output = answer.get("output")
            answer["output"] = {**(output if isinstance(output, dict) else {}), "requests": player.seen(vector["input"])}
            player.close()
        fault = None if answer.get("unsupported") else judge(vector, answer)
        skipped += bool(answer.get("unsupported"))
        passed += fault is None and not answer.get("unsupported")
        failed += fault is not None
        if fault:
            print("%s (%s) %s. %s" % (vector["id"], vector["rules"][0], fault, vector["comment"]))
    print("%d passed, %d failed, %d not supported" % (passed, failed, skipped))
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except NoRun as why:
        print(why, file=sys.stderr)
        sys.exit(2)
