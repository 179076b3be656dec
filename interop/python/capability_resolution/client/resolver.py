"""What a client holds of one resolver, and how it asks it (§4, §5.6, §7, §10.2)."""
import time

from .. import discovery, documents
from ..errors import Refused
from . import fields, http1

PATH = "/.well-known/capability-resolver"
DISCOVERY_TIME, DISCOVERY_LONGEST, ANSWER_LONGEST = 3600, 86_400, 3600
COOL_DOWN = 300  # [keys.unknown-kid]
RETRY_LONGEST = 3600  # [client.retry-after]
CLOCK_CODES = {"expired", "issued-in-future", "checked-at-future", "not-yet-valid"}


class Copy:
    """A document that was received, and until when it may be used without asking."""

    def __init__(self, document, received, until, **facts):
        self.document, self.received, self.until = document, received, until
        self.__dict__.update(facts)

    def is_usable(self, now):
        """[discovery.cache-time], [client.cache], [client.cache-clock]"""
        return self.received <= now < self.until


class Outcome:
    """What a call has of one resolver."""

    def __init__(self, name, found, refresh, clock_doubt=False):
        self.name, self.found, self.refresh, self.clock_doubt = name, found, refresh, clock_doubt


class RecordRefused(Refused):
    """A record that was refused after the discovery document could not be fetched again."""

    def __init__(self, code, refresh):
        super().__init__(code)
        self.refresh = refresh


class Resolver:
    def __init__(self, issuer, connect):
        self.issuer, self._connect = issuer, connect
        self._discovery, self._fetched_for_kid, self._quiet_until, self._answers = None, None, None, {}

    def resolve(self, query, key, now, deadline):
        """The outcome of one call, or Refused. `key` stands for need and constraints."""
        answer = self._answers.get(key)
        held = self._document(now, deadline)
        if answer is None or not answer.is_usable(now):
            response = self._get(held.endpoints["resolve"] + "?" + query, documents.ANSWER_SIZE, now, deadline)
            date = response.value("date")
            answer = Copy(response.body, now, now, date=None if date is None else fields.read_date(date))
            seconds = fields.fresh_for(response.values("cache-control"), response.value("age"), 0, ANSWER_LONGEST)
            found, refresh = self._judge(documents.read_answer, (answer.document,), now, deadline, _unknown_kid)
            answer.until = min([now + seconds] + [claims["exp"] for claims in found.claims])
            self._answers[key] = answer
        else:
            found, refresh = self._judge(documents.read_answer, (answer.document,), now, deadline, _unknown_kid)
        return Outcome(self._discovery.document.name, found, refresh, _clock_doubt(found, answer))

    def record(self, query, url, now, deadline):
        """The outcome of asking for a record, or Refused."""
        held = self._document(now, deadline)
        response = self._get(held.endpoints["record"] + "?" + query, documents.RECORD_SIZE, now, deadline)

        def read(data, document, when):
            try:
                return documents.read_record(data, document, when, url)
            except Refused as refused:
                return refused

        found, refresh = self._judge(
            read, (response.body,), now, deadline, lambda found: isinstance(found, Refused) and found.code == "kid-unknown")
        if isinstance(found, Refused):
            raise RecordRefused(found.code, refresh)
        return Outcome(self._discovery.document.name, found, refresh)

    def _judge(self, read, given, now, deadline, has_unknown_kid):
        """[keys.unknown-kid], [keys.withdrawn]: by the newest document; with the code by which it could not be renewed."""
        found, refresh = read(*given, self._discovery.document, now), None
        if has_unknown_kid(found) and not self._has_sought(now):
            if not self._is_quiet(now) and time.monotonic() < deadline:  # a fetch that is not begun does not count
                self._fetched_for_kid = now
            try:
                self._fetch(now, deadline)
            except Refused as refused:
                refresh = refused.code
            found = read(*given, self._discovery.document, now)
        return found, refresh

    def _has_sought(self, now):
        """[keys.unknown-kid]; a time yet to come is that of a clock that went back: [client.cache-clock]"""
        return self._fetched_for_kid is not None and 0 <= now - self._fetched_for_kid < COOL_DOWN

    def _document(self, now, deadline):
        if self._discovery is None or not self._discovery.is_usable(now):
            self._fetch(now, deadline)
        return self._discovery.document

    def _fetch(self, now, deadline):
        """[discovery.cache-time], [discovery.etag], [discovery.not-modified]"""
        held = self._discovery
        etag = held.etag if held and not fields.is_stored_nowhere(held.controls) else None
        response = self._get(self.issuer + PATH, discovery.MAX_SIZE, now, deadline, etag)
        controls = response.values("cache-control")
        if response.status == 304:
            document, controls = held.document, controls or held.controls
        else:
            document, etag = discovery.read_discovery(response.body, self.issuer), response.value("etag")
        seconds = fields.fresh_for(controls, response.value("age"), DISCOVERY_TIME, DISCOVERY_LONGEST)
        self._discovery = Copy(document, now, now + seconds, controls=controls, etag=etag)

    def _is_quiet(self, now):
        return self._quiet_until is not None and now < self._quiet_until <= now + RETRY_LONGEST

    def _get(self, url, limit, now, deadline, etag=None):
        """[client.retry-after]"""
        if self._is_quiet(now):
            raise Refused("status-code")
        host, _, target = url.removeprefix("https://").partition("/")
        try:
            address = self._connect(self.issuer)
            return http1.get(address, host, "/" + target, limit, deadline, etag)
        except http1.Failed as failed:
            if failed.response.status in (429, 503):
                self._quiet_until = fields.retry_at(failed.response.value("retry-after"), now, RETRY_LONGEST)
            raise


def _unknown_kid(answer):
    return any(code == "kid-unknown" for _, code in answer.dropped)


def _clock_doubt(answer, copy):
    """[client.clock]"""
    codes = {code for _, code in answer.dropped if code != "jws-missing"}
    return (not answer.kept and not answer.duplicate_url and bool(codes) and codes <= CLOCK_CODES
            and copy.date is not None and abs(copy.date - copy.received) > 300)
