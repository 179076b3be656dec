"""Starts a server over standard input and output with the Python SDK's client, as its guide says, calls one of its tools, and
prints what it gives as JSON.

    stdio_client.py auto|legacy TOOL ARGUMENTS COMMAND...
"""

import asyncio
import json
import os
import sys

from mcp import Client, StdioServerParameters


async def main(mode, name, arguments, command, *words):
    server = StdioServerParameters(command=command, args=words, env=dict(os.environ))
    async with Client(server, mode=mode) as client:
        tools = (await client.list_tools()).tools
        result = await client.call_tool(name, json.loads(arguments))
    as_json = {"mode": "json", "by_alias": True, "exclude_none": True}
    tools = [tool.model_dump(**as_json) for tool in tools]
    print(json.dumps({"tools": tools, "result": result.model_dump(**as_json)}))


asyncio.run(main(*sys.argv[1:]))
