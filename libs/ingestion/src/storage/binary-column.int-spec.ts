import fc from 'fast-check';
import { ingestionFixture, type IngestionFixture } from '../../test/ingestion-fixture';
import { booleans, digests, integers, jsonTexts, smallints, texts, timestamps, uuids } from './binary-column';

interface Row {
  readonly flag: boolean | null;
  readonly small: number | null;
  readonly whole: number | null;
  readonly moment: number | null;
  readonly id: string | null;
  readonly digest: Buffer | null;
  readonly words: string | null;
  readonly document: string | null;
}

const COLUMNS = [
  booleans<Row>('flag', (row) => row.flag),
  smallints<Row>('small', (row) => row.small),
  integers<Row>('whole', (row) => row.whole),
  timestamps<Row>('moment', (row) => row.moment),
  uuids<Row>('id', (row) => row.id),
  digests<Row>('digest', (row) => row.digest),
  texts<Row>('words', (row) => row.words),
  jsonTexts<Row>('document', (row) => row.document),
];
const SELECT = `SELECT flag, small, whole, (extract(epoch FROM moment) * 1000)::float8 AS moment, id, digest, words, document::text
  FROM unnest(${COLUMNS.map(({ type }, index) => `$${index + 1}::${type}[]`).join()})
    AS rows (${COLUMNS.map(({ name }) => name).join()})`;

const orNull = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: null });
const word = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 100 }),
    fc.constantFrom('', '\\', '"', 'NULL', '{}', 'é'.repeat(39), '漢'.repeat(41), '😀'.repeat(5_000)),
    fc.integer({ min: 0, max: 90 }).map((length) => 'x'.repeat(length)),
  )
  .map((text) => text.replaceAll('\0', ''));
const row = fc.record<Row>({
  flag: orNull(fc.boolean()),
  small: orNull(fc.integer({ min: -32_768, max: 32_767 })),
  whole: orNull(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
  moment: orNull(fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }).map(Number)),
  id: orNull(fc.uuid()),
  digest: orNull(fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => Buffer.from(bytes))),
  words: orNull(word),
  document: orNull(word.map((text) => JSON.stringify(text))),
});

describe('columns in binary form', () => {
  let fixture: IngestionFixture;

  beforeAll(async () => {
    fixture = await ingestionFixture();
  });
  afterAll(() => fixture.stop());

  it('arrive as they were', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 40 }), async (rows) => {
        const values = COLUMNS.map((column) => column.encode(rows));
        expect(await fixture.database.query(SELECT, values)).toEqual(rows);
      }),
      { seed: 11, numRuns: 150 },
    );
  });

  it('have room for the nulls behind texts outside ASCII', async () => {
    const empty = {
      flag: null,
      small: null,
      whole: null,
      moment: null,
      id: null,
      digest: null,
      words: null,
      document: null,
    };
    const words = Array.from({ length: 25 }, (_, index) => (index < 5 ? '漢'.repeat(10) : null));
    const rows = words.map((text): Row => ({
      ...empty,
      words: text,
      document: text && JSON.stringify(text),
    }));
    const values = COLUMNS.map((column) => column.encode(rows));
    expect(await fixture.database.query(SELECT, values)).toEqual(rows);
  });
});
