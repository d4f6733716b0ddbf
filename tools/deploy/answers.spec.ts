// What `helm test` asks is right about a service that answers as it should, and about one that does not.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { chart } from './chart.ts';

/** @returns The exit code. */
async function exitCode(
  answer: (host: string | undefined, url: string | undefined) => number,
): Promise<number | null> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(answer(request.headers.host, request.url)).end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address() as AddressInfo;
  const base = `http://127.0.0.1:${address.port}`;
  const env = {
    ...{ READ_API_URL: `${base}/v1`, INGEST_API_URL: base, MCP_URL: `${base}/mcp` },
    MCP_PUBLIC_HOSTS: 'outcomes-mcp-gateway,mcp.example.com',
  };
  const child = spawn(process.execPath, [join(chart, 'files/answers.cjs')], { env, stdio: 'ignore' });
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  server.close();
  return code;
}

describe('what helm test asks', () => {
  it('passes where everybody without a key is told so, under every name', async () => {
    assert.equal(await exitCode(() => 401), 0);
  });

  it('fails where agents are refused under the name of the ingress', async () => {
    assert.equal(await exitCode((host) => (host === 'mcp.example.com' ? 403 : 401)), 1);
  });

  it('fails where a surface is away', async () => {
    assert.equal(await exitCode((_, url) => (url === '/ingest/events' ? 503 : 401)), 1);
  });
});
