// An ingest service with one fault, chosen by MODE. It does the work of the real one in the broken order, so that
// the checkers can be seen to find it.
//   answer-first    202 before COMMIT
//   async-commit    COMMIT does not wait for the disk
//   shared-tenant   the company stands in a variable that all requests share
//   no-key          nothing makes an event unique
//   month-key       an event is unique within the month of its receipt
//   naive           no validation: what Postgres refuses fails the whole batch, and whatever comes is parsed
import { createServer } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import pg from 'pg';

const { DATABASE_URL, PORT, MODE = '', KEYS = '{}' } = process.env;
const keys = JSON.parse(KEYS);
const table = `mutant_${MODE.replaceAll('-', '_')}`;
const unique = {
  'no-key': '',
  'month-key': ', PRIMARY KEY (company_id, month, event_id)',
};
const pool = new pg.Pool({
  ...{ connectionString: DATABASE_URL, max: 8, application_name: 'mutant', connectionTimeoutMillis: 1_500 },
  ...(MODE === 'async-commit' && { options: '-c synchronous_commit=off' }),
});
pool.on('error', () => {});
await pool.query(`CREATE TABLE IF NOT EXISTS ${table} (
  company_id uuid, event_id uuid, month text, recipient_id text, sent_at timestamptz, word_count integer,
  metadata jsonb${MODE in unique ? unique[MODE as keyof typeof unique] : ', PRIMARY KEY (company_id, event_id)'})`);

let currentCompany: string | undefined;

async function insert(companyId: string, events: any[]) {
  const month = new Date().toISOString().slice(0, 7);
  const column = (read: (event: any) => unknown) => events.map(read);
  const { rowCount } = await pool.query(
    `INSERT INTO ${table} (company_id, month, event_id, recipient_id, sent_at, word_count, metadata)
     SELECT $1, $2, * FROM unnest($3::uuid[], $4::text[], $5::timestamptz[], $6::integer[], $7::jsonb[]) ON CONFLICT DO NOTHING`,
    [
      ...[companyId, month, column((event) => event.event_id), column((event) => event.recipient_id)],
      ...[column((event) => event.sent_at), column((event) => event.word_count)],
      column((event) => JSON.stringify(event.metadata ?? {})),
    ],
  );
  return rowCount ?? 0;
}

createServer((request, response) => {
  if (request.method === 'GET') return response.writeHead(200).end();
  const answer = (status: number, body: object) => {
    if (response.headersSent) return;
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  };
  const take = async () => {
    currentCompany = keys[(request.headers.authorization ?? '').slice('Bearer '.length)];
    const own = currentCompany ?? '';
    const { events } = JSON.parse(await textOf(request));
    // What its JSON.parse costs is known by now; millions of rows would only burden the machine.
    if (events.length > 500) return answer(413, { error: 'TOO_MANY_EVENTS' });
    // As where the key is looked up: another request may come in meanwhile.
    if (MODE === 'shared-tenant') await pool.query('SELECT 1');
    const companyId = MODE === 'shared-tenant' ? (currentCompany ?? '') : own;
    const taken = { accepted: events.length, rejected: 0, errors: [] };
    if (MODE === 'answer-first') answer(202, taken);
    const inserted = await insert(companyId, events);
    answer(202, { ...taken, duplicates: events.length - inserted });
  };
  take().catch((error) => answer(500, { error: String(error.code ?? 'broken') }));
}).listen(Number(PORT), '127.0.0.1');
