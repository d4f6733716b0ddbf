import type { Path, Route, SourceProfile } from '../profile';
import { readPath, type SourceRecord } from './read-path';
import { addressOf, digestOf, recipientIdOf } from './recipient-id';
import { pathsAskedBy, pathsNeededBy, pathsOfValue } from './route-paths';

const DIGITS = 32;
const HELD_ADDRESS = /^held-([0-9a-f]{32})@/;
/** Longest text that is kept of a value; ids and times are shorter. */
const MAX_TEXT = 256;

/** What is left of a record. */
export interface ReducedRecord {
  /** The values that the routes of the profile read, in their places; addresses as hashes. */
  readonly fields: SourceRecord;
  /** Everybody whose address was in it, as events name them. */
  readonly recipientIds: readonly string[];
}

/**
 * Leaves of a record what the deliveries of a profile read and nothing else: no subject, no text, and in place of an
 * address `held-` and its hash, which names the same recipient when the record is mapped later. Other texts with an @ in
 * them are left out, unless they are ids that messages are known by.
 */
export function reduceRecord(profile: SourceProfile, record: SourceRecord): ReducedRecord {
  const { kept, marks, ids } = pathsOf(profile);
  const fields: Record<string, unknown> = {};
  const recipientIds = new Set<string>();
  for (const path of kept.values()) {
    const value = readPath(record, path);
    // Whether a text is there may decide what a record is; what it says is nobody's business.
    if (marks.has(nameOf(path))) {
      if (value !== undefined) put(fields, path, true);
      continue;
    }
    if (typeof value !== 'string') {
      if (typeof value === 'number' || typeof value === 'boolean') put(fields, path, value);
      continue;
    }
    const address = addressOf(value);
    if (address !== undefined) {
      recipientIds.add(recipientIdOf(address));
      put(fields, path, heldAddressOf(address));
    } else if (!value.includes('@') || ids.has(nameOf(path))) put(fields, path, value.slice(0, MAX_TEXT));
  }
  return { fields, recipientIds: [...recipientIds] };
}

/** @returns whose address it stands for: the hash of it, 32 hexadecimal digits; undefined where it is an address itself */
export function hashInHeldAddress(address: string): string | undefined {
  return HELD_ADDRESS.exec(address)?.[1];
}

/** The domain stays, as it does of events. */
function heldAddressOf(address: string): string {
  return `held-${digestOf(address).slice(0, DIGITS)}${address.slice(address.lastIndexOf('@'))}`;
}

interface KeptPaths {
  readonly kept: ReadonlyMap<string, Path>;
  /** Names of those of which a condition asks whether anything is there, and nothing else reads them. */
  readonly marks: ReadonlySet<string>;
  /** Names of those that hold ids of messages and conversations. */
  readonly ids: ReadonlySet<string>;
}

const known = new WeakMap<SourceProfile, KeptPaths>();

function pathsOf(profile: SourceProfile): KeptPaths {
  const before = known.get(profile);
  if (before) return before;
  const kept = new Map<string, Path>();
  const marks = new Set<string>();
  const ids = new Set<string>();
  const webhooks = profile.routes.filter(({ media }) => media.includes('webhook'));
  for (const path of webhooks.flatMap(pathsNeededBy)) {
    kept.set(nameOf(path), path);
    marks.add(nameOf(path));
  }
  for (const path of webhooks.flatMap(pathsIn)) {
    kept.set(nameOf(path), path);
    marks.delete(nameOf(path));
  }
  for (const { message, event_id } of profile.routes)
    for (const value of [message?.ref, message?.conversation, event_id])
      for (const path of pathsOfValue(value)) ids.add(nameOf(path));
  const paths = { kept, marks, ids };
  known.set(profile, paths);
  return paths;
}

function pathsIn(route: Route): Path[] {
  const { event_id, message, facts = [], type } = route;
  const { joins: _joins, subject: _subject, ...named } = message ?? { joins: 'ref' };
  const values = [
    event_id,
    type,
    ...Object.values(named),
    ...facts.flatMap(({ at, once = [] }) => [at, ...once]),
  ];
  return [...values.flatMap(pathsOfValue), ...pathsAskedBy(route)];
}

const nameOf = (path: Path) => JSON.stringify(path);

function put(into: Record<string, unknown>, path: Path, value: unknown): void {
  const keys = typeof path === 'string' ? [path] : path;
  let place = into;
  for (const key of keys.slice(0, -1)) {
    const inner = Object.hasOwn(place, key) ? place[key] : undefined;
    if (typeof inner === 'object' && inner !== null) place = inner as Record<string, unknown>;
    else place = define(place, key, {}) as Record<string, unknown>;
  }
  define(place, keys.at(-1) ?? '', value);
}

/** Also where a profile of a caller names `__proto__`. */
function define(into: Record<string, unknown>, key: string, value: unknown): unknown {
  Object.defineProperty(into, key, { value, enumerable: true, configurable: true, writable: true });
  return value;
}
