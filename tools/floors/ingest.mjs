// @ts-check
// Takes the batches that the ingest API takes and inserts them: node:http, JSON.parse, one flat unnest. What waits
// while a statement is under way goes together in the next one, so that single events have a floor too.
import { createServer } from 'node:http';
import pg from 'pg';

const { DATABASE_URL, PORT } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10, application_name: 'floor' });
const companyId = '00000000-0000-4000-8000-000000000000';

/**
 * The columns of outcome_events. Enumerations and derived ids are stood in for by values of the same size.
 * @type {[name: string, type: string, read: (event: any) => unknown][]}
 */
const columns = [
  ['event_id', 'uuid', (event) => event.event_id],
  ['touch_id', 'uuid', (event) => event.event_id],
  ['channel', 'smallint', () => 1],
  ['sequence_step', 'smallint', (event) => event.sequence_step],
  ['outcome', 'smallint', () => 1],
  ['tone', 'smallint', () => 1],
  ['sent_offset_minutes', 'smallint', () => null],
  ['sent_has_time', 'boolean', () => true],
  ['word_count', 'integer', (event) => event.word_count],
  ['sent_at', 'timestamptz', (event) => event.sent_at],
  ['outcome_at', 'timestamptz', (event) => event.outcome_at],
  ['recipient_id', 'text', (event) => event.recipient_id],
  ['thread_id', 'text', (event) => event.thread_id],
  ['campaign_id', 'text', (event) => event.metadata.campaign_id],
  ['recipient_hash', 'text', (event) => event.recipient_email.slice(0, 16)],
  ['email_domain', 'text', () => 'example.com'],
  ['recipient_position', 'text', (event) => event.recipient_position],
  ['subject', 'text', (event) => event.subject],
  ['body_excerpt', 'text', (event) => event.body_excerpt],
  ['body', 'text', (event) => event.body],
  ['industry', 'text', (event) => event.industry],
  ['metadata', 'jsonb', (event) => JSON.stringify(event.metadata)],
];
const names = columns.map(([name]) => name).join(', ');
const arrays = columns.map(([, type], index) => `$${index + 3}::${type}[]`).join(', ');
const text = `INSERT INTO floor_events (company_id, ingested_at, ${names})
  SELECT $1::uuid, $2::timestamptz, ${names} FROM unnest(${arrays}) AS incoming (${names})`;

/** @type {{ events: any[], done: (error?: unknown) => void }[]} */
let waiting = [];
let running = 0;

async function insertWaiting() {
  const group = waiting.splice(0, waiting[0] && waiting[0].events.length > 1 ? 1 : 500);
  running += 1;
  try {
    const events = group.flatMap((request) => request.events);
    const values = columns.map(([, , read]) => events.map((/** @type {any} */ event) => read(event)));
    await pool.query({ name: 'insert', text, values: [companyId, new Date(), ...values] });
    for (const { done } of group) done();
  } catch (error) {
    for (const { done } of group) done(error);
  } finally {
    running -= 1;
    if (waiting.length > 0) void insertWaiting();
  }
}

createServer((request, response) => {
  /** @type {Buffer[]} */
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    if (request.method === 'GET') return response.writeHead(200).end();
    const document = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    const events = document.events ?? [document];
    const done = (/** @type {unknown} */ error) => {
      response.writeHead(error ? 500 : 202, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ accepted: events.length, rejected: 0 }));
    };
    waiting.push({ events, done });
    if (running === 0 || events.length > 1) void insertWaiting();
  });
}).listen(Number(PORT), '127.0.0.1');
