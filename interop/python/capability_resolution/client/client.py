"""§10: whom a client asks, in which order, and what it has in the end."""
import threading
import time
from urllib.parse import urlencode

from .. import request, times
from ..errors import Refused
from .resolver import Resolver

RESOLVER_SECONDS, CALL_SECONDS = 5, 10  # [client.budget]


class Client:
    """`connect` gives the address of an origin, or raises Refused."""

    def __init__(self, issuers, connect, at_once=False, resolver_seconds=RESOLVER_SECONDS, call_seconds=CALL_SECONDS):
        self._resolvers = [Resolver(issuer, connect) for issuer in issuers]
        self._at_once, self._resolver_seconds, self._call_seconds = at_once, resolver_seconds, call_seconds

    def resolve(self, need, constraints, now):
        """[client.order]: pairs of issuer and Outcome or Refused, in the order of the list. Refused for a bad need."""
        read = request.read_query(urlencode([("need", need), *constraints.items()]).encode("ascii"))
        query, key = urlencode(read), tuple(sorted(read.items()))
        end = time.monotonic() + self._call_seconds

        def ask(resolver):
            deadline = min(end, time.monotonic() + self._resolver_seconds)
            return _outcome(lambda: resolver.resolve(query, key, now, deadline))

        if self._at_once:
            return list(zip((resolver.issuer for resolver in self._resolvers), _at_once(ask, self._resolvers)))
        asked = []
        for resolver in self._resolvers:
            asked.append((resolver.issuer, Refused("timeout") if time.monotonic() >= end else ask(resolver)))
            if not isinstance(asked[-1][1], Refused) and asked[-1][1].found.kept:
                break
        return asked

    def record(self, issuer, now, id=None, url=None):
        """The Outcome of asking one resolver for a record, or Refused; None if it is not in the list: [client.no-other]."""
        resolver = next((resolver for resolver in self._resolvers if resolver.issuer == issuer), None)
        if resolver is None:
            return None
        query = urlencode({"id": id} if url is None else {"url": url})
        deadline = time.monotonic() + min(self._resolver_seconds, self._call_seconds)
        return _outcome(lambda: resolver.record(query, url, now, deadline))


def merge(asked):
    """[client.merge], [client.contradiction]: candidates with all statements, in order."""
    statements = {}
    for issuer, outcome in asked:
        if not isinstance(outcome, Refused):
            for claims in outcome.found.claims:
                statements.setdefault(claims["url"], []).append((issuer, claims))
    merged = []
    for url, made in statements.items():
        latest = max(claims["checked_at"] for _, claims in made)
        status = next(claims["status"] for _, claims in made if claims["checked_at"] == latest)
        merged.append({"url": url, "status": status, "statements": [
            {"issuer": issuer, "status": claims["status"], "checkedAt": claims["checked_at"],
             "expires": times.format_document_time(claims["exp"])} for issuer, claims in made]})
    return merged


def _outcome(ask):
    """[client.fails-open]"""
    try:
        return ask()
    except Refused as refused:
        return refused


def _at_once(ask, resolvers):
    outcomes = [None] * len(resolvers)

    def run(place, resolver):
        outcomes[place] = ask(resolver)

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(resolvers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return outcomes
