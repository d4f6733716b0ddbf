import { randomUUID } from 'node:crypto';
import { TenantDatabase, type TenantScope, type TenantTransaction } from '@outcomes/tenancy';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { mintSystemScope } from '@outcomes/tenancy/system';
import { createTestDatabase, inForm, type TestDatabase } from '@outcomes/testing';
import type { DataSource } from 'typeorm';
import { createDataSource } from './data-source';

const TENANTS = 50;
/** The mutations are found in 500. */
const TRANSACTIONS = inForm(2_000, 10_000);

describe('transactions of many tenants over few connections', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let tenants: TenantDatabase;
  let scopes: TenantScope[];

  beforeAll(async () => {
    database = await createTestDatabase();
    dataSource = await createDataSource({
      url: await database.loginAs('outcomes_ingest'),
      applicationName: 'tenant-test',
      poolSize: 4,
      statementTimeoutMs: 5_000,
      connectTimeoutMs: 20_000,
    }).initialize();
    tenants = new TenantDatabase(dataSource);
    scopes = Array.from({ length: TENANTS }, () => mintTenantScope(randomUUID()));
    for (const { companyId } of scopes) {
      await database.query(
        `INSERT INTO usage_months (company_id, key_id, month, used) VALUES ($1, 'key', '2026-01-01', 1)`,
        [companyId],
      );
    }
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  type Tenants = Pick<TenantDatabase, 'transaction' | 'unscoped'>;

  /** What transactions saw of other tenants, left behind and failed, with errors and refused writes between. */
  const interleave = async (count: number, through: Tenants) => {
    const seen = { foreign: 0, left: 0, failed: 0 };
    const one = async (n: number) => {
      const scope = scopes[n % TENANTS] as TenantScope;
      const other = scopes[(n + 1) % TENANTS] as TenantScope;
      const work = through.transaction(scope, async ({ client }) => {
        const { rows } = await client.query<{ company_id: string }>('SELECT company_id FROM usage_months');
        if (rows.length !== 1 || rows[0]?.company_id !== scope.companyId) seen.foreign += 1;
        if (n % 5 === 1) await client.query('SELECT 1 / 0');
        if (n % 5 === 2) {
          await client.query(
            `INSERT INTO usage_months (company_id, key_id, month, used) VALUES ($1, 'stolen', '2026-01-01', 1)`,
            [other.companyId],
          );
        }
        if (n % 5 === 3) {
          await client.query('UPDATE usage_months SET used = used + 1 WHERE company_id = $1', [
            other.companyId,
          ]);
        }
      });
      await work.catch(() => (seen.failed += 1));
      if (n % 10 === 0) {
        await through.unscoped(mintSystemScope(), async ({ client }) => {
          const { rows } = await client.query<{ visible: number; left: string | null }>(
            `SELECT (SELECT count(*)::int FROM usage_months) AS visible,
                    nullif(current_setting('app.company_id', true), '') AS left`,
          );
          if (rows[0]?.visible !== 0 || rows[0].left !== null) seen.left += 1;
        });
      }
    };
    for (let from = 0; from < count; from += 500) {
      await Promise.all(Array.from({ length: 500 }, (_, n) => one(from + n)));
    }
    return seen;
  };

  it(`see their own rows only, ${TRANSACTIONS} times, with errors and refused writes between, and leave no setting`, async () => {
    expect(await interleave(TRANSACTIONS, tenants)).toEqual({
      foreign: 0,
      left: 0,
      failed: (TRANSACTIONS * 2) / 5,
    });
    const rows = await database.query(`SELECT 1 FROM usage_months WHERE key_id = 'key' AND used = 1`);
    expect(rows).toHaveLength(TENANTS);
    expect(await database.query(`SELECT 1 FROM usage_months WHERE key_id <> 'key'`)).toHaveLength(0);
  }, 60_000);

  describe('would not: the mutations of the test above', () => {
    const unscoped: Tenants['unscoped'] = (scope, work) => tenants.unscoped(scope, work);
    const tell = ({ companyId }: TenantScope) => `SELECT set_config('app.company_id', '${companyId}', false)`;
    // What they leave on connections must not reach the other tests.
    afterEach(async () => {
      await dataSource.destroy();
      await dataSource.initialize();
    });

    it('a setting that outlives its transaction', async () => {
      const transaction: Tenants['transaction'] = (scope, work) =>
        tenants.unscoped(mintSystemScope(), async ({ client, manager }) => {
          await client.query(tell(scope));
          return work({ companyId: scope.companyId, client, manager } as TenantTransaction);
        });
      expect((await interleave(500, { unscoped, transaction })).left).toBeGreaterThan(0);
    });

    it('a setting made on whichever connection is free', async () => {
      const transaction: Tenants['transaction'] = async (scope, work) => {
        await dataSource.query(tell(scope));
        return tenants.unscoped(mintSystemScope(), ({ client, manager }) =>
          work({ companyId: scope.companyId, client, manager } as TenantTransaction),
        );
      };
      expect((await interleave(500, { unscoped, transaction })).foreign).toBeGreaterThan(0);
    });
  });

  it('see nothing where no tenant is named', async () => {
    const seen = await tenants.unscoped(mintSystemScope(), ({ client }) =>
      client.query('SELECT 1 FROM usage_months'),
    );
    expect(seen.rowCount).toBe(0);
    const bare = { name: 'bare', text: 'SELECT 1 FROM usage_months', values: [] };
    expect(await tenants.statement(mintSystemScope(), bare)).toEqual([]);
  });

  it('take a quoted setting for what it says', async () => {
    const value = `it's "quoted" \\ '; DROP TABLE usage_months; --`;
    const seen = await tenants.unscoped(mintSystemScope({ 'app.portal_id': value }), ({ client }) =>
      client.query<{ value: string }>(`SELECT current_setting('app.portal_id') AS value`),
    );
    expect(seen.rows).toEqual([{ value }]);
  });
});
