// @ts-check
// The same counts by a full scan: DuckDB reads every message once and groups it by send day, stratum and each of the
// dimensions, by hour and by delay. Reads the folder of the files of tools/bench/history.mjs; answers each line on its
// standard input with the CPU microseconds of one scan.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const [, , packages = '', folder = '', columns = ''] = process.argv;
/** @type {any} */
const { DuckDBInstance } = createRequire(join(packages, 'package.json'))('@duckdb/node-api');

const instance = await DuckDBInstance.create(join(folder, 'scan.duckdb'));
const connection = await instance.connect();
const dimensions = columns.split(',').slice(7);
const types = [
  'INTEGER',
  'UTINYINT',
  'UTINYINT',
  'UTINYINT',
  'UUID',
  'UTINYINT',
  ...dimensions.map(() => 'UTINYINT'),
];
const names = [
  'day',
  'channel',
  'step',
  'position',
  'id',
  'hour',
  ...dimensions.map((_, index) => `d${index}`),
];
const scan = names.map((name, index) => `'${name}': '${types[index]}'`).join(', ');
await connection.run(`CREATE TABLE IF NOT EXISTS messages AS
  SELECT sent.* EXCLUDE (id), delay IS NOT NULL AS replied, coalesce(delay, -1)::TINYINT AS delay
  FROM read_csv('${folder}/scan.csv', header = false, columns = {${scan}}) AS sent
  LEFT JOIN read_csv('${folder}/replies.csv', header = false,
    columns = {'id': 'UUID', 'delay': 'INTEGER', 'at': 'TIMESTAMP'}) AS answered USING (id)`);
const stratum = 'day, channel, step, position';
const sets = ['', 'hour', 'delay', ...dimensions.map((_, index) => `d${index}`)];
const grouped = sets.map((set) => `(${[stratum, ...(set ? [set] : [])].join(', ')})`).join(', ');
const asSets = `SELECT ${[stratum, ...sets.slice(1)].join(', ')}, count(*) AS n, sum(replied::INTEGER) AS y
  FROM messages GROUP BY GROUPING SETS (${grouped})`;
const asUnnested = `SELECT ${stratum}, place, count(*) AS n, sum(replied::INTEGER) AS y FROM (
    SELECT ${stratum}, replied, unnest([${sets
      .slice(1)
      .map((set, index) => `${index} * 256 + ${set}`)
      .join(', ')}, -1]) AS place
    FROM messages) GROUP BY ALL`;

/** @param {string} statement @returns {Promise<number>} CPU microseconds. */
async function cost(statement) {
  const before = process.cpuUsage();
  const result = await connection.run(`SELECT count(*), sum(n), sum(y) FROM (${statement})`);
  await result.getRows();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

// Whichever DuckDB does with less is the floor.
const [sets1, unnested1] = [await cost(asSets), await cost(asUnnested)];
const statement = sets1 <= unnested1 ? asSets : asUnnested;
const shape = sets1 <= unnested1 ? 'grouping sets' : 'unnested lists';
process.stdout.write(`ready|${shape}|${Math.round(sets1)}|${Math.round(unnested1)}\n`);
createInterface({ input: process.stdin }).on('line', () => {
  void cost(statement).then((spent) => process.stdout.write(`${Math.round(spent)}\n`));
});
