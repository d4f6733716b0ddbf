import type { INestApplication } from '@nestjs/common';
import { Authenticator, type Identity } from '@outcomes/auth';
import { allowedMethods } from '@outcomes/platform';
import type { NextFunction, Request, Response } from 'express';
import { burstHeaders, quotaHeaders, type Surface } from '../limiter/consumption';
import { Limiter } from '../limiter/limiter.service';
import { presentedBy } from './presented';
import { paysForItself, Strangers } from './strangers.service';

/** Paths whose answer is remembered; beyond, all are forgotten at once. */
const MOST_KNOWN = 2_000;

/**
 * Counts requests that no handler takes, which no guard ever sees: the answer stays 404 or 405, and carries what
 * is left. A proven credential pays with its burst window, anybody else with the window of the address.
 * Call it before the app listens.
 */
export function countUnmatchedRoutes(app: INestApplication, surface: Surface): void {
  const authenticator = app.get(Authenticator, { strict: false });
  const limiter = app.get(Limiter, { strict: false });
  const strangers = app.get(Strangers, { strict: false });
  const known = new Map<string, boolean>();

  const isRouted = (request: Request): boolean => {
    const name = `${request.method} ${request.path}`;
    const remembered = known.get(name);
    if (remembered !== undefined) return remembered;
    const routed = allowedMethods(request.app, request.path).includes(request.method);
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(name, routed);
    return routed;
  };

  const count = async (request: Request): Promise<Record<string, string>> => {
    const presented = presentedBy(request, surface);
    let identity: Identity;
    try {
      identity = await strangers.prove(presented);
    } catch (error) {
      if (!paysForItself(error)) throw error;
      return limiter.consumeAddress(presented.ip);
    }
    const subject = await authenticator.enter(identity, presented).catch(() => identity);
    const consumption = await limiter.consume(subject, { surface, countsQuota: false });
    return { ...burstHeaders(consumption), ...quotaHeaders(consumption) };
  };

  app.use((request: Request, response: Response, next: NextFunction) => {
    if (isRouted(request)) {
      next();
      return;
    }
    count(request).then((headers) => {
      response.set(headers);
      next();
    }, next);
  });
}
