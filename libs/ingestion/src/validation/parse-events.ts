import { isUtf8 } from 'node:buffer';
import { AppError } from '@outcomes/contracts';
import { parseJson } from '@outcomes/platform';
import { EVENTS_STRUCTURE, keepsWithin } from './json-structure';

/** Events (or CSV rows) in one request. */
export const MAX_EVENTS = 500;

const SHAPE_HINT = 'Send {"events": [...]} with at most 500 outcome events, or one outcome event object.';

/**
 * Reads the body of POST /ingest/events.
 * @returns the events in order; a single event object is a list of one
 * @throws AppError INVALID_ENCODING, INVALID_JSON, INVALID_REQUEST or TOO_MANY_EVENTS: nothing of the request
 * is stored then
 */
export function parseEvents(body: Buffer): readonly unknown[] {
  const document = parseDocument(body);
  if (typeof document !== 'object' || document === null || Array.isArray(document)) throw wrongShape();
  if (!Object.hasOwn(document, 'events')) return [document];
  const { events, ...others } = document as { events: unknown };
  if (!Array.isArray(events) || Object.keys(others).length > 0) throw wrongShape();
  if (events.length > MAX_EVENTS) throw new AppError('TOO_MANY_EVENTS', { limit: MAX_EVENTS });
  return events;
}

/**
 * The one JSON document of a body.
 * @param hint - what to send, for who nests too deep
 * @throws AppError INVALID_ENCODING, INVALID_JSON or INVALID_REQUEST
 */
export function parseDocument(body: Buffer, hint = SHAPE_HINT): unknown {
  if (!isUtf8(body)) throw new AppError('INVALID_ENCODING');
  if (!keepsWithin(body, EVENTS_STRUCTURE)) {
    throw new AppError(
      'INVALID_REQUEST',
      {},
      { message: `The body nests too deep or holds too many values. ${hint}` },
    );
  }
  try {
    const text = body.toString('utf8');
    return parseJson(text.startsWith('\uFEFF') ? text.slice(1) : text);
  } catch (error) {
    throw new AppError('INVALID_JSON', {}, { cause: error });
  }
}

function wrongShape(): AppError {
  return new AppError(
    'INVALID_REQUEST',
    {},
    { message: `The request does not have the documented shape. ${SHAPE_HINT}` },
  );
}
