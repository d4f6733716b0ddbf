// @ts-check
// A process of its own, so that the compiler optimises for this alone: what validation costs beside JSON.parse, and
// what stands between it and the columns that are sent.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../local/settings.mjs';
import { typicalBatch } from './events.mjs';

const repetitions = 40;
/** @param {string} name @returns {Promise<any>} */
const part = (name) => import(pathToFileURL(join(root, 'libs/ingestion/dist', name)).href);
const { checkBody } = await part('validation/event-rules.js');
const { recordOf } = await part('identity/event-record.js');
const { NameBasedUuids } = await part('identity/name-based-uuid.js');
const { columnsOf } = await part('storage/event-sql.js');

const rounds = Number(process.argv[2]);
const bodies = Array.from({ length: 8 }, (_, at) => typicalBatch(500, at * 500));
const now = Date.now();
const companyId = '6e38e328-70eb-5657-9c91-f5b5b68b0ec4';
let kept = 0;

/** @param {Buffer} body */
const parse = (body) => {
  kept += JSON.parse(body.toString('utf8')).events.length;
};
/** All of parse, too. @param {Buffer} body @returns {any[]} */
const take = (body) => {
  const verdicts = checkBody(body, now);
  if (verdicts.some((/** @type {any} */ { faults }) => faults))
    throw new RangeError('the events are not legal');
  kept += verdicts.length;
  return verdicts;
};
/** All of take, too. @param {Buffer} body */
const send = (body) => {
  const uuids = new NameBasedUuids(companyId);
  const records = take(body).map(({ checked }) => recordOf(checked, uuids));
  kept += columnsOf(records).length;
};

/**
 * CPU, that of helping threads such as the garbage collector's included: a busy machine makes the time on the wall
 * several times as long, and that of some works more than that of others.
 * @param {(body: Buffer) => void} work
 * @returns {number} Milliseconds per batch.
 */
function time(work) {
  const before = process.cpuUsage();
  for (let at = 0; at < repetitions; at += 1) work(/** @type {Buffer} */ (bodies[at % bodies.length]));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / repetitions;
}

for (let warmUp = 0; warmUp < 4; warmUp += 1) for (const work of [parse, take, send]) time(work);
const results = Array.from({ length: rounds }, () => ({
  ...{ parse: time(parse), take: time(take), send: time(send) },
}));
if (kept === 0) throw new RangeError('nothing was parsed');
console.log(JSON.stringify(results));
