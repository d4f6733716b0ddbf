import { gzipSync } from 'node:zlib';
import { hostileBodies } from '../bench/events.mjs';
import { smallEvent } from './requests.ts';

/**
 * A request that nobody should send, and what it has to be answered.
 * `accepted`: events that are stored all the same; `code`: of the answer, or of the only fault where it is 202.
 */
export interface Hostile {
  name: string;
  status: number;
  path?: string;
  method?: string;
  type?: string;
  headers?: Record<string, string>;
  body?: Buffer | string;
  accepted?: number;
  code?: string;
  isLarge?: boolean;
}

const mebibyte = 1_024 * 1_024;

/** A batch with one poisoned event between two good ones. @param field As JSON text. @param raw As JSON text. */
function between(name: string, field: string, raw: string): Hostile {
  const [first, last] = [smallEvent(), smallEvent()];
  const poisoned = JSON.stringify({ ...smallEvent(), [field]: '@' }).replace('"@"', () => raw);
  const body = `{"events":[${JSON.stringify(first)},${poisoned},${JSON.stringify(last)}]}`;
  return { name: `${field} ${name}`, status: 202, accepted: 2, body };
}

/** The same with a value that is taken. @param raw As JSON text. */
const harmless = (field: string, raw: string): Hostile => ({
  ...between(`of ${raw}`, field, raw),
  accepted: 3,
});

const text = (name: string, field: string, value: string): Hostile =>
  between(name, field, JSON.stringify(value));

/** Values that Postgres refuses, or takes for something else than was sent. */
export function poisonedEvents(): Hostile[] {
  const times = [
    ...[
      '2026-02-30',
      '0000-01-01',
      '2026-02-29T00:00:00Z',
      '2026-13-01',
      '2026-00-10',
      '2026-06-31',
      '02026-06-01',
    ],
    ...[
      '2026-06-01T10:00:00+23:59',
      '2026-06-01T10:00:00+14:01',
      '2026-W23-1',
      '2026-152',
      '2026-06-01T23:59:60Z',
    ],
    ...[
      '2026-06-01T24:00:00Z',
      'now',
      'infinity',
      '-infinity',
      'epoch',
      'tomorrow',
      '',
      ' 2026-06-01',
      '2026-06-01 ',
    ],
    ...[
      '+2026-06-01',
      '2026-6-1',
      '20260601',
      '2026-06-01T1:00Z',
      '1e9',
      '9999-12-31',
      '1700-01-01',
      '２０２６-06-01',
    ],
  ];
  const texts = [
    'recipient_id',
    'thread_id',
    'subject',
    'body',
    'body_excerpt',
    'industry',
    'recipient_position',
  ];
  const integers = [
    '2147483648',
    '-1',
    '1e200000',
    '-1e200000',
    '1.5',
    '9007199254740993',
    '"5"',
    'true',
    '[]',
  ];
  const deep = `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`;
  return [
    ...times.flatMap((time) => [
      text(`of ${JSON.stringify(time)}`, 'sent_at', time),
      text(`of ${JSON.stringify(time)}`, 'outcome_at', time),
    ]),
    ...texts.flatMap((field) => [
      text('with NUL', field, 'a\0b'),
      between('with a lone high surrogate', field, '"a\\ud800"'),
      between('with a lone low surrogate', field, '"\\udc00a"'),
      between('with surrogates in the wrong order', field, '"\\udc00\\ud800"'),
      between('of a number', field, '1'),
      between('of an object', field, '{"toString":1}'),
    ]),
    ...integers.map((raw) => between(`of ${raw}`, 'word_count', raw)),
    ...['-1', '51', '32768', '1e400'].map((raw) => between(`of ${raw}`, 'sequence_step', raw)),
    ...[
      '',
      'x',
      '6e38e328',
      '{6e38e328-70eb-4657-9c91-f5b5b68b0ec4}',
      '6e38e32870eb46579c91f5b5b68b0ec4',
    ].map((id) => text(`of ${JSON.stringify(id)}`, 'event_id', id)),
    ...['{"a":"\\u0000"}', '{"\\u0000":1}', '{"a":"\\ud800"}', '{"\\ud800":1}', '{"__proto__":{"a":1}}'].map(
      (raw) => between(`of ${raw}`, 'metadata', raw),
    ),
    ...['{"a":1e400}', '[]', '"x"', deep, `{"a":"${'x'.repeat(2_048)}"}`].map((raw) =>
      between(`of ${raw.slice(0, 24)}`, 'metadata', raw),
    ),
    between('of null', 'recipient_id', 'null'),
    // Null is absent, and these keys mean nothing to anybody here.
    ...['word_count', 'metadata', 'subject', 'event_id'].map((field) => harmless(field, 'null')),
    ...['{"constructor":1}', '{"constructor":{"prototype":{"a":1}}}'].map((raw) => harmless('metadata', raw)),
    between('as a field of the event', '__proto__', '{"channel":"email"}'),
    between('as a field of the event', 'constructor', '{}'),
    between('as a field of the event', 'toString', '1'),
    ...['a@b\0.de', 'a b@c.de', `${'a'.repeat(320)}@b.de`, '@', 'a@@b.de'].map((email) =>
      text(`of ${JSON.stringify(email.slice(0, 9))}`, 'recipient_email', email),
    ),
    ...['null', '1', '"x"', '[]', '[[]]'].map((raw) => ({
      ...{ name: `event that is ${raw}`, status: 202, accepted: 1 },
      body: `{"events":[${raw},${JSON.stringify(smallEvent())}]}`,
    })),
    // Not wrong, only frightening: they are stored as they are.
    ...[
      "'; DROP TABLE outcome_events; --",
      '{}',
      '{"a",NULL}',
      '\\',
      '\u202e\ufeff\uffff',
      '𝒳🜁',
      '$1',
      '%s%n',
    ].map((good) => ({
      ...{ name: `subject of ${JSON.stringify(good)}`, status: 202, accepted: 1 },
      body: JSON.stringify(smallEvent({ subject: good, metadata: { note: good } })),
    })),
  ];
}

/** Bodies and requests that are refused as a whole. */
export function refusedRequests(): Hostile[] {
  const one = JSON.stringify(smallEvent());
  const large = { isLarge: true };
  const none = { status: 202, accepted: 0 };
  const bomb = gzipSync(Buffer.alloc(400 * mebibyte, ' '));
  const nested = gzipSync(gzipSync(Buffer.alloc(64 * mebibyte, '[')));
  const status = (code: number, bodies: string[]) =>
    bodies.map((body) => ({ name: `body ${body.slice(0, 20)}`, status: code, body }));
  return [
    // One string of 1.4 M escapes is a legal document, though no event.
    ...hostileBodies().map(([name, body]) => ({
      name,
      body,
      ...large,
      ...(name === 'escapes' ? none : { status: 400 }),
    })),
    { name: '3 M nested brackets', status: 400, body: '['.repeat(3_000_000), ...large },
    { name: '3 M nested objects', status: 400, body: '{"a":'.repeat(1_600_000), ...large },
    {
      name: '1.5 M nested brackets, closed',
      status: 400,
      body: `${'['.repeat(1_500_000)}${']'.repeat(1_500_000)}`,
      ...large,
    },
    {
      name: 'a gzip bomb of 400 MB',
      status: 413,
      body: bomb,
      headers: { 'Content-Encoding': 'gzip' },
      ...large,
    },
    {
      name: 'a gzip of a gzip',
      status: 400,
      body: nested,
      headers: { 'Content-Encoding': 'gzip' },
      ...large,
    },
    {
      name: 'half a gzip',
      status: 400,
      body: bomb.subarray(0, 5_000),
      headers: { 'Content-Encoding': 'gzip' },
    },
    { name: 'gzip that is none', status: 400, body: one, headers: { 'Content-Encoding': 'gzip' } },
    { name: 'br that is none', status: 400, body: one, headers: { 'Content-Encoding': 'br' } },
    { name: 'an unknown compression', status: 415, body: one, headers: { 'Content-Encoding': 'lzma' } },
    { name: 'a byte more than 8 MiB', status: 413, body: one.padEnd(8 * mebibyte + 1, ' '), ...large },
    {
      name: '501 events',
      status: 413,
      body: JSON.stringify({ events: Array.from({ length: 501 }, () => smallEvent()) }),
    },
    { name: 'no UTF-8', status: 400, body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]) },
    { name: 'UTF-8 of a surrogate', status: 400, body: Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]) },
    { name: 'UTF-16', status: 400, body: Buffer.from(one, 'utf16le') },
    ...status(400, [
      '',
      '{',
      '\0',
      'undefined',
      '{"events":[1,]}',
      "{'events':[]}",
      '[]',
      'null',
      '"x"',
      '1e400',
      '{"events":{}}',
      '{"events":[],"more":1}',
      '\ufeff',
    ]),
    { name: 'the wrong media type', status: 415, body: one, type: 'text/plain' },
    { name: 'a UTF-16 charset', status: 415, body: one, type: 'application/json; charset=utf-16' },
    { name: 'no method of ours', status: 405, method: 'PUT', body: one },
    ...['%00', '%', '%ff', 'x', '..%2f..%2f', `${'9'.repeat(6_000)}`, '%F0%9F%98%80'].map((id) => ({
      ...{
        name: `DELETE of the event ${id.slice(0, 12)}`,
        status: 400,
        method: 'DELETE',
        path: `/ingest/events/${id}`,
      },
    })),
    ...[
      '',
      '?recipient_id=',
      '?recipient_id=%00',
      '?recipient_id=a&recipient_id=b',
      '?recipient_id=a%00b',
      '?recipient_id=%ff',
    ].map((query) => ({
      ...{
        name: `DELETE of the recipient ${query}`,
        status: 400,
        method: 'DELETE',
        path: `/ingest/events${query}`,
      },
    })),
    ...['?recipient_id[]=a', '?recipient_id[__proto__]=a'].map((query) => ({
      ...{
        name: `DELETE of the recipient ${query}`,
        status: 0,
        method: 'DELETE',
        path: `/ingest/events${query}`,
      },
    })),
  ];
}
