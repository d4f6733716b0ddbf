import type { LoggerService } from '@nestjs/common';
import { isSpanContextValid, trace } from '@opentelemetry/api';
import pino, { type Logger } from 'pino';
import { VERSION } from '../runtime/version';

export type { Logger } from 'pino';
export const LOGGER = Symbol('Logger');

/**
 * Structured logs, one JSON line each. What may be personal or secret is cut here as well as at the source:
 * a log line carries ids, codes and durations, never bodies, addresses or keys.
 */
export function createLogger(service: string, level: string): Logger {
  return pino({
    level,
    base: { service: appOf(service), version: VERSION },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    mixin: traceOf,
    redact: {
      paths: [
        '*.authorization',
        '*.apiKey',
        '*.body',
        '*.subject',
        '*.recipient_email',
        '*.secret',
        '*.detail',
      ],
      remove: true,
    },
    serializers: { err: describeError },
  });
}

/** Name of a service in logs and metrics alike. */
export function appOf(service: string): string {
  return service.replace(/^outcomes-/, '');
}

/** @returns ids of the span that is being worked in, for lines to be found by; nothing where traces are off */
export function traceOf(): { readonly traceId?: string; readonly spanId?: string } {
  const context = trace.getActiveSpan()?.spanContext();
  return context && isSpanContextValid(context) ? { traceId: context.traceId, spanId: context.spanId } : {};
}

/**
 * What a log may say of an error: its class, code and where it was thrown. Messages of foreign errors are left
 * out, because Postgres and parsers quote the data they choke on.
 */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name, stack, cause } = error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return {
    type: name,
    code,
    at: stack
      ?.split('\n')
      .filter((line) => line.startsWith('    at '))
      .slice(0, 6)
      .map((line) => line.trim()),
    ...(cause !== undefined && { cause: describeError(cause) }),
  };
}

/** Nest's own messages, through the same logger. Only warnings and errors: its start-up chatter helps nobody. */
export function nestLogger(logger: Logger): LoggerService {
  const text = (message: unknown) => (message instanceof Error ? message.name : String(message));
  return {
    log: (message: unknown) => logger.debug(text(message)),
    error: (message: unknown) => logger.error(text(message)),
    warn: (message: unknown) => logger.warn(text(message)),
  };
}
