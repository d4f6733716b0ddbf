import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { CLOCK, isNotModified, type Clock, type Exchange } from '@outcomes/platform';
import { JsonStream, PreSerialised } from '@outcomes/read-model';
import { ANSWER_HEADERS, CONTENT_TYPE, frameOf } from '.';
import { messageOf, SAYS, type Saying } from './says.decorator';

/**
 * Puts every answer into the one envelope. It always wraps and never looks at the shape of what it wraps; a
 * document that is serialised already is spliced in as it is.
 */
@Injectable()
export class EnvelopeWriter {
  private readonly sayings = new Map<object, Saying>();

  constructor(
    @Inject(Reflector) private readonly reflector: Reflector,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  readonly write = (exchange: Exchange, data: unknown, status: number): void | Promise<void> => {
    const saying = this.sayingOf(exchange.handler);
    exchange.setHeaders(ANSWER_HEADERS);
    if (data instanceof JsonStream) return this.stream(exchange, saying, data, status);
    const document = data instanceof PreSerialised ? data : serialise(data);
    const etag = `W/"${document.etag}"`;
    exchange.setHeader('ETag', etag);
    if (isNotModified(exchange.request.headers['if-none-match'], etag)) return exchange.send(304, '');
    const [before, after] = frameOf(messageOf(saying, document.json), this.clock.now());
    exchange.setHeader('Content-Type', CONTENT_TYPE);
    exchange.sendBytes(status, `${before}${document.bytes}${after}`);
  };

  /** A list too long to hold is sent as it is read, as fast as the caller takes it. */
  private stream(
    exchange: Exchange,
    { says }: Saying,
    { chunks }: JsonStream,
    status: number,
  ): Promise<void> {
    const [before, after] = frameOf(says, this.clock.now());
    async function* answer() {
      yield before;
      yield* chunks;
      yield after;
    }
    exchange.setHeader('Content-Type', CONTENT_TYPE);
    return exchange.stream(status, answer());
  }

  private sayingOf(handler: object = EnvelopeWriter): Saying {
    const known = this.sayings.get(handler);
    if (known) return known;
    const saying = this.reflector.get<Saying | undefined>(SAYS, handler as () => unknown) ?? { says: 'OK.' };
    this.sayings.set(handler, saying);
    return saying;
  }
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
