"""Reads the JSON file of observations: what a prober saw, and nothing that it did not."""
import json
import pathlib

from .status import Files, Observation, Server, Tool
from .values import clean, is_server_url, read_time

MOST_BYTES = 16_777_216
OUTCOMES = ("ok", "sign_in", "unknown", "failure")


class Unreadable(Exception):
    """What is wrong with a file that the operator gave, and where."""


def read(path, now):
    """The resolver's name and its servers."""
    try:
        with pathlib.Path(path).open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise Unreadable(f"{path}: {error.strerror}") from None
    if len(data) > MOST_BYTES:
        raise Unreadable(f"{path}: longer than {MOST_BYTES} bytes")
    try:
        document = json.loads(data.decode("utf-8"), object_pairs_hook=_no_duplicates)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"{path}: not JSON: {error}") from None
    name = _get(document, "resolver", str, "the document")
    if name != clean(name, 100) or not name:
        raise Unreadable("resolver: 1 to 100 characters, none of them invisible [discovery.name]")
    servers = [_server(entry, f"servers[{place}]", now) for place, entry in enumerate(_get(document, "servers", list, "the document"))]
    if len({server.url for server in servers}) != len(servers):
        raise Unreadable("servers: one URL stands twice [resolve.answer.unique]")
    return name, servers


def _server(entry, where, now):
    url = _get(entry, "url", str, where)
    if not is_server_url(url):
        raise Unreadable(f"{where}.url: not a server URL [url.form]")
    seen = [_observation(item, f"{where}.observations[{place}]", now)
            for place, item in enumerate(_get(entry, "observations", list, where))]
    if not seen:
        raise Unreadable(f"{where}.observations: empty; a server that was never observed is not listed [status.never-observed]")
    seen.sort(key=lambda observation: observation.ended)
    return Server(url, tuple(seen), _files(_get(entry, "server_files", dict, where), f"{where}.server_files", now))


def _observation(entry, where, now):
    outcome = _get(entry, "outcome", str, where)
    if outcome not in OUTCOMES:
        raise Unreadable(f"{where}.outcome: one of {', '.join(OUTCOMES)}")
    reason = handshake = None
    tools = ()
    if outcome in ("ok", "sign_in"):
        handshake = _get(entry, "handshake_ms", int, where)
        if handshake < 0:
            raise Unreadable(f"{where}.handshake_ms: less than 0")
    else:
        reason = _get(entry, "reason", str, where)
    if outcome == "ok":
        tools = tuple(_tool(tool, f"{where}.tools[{place}]") for place, tool in enumerate(_get(entry, "tools", list, where)))
    name = _get(entry, "name", str, where, optional=True)
    return Observation(_past(entry, "ended", where, now), outcome, reason, handshake, tools, clean(name or "", 200) or None)


def _tool(entry, where):
    return Tool(clean(_get(entry, "name", str, where), 200), clean(_get(entry, "description", str, where, optional=True) or "", 2000),
                _get(entry, "read_only", bool, where, optional=True) or False)  # [mcp.tools.read-only]


def _files(entry, where, now):
    expires = _get(entry, "expires", str, where, optional=True)
    if expires is not None and read_time(expires) is None:
        raise Unreadable(f"{where}.expires: not a time like 2026-11-30T12:00:00Z")
    jobs = _get(entry, "jobs", list, where, optional=True) or []
    if not all(isinstance(job, str) for job in jobs):
        raise Unreadable(f"{where}.jobs: not all strings")
    return Files(_past(entry, "read", where, now), _get(entry, "allowed", bool, where), read_time(expires),
                 _get(entry, "payment", str, where, optional=True), tuple(clean(job, 200) for job in jobs))


def _past(entry, member, where, now):
    time = read_time(_get(entry, member, str, where))
    if time is None:
        raise Unreadable(f"{where}.{member}: not a time like 2026-11-30T12:00:00Z [time.document]")
    if time > now:
        raise Unreadable(f"{where}.{member}: has not come yet; set the clock or mend the file [status.checked-at]")
    return time


def _get(entry, member, kind, where, optional=False):
    if not isinstance(entry, dict):
        raise Unreadable(f"{where}: not an object")
    value = entry.get(member)
    if value is None and optional:
        return None
    if type(value) is not kind:
        raise Unreadable(f"{where}: {member} is missing or of another type than {kind.__name__}")
    return value


def _no_duplicates(pairs):
    if len(dict(pairs)) != len(pairs):
        raise ValueError("an object has a member twice")
    return dict(pairs)
