"""Clients that are broken on purpose: this one, changed in one place at a time.

Each of them fails a vector about the rule that it breaks. If the vectors let one pass, they let it pass in the field.
"""
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor

from capability_resolution import protocol
from .mutation import broken, passes, vectors

# Most of a scenario's time is spent in waiting.
AT_ONCE = 6

# The rule that is broken, the module, a vector about that rule which is failed then, the text there, what replaces it.
MUTANTS = [
    # Whom it asks
    ("client.order", "client/client", "client-order-first-has-a-candidate",
     "and asked[-1][1].found.kept:", "and False:"),
    ("client.order", "client/client", "client-order-first-has-nobody",
     "and asked[-1][1].found.kept:", "and True:"),
    ("client.order", "client/client", "client-order-first-has-none-that-verifies",
     "and asked[-1][1].found.kept:", "and (asked[-1][1].found.kept or asked[-1][1].found.dropped):"),
    ("client.order", "client/client", "client-order-first-has-a-candidate",
     "for resolver in self._resolvers:\n            asked", "for resolver in reversed(self._resolvers):\n            asked"),
    ("client.order", "client/client", "client-order-at-once",
     "if self._at_once:", "if False:"),
    ("client.order", "client/client", "client-merge-all-at-once",
     "    for thread in threads:\n        thread.start()\n    for thread in threads:\n        thread.join()",
     "    for thread in threads:\n        thread.start()\n        thread.join()"),
    ("client.no-other", "client/resolver", "client-failure-answer-status-307",
     "            raise\n\n\ndef _unknown_kid",
     "            where = failed.response.value(\"location\")\n"
     "            if where and not where.startswith(\"/\"):\n"
     "                host, _, path = where.removeprefix(\"https://\").partition(\"/\")\n"
     "                return http1.get(self._connect(\"https://\" + host), host, \"/\" + path, limit, deadline)\n"
     "            raise\n\n\ndef _unknown_kid"),
    ("http.redirect-not-followed", "client/resolver", "client-failure-answer-redirect-to-itself",
     "            raise\n\n\ndef _unknown_kid",
     "            where = failed.response.value(\"location\")\n"
     "            if where and where.startswith(\"/\"):\n"
     "                return http1.get(address, host, where, limit, deadline)\n"
     "            raise\n\n\ndef _unknown_kid"),
    ("client.no-other", "client/client", "client-record-by-url",
     "resolver = next((resolver for resolver in self._resolvers if resolver.issuer == issuer), None)",
     "resolver = self._resolvers[-1]"),
    ("client.once", "client/resolver", "client-once-after-a-closed-connection",
     "            return http1.get(address, host, \"/\" + target, limit, deadline, etag)",
     "            try:\n"
     "                return http1.get(address, host, \"/\" + target, limit, deadline, etag)\n"
     "            except http1.Failed:\n"
     "                raise\n"
     "            except Refused:\n"
     "                return http1.get(address, host, \"/\" + target, limit, deadline, etag)"),
    ("client.once", "client/resolver", "client-once-after-unavailable",
     "            return http1.get(address, host, \"/\" + target, limit, deadline, etag)",
     "            try:\n"
     "                return http1.get(address, host, \"/\" + target, limit, deadline, etag)\n"
     "            except http1.Failed:\n"
     "                return http1.get(address, host, \"/\" + target, limit, deadline, etag)"),
    ("discovery.endpoints", "client/resolver", "client-endpoint-elsewhere-on-the-origin",
     "held.endpoints[\"resolve\"]", "self.issuer + \"/resolve\""),
    # What it sends
    ("resolve.client-need", "client/client", "client-need-trimmed",
     "query, key = urlencode(read), tuple(sorted(read.items()))",
     "query, key = urlencode({\"need\": need, **constraints}), tuple(sorted(read.items()))"),
    ("resolve.client-need", "client/client", "client-need-too-short",
     "read = request.read_query(urlencode([(\"need\", need), *constraints.items()]).encode(\"ascii\"))",
     "read = {\"need\": need, **constraints}"),
    ("resolve.client-need", "request", "client-need-composed",
     "need = unicodedata.normalize(\"NFC\", need)", "need = unicodedata.normalize(\"NFD\", need)"),
    ("resolve.client-need", "request", "client-need-handshake-60001", "<= 60000", "<= 60001"),
    ("resolve.need.length", "request", "client-need-200-characters",
     "3 <= len(need) <= 200", "3 <= len(need.encode()) <= 200"),
    ("constraint.names", "client/client", "client-need-with-constraints",
     "urlencode(read), tuple", "urlencode({\"need\": read[\"need\"]}), tuple"),
    ("http.no-credentials", "client/http1", "client-cookies",
     "\"Accept: application/json\", \"Connection: close\"]",
     "\"Accept: application/json\", \"Connection: close\", \"Cookie: caller=1\"]"),
    # Failing open
    ("client.fails-open", "client/client", "client-failure-all-fail",
     "    except Refused as refused:\n        return refused", "    except KeyError as refused:\n        return refused"),
    ("client.fails-open", "client/client", "client-order-until-one-has-a-candidate",
     "if not isinstance(asked[-1][1], Refused) and asked[-1][1].found.kept:",
     "if isinstance(asked[-1][1], Refused) or asked[-1][1].found.kept:"),
    ("client.failure-codes", "client/http1", "client-failure-answer-body-cut",
     "            if not piece:\n                raise Refused(\"network\")",
     "            if not piece:\n                return"),
    ("client.failure-codes", "client/http1", "client-failure-answer-chunks-cut",
     "            if not more or len(data) > MAX_HEAD:\n                raise Refused(\"network\")",
     "            if not more and not data:\n                return b\"0\"\n"
     "            if not more or len(data) > MAX_HEAD:\n                raise Refused(\"network\")"),
    ("client.failure-codes", "client/http1", "client-failure-discovery-status-206",
     "if response.status != 200:", "if not 200 <= response.status < 300:"),
    ("client.failure-codes", "client/http1", "client-failure-answer-coding",
     "if [coding.lower() for coding in response.values(\"content-encoding\")] not in ([], [\"identity\"]):", "if False:"),
    ("client.failure-codes", "client/http1", "client-failure-answer-chunked",
     "if [coding.lower() for coding in codings] != [\"chunked\"]:", "if True:"),
    ("client.failure-codes", "client/http1", "client-failure-answer-early-hints",
     "if not 100 <= int(status[1]) < 200:", "if True:"),
    ("client.failure-codes", "client/http1", "client-failure-answer-http-1-0",
     "HTTP/1\\.[0-9]", "HTTP/1\\.1"),
    ("http.media-type-read", "client/http1", "client-failure-answer-lower-case-fields",
     "(header[1].lower(), header[2])", "(\"content-type\" if header[1] == \"Content-Type\" else "
     "header[1].replace(\"content\", \"c\").lower(), header[2])"),
    ("http.redirect-not-followed", "client/http1", "client-failure-discovery-status-304",
     "if response.status == 304 and had_copy:", "if response.status == 304:"),
    ("http.redirect-not-followed", "client/http1", "client-failure-answer-status-308",
     "if 300 <= response.status < 400:", "if 300 <= response.status < 308:"),
    ("http.media-type-read", "client/http1", "client-failure-answer-media-type-twice",
     "len(types) != 1 or types[0]", "not types or types[0]"),
    ("http.media-type-read", "client/http1", "client-failure-answer-media-type-missing",
     "if len(types) != 1 or", "if len(types) > 1 or types and"),
    ("http.media-type-read", "client/http1", "client-failure-discovery-media-type-upper-case",
     "strip(\" \\t\").lower() != \"application/json\"", "strip(\" \\t\") != \"application/json\""),
    ("http.media-type-read", "client/http1", "client-failure-discovery-media-type-parameter",
     "types[0].split(\";\")[0].strip", "types[0].strip"),
    ("http.media-type-read", "client/http1", "client-failure-answer-media-type-problem",
     ".lower() != \"application/json\"", ".lower() not in (\"application/json\", \"application/problem+json\")"),
    ("client.failure-order", "client/http1", "client-failure-answer-status-before-body",
     "        _check(response, etag is not None)\n",
     "        response.body = _body(connection, response, limit)\n        _check(response, etag is not None)\n"),
    ("client.failure-order", "client/http1", "client-failure-answer-coding-before-media-type",
     "    if [coding.lower() for coding in response.values(",
     "    if response.values(\"content-type\") == [\"text/html\"]:\n        raise Failed(\"media-type\", response)\n"
     "    if [coding.lower() for coding in response.values("),
    ("client.failure-order", "client/http1", "client-failure-discovery-redirect-before-coding",
     "    if 300 <= response.status < 400:\n",
     "    if response.values(\"content-encoding\"):\n        raise Failed(\"content-coding\", response)\n"
     "    if 300 <= response.status < 400:\n"),
    ("version.unknown", "discovery", "client-failure-answer-other-version",
     "if member(document, \"v\", str) != \"0.2\":", "if not member(document, \"v\", str).startswith(\"0.\"):"),
    ("discovery.refused", "discovery", "client-failure-discovery-private-key",
     "        raise Refused(\"key-private\")", "        pass"),
    ("discovery.endpoints.origin", "discovery", "client-other-host-as-endpoint",
     "        raise Refused(\"endpoint-origin\")", "        pass"),
    ("discovery.size", "discovery", "client-failure-discovery-largest", "MAX_SIZE = 65_536", "MAX_SIZE = 65_535"),
    ("resolve.answer.size", "documents", "client-failure-answer-too-large",
     "ANSWER_SIZE = 262_144", "ANSWER_SIZE = 262_145"),
    ("record.size", "documents", "client-record-too-large", "RECORD_SIZE = 65_536", "RECORD_SIZE = 65_537"),
    ("resolve.answer.size", "client/http1", "client-failure-answer-endless",
     "        if len(body) > limit:\n            raise Refused(\"document-too-large\")\n", ""),
    ("client.budget", "client/client", "client-failure-answer-hangs",
     "deadline = min(end, time.monotonic() + self._resolver_seconds)", "deadline = end + 60"),
    ("client.budget", "client/client", "client-failure-call-is-over-at-the-first",
     "deadline = min(end, time.monotonic() + self._resolver_seconds)",
     "deadline = time.monotonic() + self._resolver_seconds"),
    ("client.budget", "client/client", "client-failure-at-once-call-is-over",
     "deadline = min(end, time.monotonic() + self._resolver_seconds)",
     "deadline = time.monotonic() + self._resolver_seconds"),
    ("client.budget", "client/client", "client-failure-call-is-over-before-the-last",
     "            asked.append((resolver.issuer, Refused(\"timeout\") if time.monotonic() >= end else ask(resolver)))\n",
     "            if time.monotonic() >= end:\n                break\n"
     "            asked.append((resolver.issuer, ask(resolver)))\n"),
    ("client.budget", "client/client", "client-failure-call-is-over-before-the-last",
     "end = time.monotonic() + self._call_seconds", "end = time.monotonic() + 10"),
    ("client.budget", "client/http1", "client-failure-answer-trickles",
     "left = self._deadline - time.monotonic()", "left = 2"),
    ("client.budget", "client/resolver", "client-failure-time-of-two-requests",
     "            address = self._connect(self.issuer)\n",
     "            import time\n"
     "            deadline = time.monotonic() + 2\n"
     "            address = self._connect(self.issuer)\n"),
    # Time to come again
    ("client.retry-after", "client/resolver", "client-cache-retry-unavailable",
     "in (429, 503):", "in (429,):"),
    ("client.retry-after", "client/resolver", "client-cache-retry-other-status",
     "in (429, 503):", "in (429, 500, 503):"),
    ("client.retry-after", "client/resolver", "client-cache-retry-seconds",
     "and now < self._quiet_until", "and now <= self._quiet_until"),
    ("client.retry-after", "client/resolver", "client-cache-retry-longest",
     "RETRY_LONGEST = 3600", "RETRY_LONGEST = 86_400"),
    ("client.retry-after", "client/fields", "client-cache-retry-date",
     "seconds, date = _seconds(value), read_date(value)", "seconds, date = _seconds(value), None"),
    ("client.retry-after", "client/fields", "client-cache-retry-negative",
     "    if seconds is None and date is None:\n        return None\n",
     "    if seconds is None and date is None:\n        return now + 60\n"),
    ("client.retry-after", "client/resolver", "client-cache-retry-and-an-answer-that-is-reused",
     "        answer = self._answers.get(key)\n",
     "        if self._quiet_until is not None and now < self._quiet_until:\n"
     "            raise Refused(\"status-code\")\n"
     "        answer = self._answers.get(key)\n"),
    ("client.retry-after", "client/resolver", "client-cache-retry-not-needed",
     "            return http1.get(address, host, \"/\" + target, limit, deadline, etag)",
     "            found = http1.get(address, host, \"/\" + target, limit, deadline, etag)\n"
     "            self._quiet_until = fields.retry_at(found.value(\"retry-after\"), now, RETRY_LONGEST)\n"
     "            return found"),
    # What it believes
    ("client.verify", "documents", "client-candidates-expired",
     "            answer.dropped.append((place, refused.code))\n            continue",
     "            claims = {\"url\": candidate[\"url\"], \"status\": candidate[\"status\"],\n"
     "                      \"checked_at\": candidate[\"checked_at\"], \"exp\": 0}"),
    ("candidate.claims-only", "documents", "client-candidates-copies-lie",
     "        answer.claims.append(claims)\n",
     "        answer.claims.append({**claims, \"status\": candidate.get(\"status\", claims[\"status\"])})\n"),
    ("candidate.copy-differs", "documents", "client-candidates-copies-missing",
     "return [name for name in document if name in names] + [name for name in names if name not in document]",
     "return [name for name in document if name in names]"),
    ("candidate.duplicate", "documents", "client-candidates-duplicate",
     "            answer.duplicate_url.append(place)\n            continue\n", "            pass\n"),
    ("candidate.unsigned", "documents", "client-candidates-unsigned",
     "            answer.dropped.append((place, \"jws-missing\"))\n            continue\n", "            break\n"),
    ("candidate.dropped", "token", "client-candidates-stated-by-another",
     "    if iss != issuer:\n        raise Refused(\"iss-mismatch\")\n", ""),
    ("resolve.answer.name-read", "client/resolver", "client-candidates-other-name",
     "        return Outcome(self._discovery.document.name, found, refresh, _clock_doubt(found, answer))",
     "        name = __import__(\"json\").loads(answer.document)[\"resolver\"]\n"
     "        return Outcome(name, found, refresh, _clock_doubt(found, answer))"),
    ("resolve.answer.iss", "documents", "client-failure-answer-of-another-issuer",
     "    if iss != discovery.issuer:\n        raise Refused(\"iss-mismatch\")\n    if len(candidates)",
     "    if len(candidates)"),
    ("record.requested", "client/resolver", "client-record-of-another-server",
     "return documents.read_record(data, document, when, url)", "return documents.read_record(data, document, when)"),
    ("record.copy-differs", "documents", "client-record-copies-lie",
     "        differing.add(\"resolver\")\n", "        pass\n"),
    # Several resolvers
    ("client.merge", "client/client", "client-merge-one-server-of-both",
     "    for issuer, outcome in asked:\n        if not", "    for issuer, outcome in reversed(asked):\n        if not"),
    ("client.merge", "client/client", "client-merge-is-byte-for-byte",
     "statements.setdefault(claims[\"url\"], [])", "statements.setdefault(claims[\"url\"].rstrip(\"/?\"), [])"),
    ("client.merge", "client/client", "client-merge-by-the-list-and-not-by-time",
     "    return outcomes\n", "    return sorted(outcomes, key=lambda outcome: outcome.name, reverse=True)\n"),
    ("client.contradiction", "client/client", "client-contradiction-later-of-the-second",
     "latest = max(claims", "latest = min(claims"),
    ("client.contradiction", "client/client", "client-contradiction-at-the-same-second",
     "status = next(claims[\"status\"] for _, claims in made if",
     "status = next(claims[\"status\"] for _, claims in reversed(made) if"),
    ("client.contradiction", "client/client", "client-contradiction-later-of-the-first",
     "            {\"issuer\": issuer, \"status\": claims[\"status\"]", "            {\"issuer\": issuer, \"status\": status"),
    ("client.contradiction", "client/client", "client-contradiction-by-observation-and-not-by-issue",
     "latest = max(claims[\"checked_at\"] for _, claims in made)",
     "latest = max(made, key=lambda one: one[1][\"iat\"])[1][\"checked_at\"]"),
    # Clocks
    ("client.clock", "client/resolver", "client-clock-300-ahead",
     "abs(copy.date - copy.received) > 300", "abs(copy.date - copy.received) >= 300"),
    ("client.clock", "client/resolver", "client-clock-301-behind",
     "abs(copy.date - copy.received) > 300", "copy.date - copy.received > 300"),
    ("client.clock", "client/resolver", "client-clock-beside-an-unsigned",
     "if code != \"jws-missing\"}", "if True}"),
    ("client.clock", "client/resolver", "client-clock-one-for-another-reason",
     "bool(codes) and codes <= CLOCK_CODES", "bool(codes & CLOCK_CODES)"),
    ("client.clock", "client/resolver", "client-clock-one-verifies",
     "not answer.kept and not answer.duplicate_url and ", ""),
    ("client.clock", "client/resolver", "client-clock-each-code-of-time",
     "\"issued-in-future\", \"checked-at-future\"", "\"issued-in-future\""),
    ("client.clock-kept", "client/resolver", "client-clock-two-days-off",
     "            found, refresh = self._judge(documents.read_answer, (answer.document,), now, deadline, _unknown_kid)\n"
     "            answer.until",
     "            found, refresh = self._judge(documents.read_answer, (answer.document,), answer.date or now, deadline, _unknown_kid)\n"
     "            answer.until"),
    # Keys
    ("keys.unknown-kid", "client/resolver", "client-cache-kid-new",
     "if has_unknown_kid(found) and", "if False and"),
    ("keys.unknown-kid", "client/resolver", "client-cache-kid-unknown-cool-down",
     "0 <= now - self._fetched_for_kid < COOL_DOWN", "False"),
    ("keys.unknown-kid", "client/resolver", "client-cache-kid-unknown-cool-down",
     "COOL_DOWN = 300 ", "COOL_DOWN = 302 "),
    ("keys.unknown-kid", "client/resolver", "client-cache-kid-unknown-cool-down-of-a-failure",
     "                self._fetched_for_kid = now\n            try:\n                self._fetch(now, deadline)\n",
     "                pass\n            try:\n                self._fetch(now, deadline)\n                self._fetched_for_kid = now\n"),
    ("keys.unknown-kid", "client/resolver", "client-cache-kid-unknown-cool-down-of-a-copy-that-is-renewed",
     "            self._fetch(now, deadline)\n        return self._discovery.document",
     "            self._fetch(now, deadline)\n            self._fetched_for_kid = None\n"
     "        return self._discovery.document"),
    ("keys.unknown-kid", "client/resolver", "client-cache-kid-new-fetch-error",
     "                refresh = refused.code\n", "                raise\n"),
    ("keys.unknown-kid", "client/resolver", "client-cache-kid-new-fetch-private-key",
     "                refresh = refused.code\n", "                pass\n"),
    ("keys.unknown-kid", "client/resolver", "client-cache-kid-held-and-not-usable",
     "return any(code == \"kid-unknown\" for", "return any(code in (\"kid-unknown\", \"key-wrong-type\") for"),
    ("token.order", "client/resolver", "client-cache-kid-alg-first",
     "return any(code == \"kid-unknown\" for", "return any(code in (\"kid-unknown\", \"alg-not-allowed\") for"),
    ("keys.unknown-kid", "client/resolver", "client-record-new-kid",
     "isinstance(found, Refused) and found.code == \"kid-unknown\")", "False)"),
    ("keys.withdrawn", "client/resolver", "client-cache-kid-new-and-the-old-withdrawn",
     "            found = read(*given, self._discovery.document, now)\n",
     "            again = read(*given, self._discovery.document, now)\n"
     "            found = again if not getattr(found, \"kept\", None) else found\n"),
    ("keys.withdrawn", "client/resolver", "client-cache-kid-withdrawn-of-a-reused-answer",
     "        else:\n            found, refresh = self._judge(documents.read_answer, (answer.document,), now, deadline, _unknown_kid)\n",
     "        else:\n            found, refresh = answer.found, None\n"
     "        answer.found = found\n"),
    ("keys.unknown-kid", "client/resolver", "client-cache-kid-unknown-after-300-seconds",
     "now - self._fetched_for_kid < COOL_DOWN", "now - self._fetched_for_kid <= COOL_DOWN"),
    ("client.cache-clock", "client/resolver", "client-cache-kid-unknown-and-a-clock-that-went-back",
     "0 <= now - self._fetched_for_kid", "now - self._fetched_for_kid"),
    ("client.cache-clock", "client/resolver", "client-cache-retry-and-a-clock-that-went-back",
     "now < self._quiet_until <= now + RETRY_LONGEST", "now < self._quiet_until"),
    ("client.retry-after", "client/resolver", "client-cache-retry-and-a-clock-that-went-back-a-little",
     "<= now + RETRY_LONGEST", "<= now + 120"),
    ("keys.unknown-kid", "client/resolver", "client-cache-retry-while-no-fetch-for-a-kid-is-due",
     "if has_unknown_kid(found) and not self._has_sought(now):",
     "if has_unknown_kid(found) and (self._is_quiet(now) or not self._has_sought(now)):"),
    ("keys.unknown-kid", "client/resolver", "client-cache-kid-new-fetch-refused-and-a-second-call",
     "                refresh = refused.code\n",
     "                refresh, self._discovery.until = refused.code, now\n"),
    ("keys.withdrawn", "client/resolver", "client-cache-kid-new-in-a-document-of-one-call",
     "        self._discovery = Copy(document, now, now + seconds, controls=controls, etag=etag)",
     "        until = held.until if held and not seconds else now + seconds\n"
     "        self._discovery = Copy(document, now, until, controls=controls, etag=etag)"),
    ("client.retry-after", "client/resolver", "client-cache-retry-forbids-a-fetch-for-a-kid",
     "            if not self._is_quiet(now) and", "            if True and"),
    ("resolve.answer.name-read", "client/resolver", "client-cache-kid-new-and-another-name",
     "        return Outcome(self._discovery.document.name, found, refresh, _clock_doubt(found, answer))",
     "        return Outcome(held.name, found, refresh, _clock_doubt(found, answer))"),
    # Header fields
    ("discovery.cache-time", "client/fields", "client-cache-discovery-kept-quoted-comma",
     "_LIST.findall(\",\".join(controls))", "\",\".join(controls).split(\",\")"),
    ("discovery.cache-time", "client/fields", "client-cache-discovery-kept-quoted-quote",
     "(?:\\\\.|[^\"\\\\])*", "[^\"]*"),
    ("discovery.cache-time", "client/fields", "client-cache-discovery-kept-quoted",
     "_seconds(directives[names.index(\"max-age\")][2])", "_seconds(directives[names.index(\"max-age\")][2].strip('\"'))"),
    ("discovery.cache-time", "client/fields", "client-cache-discovery-no-cache-of-a-field",
     "names = [name.lower() for name, _, _ in directives]",
     "names = [name.lower() if name == \"max-age\" or not value else \"\" for name, _, value in directives]"),
    ("discovery.cache-time", "client/fields", "client-cache-discovery-kept-longest-after-age",
     "min(seconds - (_seconds(age) or 0), longest)", "min(seconds, longest) - (_seconds(age) or 0)"),
    ("client.cache", "client/fields", "client-cache-answer-reused-longest-after-age",
     "min(seconds - (_seconds(age) or 0), longest)", "min(seconds, longest) - (_seconds(age) or 0)"),
    ("client.retry-after", "client/fields", "client-cache-retry-rfc-850-date", "\"%A, %d-%b-%y %H:%M:%S GMT\", ", ""),
    ("client.retry-after", "client/fields", "client-cache-retry-asctime-date", ", \"%a %b %d %H:%M:%S %Y\"", ""),
    ("client.clock", "client/fields", "client-clock-date-of-asctime", ", \"%a %b %d %H:%M:%S %Y\"", ""),
    ("client.clock", "client/resolver", "client-clock-observation-too-old",
     "\"checked-at-future\", \"not-yet-valid\"", "\"checked-at-future\", \"not-yet-valid\", \"observation-too-old\""),
    ("client.clock", "client/resolver", "client-clock-of-a-reused-answer",
     "            found, refresh = self._judge(documents.read_answer, (answer.document,), now, deadline, _unknown_kid)\n"
     "        return",
     "            found, refresh = self._judge(documents.read_answer, (answer.document,), now, deadline, _unknown_kid)\n"
     "            answer.received = now\n"
     "        return"),
    ("client.failure-order", "client/http1", "client-failure-answer-announced-too-large-cut",
     "if int(length) > limit:", "if False:"),
    ("client.failure-order", "client/http1", "client-failure-discovery-coding-identity-upper-case",
     "[coding.lower() for coding in response.values(\"content-encoding\")]", "response.values(\"content-encoding\")"),
    ("client.failure-order", "client/http1", "client-failure-answer-coding-two",
     "not in ([], [\"identity\"])", "not in ([], [\"identity\"], [\"identity\"] * 2)"),
    ("client.failure-order", "client/http1", "client-failure-answer-coding-empty",
     "not in ([], [\"identity\"])", "not in ([], [\"identity\"], [\"\"])"),
    ("client.failure-order", "client/http1", "client-failure-answer-coding-list",
     "not in ([], [\"identity\"])", "not in ([], [\"identity\"], [\"identity, identity\"])"),
    ("discovery.cache-time", "client/fields", "client-cache-discovery-kept-space-behind-equals",
     "re.fullmatch(\"[0-9]+\", text)", "re.fullmatch(\" *[0-9]+\", text)"),
    ("client.cache", "client/fields", "client-cache-answer-space-before-equals",
     "names = [name.lower() for", "names = [name.strip().lower() for"),
    ("resolve.client-need", "client/client", "client-need-constraint-named-need",
     "[(\"need\", need), *constraints.items()]", "{\"need\": need, **constraints}"),
    ("http.media-type-read", "client/http1", "client-failure-answer-media-type-list",
     "types[0].split(\";\")[0]", "types[0].replace(\",\", \";\").split(\";\")[0]"),
    ("http.redirect-not-followed", "client/http1", "client-failure-answer-status-399",
     "if 300 <= response.status < 400:", "if 300 <= response.status <= 308:"),
    ("client.no-other", "client/client", "client-record-of-none-of-the-list",
     "        if resolver is None:\n            return None\n",
     "        if resolver is None:\n            resolver = Resolver(issuer, self._resolvers[0]._connect)\n"),
    ("client.cache", "client/resolver", "client-record-asked-twice",
     "        response = self._get(held.endpoints[\"record\"] + \"?\" + query, documents.RECORD_SIZE, now, deadline)\n",
     "        response = self._answers.get(query) or self._get(\n"
     "            held.endpoints[\"record\"] + \"?\" + query, documents.RECORD_SIZE, now, deadline)\n"
     "        self._answers[query] = response\n"),
    ("client.budget", "client/client", "client-failure-call-is-over-for-a-record",
     "min(self._resolver_seconds, self._call_seconds)", "self._resolver_seconds"),
    # What it keeps
    ("discovery.cache-time", "client/resolver", "client-cache-discovery-too-old-max-age",
     "self._discovery is None or not self._discovery.is_usable(now):", "self._discovery is None:"),
    ("discovery.cache-time", "client/resolver", "client-cache-discovery-too-old-max-age",
     "self.received <= now < self.until", "self.received <= now <= self.until"),
    ("client.cache-clock", "client/resolver", "client-cache-discovery-received-later-than-now",
     "self.received <= now < self.until", "now < self.until"),
    ("client.cache-clock", "client/resolver", "client-cache-answer-received-later-than-now",
     "not answer.is_usable(now)", "now >= answer.until"),
    ("discovery.cache-time", "client/resolver", "client-cache-discovery-too-old-no-header",
     "DISCOVERY_TIME, DISCOVERY_LONGEST, ANSWER_LONGEST = 3600,", "DISCOVERY_TIME, DISCOVERY_LONGEST, ANSWER_LONGEST = 3601,"),
    ("discovery.cache-time", "client/resolver", "client-cache-discovery-too-old-longest",
     "= 3600, 86_400, 3600", "= 3600, 604_800, 3600"),
    ("discovery.cache-time", "client/fields", "client-cache-discovery-too-old-age",
     "seconds - (_seconds(age) or 0)", "seconds"),
    ("discovery.cache-time", "client/fields", "client-cache-discovery-too-old-first-max-age",
     "directives[names.index(\"max-age\")][2]", "directives[len(names) - 1 - names[::-1].index(\"max-age\")][2]"),
    ("discovery.cache-time", "client/fields", "client-cache-discovery-too-old-shared-max-age",
     "    if seconds is None:\n        return default\n",
     "    if \"s-maxage\" in names:\n        seconds = _seconds(directives[names.index(\"s-maxage\")][2]) + 300\n"
     "    if seconds is None:\n        return default\n"),
    ("discovery.cache-time", "client/fields", "client-cache-discovery-no-cache",
     "if \"no-store\" in names or \"no-cache\" in names:", "if \"no-store\" in names:"),
    ("discovery.cache-time", "client/fields", "client-cache-discovery-too-old-upper-case",
     "names = [name.lower() for", "names = [name for"),
    ("discovery.cache-time", "client/fields", "client-cache-discovery-too-old-two-lines",
     "\",\".join(controls)", "\",\".join(controls[:1])"),
    ("discovery.cache-time", "client/resolver", "client-cache-discovery-too-old-and-gone",
     "            self._fetch(now, deadline)\n        return self._discovery.document",
     "            try:\n                self._fetch(now, deadline)\n"
     "            except Refused:\n                if self._discovery is None:\n                    raise\n"
     "        return self._discovery.document"),
    ("discovery.not-modified", "client/resolver", "client-cache-etag-time-of-the-answer",
     "controls or held.controls", "held.controls"),
    ("discovery.not-modified", "client/resolver", "client-cache-etag-time-of-the-copy",
     "controls or held.controls", "controls"),
    ("client.reuse", "client/resolver", "client-cache-discovery-kept",
     "self._discovery is None or not self._discovery.is_usable(now):", "True:"),
    ("client.reuse", "client/resolver", "client-cache-answer-reused",
     "if answer is None or not answer.is_usable(now):", "if True:"),
    ("client.cache", "client/resolver", "client-cache-answer-too-old-max-age",
     "if answer is None or not answer.is_usable(now):", "if answer is None or now > answer.until:"),
    ("client.cache", "client/resolver", "client-cache-answer-no-max-age",
     "response.value(\"age\"), 0, ANSWER_LONGEST)", "response.value(\"age\"), 60, ANSWER_LONGEST)"),
    ("client.cache", "client/resolver", "client-cache-answer-too-old-longest",
     "= 3600, 86_400, 3600", "= 3600, 86_400, 86_400"),
    ("client.cache", "client/resolver", "client-cache-answer-too-old-at-the-first-exp",
     "min([now + seconds] + [claims[\"exp\"] for claims in found.claims])", "now + seconds"),
    ("client.cache", "client/resolver", "client-cache-answer-too-old-at-the-first-exp",
     "[claims[\"exp\"] for claims in found.claims])", "[claims[\"exp\"] for claims in found.claims[:1]])"),
    ("client.cache", "client/resolver", "client-cache-answer-too-old-and-gone",
     "        answer = self._answers.get(key)\n",
     "        answer = self._answers.pop(key, None)\n"
     "        if answer is not None and not answer.is_usable(now):\n"
     "            try:\n                return self.resolve(query, key, now, deadline)\n"
     "            except Refused:\n                answer.until = now + 60\n"),
    ("client.cache", "client/resolver", "client-cache-answer-of-a-token-in-its-leeway",
     "[claims[\"exp\"] for claims in found.claims])", "[claims[\"exp\"] + 300 for claims in found.claims])"),
    ("client.cache", "client/client", "client-cache-answer-of-other-constraints",
     "tuple(sorted(read.items()))", "read[\"need\"]"),
    ("client.cache", "client/client", "client-cache-answer-of-another-need",
     "tuple(sorted(read.items()))", "tuple(sorted((name, value.lower()) for name, value in read.items()))"),
    ("resolve.need.read", "client/client", "client-cache-answer-reused-for-the-same-need",
     "tuple(sorted(read.items()))", "(need, tuple(sorted(constraints.items())))"),
    ("client.cache", "client/resolver", "client-cache-answer-reused-is-judged-anew",
     "(answer.document,), now, deadline, _unknown_kid)\n        return",
     "(answer.document,), answer.received, deadline, _unknown_kid)\n        return"),
    ("client.cache", "client/resolver", "client-cache-answer-failure-is-not-kept",
     "            response = self._get(held.endpoints[\"resolve\"] + \"?\" + query, documents.ANSWER_SIZE, now, deadline)\n",
     "            if getattr(self, \"failed\", now) != now:\n                raise Refused(\"status-code\")\n"
     "            self.failed = now\n"
     "            response = self._get(held.endpoints[\"resolve\"] + \"?\" + query, documents.ANSWER_SIZE, now, deadline)\n"),
]

# Changes that break no rule: these clients pass the vector too.
ALLOWED = [
    ("client/resolver", "client-cache-etag-confirmed",
     "etag = held.etag if held and not fields.is_stored_nowhere(held.controls) else None", "etag = None"),
    ("client/resolver", "client-cache-etag-time-of-the-copy",
     "etag = held.etag if held and not fields.is_stored_nowhere(held.controls) else None", "etag = None"),
    ("client/resolver", "client-cache-etag-time-of-the-age",
     "etag = held.etag if held and not fields.is_stored_nowhere(held.controls) else None", "etag = None"),
    ("client/resolver", "client-cache-etag-for-an-unknown-kid",
     "etag = held.etag if held and not fields.is_stored_nowhere(held.controls) else None", "etag = None"),
    ("client/client", "client-need-delimiters",
     "query, key = urlencode(read),", "query, key = urlencode(dict(reversed(read.items()))).replace(\"+\", \"%20\"),"),
]

# Rules that vectors of clients name and no mutant breaks, each with the reason.
UNBROKEN = {
    "discovery.etag": "it permits",
    "discovery.iss": "vectors of documents show it",
    "discovery.keys.private": "discovery.refused is broken in that way",
    "json.syntax": "vectors of documents show it",
    "json.unknown-member": "vectors of documents show it",
    "record.claims": "vectors of documents show it",
    "resolve.answer.count": "vectors of documents show it",
    "resolve.answer.empty": "client.order is broken in that way",
    "resolve.answer.members": "vectors of documents show it",
    "status.max-age": "vectors of tokens show it",
    "token.exp.expired": "vectors of tokens show it",
    "token.iat.future": "vectors of tokens show it",
    "token.kid.known": "vectors of tokens show it",
    "token.kid.usable": "vectors of tokens show it",
    "url.comparison": "client.merge is broken in that way",
}


class ClientMutants(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.vectors = vectors("client*.json")
        cls.folder = tempfile.TemporaryDirectory()
        sys.path.insert(0, cls.folder.name)

    @classmethod
    def tearDownClass(cls):
        sys.path.remove(cls.folder.name)
        cls.folder.cleanup()

    # r[conformance.vectors]
    def test_unbroken_it_passes_every_vector(self):
        with ThreadPoolExecutor(AT_ONCE) as pool:
            passed = pool.map(lambda vector: passes(protocol, vector), self.vectors.values())
            self.assertEqual([name for name, well in zip(self.vectors, passed) if not well], [])

    def test_each_mutant_is_killed_by_its_vector(self):
        programs = [broken(self.folder.name, "client_%d" % number, module, old, new)
                    for number, (_, module, _, old, new) in enumerate(MUTANTS)]
        with ThreadPoolExecutor(AT_ONCE) as pool:
            passed = pool.map(passes, programs, [self.vectors[mutant[2]] for mutant in MUTANTS])
            for (rule, _, killer, old, new), well in zip(MUTANTS, passed):
                with self.subTest(rule=rule, old=old, new=new):
                    self.assertIn(rule, self.vectors[killer]["rules"])
                    self.assertFalse(well, killer)

    def test_what_the_text_leaves_free_is_free(self):
        for number, (module, name, old, new) in enumerate(ALLOWED):
            with self.subTest(name=name, new=new):
                program = broken(self.folder.name, "allowed_%d" % number, module, old, new)
                self.assertTrue(passes(program, self.vectors[name]))

    def test_rules_without_a_mutant_are_listed(self):
        named = {rule for vector in self.vectors.values() for rule in vector["rules"]}
        self.assertEqual(named - {mutant[0] for mutant in MUTANTS}, set(UNBROKEN))
