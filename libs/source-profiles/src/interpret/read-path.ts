import type { Path } from '../profile';

/** A row of a file by its columns, or an object of a payload. */
export type SourceRecord = Readonly<Record<string, unknown>>;

/** @returns undefined where nothing stands there; null, an empty text and blanks are nothing too */
export function readPath(record: SourceRecord, path: Path): unknown {
  let found: unknown = record;
  for (const key of typeof path === 'string' ? [path] : path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as SourceRecord)[key];
  }
  if (typeof found === 'string') return found.trim() === '' ? undefined : found;
  return found ?? undefined;
}

/** As a reader would name it. */
export function nameOfPath(path: Path): string {
  return typeof path === 'string' ? path : path.join('.');
}

/** A text or a number as text, without blanks around it. */
export function textAt(record: SourceRecord, path: Path): string | undefined {
  const found = readPath(record, path);
  if (typeof found === 'string') return found.trim();
  return typeof found === 'number' && Number.isFinite(found) ? String(found) : undefined;
}

const YES = new Set(['true', 'yes', 'y', '1', 'x']);
const NO = new Set(['false', 'no', 'n', '0', '']);

/** @returns undefined where it is neither a yes nor a no */
export function yesOrNo(found: unknown): boolean | undefined {
  if (found === undefined) return false;
  if (typeof found === 'boolean') return found;
  if (typeof found !== 'string' && typeof found !== 'number') return undefined;
  const text = String(found).trim().toLowerCase();
  if (YES.has(text)) return true;
  return NO.has(text) ? false : undefined;
}
