import { plannedRows } from '../../test/company-fixture';
import { weekOf } from './days';
import { NumberReader, NumberWriter } from '@outcomes/persistence';
import { WeekCounts } from './week-counts';
import { decodeDigest, digestOf, encodeDigest, observedUntilOfDigest } from './week-digest';

const ROWS = plannedRows({ days: 14, sendsPerDay: 60 });
const WEEK = weekOf(ROWS[0]?.day ?? 0) + 1;
const MEMBERS = ROWS.filter(({ day }) => weekOf(day) === WEEK);

function weekOfRows(rows: typeof MEMBERS): WeekCounts {
  const week = new WeekCounts(WEEK);
  for (const row of rows) week.append(row);
  return week;
}

describe('a digest', () => {
  it('is read as it was written', () => {
    const made = digestOf(weekOfRows(MEMBERS));
    const encoded = encodeDigest(made);
    // As the driver hands it over: somewhere in a larger buffer.
    const moved = Buffer.concat([Buffer.alloc(3), encoded]).subarray(3);
    const read = decodeDigest(moved);
    expect({ ...read, rows: undefined, levels: read.levels.list() }).toEqual({
      ...made,
      rows: undefined,
      levels: made.levels.list(),
    });
    expect(read.rows.size).toBe(MEMBERS.length);
    for (let row = 0; row < MEMBERS.length; row += 1) {
      expect(read.rows.cellsAt(row)).toEqual(made.rows.cellsAt(row));
      expect(read.rows.lastOutcomeAt[row]).toBe(made.rows.lastOutcomeAt[row]);
    }
    expect(encodeDigest(read)).toEqual(encoded);
  });

  it('says how far the week was observed', () => {
    const newest = Math.max(...MEMBERS.map(({ day }) => day));
    const observedUntil = (rows: typeof MEMBERS) =>
      observedUntilOfDigest(encodeDigest(digestOf(weekOfRows(rows))));
    expect(observedUntil(MEMBERS)).toBe(newest + 2);
    // Mutation: what was sent and never heard of was not observed.
    expect(observedUntil(MEMBERS.map((row) => ({ ...row, lastOutcomeAt: null })))).toBe(newest);
  });
});

describe('numbers written close together', () => {
  it('come back as they went, small and large', () => {
    const counts = [0, 1, 127, 128, 16_383, 16_384, 2 ** 31, 2 ** 53 - 1];
    const doubles = Float64Array.of(0, -1.5, Number.NaN, 1e300);
    const writer = new NumberWriter();
    writer.counts(counts);
    writer.doubles(doubles);
    writer.counts(new Int32Array(20_000).fill(300));
    const reader = new NumberReader(writer.finish());
    expect([...reader.counts()]).toEqual(counts);
    expect(reader.doubles()).toEqual(doubles);
    expect(reader.counts()).toEqual(new Float64Array(20_000).fill(300));
  });
});
