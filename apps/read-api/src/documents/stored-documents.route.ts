import type { IncomingMessage } from 'node:http';
import { PATH_METADATA } from '@nestjs/common/constants';
import { Reflector } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { accessRuleOf, type Principal } from '@outcomes/auth';
import { deprecationOf } from '@outcomes/deprecation';
import { Admission, type HandlerRule } from '@outcomes/limits';
import { CLOCK, type Clock, type Exchange, type FastRoute } from '@outcomes/platform';
import type { PreSerialised } from '@outcomes/read-model';
import { ANSWER_HEADERS, etagOf, surroundingsOf } from '../envelope';
import { messageOf, SAYS, type Saying } from '../envelope/says.decorator';
import { PatternsController } from '../patterns/patterns.controller';

/** Handlers that send a stored document as it is. */
const HANDLERS = ['patterns', 'recipients', 'chunks', 'contactInsights'] as const;

interface StoredDocument {
  readonly path: string;
  readonly saying: Saying;
  readonly rule: HandlerRule;
  readonly document: (caller: Principal) => Promise<PreSerialised>;
}

/**
 * Stored documents on the fast path. Path, permission and message are those of the controller's decorators. Whatever
 * is not plain (HEAD, a query string, If-None-Match) is left to the controller.
 */
export function storedDocuments(app: NestExpressApplication, basePath: string): FastRoute[] {
  const admission = app.get(Admission, { strict: false });
  const clock = app.get<Clock>(CLOCK, { strict: false });

  const answer = async ({ rule, saying, document }: StoredDocument, exchange: Exchange): Promise<void> => {
    const { json, bytes, etag, frame } = await document(await admission.pass(exchange, rule));
    const { before, after, frameEtag } = surroundingsOf(messageOf(saying, json), clock.now(), frame);
    exchange.setHeaders(ANSWER_HEADERS);
    exchange.setHeader('ETag', etagOf(etag, frameEtag));
    exchange.sendBytes(200, `${before}${bytes}${after}`);
  };

  return documentsOf(app, basePath).map((document) => ({
    method: 'GET',
    path: document.path,
    takes: isPlain,
    answer: (exchange) => answer(document, exchange),
  }));
}

function isPlain({ headers }: IncomingMessage): boolean {
  return headers['if-none-match'] === undefined;
}

function documentsOf(app: NestExpressApplication, basePath: string): StoredDocument[] {
  const reflector = app.get(Reflector);
  const controller = app.get(PatternsController, { strict: false });
  const parent = reflector.get<string>(PATH_METADATA, PatternsController);
  return HANDLERS.flatMap((name) => {
    const handler = Reflect.get(PatternsController.prototype, name) as () => unknown;
    const access = accessRuleOf(reflector, [handler, PatternsController]);
    // The headers of a deprecation are the guard's, which is not asked here.
    if (access === 'public' || deprecationOf(handler, PatternsController)) return [];
    const path = [basePath, parent, reflector.get<string>(PATH_METADATA, handler)]
      .filter((part) => part !== '/')
      .join('/');
    return {
      path,
      saying: reflector.get<Saying>(SAYS, handler),
      rule: { access, countsQuota: true },
      document: (caller) => controller[name](caller),
    };
  });
}
