import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../local/settings.mjs';
import type { Section } from './section.ts';

const section = 'mcp-remote';
const require = createRequire(join(root, 'apps/mcp-gateway/package.json'));
const limit = 30_000;

/** A client that only starts programs: the official SDK over stdio, mcp-remote, HTTP. */
export async function verifyRemote({ gateway, report, folder }: Section) {
  const { Client } =
    require('@modelcontextprotocol/sdk/client/index.js') as typeof import('@modelcontextprotocol/sdk/client/index.js');
  const { StdioClientTransport } =
    require('@modelcontextprotocol/sdk/client/stdio.js') as typeof import('@modelcontextprotocol/sdk/client/stdio.js');
  const client = new Client({ name: 'verify', version: '1.0.0' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [
      ...[join(root, 'node_modules/mcp-remote/dist/proxy.js'), gateway.url, '--silent'],
      ...['--transport', 'http-only', '--header', 'Authorization:${AUTH_HEADER}'],
    ],
    env: {
      ...{ PATH: process.env['PATH'] ?? '', HOME: folder, MCP_REMOTE_CONFIG_DIR: folder },
      AUTH_HEADER: `Bearer ${gateway.apiKey}`,
    },
    stderr: 'ignore',
  });
  try {
    await client.connect(transport, { timeout: limit });
    const { tools } = await client.listTools(undefined, { timeout: limit });
    report.add(section, 'lists the tools over stdio', tools.length === 7, `${tools.length} tools`);
    for (const { name } of tools.filter(({ inputSchema }: any) => !inputSchema.required?.length)) {
      const answer = await client.callTool({ name, arguments: {} }, undefined, { timeout: limit });
      const document: any = answer.structuredContent;
      const holds = document?.tenant_id === gateway.companyId;
      report.add(section, `calls ${name}`, holds, 'result held against its output schema by the SDK');
    }
    const { contents } = await client.readResource({ uri: 'svc://reference/alerts' }, { timeout: limit });
    report.add(section, 'reads the alert catalogue', contents.length === 1, `${contents.length} document`);
    const { messages } = await client.getPrompt({ name: 'assess_data_trust' }, { timeout: limit });
    report.add(section, 'gets a prompt', messages.length === 1, `${messages.length} message`);
  } finally {
    await client.close().catch(() => {});
  }
}
