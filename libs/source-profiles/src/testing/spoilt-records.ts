import { readPath, type SourceRecord } from '../interpret/read-path';
import { pathsAskedBy, pathsNeededBy, pathsOfValue } from '../interpret/route-paths';
import type { Path, Route, Value } from '../profile';

/** A record with one of its values gone or unreadable, or all of them. */
export interface SpoiltRecord {
  readonly how: string;
  readonly record: SourceRecord;
  /** Whether it still names its person. */
  readonly namesPerson: boolean;
}

const NO_VALUE = 'soon';
/** Unreadable, ahead, of another age, from before anything was sent, and of nowhere. */
const NO_TIMES = [
  NO_VALUE,
  ...['2999-01-01T00:00:00Z', '0001-01-01T00:00:00Z', '2000-01-01T00:00:00Z', '2026-01-06T09:00:00+99:00'],
];

/** Every way to spoil a value that a route reads and that does not decide what the record is. */
export function spoiltRecords(route: Route, record: SourceRecord): SpoiltRecord[] {
  const { message, event_id: id, facts = [], last_message: last } = route;
  const { joins: _joins, ...named } = message ?? { joins: 'ref' };
  const values = [...Object.values(named), id, last?.sent_at, last?.step, ...facts.map(({ at }) => at)];
  const [asked, needed] = [namesOf(pathsAskedBy(route)), namesOf(pathsNeededBy(route))];
  const people = namesOf([message?.email, message?.recipient].flatMap(pathsOfValue));
  // An id is any text: of two records with the same one nobody can know that they are two.
  const ids = namesOf(pathsOfValue(id));
  const times = namesOf(values.filter(isTime).flatMap(pathsOfValue));
  const read = [...new Map(values.flatMap(pathsOfValue).map((path) => [nameOf(path), path]))].filter(
    ([name, path]) => !asked.has(name) && readPath(record, path) !== undefined,
  );
  const single = read.flatMap(([name, path]) =>
    [
      ...(needed.has(name) ? [] : [undefined]),
      ...(times.has(name) ? NO_TIMES : ids.has(name) ? [] : [NO_VALUE]),
    ].map((value): SpoiltRecord => ({
      how: `${name} = ${value ?? 'nothing'}`,
      record: spoilt(record, path, value),
      namesPerson: !people.has(name),
    })),
  );
  const others = read.filter(([name]) => !people.has(name) && !ids.has(name));
  const whole = others.reduce((made, [, path]) => spoilt(made, path, NO_VALUE), record);
  return [...single, { how: 'all of them', record: whole, namesPerson: true }];
}

/** The same of somebody else: records about many people can be told apart then. */
export function ofAnother(route: Route, record: SourceRecord, name: string): SourceRecord {
  const text = JSON.stringify(record).replaceAll(
    /(?<=")\w+(?=@example\.com")/g,
    (known) => `${known}.${name}`,
  );
  const ids = [route.message?.recipient, route.event_id].flatMap(pathsOfValue);
  return ids.reduce(
    (made, path) => (readPath(made, path) === undefined ? made : spoilt(made, path, name)),
    JSON.parse(text) as SourceRecord,
  );
}

const nameOf = (path: Path) => JSON.stringify(path);
const namesOf = (paths: readonly Path[]) => new Set(paths.map(nameOf));

function isTime(value: Value | undefined): boolean {
  return value?.op === 'time' || (value?.op === 'first' && value.of.some(isTime));
}

function spoilt(record: SourceRecord, path: Path, value: string | undefined): SourceRecord {
  const [key = '', ...inner] = [path].flat();
  if (inner.length === 0) return { ...record, [key]: value };
  return { ...record, [key]: spoilt((record[key] ?? {}) as SourceRecord, inner, value) };
}
