import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { OpenAPIObject } from '@nestjs/swagger';
import { AppError } from '@outcomes/contracts';
import { acceptedCoding } from '@outcomes/platform';
import type { NextFunction, Request, Response } from 'express';
import { printDescription } from './describe-api';
import { docsPage, PAGE_POLICY, type StaticFile } from './docs-page';

interface ServedFile extends StaticFile {
  readonly etag: string;
  /** Made when it is first asked for. */
  readonly encoded: Partial<Record<(typeof CODINGS)[number], Buffer>>;
}

const CODINGS = ['br', 'gzip'] as const;
const ENCODERS = {
  // The best quality would stop the process for half a second.
  br: (content: Buffer) => brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  gzip: (content: Buffer) => gzipSync(content),
};

const CACHE_CONTROL = 'public, max-age=300';

/**
 * Serves a description at `<basePath>/openapi.json` and its browsable page at `<basePath>/docs`, to everybody.
 * They are no routes: whatever counts the requests that no route takes, counts these too. So call it after
 * limitUnknownRoutes, and before the app listens.
 */
export function serveDescription(
  app: NestExpressApplication,
  basePath: string,
  describe: (app: NestExpressApplication) => OpenAPIObject,
): void {
  const places = new RegExp(`^${basePath}/(openapi\\.json|docs(/.*)?)$`);
  // Made when one of them is first asked for: most processes are started to be asked something else.
  let files: ReadonlyMap<string, ServedFile> | undefined;

  app.use((request: Request, response: Response, next: NextFunction) => {
    if (!places.test(request.path)) return next();
    files ??= filesOf(basePath, describe(app));
    const file = files.get(request.path);
    if (!file) return next();
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return next(new AppError('METHOD_NOT_ALLOWED', {}, { headers: { Allow: 'GET, HEAD' } }));
    }
    response.set({
      'Content-Type': file.type,
      'Content-Security-Policy': PAGE_POLICY,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': CACHE_CONTROL,
      ETag: file.etag,
    });
    // fetch() sends no-cache with every If-None-Match, and Express would take it for a wish to get the body again.
    delete request.headers['cache-control'];
    const coding = acceptedCoding(request.headers['accept-encoding'], CODINGS);
    response.vary('Accept-Encoding');
    if (coding === undefined) return void response.send(file.content);
    response.set('Content-Encoding', coding);
    response.send((file.encoded[coding] ??= ENCODERS[coding](file.content)));
  });
}

function filesOf(basePath: string, document: OpenAPIObject): ReadonlyMap<string, ServedFile> {
  const description: StaticFile = {
    type: 'application/json; charset=utf-8',
    content: Buffer.from(printDescription(document)),
  };
  const page = [...docsPage(document.info.title)].map(
    ([name, file]) => [name === '' ? 'docs' : `docs/${name}`, file] as const,
  );
  return new Map(
    [['openapi.json', description] as const, ...page].map(([path, { type, content }]) => [
      `${basePath}/${path}`,
      { type, content, etag: etagOf(content), encoded: {} },
    ]),
  );
}

function etagOf(content: Buffer): string {
  return `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
}
