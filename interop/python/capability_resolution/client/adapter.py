"""The operation `client` of the line protocol: a scenario in, what the calls came to out (test-vectors/draft/FORMAT.md)."""
from .. import times
from ..errors import Refused
from .client import Client, merge


def play(given):
    """The calls' outcomes, and the first code among them."""

    def connect(origin):
        if origin not in given["connect"]:
            raise Refused("network")
        host, _, port = given["connect"][origin].removeprefix("http://").rpartition(":")
        return host, int(port)

    budgets = given["budgets"]
    client = Client(given["resolvers"], connect, given["ask"] == "at-once",
                    budgets["resolverMs"] / 1000, budgets["callMs"] / 1000)
    calls = [_call(client, call) for call in given["calls"]]
    return calls, next((code for call in calls for code in _codes(call)), None)


def _call(client, call):
    now = times.parse_document_time(call["now"])
    if "record" in call:
        record = call["record"]
        outcome = client.record(record["issuer"], now, record["id"], record["url"])
        if outcome is None:
            return {"refused": None, "record": None, "asked": []}
        found = None if isinstance(outcome, Refused) else _record(outcome.found.claims)
        return {"refused": None, "record": found, "asked": [_asked(record["issuer"], outcome)]}
    try:
        asked = client.resolve(call["need"], call["constraints"], now)
    except Refused as refused:
        return {"refused": refused.code, "candidates": [], "asked": []}
    return {"refused": None, "candidates": merge(asked), "asked": [_asked(*one) for one in asked]}


def _asked(issuer, outcome):
    asked = {"issuer": issuer, "name": None, "skipped": None, "refresh": None, "dropped": [], "copyDiffers": [],
             "duplicateUrl": [], "clockDoubt": False}
    if isinstance(outcome, Refused):
        asked.update(skipped=outcome.code, refresh=getattr(outcome, "refresh", None))
    else:
        found = outcome.found
        asked.update(
            name=outcome.name, refresh=outcome.refresh, copyDiffers=found.copy_differs, clockDoubt=outcome.clock_doubt,
            dropped=[{"at": place, "reason": code} for place, code in getattr(found, "dropped", [])],
            duplicateUrl=getattr(found, "duplicate_url", []))
    return asked


def _record(claims):
    return {"url": claims["url"], "status": claims["status"], "checkedAt": claims["checked_at"],
            "expires": times.format_document_time(claims["exp"]), "name": claims["name"],
            "firstSeen": claims["first_seen"]}


def _codes(call):
    yield from filter(None, [call["refused"]])
    for asked in call["asked"]:
        yield from filter(None, [asked["skipped"], asked["refresh"]])
        yield from (dropped["reason"] for dropped in asked["dropped"])
