"""Plays the servers of a client's vector (README.md): `Player(play)` is every origin of it, at one address.

Origins are told apart by `Host`. The first request to an origin gets the first answer of its list, and so on.
"""
import socketserver
import threading
import time
from urllib.parse import parse_qsl

NOTED = ("authorization", "cookie", "proxy-authorization", "referer")


class Player:
    def __init__(self, play):
        self.play, self.requests, self.answered, self.over = play, [], [], threading.Event()
        self.change, player = threading.Condition(), self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self):
                try:
                    player.serve(self.rfile, self.wfile)
                except OSError:
                    pass  # the client went away

        class Server(socketserver.ThreadingTCPServer):
            daemon_threads, block_on_close, request_queue_size = True, False, 64

        self.server = Server(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()
        with socketserver.TCPServer(("127.0.0.1", 0), Handler) as nobody:
            self.closed = nobody.server_address

    def connect(self):
        """Where each origin is; nobody listens at those without a list."""
        address = {True: self.closed, False: self.server.server_address}
        return {origin: "http://%s:%d" % address[answers is None] for origin, answers in self.play.items()}

    def close(self):
        self.over.set()
        self.server.shutdown()
        self.server.server_close()

    def seen(self, input):
        """The requests as a vector's output has them."""
        place = {origin: at for at, origin in enumerate(input["resolvers"])} if input["ask"] == "at-once" else {}
        return sorted(self.requests, key=lambda request: place.get(request["origin"], len(place)))

    def serve(self, source, sink):
        request, copy = read(source)
        if request is None:
            return
        origin = request["origin"]
        with self.change:
            at = sum(other["origin"] == origin for other in self.requests)
            self.requests.append(request)
        answers = self.play.get(origin) or []
        if at < len(answers):
            confirm = answers[at]["confirm"]
            is_confirmed = confirm is not None and copy == confirm["etag"]
            instead = {"status": 304, "headers": confirm["headers"], "body_parts": [["", 1]], "framing": "none"} if is_confirmed else {}
            self.answer({**answers[at], **instead}, sink)
            with self.change:
                self.answered.append(origin)
                self.change.notify_all()

    def answer(self, answer, sink):
        after = answer["after"]
        with self.change:
            while after and self.answered.count(after["origin"]) < after["requests"] and not self.over.is_set():
                self.change.wait(0.05)
        time.sleep(answer["delay"] / 1000)
        body = "".join(text * count for text, count in answer.get("body_parts", [[answer.get("body"), 1]])).encode()
        head = ["HTTP/1.1 %s " % answer["status"], *answer["headers"]]
        if answer["framing"] == "length":
            head.append("Content-Length: %d" % (len(body) + (answer["end"] != "complete")))
        if answer["framing"] == "chunked":
            head.append("Transfer-Encoding: chunked")
            body = b"%x\r\n%b\r\n" % (len(body), body) if body else b""
        if answer["status"] is not None:
            sink.write("\r\n".join(head + ["Connection: close", "", ""]).encode())
        sink.write(body)
        if answer["end"] == "complete" and answer["framing"] == "chunked":
            sink.write(b"0\r\n\r\n")
        while answer["end"] in ("hang", "endless", "trickle") and not self.over.is_set():
            self.over.wait({"endless": 0}.get(answer["end"], 0.05))
            sink.write(b"" if answer["end"] == "hang" else body)


def read(source):
    """A request as it is written down, and the copy that it names; None for one that breaks off."""
    lines = []
    while not lines or lines[-1]:
        line = source.readline(65536)
        if not line.endswith(b"\n"):
            return None, None
        lines.append(line.decode("utf-8", "replace").rstrip("\r\n"))
    method, target = lines[0].split(" ")[:2]
    path, _, query = target.partition("?")
    fields = [(name.lower(), value.strip()) for name, _, value in (line.partition(":") for line in lines[1:-1])]
    request = {"origin": "https://" + dict(fields).get("host", ""), "method": method, "path": path,
               "query": members(parse_qsl(query, keep_blank_values=True)),
               "headers": members([field for field in fields if field[0] in NOTED])}
    return request, dict(fields).get("if-none-match")


def members(pairs):
    """An object; the values of a name that comes several times are a list."""
    values = {}
    for name, value in pairs:
        values.setdefault(name, []).append(value)
    return {name: found[0] if len(found) == 1 else found for name, found in values.items()}
