import { EXAMPLES, mapExample } from '../testing';
import type { SourceRecord } from './read-path';

const LENGTH = 60_000;
/** A bound that tells a hang, and no measure of speed. */
const PATIENCE_MS = 20_000;
/** Beginnings of what a pattern looks for, again and again, without its end. */
const HOSTILE: readonly string[] = [
  '{'.repeat(LENGTH),
  `01/02/2026 10:00${' '.repeat(LENGTH)}x`,
  `2026-01-02T10:00${' '.repeat(LENGTH)}x`,
  '<'.repeat(LENGTH),
  '<a> '.repeat(LENGTH / 4),
  `${'a@'.repeat(LENGTH / 2)}`,
  `${' '.repeat(LENGTH)}x`,
  '0'.repeat(LENGTH),
];

/** A record again and again, each time with another text of it replaced. */
function* spoilt(record: unknown, text: string): Generator<unknown> {
  if (typeof record === 'string') return yield text;
  if (typeof record !== 'object' || record === null) return;
  for (const [key, inner] of Object.entries(record))
    for (const other of spoilt(inner, text))
      yield Array.isArray(record) ? record.with(Number(key), other) : { ...record, [key]: other };
}

describe('a record with a text that somebody made to be slow', () => {
  // Mutation: a pattern that tries every beginning with all that follows takes seconds for one text, and there are hundreds.
  it.each(HOSTILE.map((text) => [text.trim().slice(0, 12), text] as const))(
    'is read in time that grows with its length: %s',
    (_beginning, text) => {
      const until = performance.now() + PATIENCE_MS;
      let records = 0;
      for (const example of EXAMPLES) {
        const [record] = example.records;
        for (const one of spoilt(record, text)) {
          mapExample({ ...example, records: [one as SourceRecord] });
          records += 1;
          if (performance.now() > until) throw new Error(`It hangs: ${example.tool}, ${example.route}`);
        }
      }
      expect(records).toBeGreaterThan(200);
    },
  );
});
