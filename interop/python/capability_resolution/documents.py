"""§5.3 and §5.4: answers and their candidates; §7.2: records."""
from . import times, token
from .discovery import member, open_document
from .errors import Refused

ANSWER_SIZE = 262_144
RECORD_SIZE = 65_536
MAX_CANDIDATES = 10
CANDIDATE_COPIES = ("url", "status", "checked_at", "expires")
RECORD_COPIES = CANDIDATE_COPIES + ("name", "first_seen")


class Answer:
    """The places of the candidates that are kept, their claims, (place, code) of those dropped, and the differences."""

    def __init__(self):
        self.kept, self.claims, self.dropped, self.copy_differs, self.duplicate_url = [], [], [], [], []


def _is_copy(value, claims, name):
    """Whether a member equals its claim; JSON numbers are not strings here, so types count."""
    claim = times.format_document_time(claims["exp"]) if name == "expires" else claims[name]
    return isinstance(value, str) and value == claim


def _members_in_order(document, names):
    """[conformance.vectors.output-order]: the names as they stand in the object, then the missing ones as given."""
    return [name for name in document if name in names] + [name for name in names if name not in document]


def read_answer(data, discovery, now):
    """[resolve.answer.order]: an Answer, or Refused."""
    document = open_document(data, ANSWER_SIZE)
    iss = member(document, "iss", str)
    name = member(document, "resolver", str)
    candidates = member(document, "candidates", list)
    if iss != discovery.issuer:
        raise Refused("iss-mismatch")
    if len(candidates) > MAX_CANDIDATES:
        raise Refused("too-many-candidates")
    answer, seen = Answer(), set()
    for place, candidate in enumerate(candidates):
        if not isinstance(candidate, dict) or not isinstance(candidate.get("jws"), str):
            answer.dropped.append((place, "jws-missing"))
            continue
        try:
            claims = token.verify(candidate["jws"].encode("utf-8"), discovery, now)
        except Refused as refused:
            answer.dropped.append((place, refused.code))
            continue
        if claims["url"] in seen:
            answer.duplicate_url.append(place)
            continue
        seen.add(claims["url"])
        answer.kept.append(place)
        answer.claims.append(claims)
        answer.copy_differs += ["/candidates/%d/%s" % (place, copy)
                                for copy in _members_in_order(candidate, CANDIDATE_COPIES)
                                if not _is_copy(candidate.get(copy), claims, copy)]
    if name != discovery.name:
        before = _members_in_order(document, ("resolver", "candidates"))[0] == "resolver"
        answer.copy_differs.insert(0 if before else len(answer.copy_differs), "/resolver")
    return answer


class Record:
    """The claims of a record, and the pointers of the members that differ from them."""

    def __init__(self, claims, copy_differs):
        self.claims, self.copy_differs = claims, copy_differs


def read_record(data, discovery, now, requested_url=None):
    """[record.order]: a Record, or Refused."""
    document = open_document(data, RECORD_SIZE)
    iss = member(document, "iss", str)
    name = member(document, "resolver", str)
    jws = member(document, "jws", str)
    if iss != discovery.issuer:
        raise Refused("iss-mismatch")
    claims = token.verify_record(jws.encode("utf-8"), discovery, now, requested_url)
    differing = {copy for copy in RECORD_COPIES if copy in document and not _is_copy(document[copy], claims, copy)}
    if name != discovery.name:
        differing.add("resolver")
    return Record(claims, ["/" + member for member in _members_in_order(document, differing)])
