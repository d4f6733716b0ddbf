import type { TenantScope } from '@outcomes/tenancy';
import { ingestionFixture, type IngestionFixture } from '../../test/ingestion-fixture';
import { disagreements, refusedByPostgres, fuzzEvents, type FuzzEvent } from '../testing';
import { checkEvent } from './event-rules';

/** A slice: `npm run verify:reliability -- verdict` judges a hundred thousand. */
const COUNT = 4_000;

describe('the verdict of the validation and that of Postgres', () => {
  let fixture: IngestionFixture;
  let scope: TenantScope;
  let events: readonly FuzzEvent[];

  beforeAll(async () => {
    fixture = await ingestionFixture();
    scope = await fixture.newCompany();
    events = fuzzEvents(COUNT, 21);
  });
  afterAll(() => fixture.stop());

  const now = () => fixture.clock.now();
  const parsed = ({ json }: FuzzEvent): object => JSON.parse(json) as object;
  const faultsOf = (event: object) =>
    new Set((checkEvent(event, now().getTime()).faults ?? []).map(({ field }) => field));
  const refused = () =>
    refusedByPostgres((text, values) => fixture.database.query(text, values), events, now());

  it('agree on every part', async () => {
    const byPostgres = await refused();
    expect(byPostgres.filter((fields) => fields.size > 0).length).toBeGreaterThan(COUNT / 5);
    expect(byPostgres.filter((fields) => fields.size === 0).length).toBeGreaterThan(COUNT / 5);
    const byUs = events.map((event) => faultsOf(parsed(event)));
    expect(disagreements(events, byPostgres, byUs)).toEqual([]);
  });

  it('would not agree without the calendar', async () => {
    const early = (text: unknown) =>
      typeof text === 'string' ? text.replace(/^(\d{4}-\d\d)-(29|3[01])/, '$1-28') : text;
    const byUs = events.map((event) => {
      const { sent_at, outcome_at, ...rest } = parsed(event) as Record<string, unknown>;
      return faultsOf({ ...rest, sent_at: early(sent_at), outcome_at: early(outcome_at) });
    });
    expect(disagreements(events, await refused(), byUs).length).toBeGreaterThan(0);
  });

  it('agree: what is accepted is stored, all of it, in one statement with its neighbours', async () => {
    let valid = 0;
    for (let from = 0; from < COUNT; from += 500) {
      const some = events.slice(from, from + 500);
      const accepted = some.filter((event) => faultsOf(parsed(event)).size === 0).length;
      const body = Buffer.from(`{"events":[${some.map(({ json }) => json).join(',')}]}`);
      expect(await fixture.api.ingestion.ingestJson(scope, body)).toMatchObject({
        accepted,
        rejected: some.length - accepted,
      });
      valid += accepted;
    }
    expect(valid).toBeGreaterThan(COUNT / 5);
  });
});
