import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@outcomes/contracts';
import { acceptedCoding, type Exchange } from '@outcomes/platform';
import { CONSOLE_CONFIG, type ConsoleConfig } from '../console.config';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};
const FOR_EVER = 'public, max-age=31536000, immutable';

interface PageFile {
  readonly type: string;
  readonly plain: Buffer;
  readonly br: Buffer;
  readonly gzip: Buffer;
}

/** The built page, read once at the start: it is small, and no request reaches a file system. */
@Injectable()
export class WebApp {
  private readonly files = new Map<string, PageFile>();

  constructor(@Inject(CONSOLE_CONFIG) config: ConsoleConfig) {
    for (const path of readdirSync(config.CONSOLE_PAGE, { recursive: true, encoding: 'utf8' })) {
      const type = TYPES[extname(path)];
      if (type === undefined) continue;
      const [plain, br, gzip] = ['', '.br', '.gz'].map((ending) =>
        readFileSync(join(config.CONSOLE_PAGE, `${path}${ending}`)),
      ) as [Buffer, Buffer, Buffer];
      this.files.set(path, { type, plain, br, gzip });
    }
    if (!this.files.has('index.html'))
      throw new AppError(
        'INTERNAL_ERROR',
        {},
        { message: `There is no page in ${config.CONSOLE_PAGE}: build it first.` },
      );
  }

  /**
   * A file by its name, or the page itself for every other address.
   * @throws AppError NOT_FOUND below /api, and for a file that there is not
   */
  send(exchange: Exchange): void {
    const path = exchange.request.url?.split('?')[0] ?? '/';
    const file = this.files.get(path.slice(1));
    // Names of files below /assets change with their contents.
    if (file) return send(exchange, file, path.startsWith('/assets/') ? FOR_EVER : 'no-cache');
    const page = this.files.get('index.html');
    if (!page || /^\/(api|assets)(\/|$)/.test(path)) throw new AppError('NOT_FOUND');
    send(exchange, page, 'no-cache');
  }
}

function send(exchange: Exchange, { type, plain, br, gzip }: PageFile, caching: string): void {
  const coding = acceptedCoding(exchange.request.headers['accept-encoding'], ['br', 'gzip']);
  exchange.setHeader('Cache-Control', caching);
  exchange.setHeader('Content-Type', type);
  exchange.setHeader('Vary', 'Accept-Encoding');
  if (coding) exchange.setHeader('Content-Encoding', coding);
  exchange.sendBuffer(200, coding === 'br' ? br : coding === 'gzip' ? gzip : plain);
}
