import { createHash, randomUUID } from 'node:crypto';
import { STORED_MEANINGS, type StoredMeaning } from '@outcomes/contracts';
import { TenantDatabase, type TenantScope } from '@outcomes/tenancy';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { createTestDatabase, type TestDatabase } from '@outcomes/testing';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../database/data-source';
import { addressHashOf, contactOf, recipientShaOf } from './contact';
import { neighboursOf, standingsOf } from './contact-standing.repository';

const KINDS = ['no_response', 'responded', 'bounced', 'unsubscribed'] as const;
const LONG_AGO = new Date(0);

interface Told {
  readonly address?: string | null;
  readonly on?: string;
  readonly is?: StoredMeaning;
  readonly sent?: string;
  readonly isAlone?: boolean;
  readonly of?: TenantScope;
}

describe('who may be written to', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let tenants: TenantDatabase;
  let scope: TenantScope;

  beforeAll(async () => {
    database = await createTestDatabase();
    const url = await database.loginAs('outcomes_reader');
    const options = { applicationName: 'standing', poolSize: 2, statementTimeoutMs: 5_000 };
    dataSource = await createDataSource({ url, ...options, connectTimeoutMs: 2_000 }).initialize();
    tenants = new TenantDatabase(dataSource);
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });
  beforeEach(() => {
    scope = mintTenantScope(randomUUID());
  });

  /** An event, and unless it is alone the message that it became. */
  const tell = async (
    kind: (typeof KINDS)[number],
    recipient: string,
    { address = null, on = '2026-01-10', isAlone = false, of = scope, ...time }: Told = {},
  ) => {
    const touchId = isAlone ? null : randomUUID();
    const hash = address === null ? null : addressHashOf(address);
    const inId = hash === null && kind !== 'no_response' ? contactOf(recipient).addressHash : null;
    await database.query(
      `INSERT INTO outcome_events (company_id, event_id, touch_id, channel, sequence_step, outcome, sent_has_time,
         outcome_at, recipient_id, thread_id, recipient_hash, id_address_hash, outcome_at_is, sent_at)
       VALUES ($1, gen_random_uuid(), $2, 0, 0, $3, false, $4, $5, 't', $6, $7, $8, $9)`,
      [
        ...[of.companyId, touchId, KINDS.indexOf(kind), on, recipient, hash, inId],
        ...[STORED_MEANINGS.indexOf(time.is ?? 'exact'), time.sent ?? null],
      ],
    );
    if (isAlone) return;
    await database.query(
      `INSERT INTO touches (company_id, touch_id, channel, sequence_step, position, position_confidence, outcome,
         streamed, sent_day, sent_at, outcome_at, levels, recipient_id, thread_id, recipient_hash)
       VALUES ($1, $2, 0, 0, 0, 0, 0, false, $3::timestamptz::date, $3::timestamptz, $3::timestamptz, '{}', $4, 't', $5)`,
      [of.companyId, touchId, on, recipient, hash],
    );
  };
  const keep = (
    recipient: string,
    address: string | null,
    times: Partial<Record<'unsubscribed' | 'bounced', string>>,
  ) =>
    database.query('INSERT INTO suppressions VALUES ($1, $2, $3, $4, $5)', [
      scope.companyId,
      recipientShaOf(recipient),
      address === null ? '' : addressHashOf(address),
      times.unsubscribed ?? null,
      times.bounced ?? null,
    ]);
  const reasonsFor = async (...contacts: string[]) => {
    const standings = await tenants.transaction(scope, (transaction) =>
      standingsOf(transaction, contacts.map(contactOf), LONG_AGO),
    );
    return standings.map(({ blockReasons }) => blockReasons.join(' '));
  };

  it('is answered for each contact in its order, and for no contact with nothing', async () => {
    await tell('unsubscribed', 'anna');
    await tell('no_response', 'bert');
    expect(await reasonsFor('bert', 'anna', 'bert', 'nobody')).toEqual(['', 'unsubscribed', '', '']);
    expect(await reasonsFor()).toEqual([]);
  });

  it.each([
    ['a reply later', '2026-01-12'],
    ['a reply before', '2026-01-08'],
    ['a reply at once', '2026-01-10'],
  ])('is not changed for an opt-out by %s', async (_what, on) => {
    await tell('unsubscribed', 'anna', { isAlone: true });
    await tell('responded', 'anna', { on });
    expect(await reasonsFor('anna')).toEqual(['unsubscribed']);
  });

  it.each([
    ['2026-01-12', ''],
    ['2026-01-10', 'bounced'],
    ['2026-01-08', 'bounced'],
  ])('after a bounce on the 10th: a reply on %s says %j, silence says nothing', async (on, reasons) => {
    await tell('bounced', 'anna', { address: 'a@x.org' });
    await tell('no_response', 'anna', { address: 'a@x.org', on: '2026-01-20' });
    expect(await reasonsFor('anna')).toEqual(['bounced']);
    await tell('responded', 'anna-again', { address: 'a@x.org', on });
    expect(await reasonsFor('anna', 'a@x.org')).toEqual([reasons, reasons]);
  });

  it.each<[string, Told, string]>([
    [
      'before a time after the bounce, to a message before it',
      { is: 'not_after', sent: '2026-01-09' },
      'bounced',
    ],
    ['before a time after the bounce, to no known message', { is: 'not_after' }, 'bounced'],
    ['before a time, to a message after the bounce', { is: 'not_after', sent: '2026-01-11' }, ''],
    ['after a time after the bounce', { is: 'not_before' }, ''],
    ['on a day after the bounce', { is: 'that_day' }, ''],
  ])('is lifted by a reply only where that surely came later: %s', async (_what, told, reasons) => {
    await tell('bounced', 'anna', { address: 'a@x.org' });
    await tell('responded', 'anna', { on: '2026-03-02', ...told });
    await tell('responded', 'a@x.org', { on: '2026-03-02', ...told });
    expect(await reasonsFor('anna', 'a@x.org')).toEqual([reasons, reasons]);
  });

  it.each<[string, string, StoredMeaning, string]>([
    ['on its day', '2026-01-10T23:00Z', 'that_day', 'bounced'],
    ['on the next day', '2026-01-11T00:00Z', 'that_day', ''],
    ['on the same day as a moment of it', '2026-01-10T00:01Z', 'exact', ''],
  ])(
    'after a bounce of which a date alone is told, a reply %s (%s, %s): %j',
    async (_what, on, is, reasons) => {
      await tell('bounced', 'anna', { is });
      await tell('responded', 'anna', { on });
      expect(await reasonsFor('anna')).toEqual([reasons]);
    },
  );

  it('holds for the address under every recipient_id, with or without it on the opt-out, one hop far', async () => {
    await tell('no_response', 'anna', { address: 'a@x.org' });
    await tell('no_response', 'alias', { address: 'a@x.org' });
    await tell('no_response', 'far', { address: 'b@x.org' });
    await tell('no_response', 'alias', { address: 'b@x.org' });
    await tell('unsubscribed', 'anna');
    expect(await reasonsFor('anna', 'alias', ' A@X.org ', 'far', 'b@x.org')).toEqual([
      ...['unsubscribed', 'unsubscribed', 'unsubscribed'],
      ...['', ''],
    ]);
  });

  it('holds for everybody at an address that somebody opted out under as recipient_id', async () => {
    await tell('no_response', 'anna', { address: 'a@x.org' });
    await tell('unsubscribed', 'A@x.org', { isAlone: true });
    await tell('bounced', 'b@x.org', { isAlone: true });
    await tell('no_response', 'bert', { address: 'b@x.org' });
    await tell('no_response', 'C@x.org');
    await tell('unsubscribed', 'c@x.org', { of: mintTenantScope(randomUUID()) });
    expect(await reasonsFor('anna', 'a@x.org', 'A@X.ORG', 'bert', 'b@x.org', 'C@x.org')).toEqual([
      ...['unsubscribed', 'unsubscribed', 'unsubscribed'],
      ...['bounced', 'bounced', ''],
    ]);
    await tell('responded', 'B@X.ORG', { on: '2026-01-12' });
    expect(await reasonsFor('bert', 'b@x.org', 'B@x.org')).toEqual(['', '', '']);
  });

  it.each([
    [20, 'unsubscribed'],
    [21, ''],
  ])('is not spread by an address of %i recipients but for its own: %j', async (recipients, spread) => {
    for (let at = 1; at < recipients; at += 1) await tell('no_response', `r${at}`, { address: 'info@x.org' });
    await tell('no_response', 'anna', { address: 'info@x.org' });
    await tell('unsubscribed', 'anna', { isAlone: true });
    expect(await reasonsFor('anna', 'r1', 'info@x.org')).toEqual(['unsubscribed', spread, spread]);
    await tell('unsubscribed', 'r2', { address: 'info@x.org' });
    expect(await reasonsFor('r1', 'info@x.org')).toEqual(['unsubscribed', 'unsubscribed']);
  });

  it('is not spread by an address of more than 1,000 messages', async () => {
    await tell('no_response', 'r1', { address: 'info@x.org' });
    await tell('no_response', 'anna', { address: 'info@x.org' });
    await tell('unsubscribed', 'anna', { isAlone: true });
    expect(await reasonsFor('r1')).toEqual(['unsubscribed']);
    await database.query(
      `INSERT INTO touches SELECT (jsonb_populate_record(touches, jsonb_build_object('touch_id', gen_random_uuid()))).*
       FROM touches, generate_series(1, 999) WHERE company_id = $1 AND recipient_id = 'r1'`,
      [scope.companyId],
    );
    expect(await reasonsFor('r1', 'anna')).toEqual(['', 'unsubscribed']);
  });

  it('outlives the events: by recipient_id, by address, and by what ties the two together', async () => {
    await keep('anna', 'a@x.org', {});
    await keep('anna', null, { unsubscribed: '2024-01-01' });
    await keep('bert', 'b@x.org', { bounced: '2024-01-01' });
    expect(await reasonsFor('anna', 'a@x.org', 'bert', 'b@x.org')).toEqual([
      ...['unsubscribed', 'unsubscribed'],
      ...['bounced', 'bounced'],
    ]);
    await keep('carl', 'c@x.org', {});
    expect(await reasonsFor('c@x.org')).toEqual(['']);
    await tell('unsubscribed', 'carl', { isAlone: true });
    expect(await reasonsFor('c@x.org')).toEqual(['unsubscribed']);
  });

  it('is of one tenant: the opt-outs and neighbours of another are nobody’s', async () => {
    await tell('unsubscribed', 'anna', { address: 'a@x.org', of: mintTenantScope(randomUUID()) });
    expect(await reasonsFor('anna', 'a@x.org')).toEqual(['', '']);
    await tell('no_response', 'anna', { address: 'a@x.org' });
    const [people = []] = await tenants.transaction(scope, (transaction) =>
      neighboursOf(transaction, [contactOf('anna')]),
    );
    expect(people).toHaveLength(2);
  });

  describe('reads little of a company', () => {
    const MESSAGES = 5_000;
    const ASKED = 50;
    const fill = (companyId: string, into = database) =>
      into.query(
        `WITH message AS (
           SELECT $1::uuid AS company_id, gen_random_uuid() AS touch_id, 'r' || n AS recipient_id,
             left(md5(n::text), 16) AS recipient_hash, '2026-01-10'::timestamptz AS at
           FROM generate_series(1, $2::int) AS n
         ), sent AS (
           INSERT INTO touches (company_id, touch_id, channel, sequence_step, position, position_confidence, outcome,
             streamed, sent_day, sent_at, outcome_at, levels, recipient_id, thread_id, recipient_hash)
           SELECT company_id, touch_id, 0, 0, 0, 0, 1, false, at, at, at, '{}', recipient_id, 't', recipient_hash
           FROM message
         )
         INSERT INTO outcome_events (company_id, event_id, touch_id, channel, sequence_step, outcome, sent_has_time,
           outcome_at, recipient_id, thread_id, recipient_hash)
         SELECT company_id, gen_random_uuid(), touch_id, 0, 0, 1, false, at, recipient_id, 't', recipient_hash
         FROM message`,
        [companyId, MESSAGES],
      );
    const contacts = Array.from({ length: ASKED }, (_, n) => ({
      ...contactOf(`r${n + 1}`),
      addressHash: createHash('md5')
        .update(`${n + 1}`)
        .digest('hex')
        .slice(0, 16),
    }));
    /** Rows that are read for the standings of the contacts and for those near them. */
    const readFor = (from = tenants) =>
      from.transaction(scope, async (transaction) => {
        await standingsOf(transaction, contacts, LONG_AGO);
        await neighboursOf(transaction, contacts);
        const { rows } = await transaction.client.query<{ read: string }>({
          text: `SELECT sum(seq_tup_read + idx_tup_fetch) AS read FROM pg_stat_xact_user_tables
            WHERE relname IN ('touches', 'outcome_events')`,
        });
        return Number(rows[0]?.read);
      });

    it('that the statistics of the database do not know yet', async () => {
      await fill(randomUUID());
      await database.query('VACUUM ANALYZE touches, outcome_events');
      await fill(scope.companyId);
      const read = await readFor();
      expect(read).toBeGreaterThanOrEqual(ASKED);
      expect(read).toBeLessThan(MESSAGES);
    });

    it('that was empty when the connection made its plans', async () => {
      const filling = await createTestDatabase();
      const [options, url] = [
        { applicationName: 'filling', poolSize: 1 },
        await filling.loginAs('outcomes_reader'),
      ];
      const one = await createDataSource({
        ...{ url, ...options, statementTimeoutMs: 5_000, connectTimeoutMs: 2_000 },
      }).initialize();
      try {
        const from = new TenantDatabase(one);
        // Of a table that was never vacuumed Postgres takes it that it has some pages.
        await filling.query('VACUUM ANALYZE touches, outcome_events, suppressions');
        await readFor(from);
        await fill(scope.companyId, filling);
        // Mutation: a plan by name alone reads all that the company has for each contact.
        const read = await readFor(from);
        expect(read).toBeGreaterThanOrEqual(ASKED);
        expect(read).toBeLessThan(MESSAGES);
      } finally {
        await one.destroy();
        await filling.drop();
      }
    });
  });

  it.each(['auto', 'force_custom_plan'])(
    'leaves how other statements of the transaction are planned: %s',
    async (mode) => {
      const after = await tenants.transaction(scope, async (transaction) => {
        const { client } = transaction;
        await client.query(`SELECT set_config('plan_cache_mode', '${mode}', true)`);
        await standingsOf(transaction, [contactOf('anna')], LONG_AGO);
        const { rows } = await client.query<{ mode: string }>(
          `SELECT current_setting('plan_cache_mode') AS mode`,
        );
        return rows[0]?.mode;
      });
      expect(after).toBe(mode);
    },
  );
});
