import { randomUUID } from 'node:crypto';
import { DOCUMENTS } from '@outcomes/contracts';
import type { TenantDatabase, TenantTransaction } from '@outcomes/tenancy';
import { mintTenantScope } from '@outcomes/tenancy/mint';
import { serialise } from '../documents/serialise';
import { BacktestRepository } from './backtest.repository';
import { noBacktest } from './backtest-document';

const SCOPE = mintTenantScope(randomUUID());
const AT = new Date('2026-06-01T02:00:00Z');

/** Statements that keep a backtest of a company that is there, or was deleted meanwhile. */
async function kept(isThere: boolean): Promise<string[]> {
  const statements: string[] = [];
  const query = async (statement: string) => {
    if (statement.includes('FROM companies')) return { rowCount: isThere ? 1 : 0 };
    statements.push(statement.trim());
    return { rowCount: 0, rows: [] };
  };
  const database = {
    transaction: (_scope: unknown, work: (transaction: TenantTransaction) => unknown) =>
      work({ companyId: SCOPE.companyId, client: { query } } as unknown as TenantTransaction),
  } as unknown as TenantDatabase;
  const document = serialise(DOCUMENTS.backtest, noBacktest('no_history', AT));
  await new BacktestRepository(database).keep(SCOPE, { runId: randomUUID(), dataAsOf: AT }, [], document, AT);
  return statements;
}

describe('a backtest that is kept', () => {
  it('takes the place of the one before, and brings nothing back of a company that was deleted', async () => {
    expect(await kept(false)).toEqual([]);
    expect(await kept(true)).toEqual([
      expect.stringMatching(/^DELETE FROM evidence_weeks .* folded_later$/),
      expect.stringMatching(/^INSERT INTO snapshots/),
    ]);
  });
});
