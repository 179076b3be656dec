// Calls one tool of a server with the TypeScript SDK's client, as its guide says, and prints what it gives as JSON.
//
//     ts_client.mjs URL auto|legacy TOOL ARGUMENTS

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const [url, mode, name, args] = process.argv.slice(2);
const client = new Client(
  { name: "capability-resolution-interop", version: "0" },
  { versionNegotiation: { mode } },
);
await client.connect(new StreamableHTTPClientTransport(new URL(url)));
const { tools } = await client.listTools();
const result = await client.callTool({ name, arguments: JSON.parse(args) });
console.log(JSON.stringify({ tools, result }));
await client.close();
