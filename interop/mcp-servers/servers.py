#!/usr/bin/env python3
"""Installs servers and clients of the Model Context Protocol that others wrote, starts the ones and calls with the others.

    servers.py install DIR     installs all of them, from the lock files beside this program, into DIR
    servers.py run DIR NAME    starts one on a free port of loopback, prints its URL, and ends it when the input ends
    servers.py call DIR CLIENT URL TOOL ARGUMENTS
                               lists the tools of a server and calls one with arguments in JSON, and prints both as JSON
    servers.py list            prints the names

What DIR holds already in these versions is left as it is.
"""

import hashlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
NODE = ("current", "clients", "2025-06-18", "2025-03-26")
PYTHON = ("current", "2025-03-26")

# The name of each server, the environment that it runs in, its command, and its path. PORT stands for the port.
EVERYTHING = "node_modules/@modelcontextprotocol/server-everything/dist/index.js"
SERVERS = {
    "everything": ("node current", [EVERYTHING, "streamableHttp"], "/mcp"),
    "everything-sse": ("node current", [EVERYTHING, "sse"], "/sse"),
    "everything-2025-06-18": ("node 2025-06-18", [EVERYTHING, "streamableHttp"], "/mcp"),
    "everything-2025-03-26": ("node 2025-03-26", [EVERYTHING, "streamableHttp"], "/mcp"),
    "ts-dual": ("node current", ["ts_current.mjs", "ts-dual", "PORT"], "/mcp"),
    "ts-sse": ("node current", ["ts_current.mjs", "ts-sse", "PORT"], "/mcp"),
    "ts-strict": ("node current", ["ts_current.mjs", "ts-strict", "PORT"], "/mcp"),
    "ts-auth": ("node current", ["ts_current.mjs", "ts-auth", "PORT"], "/mcp"),
    "py-stateful": ("python current", ["py_current.py", "py-stateful", "PORT"], "/mcp"),
    "py-stateless-json": ("python current", ["py_current.py", "py-stateless-json", "PORT"], "/mcp"),
    "py-sse": ("python current", ["py_current.py", "py-sse", "PORT"], "/sse"),
    "py-auth": ("python current", ["py_current.py", "py-auth", "PORT"], "/mcp"),
    "py-2025-03-26": ("python 2025-03-26", ["py_2025_03_26.py", "py-2025-03-26", "PORT"], "/mcp"),
    "py-2025-03-26-stateless": ("python 2025-03-26", ["py_2025_03_26.py", "py-2025-03-26-stateless", "PORT"], "/mcp"),
    "fastmcp": ("python current", ["py_current.py", "fastmcp", "PORT"], "/mcp"),
    "fastmcp-stateless": ("python current", ["py_current.py", "fastmcp-stateless", "PORT"], "/mcp"),
    "fastmcp-auth": ("python current", ["py_current.py", "fastmcp-auth", "PORT"], "/mcp"),
    "fastmcp-token": ("python current", ["py_current.py", "fastmcp-token", "PORT"], "/mcp"),
}

# The name of each client, and its program with what comes before the URL and after it.
CLIENTS = {
    "ts": ("node clients", ["ts_client.mjs"], ["auto"]),
    "ts-legacy": ("node clients", ["ts_client.mjs"], ["legacy"]),
    "py": ("python current", ["py_client.py"], ["auto"]),
    "py-legacy": ("python current", ["py_client.py"], ["legacy"]),
}
INSPECTOR = "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js"


def install(folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name in NODE:
        there = folder / f"node-{name}"
        lock = (HERE / name / "package-lock.json").read_bytes()
        if is_new(there, lock):
            for file in ("package.json", "package-lock.json"):
                shutil.copy(HERE / name / file, there / file)
            npm = ["npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"]
            subprocess.run(npm, cwd=there, check=True, stdout=sys.stderr)
            done(there, lock)
    for name in PYTHON:
        there = folder / f"python-{name}"
        lock = (HERE / f"requirements-{name}.txt").read_bytes()
        if is_new(there, lock):
            subprocess.run([sys.executable, "-m", "venv", there], check=True)
            pip = [there / "bin/pip", "install", "-q", "--require-hashes", "--only-binary", ":all:"]
            requirements = HERE / f"requirements-{name}.txt"
            subprocess.run([*pip, "-r", requirements], check=True, stdout=sys.stderr)
            done(there, lock)


def is_new(there, lock):
    mark = there / "installed"
    if mark.is_file() and mark.read_text() == hashlib.sha256(lock).hexdigest():
        return False
    shutil.rmtree(there, ignore_errors=True)
    there.mkdir()
    return True


def done(there, lock):
    (there / "installed").write_text(hashlib.sha256(lock).hexdigest())


def run(folder, name):
    environment, words, path = SERVERS[name]
    program, there = prepare(folder, environment, words)
    port = free_port()
    words = [str(port) if word == "PORT" else word for word in words]
    # Authorities of loopback have no https.
    loopback = {"PORT": str(port), "MCP_DANGEROUSLY_ALLOW_INSECURE_ISSUER_URL": "true"}
    server = subprocess.Popen(
        [program, *words], cwd=there, env={**os.environ, **loopback}, stdin=subprocess.DEVNULL, stdout=sys.stderr
    )
    try:
        wait_for(port, server)
        print(f"http://127.0.0.1:{port}{path}", flush=True)
        sys.stdin.read()
    finally:
        server.kill()
        server.wait()


def prepare(folder, environment, words):
    """The interpreter, and the folder to run it in."""
    language, version = environment.split()
    there = folder / f"{language}-{version}"
    # One of the packages is Node itself, so that it does not matter which the machine has.
    node = folder / "node-current/node_modules/node/bin/node"
    # A module of ours finds its packages from where it lies, and so it lies there.
    if (HERE / words[0]).is_file():
        shutil.copy(HERE / words[0], there / words[0])
    return node if language == "node" else there / "bin/python", there


def call(folder, client, url, tool, arguments):
    if client == "inspector":
        answer = inspect(folder, url, tool, json.loads(arguments))
    else:
        environment, words, mode = CLIENTS[client]
        program, there = prepare(folder, environment, words)
        answer = output([program, *words, url, *mode, tool, arguments], there)
    print(answer)


def inspect(folder, url, tool, arguments):
    """The Inspector's command line does one thing a run."""
    node, there = prepare(folder, "node clients", [INSPECTOR])
    # It keeps a catalogue of servers in the home folder, and this is no use of anybody's.
    with tempfile.TemporaryDirectory() as home:
        asked = [node, INSPECTOR, "--cli", url, "--transport", "http", "--method"]
        listed = output([*asked, "tools/list"], there, HOME=home)
        words = ["tools/call", "--tool-name", tool]
        for name, value in arguments.items():
            words += ["--tool-arg", f"{name}={value if isinstance(value, str) else json.dumps(value)}"]
        called = output([*asked, *words], there, HOME=home)
    return json.dumps({"tools": json.loads(listed)["tools"], "result": json.loads(called)})


def output(words, there, **environment):
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE}
    ran = subprocess.run(words, cwd=there, env={**os.environ, **environment}, timeout=60, check=False, **streams)
    if ran.returncode:
        give_up(f"exit code {ran.returncode}: {ran.stdout.decode(errors='replace')}")
    return ran.stdout.decode().strip()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(port, server):
    for _ in range(600):
        if server.poll() is not None:
            give_up(f"the server ended at once: {server.returncode}")
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.1)
    give_up("the server does not listen after a minute")


def give_up(why):
    print(why, file=sys.stderr)
    sys.exit(2)


def main(words):
    match words:
        case ["install", folder]:
            install(Path(folder).resolve())
        case ["run", folder, name] if name in SERVERS:
            run(Path(folder).resolve(), name)
        case ["call", folder, client, url, tool, arguments] if client in (*CLIENTS, "inspector"):
            call(Path(folder).resolve(), client, url, tool, arguments)
        case ["list"]:
            print("\n".join(SERVERS))
        case _:
            give_up(__doc__.strip())


if __name__ == "__main__":
    main(sys.argv[1:])
