import { TenantDatabase } from '@outcomes/tenancy';
import { mintSystemScope } from '@outcomes/tenancy/system';
import { accountsFixture, type AccountsFixture } from '../../test/accounts-fixture';
import { AccountRetention } from './account-retention.service';

/** Columns of a row, beside what is of its age. */
const TABLES = {
  sign_in_attempts: {
    columns: 'attempt_sha256, nonce, code_verifier, began_at',
    values: (n: string, age: string) => `sha256(${n}), 'nonce', 'verifier', ${age}`,
    over: '61 minutes',
    current: '59 minutes',
  },
  user_sessions: {
    columns: 'session_sha256, user_id, signed_in_at, last_used_at',
    values: (n: string, age: string) => `sha256(${n}), gen_random_uuid(), ${age}, ${age}`,
    over: '7 days 1 minute',
    current: '6 days 23 hours',
  },
  invitations: {
    columns: 'company_id, invitation_sha256, email, role, created_at, accepted_at',
    values: (n: string, age: string) =>
      `gen_random_uuid(), sha256(${n}), 'a@example.com', 'member', ${age}, ${age}`,
    over: '7 days 1 minute',
    current: '6 days 23 hours',
  },
};

describe('what has ended of accounts', () => {
  let fixture: AccountsFixture;

  beforeAll(async () => {
    fixture = await accountsFixture();
    for (const [table, { columns, values, over, current }] of Object.entries(TABLES))
      for (const [age, rows] of [
        [over, 2_100],
        [current, 3],
      ] as const)
        await fixture.database.query(
          `INSERT INTO ${table} (${columns}) SELECT
           ${values(`convert_to('${age} ' || n, 'UTF8')`, `now() - interval '${age}'`)} FROM generate_series(1, ${rows}) AS n`,
        );
  });
  afterAll(() => fixture.stop());

  const counts = () =>
    Promise.all(
      Object.keys(TABLES).map(async (table) => {
        const [row] = await fixture.database.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`);
        return [table, row?.n];
      }),
    );
  const seenWith = async (settings: Record<`app.${string}`, string>) => {
    const database = fixture.console.get(TenantDatabase, { strict: false });
    return Promise.all(
      Object.keys(TABLES).map((table) =>
        database.unscoped(mintSystemScope(settings), async ({ client }) => {
          const { rows } = await client.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`);
          return [table, rows[0]?.n];
        }),
      ),
    );
  };

  it('is seen by a process that says it sweeps, and nothing that may still be presented', async () => {
    const none = [
      ['sign_in_attempts', 0],
      ['user_sessions', 0],
      ['invitations', 0],
    ];
    expect(await seenWith({})).toEqual(none);
    // Mutation: the policies ask for the setting and not for the age.
    expect(await seenWith({ 'app.sweeps_accounts': 'on' })).toEqual(none.map(([table]) => [table, 2_100]));
  });

  it('goes, however much it is, and what is current stays', async () => {
    const retention = fixture.console.get(AccountRetention);
    // Mutation: nothing begins it.
    expect(retention['timer']).toBeDefined();
    await Promise.all([retention.sweep(), retention.sweep()]);
    expect(await counts()).toEqual([
      ['sign_in_attempts', 3],
      ['user_sessions', 3],
      ['invitations', 3],
    ]);
    await retention.sweep();
    expect(await counts()).toContainEqual(['invitations', 3]);
  });
});
