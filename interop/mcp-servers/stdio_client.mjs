// Starts a server over standard input and output with the TypeScript SDK's client, as its guide says, calls one of its
// tools, and prints what it gives as JSON.
//
//     stdio_client.mjs auto|legacy TOOL ARGUMENTS COMMAND...

import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const [mode, name, args, command, ...words] = process.argv.slice(2);
const client = new Client(
  { name: "capability-resolution-interop", version: "0" },
  { versionNegotiation: { mode } },
);
await client.connect(new StdioClientTransport({ command, args: words, env: process.env }));
const { tools } = await client.listTools();
const result = await client.callTool({ name, arguments: JSON.parse(args) });
console.log(JSON.stringify({ tools, result }));
await client.close();
