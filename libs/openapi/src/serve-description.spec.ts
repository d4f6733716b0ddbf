import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { OpenAPIObject } from '@nestjs/swagger';
import express from 'express';
import { serveDescription } from './serve-description';

const DESCRIPTION: OpenAPIObject = {
  openapi: '3.1.0',
  info: { title: 'Described', version: '1' },
  paths: {},
};

describe('a description that is served', () => {
  it('is made once, when it is first asked for, and not for other paths', async () => {
    const described = jest.fn(() => DESCRIPTION);
    const app = express();
    serveDescription(app as unknown as NestExpressApplication, '/v1', described);
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const ask = async (path: string) => {
      const { port } = server.address() as AddressInfo;
      const answer = await fetch(`http://127.0.0.1:${port}${path}`);
      return { status: answer.status, body: await answer.text() };
    };
    try {
      for (const path of ['/v1/patterns', '/openapi.json', '/v1/openapi.json5', '/v1/docsx'])
        expect((await ask(path)).status).toBe(404);
      // Mutation: every process makes it at its start, or for whatever is asked.
      expect(described).not.toHaveBeenCalled();
      const first = await ask('/v1/openapi.json');
      expect([first.status, JSON.parse(first.body)]).toEqual([200, DESCRIPTION]);
      expect((await ask('/v1/docs')).status).toBe(200);
      expect((await ask('/v1/docs/nothing')).status).toBe(404);
      // Mutation: it is made for each request.
      expect(described).toHaveBeenCalledTimes(1);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });
});
