#!/usr/bin/env python3
"""Asks several implementations the same changed vectors, and shows each input on which they disagree.

A changed vector has no right answer that anybody wrote down. Where programs that were written apart from each other
answer differently, one of them or the text is wrong.
"""
import argparse
import collections
import concurrent.futures
import json
import pathlib
import shlex
import sys
import time

from cases import VECTORS, WEIGHTS, Source
from minimise import minimise
from programs import Program, disagree, verdict, way

PROGRAMS = ["cargo run -q -p capability-resolution-check -- adapter", "node interop/node/main.mjs",
            "python3 interop/python/main.py"]
BATCH = 500


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, epilog="""\
Exit code: 0 all agree, 1 some disagree, 2 a program could not be started.

Examples:
  main.py                                       2,000 inputs of all kinds, asked of the three implementations here
  main.py --kind token --count 100000           tokens, and nothing else
  main.py --kind token --only 4711              one input again
  main.py "./mine adapter" "node interop/node/main.mjs"
""")
    parser.add_argument("programs", nargs="*", default=PROGRAMS, metavar="COMMAND",
                        help="two or more commands, each in one word, run in the root of the repository")
    parser.add_argument("--seed", default="1", help="another seed makes other inputs (default: 1)")
    parser.add_argument("--count", type=int, default=2000, help="how many inputs (default: 2000)")
    parser.add_argument("--kind", action="append", choices=WEIGHTS, help="only this operation; may be repeated")
    parser.add_argument("--vectors", type=pathlib.Path, default=VECTORS, metavar="FOLDER", help="what the inputs are made of")
    parser.add_argument("--only", type=int, metavar="NUMBER", help="only the input with this number, and show it")
    given = parser.parse_args()
    if len(given.programs) < 2:
        parser.error("at least two programs are needed to disagree")
    if given.only is not None and len(given.kind or ()) != 1:
        parser.error("--only needs one --kind")
    return given


def numbers(kinds, count):
    """Which inputs are made: kinds in proportion to their weights, numbers from 0."""
    weights = {kind: WEIGHTS[kind] for kind in kinds}
    total = sum(weights.values())
    for kind, weight in weights.items():
        yield from ((kind, number) for number in range(-(-count * weight // total)))


class Judge:
    """The programs, asked at the same time."""

    def __init__(self, commands):
        self.programs = [Program(command, shlex.split(command)) for command in commands]
        self.pool = concurrent.futures.ThreadPoolExecutor(len(commands))

    def verdicts(self, cases):
        """For each case what each program says."""
        lines = [question(case) for case in cases]
        answers = self.pool.map(lambda program: [verdict(answer) for answer in program.ask(lines)], self.programs)
        return list(zip(*answers))

    def close(self):
        for program in self.programs:
            program.close()


def question(case):
    return json.dumps({"id": "x", "operation": case.operation, "input": case.input()}).encode("ascii") + b"\n"


def show(judge, label, case):
    """An input as it can be given to each program again, and what each says."""
    print("%s\n  %s" % (label, question(case).decode("ascii").rstrip()))
    for token in case.tokens:
        print("  header %s\n  payload %s" % tuple(map(ascii, token)))
    for program, said in zip(judge.programs, judge.verdicts([case])[0]):
        print("  %-60s %s" % (program.name, said or "does not know the operation"))
    sys.stdout.flush()


def run(given):
    source, judge = Source(given.vectors), Judge(given.programs)
    kinds = [kind for kind in given.kind or WEIGHTS if kind in source.vectors]
    if given.only is not None:
        case = source.case(given.seed, given.kind[0], given.only)
        show(judge, "%s %d" % (given.kind[0], given.only), case)
        return judge, int(disagree(judge.verdicts([case])[0]))
    start, tally, seen = time.monotonic(), collections.defaultdict(collections.Counter), collections.Counter()
    todo = list(numbers(kinds, given.count))
    for at in range(0, len(todo), BATCH):
        batch = todo[at:at + BATCH]
        cases = [source.case(given.seed, kind, number) for kind, number in batch]
        for (kind, number), case, verdicts in zip(batch, cases, judge.verdicts(cases)):
            if not disagree(verdicts):
                said = next((each for each in verdicts if each is not None), None)
                tally[kind]["not known" if said is None else json.loads(said)[1] or json.loads(said)[0]] += 1
                continue
            tally[kind]["disagreement"] += 1
            seen[kind, way(verdicts)] += 1
            if seen[kind, way(verdicts)] == 1:
                small = minimise(case, lambda other: way(judge.verdicts([other])[0]) == way(verdicts))
                show(judge, "disagreement: --seed %s --kind %s --only %d, made smaller:" % (given.seed, kind, number), small)
    for kind, counts in tally.items():
        print("%-11s %7d inputs, %6d valid, %2d codes, %d disagreements" % (
            kind, sum(counts.values()), counts["valid"], len(set(counts) - {"valid", "invalid", "not known", "disagreement"}),
            counts["disagreement"]))
    print("%d inputs in %.0f seconds, %d disagreements of %d kinds" % (
        len(todo), time.monotonic() - start, sum(seen.values()), len(seen)))
    return judge, int(bool(seen))


def main():
    try:
        judge, code = run(arguments())
    except OSError as error:
        print("a program could not be started: %s" % error, file=sys.stderr)
        return 2
    judge.close()
    return code


if __name__ == "__main__":
    sys.exit(main())
