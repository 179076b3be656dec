"""The line protocol of test-vectors/draft/FORMAT.md around one library."""
import base64
import datetime
import json
import math
import sys
import time


def serve(verifier, refusals):
    """Answers questions until standard input ends.

    `verifier` takes a discovery document as parsed JSON, the issuer that was asked and the time, and gives back a
    function that verifies a token: it returns what the library returns, or raises. `refusals` are the exceptions that
    the library raises at a bad token or key. Every other one ends the program: the runner counts it and starts a fresh
    one.
    """
    for line in sys.stdin:
        question = json.loads(line)
        answer = {"token": _judge, "measure": _measure}.get(question["operation"], _unsupported)
        print(json.dumps({"id": question["id"], **answer(question["input"], verifier, refusals)}), flush=True)


def _judge(given, verifier, refusals):
    try:
        document = json.loads(_bytes(given, "discovery"))
    except ValueError:
        return {"result": "invalid"}
    try:
        verifier(document, given["issuer"], _time(given))(_bytes(given, "token"))
        return {"result": "valid"}
    except refusals:
        return {"result": "invalid"}


def _measure(given, verifier, _refusals):
    """Not of the vectors' protocol: how long one verification takes where nothing is in its way, the keys being read;
    for `cargo xtask bench`."""
    verify = verifier(json.loads(given["discovery"]), given["issuer"], _time(given))
    token, batch, fastest = _bytes(given, "token"), 4, math.inf
    warm = time.monotonic() + given["milliseconds"] / 4000
    end = warm + given["milliseconds"] / 1000
    while time.monotonic() < end or fastest == math.inf:
        start = time.perf_counter_ns()
        for _ in range(batch):
            verify(token)
        nanoseconds = (time.perf_counter_ns() - start) / batch
        if time.monotonic() > warm:
            fastest = min(fastest, nanoseconds)
    return {"nanoseconds": fastest}


def _unsupported(_given, _verifier, _refusals):
    return {"unsupported": True}


def _bytes(given, name):
    return given[name].encode() if name in given else base64.b64decode(given[name + "_base64"])


def _time(given):
    return datetime.datetime.fromisoformat(given["now"])
