import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { addsGoldens } from '@outcomes/testing';

const FOLDER = join(__dirname, '../../../libs/contracts/fixtures/v1');
/** Of long lists of objects the beginning is kept; lists of numbers are tables. */
const MAX_ITEMS = 12;

const folderOf = (question: string) => question.replaceAll(/(?!^)[A-Z]/g, '-$&').toLowerCase();
const fileOf = (question: string, name: string) => join(FOLDER, folderOf(question), `${name}.json`);

/**
 * Keeps a result as it was served, where none is kept of this case, and none that is the same: what is kept is never
 * written again.
 */
export function keepGolden(question: string, name: string, result: unknown): void {
  const file = fileOf(question, name);
  const golden = beginningsOf(result);
  if (!addsGoldens() || existsSync(file)) return;
  if ([...goldensOf(question).values()].some((other) => isDeepStrictEqual(other, golden))) return;
  mkdirSync(join(FOLDER, folderOf(question)), { recursive: true });
  writeFileSync(file, `${JSON.stringify(golden, null, 2)}\n`, { flag: 'wx' });
}

/** What is kept of a question, by case. */
export function goldensOf(question: string): ReadonlyMap<string, unknown> {
  const folder = join(FOLDER, folderOf(question));
  const files = existsSync(folder) ? readdirSync(folder).sort() : [];
  return new Map(
    files.map((file) => [
      file.replace(/\.json$/, ''),
      JSON.parse(readFileSync(join(folder, file), 'utf8')) as unknown,
    ]),
  );
}

function beginningsOf(value: unknown): unknown {
  if (Array.isArray(value)) {
    const isOfObjects = value.some((item) => typeof item === 'object' && !Array.isArray(item));
    return (isOfObjects ? value.slice(0, MAX_ITEMS) : value).map(beginningsOf);
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, beginningsOf(inner)]));
}
