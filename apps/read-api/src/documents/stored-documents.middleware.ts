import { PATH_METADATA } from '@nestjs/common/constants';
import { Reflector } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { accessRuleOf, type Principal } from '@outcomes/auth';
import { deprecationOf } from '@outcomes/deprecation';
import { Admission, type HandlerRule } from '@outcomes/limits';
import { CLOCK, type Clock } from '@outcomes/platform';
import type { PreSerialised } from '@outcomes/read-model';
import type { NextFunction, Request, Response } from 'express';
import { ANSWER_HEADERS, frameOf } from '../envelope';
import { SAYS } from '../envelope/says.decorator';
import { PatternsController } from '../patterns/patterns.controller';

/** Handlers that send a stored document as it is. */
const HANDLERS = ['patterns', 'recipients', 'chunks', 'contactInsights'] as const;

interface Route {
  readonly path: string;
  readonly says: string;
  readonly rule: HandlerRule;
  readonly document: (caller: Principal) => Promise<PreSerialised>;
}

/**
 * Answers plain requests for stored documents before Express and Nest look for a route, which costs more than the
 * answer. Path, permission and message are those of the controller's decorators. Whatever is not plain (HEAD, a query
 * string, If-None-Match) goes on to the controller, and faults go where all faults go. Call it before whatever else
 * takes requests.
 */
export function serveStoredDocuments(app: NestExpressApplication, basePath: string): void {
  const admission = app.get(Admission, { strict: false });
  const clock = app.get<Clock>(CLOCK, { strict: false });
  const routes = new Map(routesOf(app, basePath).map((route) => [route.path, route]));

  const answer = async (route: Route, request: Request, response: Response): Promise<void> => {
    // The access log names it.
    request.route = { path: route.path };
    const { json, etag } = await route.document(await admission.pass(request, response, route.rule));
    const [before, after] = frameOf(route.says, clock.now());
    const text = `${before}${json}${after}`;
    response.writeHead(200, {
      ...ANSWER_HEADERS,
      ETag: `W/"${etag}"`,
      'Content-Length': Buffer.byteLength(text),
    });
    response.end(text);
  };

  app.use((request: Request, response: Response, next: NextFunction) => {
    const route = request.method === 'GET' ? routes.get(request.url) : undefined;
    if (!route || request.headers['if-none-match'] !== undefined) next();
    else answer(route, request, response).catch(next);
  });
}

function routesOf(app: NestExpressApplication, basePath: string): Route[] {
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
      says: reflector.get<string>(SAYS, handler),
      rule: { access, countsQuota: true },
      document: (caller) => controller[name](caller),
    };
  });
}
