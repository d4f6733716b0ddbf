// @ts-check
// The same counts by full scans: DuckDB reads every message and groups it, as the service keeps it counted, by send day
// and stratum, by campaign and stratum, and by campaign and bin of texts, each with every dimension; and by text. Reads
// the folder of the files of tools/bench/history.ts; answers each line on its standard input with the CPU microseconds
// of all scans, and of the first group alone.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const [, , packages = '', folder = '', columns = ''] = process.argv;
/** @type {any} */
const { DuckDBInstance } = createRequire(join(packages, 'package.json'))('@duckdb/node-api');

const instance = await DuckDBInstance.create(join(folder, 'scan.duckdb'));
const connection = await instance.connect();
const [, dimensionNames = ''] = columns.split(',text,');
const dimensions = dimensionNames.split(',').map((name, index) => ({ name, column: `d${index}` }));
const types = {
  ...{
    day: 'INTEGER',
    channel: 'UTINYINT',
    step: 'UTINYINT',
    position: 'UTINYINT',
    id: 'UUID',
    hour: 'UTINYINT',
  },
  ...{ campaign: 'UINTEGER', text: 'UINTEGER' },
  ...Object.fromEntries(dimensions.map(({ column }) => [column, 'UTINYINT'])),
};
const scan = Object.entries(types).map(([name, type]) => `'${name}': '${type}'`);
await connection.run(`CREATE TABLE IF NOT EXISTS messages AS
  SELECT sent.* EXCLUDE (id), delay IS NOT NULL AS replied, coalesce(delay, -1)::TINYINT AS delay
  FROM read_csv('${folder}/scan.csv', header = false, columns = {${scan.join(', ')}}) AS sent
  LEFT JOIN read_csv('${folder}/replies.csv', header = false,
    columns = {'id': 'UUID', 'delay': 'INTEGER', 'at': 'TIMESTAMP'}) AS answered USING (id)`);

const levels = dimensions.map(({ column }) => column);
/** Timing, step and channel are no matter of a text. */
const ofNoText = ['weekday', 'daypart', 'sequence_step', 'channel'];
const ofTexts = dimensions.filter(({ name }) => !ofNoText.includes(name)).map(({ column }) => column);

/** What is counted: messages and replies by the keys alone, and by the keys and each of the parts. */
const counted = [
  { keys: 'day, channel, step, position', parts: ['hour', 'delay', ...levels], alone: true },
  // A campaign of these histories lasts a fortnight, which is what its counts are kept by.
  { keys: 'campaign, channel, step, position', parts: ['day', ...levels], alone: true },
  { keys: 'campaign, bin', parts: ofTexts, alone: false },
  { keys: 'campaign, text', parts: [], alone: true },
];
const messages = `(SELECT *, text % 64 AS bin FROM messages)`;
const sums = 'count(*) AS n, sum(replied::INTEGER) AS y';

/** Two ways to the same counts. @param {typeof counted[number]} wanted */
function statementsOf({ keys, parts, alone }) {
  if (parts.length === 0) return [`SELECT ${keys}, ${sums} FROM ${messages} GROUP BY ALL`];
  const sets = [...(alone ? [`(${keys})`] : []), ...parts.map((part) => `(${keys}, ${part})`)];
  const list = parts.map((part, index) => `${index} * 65536 + ${part}`);
  return [
    `SELECT ${keys}, ${parts.join(', ')}, ${sums} FROM ${messages} GROUP BY GROUPING SETS (${sets.join(', ')})`,
    `SELECT ${keys}, place, ${sums} FROM (SELECT ${keys}, replied, unnest([${[...list, ...(alone ? ['-1'] : [])].join(', ')}])
       AS place FROM ${messages}) GROUP BY ALL`,
  ];
}

/** @param {string} statement @returns {Promise<number>} CPU microseconds. */
async function cost(statement) {
  const before = process.cpuUsage();
  const result = await connection.run(`SELECT count(*), sum(n), sum(y) FROM (${statement})`);
  await result.getRows();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

// Whichever DuckDB does with less is the floor.
/** @type {string[]} */
const chosen = [];
const notes = [];
for (const wanted of counted) {
  const tried = [];
  for (const statement of statementsOf(wanted)) tried.push({ statement, spent: await cost(statement) });
  tried.sort((one, other) => one.spent - other.spent);
  chosen.push(tried[0]?.statement ?? '');
  notes.push(`${wanted.keys}: ${tried.map(({ spent }) => Math.round(spent / 1_000)).join(' or ')} ms`);
}
process.stdout.write(`ready|${notes.join('; ')}\n`);

async function scans() {
  let [all, first] = [0, 0];
  for (const [index, statement] of chosen.entries()) {
    const spent = await cost(statement);
    all += spent;
    if (index === 0) first = spent;
  }
  return `${Math.round(all)}|${Math.round(first)}\n`;
}
createInterface({ input: process.stdin }).on('line', () => {
  void scans().then((line) => process.stdout.write(line));
});
