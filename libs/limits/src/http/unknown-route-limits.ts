import type { INestApplication } from '@nestjs/common';
import { AppError } from '@outcomes/contracts';
import { allowedMethods, exchangeOf } from '@outcomes/platform';
import type { NextFunction, Request, Response } from 'express';
import { TenantAdmission } from './tenant-admission.service';

/** Paths whose answer is remembered; beyond, all are forgotten at once. */
const MAX_KNOWN = 2_000;

const RULE = { access: 'guarded', countsQuota: false } as const;

/**
 * Counts requests that no handler takes, which no guard ever sees: the answer stays 404 or 405, and carries what
 * is left. A proven credential pays with its burst window, anybody else with the window of the address.
 * Call it before the app listens.
 */
export function limitUnknownRoutes(app: INestApplication): void {
  const admission = app.get(TenantAdmission, { strict: false });
  const known = new Map<string, boolean>();

  const isRouted = (request: Request): boolean => {
    const name = `${request.method} ${request.path}`;
    const remembered = known.get(name);
    if (remembered !== undefined) return remembered;
    const routed = allowedMethods(request.app, request.path).includes(request.method);
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(name, routed);
    return routed;
  };

  app.use((request: Request, _response: Response, next: NextFunction) => {
    if (isRouted(request)) return next();
    admission.authorizeRequest(exchangeOf(request), RULE).then(
      () => next(),
      (error: unknown) => next(isCounted(error) ? undefined : error),
    );
  });
}

/** Whoever may not come in has paid for it, and hears that there is nothing here. */
function isCounted(error: unknown): boolean {
  return error instanceof AppError && error.status < 500 && error.code !== 'RATE_LIMITED';
}
