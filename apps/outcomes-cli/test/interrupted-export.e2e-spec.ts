import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCommand, waitUntil } from '@outcomes/testing';

const FIRST_PAGE = JSON.stringify({
  success: true,
  data: { suppressions: [], next_cursor: 'c1', has_more: true },
});

describe('outcomes suppressions export', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'leaves no part of a file behind at %s, and says so',
    async (signal) => {
      const folder = mkdtempSync(join(tmpdir(), 'outcomes-interrupted-'));
      // The second page never comes.
      const server = createServer((request, response) => {
        if (request.url?.includes('cursor') !== true) response.end(FIRST_PAGE);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      const file = join(folder, 'list.csv');
      try {
        const exporting = startCommand(
          ['suppressions', 'export', file, '--key', 'svc_key', '--url', `http://127.0.0.1:${port}/v1`],
          {},
        );
        await waitUntil('the export to write', () => Promise.resolve(existsSync(`${file}.partial`)));
        exporting.child.kill(signal);
        expect(await exporting.ended).toEqual({
          ...{ code: null, stdout: '' },
          stderr: `outcomes: interrupted: ${file} was not written, and nothing of it is left.\n`,
        });
        expect(readdirSync(folder)).toEqual([]);
      } finally {
        server.closeAllConnections();
        server.close();
        rmSync(folder, { recursive: true });
      }
    },
  );
});
