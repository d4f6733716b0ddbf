// @ts-check
// A process of its own, so that the compiler optimises for this alone: what validation costs beside JSON.parse.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../local/settings.mjs';
import { typicalBatch } from './events.mjs';
import { median } from './report.mjs';

const repetitions = 40;
/** @param {string} name @returns {Promise<any>} */
const part = (name) => import(pathToFileURL(join(root, 'libs/ingestion/dist/validation', name)).href);
const { parseEvents } = await part('parse-events.js');
const { checkEvent } = await part('event-rules.js');

const rounds = Number(process.argv[2]);
const bodies = Array.from({ length: 8 }, (_, at) => typicalBatch(500, at * 500));
const now = Date.now();
let kept = 0;

/** @param {Buffer} body */
const parse = (body) => {
  kept += JSON.parse(body.toString('utf8')).events.length;
};
/** @param {Buffer} body */
const take = (body) => {
  const verdicts = parseEvents(body).map((/** @type {unknown} */ event) => checkEvent(event, now));
  if (verdicts.some((/** @type {any} */ { faults }) => faults))
    throw new RangeError('the events are not legal');
  kept += verdicts.length;
};

/** @param {(body: Buffer) => void} work @returns {number} Median milliseconds per batch. */
function time(work) {
  /** @type {number[]} */
  const times = [];
  for (let at = 0; at < repetitions; at += 1) {
    const body = /** @type {Buffer} */ (bodies[at % bodies.length]);
    const before = performance.now();
    work(body);
    times.push(performance.now() - before);
  }
  return median(times);
}

for (let warmUp = 0; warmUp < 3; warmUp += 1) {
  time(parse);
  time(take);
}
const results = Array.from({ length: rounds }, () => ({ parse: time(parse), take: time(take) }));
if (kept === 0) throw new RangeError('nothing was parsed');
console.log(JSON.stringify(results));
