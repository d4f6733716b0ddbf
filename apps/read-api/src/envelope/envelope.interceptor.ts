import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  Inject,
  Injectable,
  StreamableFile,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { CLOCK, type Clock } from '@outcomes/platform';
import { JsonStream, PreSerialised } from '@outcomes/read-model';
import type { Request, Response } from 'express';
import { map, type Observable } from 'rxjs';
import { ANSWER_HEADERS, etagOf, surroundingsOf } from '.';
import { messageOf, SAYS, type Saying } from './says.decorator';

/**
 * Puts every answer into the one envelope. It always wraps and never looks at the shape of what it wraps; a
 * document that is serialised already is spliced in as it is.
 */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor {
  constructor(
    @Inject(Reflector) private readonly reflector: Reflector,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<string | StreamableFile> {
    const saying = this.reflector.get<Saying | undefined>(SAYS, context.getHandler()) ?? { says: 'OK.' };
    const http = context.switchToHttp();
    const response = http.getResponse<Response>();
    // A request's Cache-Control speaks to caches on the way. Express would take it for a wish to get the body again,
    // and fetch() sends no-cache with every If-None-Match.
    delete http.getRequest<Request>().headers['cache-control'];
    return next
      .handle()
      .pipe(
        map((data) =>
          data instanceof JsonStream ? this.send(response, saying, data) : this.write(response, saying, data),
        ),
      );
  }

  /** A list too long to hold is sent as it is read, as fast as the caller takes it. */
  private send(response: Response, { says }: Saying, { chunks, frame }: JsonStream): StreamableFile {
    response.set(ANSWER_HEADERS);
    const { before, after } = surroundingsOf(says, this.clock.now(), frame);
    async function* answer() {
      yield before;
      yield* chunks;
      yield after;
    }
    const file = new StreamableFile(Readable.from(answer(), { objectMode: false }), {
      type: ANSWER_HEADERS['Content-Type'],
    });
    // The status is sent by then: only a connection that breaks off can tell the caller that the rest is missing.
    return file.setErrorHandler((_error, cutOff) => cutOff.destroy?.());
  }

  /** Express answers 304 by itself where the request's If-None-Match names this ETag. */
  private write(response: Response, saying: Saying, data: unknown): string {
    const { json, etag, frame } = data instanceof PreSerialised ? data : serialise(data);
    const { before, after, frameEtag } = surroundingsOf(messageOf(saying, json), this.clock.now(), frame);
    response.set({ ...ANSWER_HEADERS, ETag: etagOf(etag, frameEtag) });
    return `${before}${json}${after}`;
  }
}

/** The ETag leaves out when the answer was made: the same findings a minute later are the same answer. */
function serialise(data: unknown): Pick<PreSerialised, 'json' | 'etag' | 'frame'> {
  const json = JSON.stringify(data);
  const timeless =
    typeof data === 'object' && data !== null && !Array.isArray(data)
      ? JSON.stringify({ ...data, as_of: undefined, timestamp: undefined })
      : json;
  return { json, etag: createHash('sha256').update(timeless).digest('base64url').slice(0, 22) };
}
