"""The servers of the Python packages `mcp` 2 and `fastmcp` 4: `python py_current.py KIND PORT`."""

import sys

import uvicorn
from mcp.server.auth.settings import AuthSettings
from mcp.server.mcpserver import MCPServer
from mcp.types import ToolAnnotations

KIND, PORT = sys.argv[1], int(sys.argv[2])
ORIGIN = f"http://127.0.0.1:{PORT}"


class NoToken:
    async def verify_token(self, token):
        return None


def mail(server):
    @server.tool(annotations=ToolAnnotations(read_only_hint=True))
    def get_status(id: str) -> str:
        """Look up the delivery status of an email"""
        return "delivered"

    @server.tool()
    def send_email(to: str) -> str:
        """Send a transactional email"""
        return "sent"

    return server


def mcp_app():
    settings = {}
    if KIND == "py-auth":
        auth = AuthSettings(
            issuer_url=f"{ORIGIN}/issuer", resource_server_url=f"{ORIGIN}/mcp", required_scopes=["mail"]
        )
        settings = {"auth": auth, "token_verifier": NoToken()}
    server = mail(MCPServer("mail", instructions="Sends mail.", **settings))
    if KIND == "py-sse":
        return server.sse_app()
    stateless = KIND == "py-stateless-json"
    return server.streamable_http_app(json_response=stateless, stateless_http=stateless)


def fastmcp_app():
    from fastmcp import FastMCP
    from fastmcp.server.auth import RemoteAuthProvider
    from fastmcp.server.auth.providers.jwt import StaticTokenVerifier

    auth = None
    if KIND in ("fastmcp-auth", "fastmcp-token"):
        auth = StaticTokenVerifier(tokens={}, required_scopes=["mail"])
    if KIND == "fastmcp-auth":
        auth = RemoteAuthProvider(auth, [f"{ORIGIN}/issuer"], ORIGIN)
    server = FastMCP("mail", auth=auth)

    @server.tool
    def send_email(to: str) -> str:
        """Send a transactional email"""
        return "sent"

    return server.http_app(path="/mcp", stateless_http=KIND == "fastmcp-stateless")


uvicorn.run(fastmcp_app() if KIND.startswith("fastmcp") else mcp_app(), port=PORT, log_level="warning")
