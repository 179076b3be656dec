// The servers of the npm package `@modelcontextprotocol/server` 2: `node ts_current.mjs KIND PORT`.

import {
  createMcpExpressApp,
  getOAuthProtectedResourceMetadataUrl,
  mcpAuthMetadataRouter,
  requireBearerAuth,
} from '@modelcontextprotocol/express';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

const [kind, port] = process.argv.slice(2);
const origin = `http://127.0.0.1:${port}`;

const mail = () => {
  const server = new McpServer({ name: kind, version: '1.0.0' });
  server.registerTool(
    'send_email',
    { description: 'Send a transactional email', inputSchema: z.object({ to: z.string() }) },
    () => ({ content: [] }),
  );
  server.registerTool(
    'get_status',
    {
      description: 'Look up the delivery status of an email',
      inputSchema: z.object({ id: z.string() }),
      annotations: { readOnlyHint: true },
    },
    () => ({ content: [] }),
  );
  return server;
};

const handler = createMcpHandler(mail, {
  legacy: kind === 'ts-strict' ? 'reject' : 'stateless',
  responseMode: kind === 'ts-sse' ? 'sse' : 'auto',
});
const node = toNodeHandler(handler);
const app = createMcpExpressApp();
if (kind === 'ts-auth') {
  const resourceServerUrl = new URL(`${origin}/mcp`);
  app.use(
    mcpAuthMetadataRouter({
      oauthMetadata: {
        issuer: `${origin}/issuer`,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        response_types_supported: ['code'],
      },
      resourceServerUrl,
    }),
  );
  const verifier = {
    verifyAccessToken: async () => {
      throw new Error('no token is good');
    },
  };
  const resourceMetadataUrl = getOAuthProtectedResourceMetadataUrl(resourceServerUrl);
  app.use('/mcp', requireBearerAuth({ verifier, requiredScopes: ['mail'], resourceMetadataUrl }));
}
app.all('/mcp', (request, response) => node(request, response, request.body));
app.listen(Number(port), '127.0.0.1');
