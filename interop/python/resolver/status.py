"""Which status stands at a moment (§8.1)."""
import dataclasses

DAY = 86_400


@dataclasses.dataclass(frozen=True)
class Tool:
    name: str
    description: str
    read_only: bool


@dataclasses.dataclass(frozen=True)
class Observation:
    ended: int
    outcome: str  # ok, sign_in, unknown or failure
    reason: str | None  # of unknown and failure: §15.1
    handshake_ms: int | None  # of ok and sign_in
    tools: tuple[Tool, ...]
    name: str | None


@dataclasses.dataclass(frozen=True)
class Files:
    """What the server files that speak for a server say (§11)."""
    read: int
    allowed: bool
    expires: int | None
    payment: str | None
    jobs: tuple[str, ...]

    def valid(self, now):
        """[captxt.claims-valid-only]"""
        return self.expires is not None and now < self.expires


@dataclasses.dataclass(frozen=True)
class Server:
    url: str
    observations: tuple[Observation, ...]  # the oldest first, at least one [status.never-observed]
    files: Files


@dataclasses.dataclass(frozen=True)
class Standing:
    """A status, and the end of the observation that it rests on [status.checked-at]."""
    status: str
    checked_at: int


def standing(server, now):
    """The status of a server, or None for one that must not be stated now."""
    seen = server.observations
    if not server.files.allowed or now - server.files.read > DAY:  # [deny.honoured], [deny.reread]
        return None
    if now - seen[-1].ended > DAY:  # [status.max-age.issue]
        return None
    stands = None
    for place, observation in enumerate(seen):
        stands = _after(stands, seen[:place], observation)
    return stands if now - stands.checked_at <= DAY else Standing("unknown", seen[-1].ended)


def _after(before, earlier, last):
    if last.outcome in ("ok", "sign_in"):
        return Standing(last.outcome, last.ended)
    if last.outcome == "failure" and _is_down(earlier, last):
        return Standing("down", last.ended)
    keeps = last.outcome == "failure" or last.reason == "rate-limited"  # [status.first-failure]
    if keeps and before and before.status != "unknown":
        return before
    return Standing("unknown", last.ended)


def _is_down(earlier, last):
    """[status.down]: the same class, 600 seconds apart, and no other outcome between."""
    for observation in reversed(earlier):
        if (observation.outcome, observation.reason) != ("failure", last.reason):
            return False
        if last.ended - observation.ended >= 600:
            return True
    return False
