#!/usr/bin/env python3
"""Runs every vector against a program:  consumer.py [--vectors FOLDER] PROGRAM [ARGUMENT...]

A complete consumer of the vectors, in the standard library alone. It starts the program once, writes one JSON object
a line to it and reads one a line from it; for the vectors of a client it plays the servers (player.py). Exit code 0:
nothing failed; 1: something did; 2: the program broke off.
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
    return {name: set(value) if name == "copyDiffers" else comparable(value) for name, value in output.items()}


def whole(input):
    """The input as it is sent: a text that the file has in parts, each with a count, is sent whole."""
    parts = {name: "".join(text * count for text, count in input[name]) for name in input if name.endswith("_parts")}
    return {name.removesuffix("_parts"): parts.get(name, value) for name, value in input.items()}


def main(arguments):
    folder = pathlib.Path(__file__).parent / "draft"
    if arguments[:1] == ["--vectors"]:
        folder, arguments = pathlib.Path(arguments[1]), arguments[2:]
    files = [json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("*.json"))]
    assert files and arguments and all(file["numberOfTests"] == len(file["tests"]) for file in files), __doc__
    program = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")
    passed, failed, skipped = 0, 0, 0
    for vector in (vector for file in files for vector in file["tests"]):
        question = {"id": vector["id"], "operation": vector["operation"], "input": whole(vector["input"])}
        player = Player(question["input"].pop("play")) if "play" in question["input"] else None
        if player:
            question["input"]["connect"] = player.connect()
        program.stdin.write(json.dumps(question) + "\n")
        program.stdin.flush()
        line = program.stdout.readline()
        answer = json.loads(line) if line else None
        if answer is None or answer.get("id") != vector["id"]:
            sys.exit("%s: no answer, or not to this vector" % vector["id"])
        if player:
            answer["output"] = {**(answer.get("output") or {}), "requests": player.seen(vector["input"])}
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
    sys.exit(main(sys.argv[1:]))
