"""§3.6: one GET over HTTP/1.1, until a deadline, with the checks of a response in their order."""
import re
import socket
import time

from ..errors import Refused

MAX_HEAD = 65_536


class Response:
    """Status 200 or a 304 that was asked for; `body` is empty for the latter."""

    def __init__(self, status, headers, body=b""):
        self.status, self._headers, self.body = status, headers, body

    def values(self, name):
        return [value for own, value in self._headers if own == name]

    def value(self, name):
        """The first header field of this name, or None."""
        return next(iter(self.values(name)), None)


class Failed(Refused):
    """A refusal by [client.failure-codes] of a response with a head, which may name a time to come again."""

    def __init__(self, code, response):
        super().__init__(code)
        self.response = response


class Connection:
    """The bytes of one connection; nothing is waited for after the deadline."""

    def __init__(self, address, deadline):
        self._deadline, self._rest = deadline, b""
        try:
            self._socket = socket.create_connection(address, self._left())
        except TimeoutError:
            raise Refused("timeout") from None
        except OSError:
            raise Refused("network") from None

    def close(self):
        self._socket.close()

    def _left(self):
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise Refused("timeout")
        return left

    def _timed(self, call, *arguments):
        try:
            self._socket.settimeout(self._left())
            return call(*arguments)
        except TimeoutError:
            raise Refused("timeout") from None
        except OSError:
            raise Refused("network") from None

    def send(self, data):
        self._timed(self._socket.sendall, data)

    def some(self):
        """Bytes that came; none at the end."""
        rest, self._rest = self._rest, b""
        return rest or self._timed(self._socket.recv, 65_536)

    def until(self, end):
        """The bytes before `end`, at most MAX_HEAD of them."""
        data = b""
        while end not in data:
            more = self.some()
            if not more or len(data) > MAX_HEAD:
                raise Refused("network")
            data += more
        data, _, self._rest = data.partition(end)
        return data

    def exactly(self, count):
        """So many bytes, piece by piece."""
        while count:
            piece = self.some()
            if not piece:
                raise Refused("network")
            self._rest = piece[count:] + self._rest
            yield piece[:count]
            count -= len(piece[:count])

    def all(self):
        while piece := self.some():
            yield piece


def get(address, host, target, limit, deadline, etag=None):
    """[client.failure-order]: the response, or Refused. `limit` is the number of bytes that a body may have."""
    connection = Connection(address, deadline)
    try:
        lines = ["GET %s HTTP/1.1" % target, "Host: " + host, "Accept: application/json", "Connection: close"]
        if etag is not None:
            lines.append("If-None-Match: " + etag)
        connection.send("".join(line + "\r\n" for line in lines + [""]).encode("latin-1"))
        response = _head(connection)
        _check(response, etag is not None)
        if response.status == 200:
            response.body = _body(connection, response, limit)
        return response
    finally:
        connection.close()


def _head(connection):
    while True:
        lines = connection.until(b"\r\n\r\n").decode("latin-1").split("\r\n")
        status = re.fullmatch(r"HTTP/1\.[0-9] ([1-5][0-9]{2})(?: .*)?", lines[0])
        headers = [re.fullmatch(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*", line) for line in lines[1:]]
        if not status or None in headers:
            raise Refused("network")
        if not 100 <= int(status[1]) < 200:
            return Response(int(status[1]), [(header[1].lower(), header[2]) for header in headers])


def _check(response, had_copy):
    """What a head decides."""
    if response.status == 304 and had_copy:
        return
    if 300 <= response.status < 400:
        raise Failed("redirect", response)
    if response.status != 200:
        raise Failed("status-code", response)
    if [coding.lower() for coding in response.values("content-encoding")] not in ([], ["identity"]):
        raise Failed("content-coding", response)
    types = response.values("content-type")
    if len(types) != 1 or types[0].split(";")[0].strip(" \t").lower() != "application/json":
        raise Failed("media-type", response)


def _pieces(connection, response, limit):
    codings, lengths = response.values("transfer-encoding"), set(response.values("content-length"))
    if codings:
        if [coding.lower() for coding in codings] != ["chunked"]:
            raise Refused("network")
        yield from _chunks(connection)
    elif lengths:
        length = lengths.pop()
        if lengths or not re.fullmatch("[0-9]{1,18}", length):
            raise Refused("network")
        if int(length) > limit:
            raise Refused("document-too-large")
        yield from connection.exactly(int(length))
    else:
        yield from connection.all()


def _chunks(connection):
    while True:
        size = connection.until(b"\r\n").split(b";")[0].strip()
        if not re.fullmatch(rb"[0-9A-Fa-f]{1,8}", size):
            raise Refused("network")
        yield from connection.exactly(int(size, 16))
        if int(size, 16) == 0:
            while connection.until(b"\r\n"):
                pass
            return
        if connection.until(b"\r\n"):
            raise Refused("network")


def _body(connection, response, limit):
    body = b""
    for piece in _pieces(connection, response, limit):
        body += piece
        if len(body) > limit:
            raise Refused("document-too-large")
    return body
