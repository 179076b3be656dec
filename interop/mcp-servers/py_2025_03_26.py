"""The servers of the Python package `mcp` 1.9: `python py_2025_03_26.py KIND PORT`."""

import sys

import uvicorn
from mcp.server.fastmcp import FastMCP

KIND, PORT = sys.argv[1], int(sys.argv[2])

server = FastMCP("mail", stateless_http=KIND.endswith("-stateless"))


@server.tool()
def send_email(to: str) -> str:
    """Send a transactional email"""
    return "sent"


uvicorn.run(server.streamable_http_app(), port=PORT, log_level="warning")
