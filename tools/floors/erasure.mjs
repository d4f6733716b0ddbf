// @ts-check
// Deletes the events of a recipient, and nothing that was derived from them: node:http and one DELETE by index.
import { createServer } from 'node:http';
import pg from 'pg';

const { DATABASE_URL, PORT } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 4, application_name: 'floor' });

createServer((request, response) => {
  const answer = (/** @type {number} */ status, /** @type {object} */ body) =>
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  if (request.method === 'GET') return answer(200, {});
  const { searchParams } = new URL(request.url ?? '', 'http://floor');
  pool
    .query({
      name: 'delete',
      text: 'DELETE FROM floor_events WHERE company_id = $1 AND recipient_id = $2',
      values: [searchParams.get('company_id'), searchParams.get('recipient_id')],
    })
    .then(
      ({ rowCount }) => answer(200, { deleted: rowCount }),
      () => answer(500, {}),
    );
}).listen(Number(PORT), '127.0.0.1');
