"""The errors that a resolver answers with (§5.5)."""

from http import HTTPStatus

TABLE = {  # [error.body]
    "query-encoding": (400, "resolve.query.encoding", "The query is not well-formed percent-encoded UTF-8"),
    "parameter-unknown": (400, "resolve.parameter.unknown", "The query has a parameter that is not defined"),
    "parameter-repeated": (400, "resolve.parameter.repeated", "The query has a parameter twice"),
    "need-missing": (400, "resolve.need.missing", "The query has no parameter need"),
    "need-character": (400, "resolve.need.control", "The need holds a control character"),
    "need-length": (400, "resolve.need.length", "The need is not 3 to 200 characters long"),
    "constraint-value": (400, "constraint.names", "A constraint has a value that is not defined"),
    "record-query": (400, "record.request", "The query is not one id or one server URL"),
    "record-not-found": (404, "record.not-found", "There is no record to state"),
    "method-not-allowed": (405, "http.method", "The method is not supported here"),
    "request-too-long": (414, "error.too-long", "The request target is too long"),
    "rate-limited": (429, "error.rate", "The resolver is asked too often"),
    "unavailable": (503, "error.unavailable", "The resolver cannot answer for now"),
}


class Problem(Exception):
    """An error by its code. It never holds anything of the request [error.no-need]."""

    def __init__(self, code):
        super().__init__(code)
        self.code = code
        self.status, self.rule, self.detail = TABLE[code]

    def body(self):
        return {"type": "about:blank", "title": HTTPStatus(self.status).phrase, "status": self.status, "detail": self.detail, "code": self.code,
                "rule": self.rule}
