// @ts-check
// The handler that anybody would write first, on Nest and Express: takes the JSON-RPC request, answers the document
// as text and as a value in one server-sent event. No key, no limits, no checks, no audit, no log.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { documents } from '../bench/mcp-documents.mjs';
import { root } from '../local/settings.mjs';

const require = createRequire(join(root, 'apps/mcp-gateway/package.json'));
require('reflect-metadata');
const { Controller, Module, Post, Req, Res } = require('@nestjs/common');
const { NestFactory } = require('@nestjs/core');

class CallController {
  /** @param {any} request @param {any} response */
  call({ body: { id, params } }, response) {
    const structuredContent = { ...documents[params.name], as_of: new Date().toISOString() };
    const result = {
      content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
      structuredContent,
    };
    response.setHeader('Content-Type', 'text/event-stream');
    response.end(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
  }
}
const descriptor = Object.getOwnPropertyDescriptor(CallController.prototype, 'call') ?? {};
Req()(CallController.prototype, 'call', 0);
Res()(CallController.prototype, 'call', 1);
Post('mcp')(CallController.prototype, 'call', descriptor);
Controller()(CallController);

class FloorModule {}
Module({ controllers: [CallController] })(FloorModule);

const app = await NestFactory.create(FloorModule, { logger: false });
await app.listen(Number(process.env['PORT']), '127.0.0.1');
