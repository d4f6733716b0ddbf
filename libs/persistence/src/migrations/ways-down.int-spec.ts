import { randomUUID } from 'node:crypto';
import type { TestDatabase } from '@outcomes/testing';
import { createPlainlyOwned } from '../../test/plain-owner';
import { createDataSource } from '../database/data-source';
import { bringUpTo, migrationNames } from '../database/migrate';
import { DecideAgain1791003700000 } from './1791003700000-decide-again';
import { TellWhySuppressed1791002900000 } from './1791002900000-tell-why-suppressed';

describe('the way down, where row-level security holds the owner of the tables', () => {
  const company = randomUUID();
  let database: TestDatabase;
  let asOwner: string;
  let drop: () => Promise<void>;

  beforeEach(async () => {
    ({ database, asOwner, drop } = await createPlainlyOwned());
  });
  afterEach(() => drop());

  const upTo = async (name: string) => {
    const names = migrationNames();
    await bringUpTo(asOwner, names.slice(0, names.indexOf(name) + 1));
    await database.query(`INSERT INTO companies (company_id, name) VALUES ($1, 'Example')`, [company]);
  };
  const down = async (migration: DecideAgain1791003700000 | TellWhySuppressed1791002900000) => {
    const dataSource = createDataSource({
      url: asOwner,
      applicationName: 'way-down-test',
      poolSize: 1,
      statementTimeoutMs: 20_000,
      connectTimeoutMs: 20_000,
    });
    await dataSource.initialize();
    const runner = dataSource.createQueryRunner();
    try {
      await migration.down(runner);
    } finally {
      await runner.release();
      await dataSource.destroy();
    }
  };
  const isForced = async (table: string) => {
    const [row] = await database.query<{ forced: boolean }>(
      'SELECT relforcerowsecurity AS forced FROM pg_class WHERE oid = to_regclass($1)',
      [table],
    );
    return row?.forced;
  };

  it('leaves the newest decision of each state, which the earlier index holds to', async () => {
    await upTo('DecideAgain1791003700000');
    const message = randomUUID();
    const decided = (day: string, state: string) =>
      database.query(
        `INSERT INTO workflow_decisions (company_id, decision_id, decided_at, run_id, after_touch_id, contact_state,
           contact_id, thread_id, engine_version, model_sha256, inputs, result)
         VALUES ($1, gen_random_uuid(), $2, gen_random_uuid(), $3, $4, 'r1', 't1', '1', '', '{}', '{}')`,
        [company, `${day}T00:00:00Z`, message, state],
      );
    await decided('2026-03-01', 'open');
    await decided('2026-03-02', 'bounced');
    await decided('2026-03-03', 'open');
    await down(new DecideAgain1791003700000());
    const left = await database.query(
      `SELECT to_char(decided_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, contact_state AS state
       FROM workflow_decisions ORDER BY day`,
    );
    expect(left).toEqual([
      { day: '2026-03-02', state: 'bounced' },
      { day: '2026-03-03', state: 'open' },
    ]);
    expect(await isForced('workflow_decisions')).toBe(true);
  });

  it('lists a complaint as an opt-out, which is all that the earlier check knows', async () => {
    await upTo('TellWhySuppressed1791002900000');
    await database.query(
      `INSERT INTO suppression_list (company_id, suppression_id, change_no, change, reason, recipient_id, since, changed_at)
       VALUES ($1, gen_random_uuid(), 1, 'added', 'complaint', 'r1', now(), now()),
         ($1, gen_random_uuid(), 2, 'added', 'bounced', 'r2', now(), now())`,
      [company],
    );
    await down(new TellWhySuppressed1791002900000());
    expect(await database.query('SELECT change_no, reason FROM suppression_list ORDER BY change_no')).toEqual(
      [
        { change_no: '1', reason: 'unsubscribed' },
        { change_no: '2', reason: 'bounced' },
      ],
    );
    expect(await isForced('suppression_list')).toBe(true);
  });
});
