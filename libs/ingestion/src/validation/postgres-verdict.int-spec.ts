import fc from 'fast-check';
import type { TenantScope } from '@outcomes/tenancy';
import { anEvent, ingestionFixture, type IngestionFixture } from '../../test/ingestion-fixture';
import { checkEvent } from './event-rules';

/** Texts that look like times, many of them wrong in ways that Postgres and JavaScript judge differently. */
const two = (min: number, max: number) => fc.integer({ min, max }).map((n) => String(n).padStart(2, '0'));
const date = fc
  .tuple(
    fc.constantFrom('2026', '2024', '2025', '1900', '1990', '0000', '9999', '02026'),
    two(0, 14),
    two(0, 33),
  )
  .map((parts) => parts.join('-'));
const zone = fc.oneof(
  fc.constantFrom('', 'Z', 'z', '+00', '+0530'),
  fc.tuple(fc.constantFrom('+', '-'), two(0, 25), two(0, 61)).map(([sign, h, m]) => `${sign}${h}:${m}`),
);
const clock = fc
  .tuple(
    two(0, 25),
    two(0, 61),
    fc.option(two(0, 61), { nil: undefined }),
    fc.constantFrom('', '.5', '.123456789'),
    zone,
  )
  .map(([h, m, s, fraction, offset]) => `T${h}:${m}${s === undefined ? '' : `:${s}${fraction}`}${offset}`);
const time = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(date, fc.option(clock, { nil: '' })).map((parts) => parts.join('')) },
  fc.constantFrom('2026-W23-1', '2026-152', 'now', 'infinity', 'epoch', '2026-06-01T23:59:60Z', ''),
);
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(
    '\0',
    '\ud800',
    '\udc00x',
    'ok\ud83d',
    '\ufeff',
    '\uffff',
    '{}',
    '\\',
    '"',
    'NULL',
    '\x7f\x1b',
  ),
);
const json = fc.oneof(
  fc.dictionary(text, fc.oneof(text, fc.double(), fc.constantFrom(Infinity, -Infinity, NaN, 1e308)), {
    maxKeys: 3,
  }),
  fc.object({ maxDepth: 10, key: text }),
  fc
    .constantFrom('{"a":1e400}', '{"a":"\\u0000"}', '{"\\ud800":1}', '{"__proto__":1}')
    .map((raw): unknown => JSON.parse(raw)),
);
const integer = fc.oneof(fc.integer(), fc.constantFrom(2 ** 31, 2 ** 31 - 1, -1, 1.5, 1e200, 50, 51));

const PARTS = {
  recipient_id: text,
  thread_id: text,
  subject: text,
  body: text,
  industry: text,
  recipient_position: text,
  sent_at: time,
  outcome_at: time,
  word_count: integer,
  sequence_step: integer,
  metadata: json,
  event_id: fc.oneof(fc.uuid(), text),
  recipient_email: fc.oneof(fc.emailAddress(), text),
};
type Part = keyof typeof PARTS;

/** A legal event with one or two parts that may be anything. */
const wild = fc
  .subarray(Object.keys(PARTS) as Part[], { minLength: 1, maxLength: 2 })
  .chain((names) =>
    fc.record(Object.fromEntries(names.map((name) => [name, PARTS[name] as fc.Arbitrary<unknown>]))),
  )
  .map((parts) => anEvent(parts));

/** Postgres' own opinion of each part that was sent. */
const CASTS: Readonly<Record<string, string>> = {
  recipient_id: 'text',
  thread_id: 'text',
  subject: 'text',
  body: 'text',
  industry: 'text',
  recipient_position: 'text',
  sent_at: 'timestamptz',
  outcome_at: 'timestamptz',
  word_count: 'integer',
  sequence_step: 'smallint',
  metadata: 'jsonb',
  event_id: 'uuid',
};

describe('the verdict of the validation and that of Postgres', () => {
  let fixture: IngestionFixture;
  let scope: TenantScope;

  beforeAll(async () => {
    fixture = await ingestionFixture();
    scope = await fixture.newCompany();
  });
  afterAll(() => fixture.stop());

  const now = () => fixture.clock.now().getTime();

  it('agree: what is accepted is stored, all of it, in one statement with its neighbours', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(wild, { minLength: 20, maxLength: 60 }), async (events) => {
        // Infinity becomes null on the wire, so the verdict is asked about what arrives.
        const arriving = JSON.parse(JSON.stringify(events)) as object[];
        const valid = arriving.filter((event) => checkEvent(event, now()).checked);
        const answer = await fixture.ingest(scope, ...events);
        expect(answer.accepted).toBe(valid.length);
        expect(answer.rejected).toBe(events.length - valid.length);
      }),
      { seed: 21, numRuns: 60 },
    );
    const [stored] = await fixture.database.query<{ count: number }>(
      'SELECT count(*)::int FROM outcome_events',
    );
    expect(stored?.count).toBeGreaterThan(50);
  });

  it('agree: no part that Postgres refuses is accepted', async () => {
    const parts = fc.sample(wild, { numRuns: 600, seed: 22 }).flatMap((event) =>
      Object.entries(CASTS)
        .filter(([field]) => field in event)
        .map(([field, type]) => ({ field, type, value: event[field] })),
    );
    const refused = [];
    for (const part of parts) if (!(await casts(part.type, part.value))) refused.push(part);
    expect(refused.length).toBeGreaterThan(100);
    const waved = refused.filter(({ field, value }) => {
      const { faults = [] } = checkEvent(anEvent({ [field]: value }), now());
      return !faults.some((found) => found.field === field);
    });
    expect(waved).toEqual([]);
  });

  async function casts(type: string, value: unknown): Promise<boolean> {
    if (typeof value === 'number' && !Number.isInteger(value)) return false;
    const sent = type === 'jsonb' ? withInfinities(value) : String(value);
    // The driver writes a lone surrogate as U+FFFD: stored, but not what was sent.
    if (!sent.isWellFormed() || (type === 'jsonb' && hasLoneSurrogate(value))) return false;
    return fixture.database.query(`SELECT $1::${type}`, [sent]).then(
      () => true,
      () => false,
    );
  }
});

/** JSON.stringify writes null for what JSON cannot hold; Postgres shall see what was meant. */
function withInfinities(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'number' && !Number.isFinite(inner) ? '@infinite' : inner,
  ).replaceAll('"@infinite"', 'Infinity');
}

function hasLoneSurrogate(value: unknown): boolean {
  if (typeof value === 'string') return !value.isWellFormed();
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, inner]) => !key.isWellFormed() || hasLoneSurrogate(inner));
}
