"""HTTP: connections, bounds, and nothing of a request in a log [obligation.no-log]."""
import http.server
import socket
import sys
import threading
import time

from .answers import plain, problem

MOST_CONNECTIONS = 256
MOST_AT_ONCE = 32
MOST_BODY = 65_536


class Server(http.server.ThreadingHTTPServer):
    """Answers for a resolver. `rate` is how many requests a second it answers, over ten seconds; `clock` gives the time."""
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, address, resolver, rate, clock=time.time):
        self.resolver, self.clock = resolver, clock
        self.bucket = Bucket(rate)
        self.turns = threading.BoundedSemaphore(MOST_AT_ONCE)
        self._connections = threading.BoundedSemaphore(MOST_CONNECTIONS)
        super().__init__(address, Handler)

    def process_request(self, request, client_address):
        if self._connections.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request, client_address):
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._connections.release()

    def handle_error(self, request, client_address):
        """Says what kind of fault it was; its message could hold a need."""
        print(f"a connection ended: {sys.exc_info()[0].__name__}", file=sys.stderr)


class Bucket:
    """How often anybody may ask. It counts requests and knows no caller [obligation.no-caller]."""

    def __init__(self, rate):
        self._rate, self._most = rate, rate * 10
        self._left, self._at = self._most, time.monotonic()
        self._lock = threading.Lock()

    def wait(self):
        """0 when the request may be answered, else the seconds after which one may."""
        with self._lock:
            now = time.monotonic()
            self._left = min(self._most, self._left + (now - self._at) * self._rate)
            self._at = now
            if self._left < 1:
                return max(1, int((1 - self._left) / self._rate + 1))
            self._left -= 1
            return 0


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 10
    wbufsize = 65_536
    disable_nagle_algorithm = True

    def handle_one_request(self):
        self.close_connection = True
        self.command, self.request_version = "", self.protocol_version
        try:
            self.raw_requestline = self.rfile.readline(65_537)
            if len(self.raw_requestline) > 65_536:
                self._reply(problem("request-too-long"))
                self._linger()
            elif self.raw_requestline and self.parse_request():
                self._drain()
                self._reply(self._answer())
        except (TimeoutError, ConnectionError):
            self.close_connection = True

    def _answer(self):
        if self.request_version == "HTTP/1.1" and len(self.headers.get_all("Host", [])) != 1:
            return plain(400, "The request has not one Host header")
        seconds = self.server.bucket.wait()
        if seconds:
            return problem("rate-limited", **{"Retry-After": str(seconds)})
        if not self.server.turns.acquire(blocking=False):
            return problem("unavailable", **{"Retry-After": "1"})
        try:
            condition = ", ".join(self.headers.get_all("If-None-Match", []))
            return self.server.resolver.answer(self.command, self.path.encode("latin-1"), condition, int(self.server.clock()))
        except Exception as error:  # a fault of ours is told without its message, which could hold a need
            print(f"an answer failed: {type(error).__name__}", file=sys.stderr)
            return problem("unavailable", **{"Retry-After": "60"})
        finally:
            self.server.turns.release()

    def _linger(self):
        """Lets the answer arrive before what was not read ends the connection."""
        self.connection.shutdown(socket.SHUT_WR)
        self.rfile.read(MOST_BODY)

    def _drain(self):
        """Reads a body that nobody wants, so that the answer is not lost when the connection ends."""
        length = self.headers.get("Content-Length", "0")
        if length != "0" or "Transfer-Encoding" in self.headers:
            self.close_connection = True
            if length.isascii() and length.isdigit() and len(length) < 10:
                self.rfile.read(min(int(length), MOST_BODY))

    def _reply(self, response):
        self.send_response(response.status)
        for name, value in response.headers.items():
            self.send_header(name, value)
        if response.status not in (204, 304):
            self.send_header("Content-Length", str(len(response.body)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(response.body)
        self.wfile.flush()

    def send_error(self, code, message=None, explain=None):
        """Faults that the standard library finds. Its messages repeat the request line, which holds the need."""
        self.close_connection = True
        self._reply(plain(int(code), "This is not a request of HTTP/1.1 that can be answered"))

    def version_string(self):
        return "capability-resolution-python"

    def log_request(self, *args):
        pass

    def log_message(self, *args):
        pass
