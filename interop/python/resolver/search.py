"""Which servers may do a job: words that a need shares with tools, names and claimed jobs."""
import math
import re
import unicodedata

from .status import standing

MOST = 10  # [resolve.answer.count]
_LAST = {"ok": 0, "sign_in": 0, "unknown": 1, "down": 2}
_COMMON = frozenset("a an and any are as at be by can do for from get give how i in into is it its me my of on or our that the "
                    "then this to up us use we what where which who with you your".split())


def words(text):
    text = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", unicodedata.normalize("NFKC", text)).casefold()
    found = re.findall(r"[^\W_]+", text)
    return frozenset(_stem(word) for word in found if word not in _COMMON)


def _stem(word):
    for end in ("ing", "ies", "ed", "es", "s", "e"):
        if word.endswith(end) and len(word) - len(end) >= 3 and not word.endswith("ss"):
            return word[:-len(end)]
    return word


class Index:
    """The words of some servers. It keeps no need."""

    def __init__(self, servers):
        self._servers = [_Words(server) for server in servers]

    def find(self, need, now):
        """Servers for a need with all its constraints, the best first, each with what stands."""
        asked = words(need.text)
        fits = []
        for entry in self._servers:
            stands = standing(entry.server, now)
            if stands and _meets(entry, stands, need, asked, now):
                fits.append((entry, stands, entry.matches(asked, now)))
        spread = {word: math.log(1 + len(self._servers) / (1 + sum(word in hits for _, _, hits in fits))) for word in asked}

        def place(row):
            entry, stands, hits = row
            return _LAST[stands.status], -sum(spread[word] * weight for word, weight in hits.items()), entry.server.url

        ranked = sorted((row for row in fits if row[2]), key=place)
        return [(entry.server, stands) for entry, stands, _ in ranked[:MOST]]


class _Words:
    def __init__(self, server):
        self.server = server
        listed = next((seen.tools for seen in reversed(server.observations) if seen.outcome == "ok"), ())
        self._of_tools = [words(f"{tool.name} {tool.description}") for tool in listed]
        self._of_name = words(name_of(server))
        self._of_jobs = words(" ".join(server.files.jobs))
        self._read_only = [words(f"{tool.name} {tool.description}") for tool in server.observations[-1].tools if tool.read_only]

    def matches(self, asked, now):
        """The words of a need that occur, with their weights."""
        hits = {word: 1.0 for word in asked & self._of_name}
        if self.server.files.valid(now):
            hits.update({word: 2.0 for word in asked & self._of_jobs})
        for tool in self._of_tools:
            hits.update({word: 3.0 for word in asked & tool})
        return hits

    def has_read_only(self, asked):
        """[constraint.read-only]: for this need, and in the last observation."""
        return any(asked & tool for tool in self._read_only)


def _meets(entry, stands, need, asked, now):
    """[constraint.honoured]: what is not known is not met."""
    server = entry.server
    if need.sign_in and stands.status != "ok":
        return False
    if need.read_only and not entry.has_read_only(asked):
        return False
    if need.max_handshake_ms is not None:  # [constraint.handshake]
        took = next((seen.handshake_ms for seen in reversed(server.observations) if seen.handshake_ms is not None), None)
        if took is None or took > need.max_handshake_ms:
            return False
    return not need.payment or (server.files.valid(now) and server.files.payment == "none")  # [constraint.payment]


def name_of(server):
    """The name that the server last gave itself, else its host."""
    named = next((seen.name for seen in reversed(server.observations) if seen.name), None)
    return named or server.url.split("/")[2][:200]
