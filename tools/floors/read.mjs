// @ts-check
// Answers a stored document: node:http, one Redis script that counts the request, and, where it is told to, one
// prepared SELECT by primary key, as the owner of the tables, whom no policy asks. No key, no tenant, no framework.
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import pg from 'pg';
import { root } from '../local/settings.mjs';

const { Redis } = createRequire(join(root, 'libs/platform/package.json'))('ioredis');
const { DATABASE_URL, REDIS_URL, PORT, COMPANY_ID } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10, application_name: 'floor' });
const redis = new Redis(REDIS_URL, { commandTimeout: 500 });
const script = `local count = redis.call('HINCRBY', KEYS[1], 'n', 1)
  if count == 1 then redis.call('EXPIRE', KEYS[1], ARGV[1]) end
  return { 0, count }`;
const sha1 = await redis.script('LOAD', script);

const read = async () => {
  const { rows } = await pool.query({
    name: 'floor-read',
    text: `SELECT body, etag FROM snapshots WHERE company_id = $1 AND document = $2`,
    values: [COMPANY_ID, 'patterns'],
  });
  return rows[0];
};
const held = await read();

createServer((request, response) => {
  const answer = async () => {
    await redis.evalsha(sha1, 1, 'floor', 900);
    const { body, etag } = request.url === '/held' ? held : await read();
    const before = '{"success":true,"message":"Pattern recommendations, strongest evidence first.","data":';
    const text = `${before}${body},"timestamp":"${new Date().toISOString()}"}`;
    response.writeHead(200, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(text),
      ETag: `W/"${etag}"`,
    });
    response.end(text);
  };
  answer().catch(() => response.writeHead(500).end());
}).listen(Number(PORT), '127.0.0.1');
