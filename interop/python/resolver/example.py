"""Writes observations of servers that do not exist, as if made a moment ago: something to start the resolver with."""
import json
import sys
import time

from datetime import datetime, timezone


def observations(now):
    """A document that `observations.read` accepts, with a server in each situation that a resolver can meet."""
    def at(ago):
        return datetime.fromtimestamp(now - ago, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")

    def tool(name, description, read_only=False):
        return {"name": name, "description": description, "read_only": read_only}

    def ok(ago, name, handshake, *tools):
        return {"ended": at(ago), "outcome": "ok", "handshake_ms": handshake, "name": name, "tools": list(tools)}

    def failed(ago, reason):
        return {"ended": at(ago), "outcome": "failure", "reason": reason}

    def server(url, *seen, allowed=True, **claims):
        files = {"read": at(600), "allowed": allowed, **({"expires": at(-90 * 86_400), **claims} if claims else {})}
        return {"url": url, "observations": list(seen), "server_files": files}

    send = tool("send_email", "Send one transactional email.")
    status = tool("delivery_status", "Look up whether an email was delivered.", True)
    return {"resolver": "Example Resolver in Python", "servers": [
        server("https://mail.example.com/mcp", ok(90_000, "Example Mail", 310, send), ok(1_200, "Example Mail", 240, send, status),
               payment="none", jobs=["send a transactional email", "look up a delivery status"]),
        server("https://post.example.net/v1/mcp", {"ended": at(3_000), "outcome": "sign_in", "handshake_ms": 95},
               payment="required", jobs=["send email to customers"]),
        server("https://letters.example.org/mcp", ok(9_000, "Letters", 80, send), failed(4_000, "connection"), failed(900, "connection")),
        server("https://news.example.org/mcp", ok(5_000, "Newsletter email", 1_500, send), failed(700, "timeout")),
        server("https://private.example.org/mcp", ok(500, "Private email", 60, send), allowed=False),
        server("https://gone.example.org/mcp", ok(200_000, "Gone email", 60, send)),
        server("https://weather.example.com/mcp", ok(800, "Weather", 40, tool("forecast", "Weather forecast for a city, search by name.", True)),
               payment="none"),
        server("https://files.example.com/mcp?tenant=1", ok(800, "Files", 400, tool("readFile", "Read a file and search in documents.", True),
                                                            tool("writeFile", "Write a file."))),
        server("https://issues.example.com/mcp", ok(800, "Issues", 150, tool("create_issue", "Create an issue in a repository."),
                                                    tool("search_issues", "Search issues.", True)), payment="none"),
        server("https://maybe.example.com/mcp", ok(9_000, "Calendar email", 150, tool("create_event", "Create an event in a calendar.")),
               {"ended": at(900), "outcome": "unknown", "reason": "payment-required"}),
    ]}


if __name__ == "__main__":
    json.dump(observations(int(time.time())), sys.stdout, indent=2)
