"""Calls one tool of a server with the Python SDK's client, as its guide says, and prints what it gives as JSON.

    py_client.py URL auto|legacy TOOL ARGUMENTS
"""

import asyncio
import json
import sys

from mcp import Client


async def main(url, mode, name, arguments):
    async with Client(url, mode=mode) as client:
        tools = (await client.list_tools()).tools
        result = await client.call_tool(name, json.loads(arguments))
    as_json = {"mode": "json", "by_alias": True, "exclude_none": True}
    tools = [tool.model_dump(**as_json) for tool in tools]
    print(json.dumps({"tools": tools, "result": result.model_dump(**as_json)}))


asyncio.run(main(*sys.argv[1:]))
