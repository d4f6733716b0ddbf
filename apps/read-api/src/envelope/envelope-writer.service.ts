import { createHash } from 'node:crypto';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import { Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { acceptedCoding, CLOCK, gzipHead, gzipWith, isNotModified } from '@outcomes/platform';
import type { Clock, Exchange, GzipHead } from '@outcomes/platform';
import { JsonStream, ListPage, PreSerialised } from '@outcomes/read-model';
import { ANSWER_HEADERS, CONTENT_TYPE, etagOf, surroundingsOf } from './envelope.format';
import { messageOf, MESSAGE, type EnvelopeTexts } from './message.decorator';

/** Bytes from which on compression saves more than it costs. */
const FEWEST_COMPRESSED = 4_096;
/** As fast as gzip, and smaller; with a window that a process can afford for many answers at once. */
const BROTLI = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 },
};

/**
 * Puts every answer into the one envelope. It always wraps and never looks at the shape of what it wraps; a
 * document that is serialised already is spliced in as it is.
 */
@Injectable()
export class EnvelopeWriter {
  private readonly sayings = new Map<object, EnvelopeTexts>();
  private readonly heads = new WeakMap<
    PreSerialised,
    { readonly handler: object | undefined; readonly head: Promise<GzipHead> }
  >();

  constructor(
    @Inject(Reflector) private readonly reflector: Reflector,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  readonly write = (exchange: Exchange, data: unknown, status: number): void | Promise<void> => {
    const saying = this.sayingOf(exchange.handler);
    exchange.setHeaders(ANSWER_HEADERS);
    if (data instanceof ListPage) {
      return this.write(exchange, PreSerialised.from(itemsOf(data, exchange), data.frame), status);
    }
    if (data instanceof JsonStream) return this.stream(exchange, saying, data, status);
    const document = data instanceof PreSerialised ? data : serialise(data);
    const message = messageOf(saying, document.json);
    const { before, after, frameEtag } = surroundingsOf(message, this.clock.now(), document.frame);
    if (!saying.everNew) {
      const etag = etagOf(document.etag, frameEtag);
      exchange.setHeader('ETag', etag);
      if (isNotModified(exchange.request.headers['if-none-match'], etag)) return exchange.send(304, '');
    }
    exchange.setHeader('Content-Type', CONTENT_TYPE);
    const { bytes } = document;
    if (bytes.length < FEWEST_COMPRESSED || !acceptedCoding(acceptedBy(exchange), ['gzip'])) {
      return exchange.sendBytes(status, `${before}${bytes}${after}`);
    }
    return this.compressed(exchange, document, before).then((head) => {
      exchange.setHeader('Content-Encoding', 'gzip');
      exchange.sendBuffer(status, gzipWith(head, after));
    });
  };

  /** Compressed once however often it is sent: only what stands at the end of an answer is another one. */
  private compressed({ handler }: Exchange, document: PreSerialised, before: string): Promise<GzipHead> {
    const known = this.heads.get(document);
    if (known && known.handler === handler) return known.head;
    const head = gzipHead(Buffer.from(`${before}${document.bytes}`, 'latin1'));
    this.heads.set(document, { handler, head });
    return head;
  }

  /** A list too long to hold is sent as it is read, as fast as the caller takes it. */
  private stream(
    exchange: Exchange,
    { says }: EnvelopeTexts,
    { chunks, frame }: JsonStream,
    status: number,
  ): Promise<void> {
    const { before, after } = surroundingsOf(says, this.clock.now(), frame);
    async function* answer() {
      yield before;
      yield* chunks;
      yield after;
    }
    exchange.setHeader('Content-Type', CONTENT_TYPE);
    const coding = acceptedCoding(acceptedBy(exchange), ['br', 'gzip']);
    if (coding === undefined) return exchange.stream(status, answer());
    exchange.setHeader('Content-Encoding', coding);
    return exchange.stream(status, answer(), coding === 'br' ? createBrotliCompress(BROTLI) : createGzip());
  }

  private sayingOf(handler: object = EnvelopeWriter): EnvelopeTexts {
    const known = this.sayings.get(handler);
    if (known) return known;
    const saying = this.reflector.get<EnvelopeTexts | undefined>(MESSAGE, handler as () => unknown) ?? {
      says: 'OK.',
    };
    this.sayings.set(handler, saying);
    return saying;
  }
}

/** A list is its answer's data and nothing else, so the way on is a link (RFC 8288), relative to what was asked for. */
function itemsOf({ items, nextCursor }: ListPage, exchange: Exchange): readonly unknown[] {
  if (nextCursor !== undefined) {
    const query = new URLSearchParams(exchange.request.url?.split('?')[1]);
    query.set('cursor', nextCursor);
    exchange.setHeader('Link', `<?${query.toString()}>; rel="next"`);
  }
  return items;
}

function acceptedBy({ request }: Exchange): string | string[] | undefined {
  return request.headers['accept-encoding'];
}

/** The ETag leaves out when the answer was made: the same findings a minute later are the same answer. */
function serialise(data: unknown): PreSerialised {
  const json = JSON.stringify(data);
  const timeless =
    typeof data === 'object' && data !== null && !Array.isArray(data)
      ? JSON.stringify({ ...data, as_of: undefined, timestamp: undefined })
      : json;
  return new PreSerialised(json, createHash('sha256').update(timeless).digest('base64url').slice(0, 22));
}
