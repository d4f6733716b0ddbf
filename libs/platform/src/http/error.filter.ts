import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { AppError, errorBodyOf } from '@outcomes/contracts';
import type { Request } from 'express';
import type { Logger } from '../logging/logger';
import type { Clock } from '../runtime/clock';
import { allowedMethods } from './allowed-methods';
import { exchangeOf, type Exchange } from './exchange';
import { whenRead } from './unfinished-request';

/** Writes every failure of a request in the one error body. The cause goes to the log, and nowhere else. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(
    private readonly logger: Logger,
    private readonly clock: Clock,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    this.refuse(toAppError(thrown, request), exchangeOf(request));
  }

  /** The same whoever answers the exchange. */
  refuse(thrown: unknown, exchange: Exchange): void {
    const error = thrown instanceof AppError ? thrown : new AppError('INTERNAL_ERROR', {}, { cause: thrown });
    this.note(error, exchange.requestId);
    whenRead(exchange.request, () => this.send(error, exchange));
  }

  private send(error: AppError, exchange: Exchange): void {
    const { response } = exchange;
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (error.status === 401) exchange.setHeader('WWW-Authenticate', 'Bearer');
    exchange.setHeaders(error.headers);
    exchange.setHeader('Content-Type', 'application/json; charset=utf-8');
    try {
      exchange.send(error.status, JSON.stringify(errorBodyOf(error, exchange.requestId, this.clock.now())));
    } catch (fault) {
      // Nobody is left who could answer, and a rejection that nobody awaits would end the process.
      this.logger.error({ requestId: exchange.requestId, err: fault }, 'a refusal could not be sent');
      response.destroy();
    }
  }

  private note(error: AppError, requestId: string): void {
    // Who is sent away on purpose is counted; a line for each would let callers fill the log.
    const isOnPurpose = error.code === 'SERVICE_UNAVAILABLE' && error.cause === undefined;
    if (error.status < 500 || isOnPurpose) return;
    this.logger.error({ requestId, code: error.code, err: error }, 'request failed');
  }
}

/** Maps what the framework and its body readers throw to the catalogue. Unknown things are INTERNAL_ERROR. */
export function toAppError(thrown: unknown, request: Request): AppError {
  if (thrown instanceof AppError) return thrown;
  const status = thrown instanceof HttpException ? thrown.getStatus() : statusOf(thrown);
  if (status === 404) return notFound(request, thrown);
  if (status === 400) return new AppError('INVALID_REQUEST', {}, { cause: thrown });
  if (status === 408) return new AppError('REQUEST_TIMEOUT', {}, { cause: thrown });
  if (status === 413) return new AppError('PAYLOAD_TOO_LARGE', {}, { cause: thrown });
  if (status === 415) return new AppError('UNSUPPORTED_MEDIA_TYPE', {}, { cause: thrown });
  return new AppError('INTERNAL_ERROR', {}, { cause: thrown });
}

function notFound(request: Request, cause: unknown): AppError {
  const allowed = allowedMethods(request.app, request.path);
  return allowed.length > 0
    ? new AppError('METHOD_NOT_ALLOWED', {}, { cause, headers: { Allow: allowed.join(', ') } })
    : new AppError('NOT_FOUND', {}, { cause });
}

function statusOf(thrown: unknown): number | undefined {
  if (typeof thrown !== 'object' || thrown === null || !('status' in thrown)) return undefined;
  // URIError from a broken %-escape and body-parser errors both carry a status of their own.
  return typeof thrown.status === 'number' ? thrown.status : undefined;
}
