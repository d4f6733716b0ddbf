import type { LoggerService } from '@nestjs/common';
import pino, { type Logger } from 'pino';

export type { Logger } from 'pino';
export const LOGGER = Symbol('Logger');

/**
 * Structured logs, one JSON line each. What may be personal or secret is cut here as well as at the source:
 * a log line carries ids, codes and durations, never bodies, addresses or keys.
 */
export function createLogger(service: string, level: string): Logger {
  return pino({
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
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

/** Bytes of access lines that are written together, and how long a line may wait for others, in milliseconds. */
const LINES_BYTES = 8_192;
const LINES_WAIT_MS = 100;

/** A log of one line per request. */
export interface AccessLog {
  readonly logger: Logger;
  /** Writes what still waits; to be called before the process ends. */
  readonly flush: () => void;
}

/**
 * The log of requests: its lines hold nothing to cut, and they go out together, because a write for each would cost
 * as much as taking an event. A process that is killed loses those of its last tenth of a second; errors have
 * lines of their own in the ordinary log, which waits for nothing.
 * @param dest - a file in place of standard output
 */
export function createAccessLog(service: string, level: string, dest: string | 1 = 1): AccessLog {
  // Written in the same turn as the lines of the ordinary log, so that the two never mix within a line.
  const destination = pino.destination({
    dest,
    sync: true,
    minLength: LINES_BYTES,
    periodicFlush: LINES_WAIT_MS,
  });
  const logger = pino({ level, base: { service }, timestamp: pino.stdTimeFunctions.isoTime }, destination);
  return { logger, flush: () => destination.flushSync() };
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
